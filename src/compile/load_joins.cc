#include <algorithm>

#include <fmt/format.h>

#include "stepwell/compile/loader.h"

namespace stepwell {

namespace {

bool fans_out(const ReadStep& step) { return step.inclusive || std::ranges::any_of(step.arcs, &ReadArc::fans_out); }

bool overlap(const Path& a, const Path& b) { return a.lies_under(b) || b.lies_under(a); }

}  // namespace

void Loader::check_joins() {
  std::vector<std::int64_t> joined_by(steps_.size(), -1);
  // While an arc leads nowhere, nobody knows what it was meant to reach.
  const bool arcs_resolved = std::ranges::none_of(steps_, [](const ReadStep& step) {
    return std::ranges::any_of(step.arcs, [](const ReadArc& arc) { return arc.target < 0; });
  });
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const ReadStep& step = steps_[i];
    if (step.join_from < 0) continue;
    const auto from = static_cast<std::size_t>(step.join_from);
    const std::string& from_name = names_.steps[from].name;
    if (!fans_out(steps_[from])) {
      diagnostics_.error(step.join_mark, "join-from",
                         fmt::format("step '{}' never fans out, so nothing can be joined", from_name),
                         "give it next_mode: inclusive or an arc with foreach");
    } else if (joined_by[from] >= 0) {
      diagnostics_.error(step.join_mark, "join-twice",
                         fmt::format("the branches of '{}' are joined by '{}' already", from_name,
                                     names_.steps[static_cast<std::size_t>(joined_by[from])].name));
    } else if (arcs_resolved && static_cast<std::int64_t>(i) != final_step_ && !reachable_from({from})[i]) {
      diagnostics_.error(step.join_mark, "join-unreachable",
                         fmt::format("no branch of '{}' can reach the join '{}'", from_name, names_.steps[i].name));
    }
    if (joined_by[from] < 0) joined_by[from] = static_cast<std::int64_t>(i);
  }
  for (const ReadStep& step : steps_) {
    for (const ReadArc& arc : step.arcs) {
      if (arc.target < 0 || !arc.has_args || steps_[static_cast<std::size_t>(arc.target)].join_from < 0) continue;
      diagnostics_.error(arc.mark, "join-args", "an arc into a join carries no args: several of them become one run");
    }
  }
}

// What looks wrong about the branches of each joined fan-out.
void Loader::warn_branches() {
  for (std::size_t join = 0; join < steps_.size(); ++join) {
    if (steps_[join].join_from < 0) continue;
    const ReadStep& from = steps_[static_cast<std::size_t>(steps_[join].join_from)];
    std::vector<std::vector<bool>> branches;
    branches.reserve(from.arcs.size());
    for (const ReadArc& arc : from.arcs) branches.push_back(branch_steps(arc, join));
    for (std::size_t i = 0; i < branches.size(); ++i) {
      if (!from.arcs[i].never) warn_unjoined_branch(from.arcs[i], branches[i], join);
      branches[i][join] = false;  // it runs outside of them
    }
    warn_isolated_guards(branches, join);
  }
}

// The steps that the tokens of a branch can get to, the join among them but nothing behind it.
std::vector<bool> Loader::branch_steps(const ReadArc& arc, std::size_t join) const {
  std::vector<bool> steps = reachable_from({static_cast<std::size_t>(arc.target)}, static_cast<std::int64_t>(join));
  // What a block contains stands behind it.
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (const std::int64_t owner = owner_of(i); owner >= 0 && steps[static_cast<std::size_t>(owner)]) steps[i] = true;
  }
  return steps;
}

void Loader::warn_unjoined_branch(const ReadArc& arc, const std::vector<bool>& branch, std::size_t join) {
  if (!steps_[join].join_needs_all || branch[join]) return;
  for (std::size_t i = 0; i < branch.size(); ++i) {
    if (branch[i] && steps_[i].type == "terminate") return;
  }
  diagnostics_.warning(arc.mark, "branch-unjoined",
                       fmt::format("this branch never reaches the join '{}', which waits for all and will fail",
                                   names_.steps[join].name),
                       "lead it there, or let the join allow: [ended]");
}

// What a branch writes is seen by the others only after the join: a guard that waits for it there waits for ever.
void Loader::warn_isolated_guards(const std::vector<std::vector<bool>>& branches, std::size_t join) {
  auto shares_branch = [&](std::size_t a, std::size_t b) {
    return std::ranges::any_of(branches, [&](const std::vector<bool>& branch) { return branch[a] && branch[b]; });
  };
  auto only_siblings_write = [&](const Path& path, std::size_t reader) {
    bool found = false;
    for (std::size_t writer = 0; writer < steps_.size(); ++writer) {
      if (std::ranges::none_of(steps_[writer].ctx_writes,
                               [&](const CtxWrite& write) { return overlap(write.path, path); }))
        continue;
      if (!shares_branch(writer, writer) || shares_branch(writer, reader)) return false;
      found = true;
    }
    return found;
  };
  for (std::size_t reader = 0; reader < steps_.size(); ++reader) {
    if (steps_[reader].guard_reads.empty() || !shares_branch(reader, reader)) continue;
    for (const auto& [mark, path] : steps_[reader].guard_reads) {
      if (!only_siblings_write(path, reader)) continue;
      diagnostics_.warning(mark, "branch-isolated",
                           fmt::format("the guard reads '{}', which only another branch writes: it is not seen "
                                       "before the join '{}'",
                                       path.str(), names_.steps[join].name),
                           "write it before the fan-out, or ask after the join");
    }
  }
}

}  // namespace stepwell
