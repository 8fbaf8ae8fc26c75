#include <algorithm>

#include <fmt/format.h>

#include "stepwell/compile/loader.h"

namespace stepwell {

void Loader::check_graph() {
  check_joins();
  check_parallel_writes();
  check_iteration_writes();
  check_final_step();
  // A playbook with errors may look emptier than it is: what depends on the whole is not said then.
  if (diagnostics_.has_errors()) return;
  const std::vector<bool> reachable = reachable_steps();
  warn_unreachable_steps(reachable);
  warn_unreachable_arcs();
  warn_branches();
  warn_endless_cycles(reachable);
}

// Every step that tokens can get to from `starts`, these included, without going on from step `stop`.
std::vector<bool> Loader::reachable_from(std::vector<std::size_t> starts, std::int64_t stop) const {
  std::vector<bool> seen(steps_.size());
  for (const std::size_t start : starts) seen[start] = true;
  while (!starts.empty()) {
    const std::size_t at = starts.back();
    starts.pop_back();
    if (static_cast<std::int64_t>(at) == stop) continue;
    for (const ReadArc& arc : steps_[at].arcs) {
      const auto target = static_cast<std::size_t>(arc.target);
      if (arc.target < 0 || arc.never || seen[target]) continue;
      seen[target] = true;
      starts.push_back(target);
    }
  }
  return seen;
}

// Iterations that run at once must not write what they share.
void Loader::check_parallel_writes() {
  auto refuse = [&](Mark mark) {
    diagnostics_.error(mark, "loop-write", "the iterations of a parallel loop must not write ctx",
                       "write iter.<name> and collect the results from the loop's output");
  };
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!steps_[i].parallel_loop) continue;
    std::ranges::for_each(steps_[i].body_writes, refuse);
    for (std::size_t inner = 0; inner < steps_.size(); ++inner) {
      if (inside(inner, i)) std::ranges::for_each(steps_[inner].ctx_writes, refuse, &CtxWrite::mark);
    }
  }
}

// The block that a step stands in; -1 if there is none.
std::int64_t Loader::owner_of(std::size_t step) const { return names_.owners[names_.steps[step].list]; }

// Whether a step stands in a block, however deep.
bool Loader::inside(std::size_t step, std::size_t block) const {
  std::int64_t owner = owner_of(step);
  while (owner >= 0 && owner != static_cast<std::int64_t>(block)) owner = owner_of(static_cast<std::size_t>(owner));
  return owner >= 0;
}

// iter.* can be written where there is an iteration: in the pipeline of a loop, and anywhere in a block with one.
void Loader::check_iteration_writes() {
  auto refuse = [&](const std::vector<Mark>& marks) {
    for (const Mark mark : marks) {
      diagnostics_.error(mark, "set-target", "iter cannot be written outside of an iteration");
    }
  };
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    bool iterates = false;
    for (std::int64_t owner = owner_of(i); owner >= 0 && !iterates; owner = owner_of(static_cast<std::size_t>(owner))) {
      iterates = steps_[static_cast<std::size_t>(owner)].looped;
    }
    if (iterates) continue;
    refuse(steps_[i].iter_sets);
    if (!steps_[i].looped) refuse(steps_[i].iter_patches);
  }
}

void Loader::check_final_step() {
  if (final_step_ < 0) return;
  const auto index = static_cast<std::size_t>(final_step_);
  const ReadStep& step = steps_[index];
  auto refuse = [&](std::string_view why) {
    diagnostics_.error(final_mark_, "final-step",
                       fmt::format("'{}' cannot be the final step: {}", names_.steps[index].name, why));
  };
  if (final_step_ == entry_) refuse("it is the entry");
  if (step.join_from >= 0) refuse("it is a join");
  if (step.type == "terminate") refuse("it is a terminate");
  if (step.has_guard) refuse("it has a 'when'");
  if (!step.arcs.empty()) refuse("it has a 'next'");
  if (step.looped) refuse("it has a 'loop'");
  for (const ReadStep& other : steps_) {
    for (const ReadArc& arc : other.arcs) {
      if (arc.target != final_step_) continue;
      diagnostics_.error(arc.mark, "final-step",
                         fmt::format("no arc can lead to '{}': it is the final step", names_.steps[index].name));
    }
  }
}

// The steps that a token can get to. A block's own are judged by themselves, whether or not it is reached.
std::vector<bool> Loader::reachable_steps() const {
  std::vector<std::size_t> starts = {static_cast<std::size_t>(entry_)};
  if (final_step_ >= 0) starts.push_back(static_cast<std::size_t>(final_step_));
  for (std::size_t list = 1; list < names_.lists.size(); ++list) starts.push_back(names_.lists[list].front());
  return reachable_from(starts);
}

void Loader::warn_unreachable_steps(const std::vector<bool>& reachable) {
  std::vector<bool> named(steps_.size());  // by an arc of another step
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    for (const ReadArc& arc : steps_[i].arcs) {
      const auto target = static_cast<std::size_t>(arc.target);
      if (target != i) named[target] = true;
    }
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (reachable[i]) continue;
    diagnostics_.warning(steps_[i].mark, "step-unreachable",
                         fmt::format("step '{}' can never run: {}", names_.steps[i].name,
                                     named[i] ? "no arc that is ever taken leads to it" : "no arc leads to it"));
  }
}

void Loader::warn_unreachable_arcs() {
  for (const ReadStep& step : steps_) {
    if (step.inclusive) continue;
    std::uint8_t covered = 0;  // the ends after which an arc before is taken for sure
    const ReadArc* always = nullptr;
    for (const ReadArc& arc : step.arcs) {
      if ((arc.asked_after & ~covered) == 0) {
        diagnostics_.warning(arc.mark, "arc-unreachable",
                             fmt::format("this arc is never taken: the one at {}:{} always comes first",
                                         always->mark.line, always->mark.column));
      }
      if (arc.guarded || arc.fans_out) continue;
      covered |= arc.asked_after;
      always = &arc;
    }
  }
}

// The steps that a run of this step leads to for sure, if it goes well and nothing outside has a say.
std::vector<std::size_t> Loader::sure_targets(std::size_t index) const {
  const ReadStep& step = steps_[index];
  std::vector<std::size_t> targets;
  if (step.gated || step.waits || step.type == "block") return targets;
  for (const ReadArc& arc : step.arcs) {
    if ((arc.asked_after & kDone) == 0 || arc.never || arc.target < 0) continue;
    const bool sure = !arc.guarded && !arc.fans_out;
    if (sure) targets.push_back(static_cast<std::size_t>(arc.target));
    // The first that matches is taken: what comes after a condition is not sure, what comes after a sure one is not
    // asked.
    if (!step.inclusive) break;
  }
  return targets;
}

// A cycle without any condition or wait runs until max_step_runs ends it. Said of its first step.
void Loader::warn_endless_cycles(const std::vector<bool>& reachable) {
  enum class Visit : std::uint8_t { none, open, closed };
  std::vector<Visit> visits(steps_.size());
  std::vector<std::size_t> way;
  auto tell = [&](std::size_t back) {
    const auto cycle = std::ranges::find(way, back);
    const std::size_t first = *std::min_element(cycle, way.end());
    diagnostics_.warning(steps_[first].mark, "cycle-endless",
                         fmt::format("step '{}' leads back to itself without any condition", names_.steps[first].name),
                         "give one of the arcs a 'when'");
  };
  for (std::size_t start = 0; start < steps_.size(); ++start) {
    std::vector<std::vector<std::size_t>> ahead;  // what is still to be tried from each step of the way
    auto enter = [&](std::size_t step) {
      visits[step] = Visit::open;
      way.push_back(step);
      ahead.push_back(sure_targets(step));
    };
    if (visits[start] == Visit::none && reachable[start]) enter(start);
    while (!way.empty()) {
      if (ahead.back().empty()) {
        visits[way.back()] = Visit::closed;
        way.pop_back();
        ahead.pop_back();
        continue;
      }
      const std::size_t target = ahead.back().back();
      ahead.back().pop_back();
      if (visits[target] == Visit::open) tell(target);
      if (visits[target] == Visit::none) enter(target);
    }
  }
}

}  // namespace stepwell
