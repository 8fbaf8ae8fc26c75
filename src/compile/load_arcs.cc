#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "stepwell/compile/loader.h"
#include "stepwell/compile/scalars.h"
#include "stepwell/compile/state_alias.h"
#include "stepwell/expr/operators.h"
#include "stepwell/value/path.h"

namespace stepwell {

namespace {

// Whether a guard looks at how the step ended: then the arc is asked after a failure too.
bool reads_outcome(const Program& program, const std::string& step) {
  for (const std::string_view root : {"event", "error", "outcome"}) {
    if (program.reads_any_of({Segment(root)})) return true;
  }
  const auto reads_error = [](const Path& path) { return path.lies_under({"ctx", "_last_error"}); };
  if (std::ranges::any_of(program.reads, reads_error)) return true;
  for (const std::string_view part : {"status", "error", "attempts"}) {
    const auto reads_part = [&](const Path& path) { return path.lies_under({Segment(step), Segment(part)}); };
    if (std::ranges::any_of(program.reads, reads_part)) return true;
  }
  return false;
}

std::uint8_t ends_of(std::string_view on) {
  if (on == "done") return kDone;
  if (on == "failed") return kFailed | kTimedOut;
  return on == "timeout" ? kTimedOut : kAnyEnd;
}

}  // namespace

// The step that a text names, which must stand in the same list as step `index`; -1 if there is none, and a
// complaint unless it may be one whose name was not read.
std::int64_t Loader::step_in_list(const Yaml& node, std::size_t index, std::string_view what, DiagnosticCode code) {
  const auto name = text_of(node, what, diagnostics_);
  if (!name) return -1;
  const StepEntry* entry = names_.find_step(*name);
  if (entry != nullptr && entry->list == names_.steps[index].list) return names_.index_of(*name);
  if (entry == nullptr && !names_.all_named) return -1;
  std::vector<std::string_view> near;
  for (const std::uint32_t other : names_.lists[names_.steps[index].list]) near.push_back(names_.steps[other].name);
  if (entry != nullptr) {
    diagnostics_.error(node.mark, code,
                       fmt::format("{} names '{}', which stands in another list of steps", what, *name),
                       "only steps of the same list can be reached");
  } else {
    diagnostics_.error(node.mark, code, fmt::format("{} names '{}', which is no step", what, *name),
                       did_you_mean(*name, near));
  }
  return -1;
}

void Loader::arcs(Fields& fields, std::size_t index, Canon& out) {
  const Yaml* next = fields.take("next");
  ReadStep& read = steps_[index];
  std::vector<Value> canon;
  std::vector<std::int64_t> priorities;
  std::vector<const Yaml*> nodes;
  if (next != nullptr && next->kind == Kind::text) nodes.push_back(next);
  if (next != nullptr && next->kind == Kind::list) {
    for (const Yaml& node : next->items) nodes.push_back(&node);
  }
  if (next != nullptr && next->kind != Kind::text && next->kind != Kind::list) {
    wrong_kind(*next, "next", "a step or a list of arcs", diagnostics_);
  }
  for (const Yaml* node : nodes) {
    ReadArc arc_read{.mark = node->mark};
    std::optional<std::int64_t> priority;
    canon.push_back(arc(*node, index, arc_read, priority));
    read.arcs.push_back(arc_read);
    if (priority) priorities.push_back(*priority);
  }
  if (!priorities.empty() && priorities.size() != nodes.size()) {
    diagnostics_.error(next->mark, "arc-priority", "either all arcs of a step have a priority, or none has");
  } else if (!priorities.empty()) {
    // Asked by priority; the definition keeps them in that order.
    std::vector<std::size_t> order(canon.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(
        order, [&](std::size_t a, std::size_t b) { return std::pair(priorities[a], a) < std::pair(priorities[b], b); });
    std::vector<Value> sorted;
    std::vector<ReadArc> sorted_read;
    for (const std::size_t i : order) {
      sorted.push_back(canon[i]);
      sorted_read.push_back(read.arcs[i]);
    }
    canon = std::move(sorted);
    read.arcs = std::move(sorted_read);
  }
  out.put("arcs", Value::list(std::move(canon)));
}

Value Loader::arc(const Yaml& node, std::size_t index, ReadArc& read, std::optional<std::int64_t>& priority) {
  Canon out;
  const std::string& name = names_.steps[index].name;
  const std::string what = fmt::format("an arc of step '{}'", name);
  std::string on = "done";
  if (node.kind == Kind::text) {
    read.target = step_in_list(node, index, what, "arc-target");
  } else {
    Fields fields(node, what, diagnostics_);
    if (const Yaml* target = fields.need("step")) read.target = step_in_list(*target, index, what, "arc-target");
    if (const Yaml* when = fields.take("when")) {
      read.guarded = true;
      if (auto guard = expressions_.condition(*when, "when", Where::end)) {
        note_guard(*when, guard->program, index);
        if (reads_outcome(guard->program, name)) on = "any";
        read.never = guard->never();
        read.guarded = !guard->always();
        if (read.guarded) out.put("when", std::move(guard->tree));
      }
    }
    static constexpr auto kOn = std::to_array<std::string_view>({"done", "failed", "timeout", "any"});
    if (const Yaml* given = fields.take("on")) on = word_of(*given, "on", kOn, diagnostics_).value_or(on);
    if (const Yaml* args = fields.take("args")) {
      read.has_args = true;
      out.put("args", expressions_.map_mapping(*args, "args", Where::end));
    }
    if (const Yaml* each = fields.take("foreach")) {
      read.fans_out = true;
      foreach (*each, what, out);
    }
    if (const Yaml* given = fields.take("priority"))
      priority = integer_of(*given, "priority", 1, kMaxInteger, diagnostics_);
    fields.finish();
  }
  read.on_failure = on == "failed" || on == "timeout";
  read.asked_after = failed_arcs_all_ ? kAnyEnd : ends_of(on);
  out.put("target", read.target);
  out.put("on", on);
  return out.finish();
}

void Loader::foreach (const Yaml& node, const std::string& what, Canon & out) {
  Fields fields(node, fmt::format("foreach of {}", what), diagnostics_);
  Canon canon;
  if (const Yaml* in = fields.need("in")) canon.put("in", collection(*in, "foreach.in", Where::end));
  if (const Yaml* as = fields.take("as")) canon.put_if("as", bound_name(*as, "foreach.as"));
  if (const Yaml* in_flight = fields.take("max_in_flight")) {
    canon.put_if("max_in_flight", integer_of(*in_flight, "foreach.max_in_flight", 1, 1'000'000, diagnostics_));
  }
  fields.finish();
  out.put("foreach", canon.finish());
}

void Loader::join(Fields& fields, std::size_t index, Canon& out) {
  const Yaml* node = fields.take("join");
  if (node == nullptr) return;
  Fields join(*node, "join", diagnostics_);
  Canon canon;
  ReadStep& read = steps_[index];
  read.join_mark = node->mark;
  if (const Yaml* from = join.need("from")) {
    read.join_from = step_in_list(*from, index, "join.from", "join-from");
    read.join_mark = from->mark;
    if (read.join_from == static_cast<std::int64_t>(index)) {
      diagnostics_.error(from->mark, "join-from", "a step cannot join its own branches");
      read.join_from = -1;
    }
    canon.put("from", read.join_from);
  }
  static constexpr auto kModes = std::to_array<std::string_view>({"all", "any"});
  std::string mode = "all";
  if (const Yaml* given = join.take("mode")) {
    if (given->kind == Kind::map) {
      Fields m_of_n(*given, "join.mode", diagnostics_);
      mode = "m_of_n";
      if (const Yaml* count = m_of_n.need("m_of_n")) {
        canon.put_if("m_of_n", integer_of(*count, "m_of_n", 1, kMaxInteger, diagnostics_));
      }
      m_of_n.finish();
    } else {
      mode = word_of(*given, "join.mode", kModes, diagnostics_).value_or(mode);
    }
  }
  canon.put("mode", mode);
  std::vector<std::string> allowed;
  if (const Yaml* allow = join.take("allow")) {
    static constexpr auto kAllow = std::to_array<std::string_view>({"ended", "failed"});
    if (allow->kind != Kind::list) wrong_kind(*allow, "join.allow", "a list of ended and failed", diagnostics_);
    for (const Yaml& word : allow->items) {
      if (const auto text = word_of(word, "join.allow", kAllow, diagnostics_)) allowed.push_back(*text);
    }
  }
  read.join_needs_all = mode == "all" && std::ranges::count(allowed, "ended") == 0;
  canon.put("allow", set_of(std::move(allowed)));
  static constexpr auto kEarly = std::to_array<std::string_view>({"cancel", "abandon"});
  const Yaml* early = join.take("on_early_complete");
  canon.put("on_early_complete",
            (early == nullptr ? std::nullopt : word_of(*early, "on_early_complete", kEarly, diagnostics_))
                .value_or("cancel"));
  if (const Yaml* timeout = join.take("timeout")) {
    if (const auto duration = duration_of(*timeout, "join.timeout", diagnostics_))
      canon.put("timeout", duration->micros());
  }
  static constexpr auto kOnTimeout = std::to_array<std::string_view>({"fail", "proceed"});
  const Yaml* on_timeout = join.take("on_timeout");
  canon.put("on_timeout",
            (on_timeout == nullptr ? std::nullopt : word_of(*on_timeout, "join.on_timeout", kOnTimeout, diagnostics_))
                .value_or("fail"));
  if (const Yaml* given = join.take("merge")) {
    merge(*given, read, canon);
  }
  join.finish();
  out.put("join", canon.finish());
}

void Loader::merge(const Yaml& node, ReadStep& read, Canon& out) {
  static constexpr auto kStrategies =
      std::to_array<std::string_view>({"append", "merge_object", "keyed_by_branch", "last_wins"});
  Fields fields(node, "merge", diagnostics_);
  Canon canon;
  std::string strategy;
  if (const Yaml* given = fields.need("strategy")) {
    strategy = word_of(*given, "merge.strategy", kStrategies, diagnostics_).value_or("");
    canon.put("strategy", strategy);
  }
  auto path_of = [&](const Yaml& given, std::string_view which) -> std::optional<Path> {
    const auto text = text_of(given, which, diagnostics_);
    if (!text) return std::nullopt;
    auto path = Path::parse(*text);
    if (path) return *std::move(path);
    diagnostics_.error(given.mark, "path", fmt::format("{}: {}", which, path.error().message));
    return std::nullopt;
  };
  if (const Yaml* source = fields.take("source")) {
    if (const auto path = path_of(*source, "merge.source")) canon.put("source", path->str());
  }
  if (const Yaml* given = fields.need("target")) {
    if (const auto path = path_of(*given, "merge.target")) {
      const Path target = lower_state_alias(*path);
      if (!is_ctx_target(target)) {
        diagnostics_.error(given->mark, "merge-target", fmt::format("merge cannot write to '{}'", path->str()),
                           "it writes ctx.<path>");
      }
      read.ctx_writes.push_back({given->mark, target});
      canon.put("target", target.str());
    }
  }
  if (const Yaml* key = fields.take("key")) {
    if (strategy != "keyed_by_branch" && !strategy.empty()) {
      diagnostics_.error(key->mark, "merge-key",
                         fmt::format("only keyed_by_branch takes a 'key', {} does not", strategy));
    }
    canon.put("key", expressions_.mapping(*key, "merge.key", Where::inputs));
  }
  fields.finish();
  out.put("merge", canon.finish());
}

}  // namespace stepwell
