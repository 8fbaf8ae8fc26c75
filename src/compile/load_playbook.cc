#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "stepwell/compile/loader.h"
#include "stepwell/compile/scalars.h"

namespace stepwell {

namespace {

// A policy that is one of a few words.
struct WordPolicy {
  std::string_view key;
  std::array<std::string_view, 4> words;  // the first is the default; empty ones do not count
};

constexpr WordPolicy kWordPolicies[] = {
    {"on_final_failure", {"fail", "partial"}},  {"when_false", {"hold", "discard"}},
    {"on_stall", {"wait", "complete", "fail"}}, {"on_failure", {"fail_any", "fail_fast", "partial", "suspend"}},
    {"failed_arcs", {"outcome_aware", "all"}},
};

std::span<const std::string_view> words_of(const WordPolicy& policy) {
  const auto end = std::ranges::find(policy.words, std::string_view());
  return {policy.words.begin(), end};
}

}  // namespace

void Loader::playbook(Fields& root, Canon& out) {
  policy(root, out);
  if (const Yaml* workload = root.take("workload")) {
    if (workload->kind != Kind::map) wrong_kind(*workload, "workload", "a map", diagnostics_);
    out.put("workload", workload->to_value());
  } else {
    out.put("workload", Value::map({}));
  }
  schemas(root, out);
  if (const Yaml* reference = root.take("reference")) {
    out.put("reference", expressions_.mapping(*reference, "reference", Where::start));
  }
  if (const Yaml* output = root.take("output")) {
    out.put("output", expressions_.mapping(*output, "output", Where::output));
  }
  workbook(root);
  const Yaml* workflow = root.need("workflow");
  root.finish();
  if (workflow != nullptr && (workflow->kind != Kind::list || workflow->items.empty())) {
    diagnostics_.error(workflow->mark, "workflow-empty", "workflow must be a list with at least one step");
  }

  std::vector<Value> steps;
  steps.reserve(names_.steps.size());
  steps_.resize(names_.steps.size());
  for (std::size_t i = 0; i < names_.steps.size(); ++i) steps.push_back(step(i));
  out.put("kinds", set_of(used_kinds_));
  out.put("functions", set_of(expressions_.uses()));
  check_unused_entries();
  check_graph();

  std::vector<Value> lists;
  for (std::size_t i = 0; i < names_.lists.size(); ++i) {
    std::vector<Value> members;
    for (const std::uint32_t index : names_.lists[i]) members.emplace_back(static_cast<std::int64_t>(index));
    Canon list;
    list.put("steps", Value::list(std::move(members)));
    if (names_.owners[i] >= 0) list.put("owner", names_.owners[i]);
    lists.push_back(list.finish());
  }
  out.put("steps", Value::list(std::move(steps)));
  out.put("lists", Value::list(std::move(lists)));
}

void Loader::policy(Fields& root, Canon& out) {
  Yaml nothing;
  nothing.kind = Kind::map;
  const Yaml* executor = root.take("executor");
  const Yaml* spec_node = nullptr;
  if (executor != nullptr) {
    Fields fields(*executor, "executor", diagnostics_);
    spec_node = fields.take("spec");
    fields.finish();
  }
  Fields spec(spec_node != nullptr ? *spec_node : nothing, "executor.spec", diagnostics_);
  Canon policy;
  for (const WordPolicy& known : kWordPolicies) {
    const Yaml* given = spec.take(known.key);
    const auto word = given == nullptr ? std::nullopt : word_of(*given, known.key, words_of(known), diagnostics_);
    policy.put(known.key, word.value_or(std::string(known.words[0])));
  }
  const Yaml* failed_arcs = spec.take("failed_arcs");
  failed_arcs_all_ = failed_arcs != nullptr && failed_arcs->is_text() && failed_arcs->text() == "all";
  for (const std::string_view key : {"no_next_is_error", "callable_only"}) {
    const Yaml* given = spec.take(key);
    const auto flag = given == nullptr ? std::nullopt : boolean_of(*given, key, diagnostics_);
    policy.put(key, flag.value_or(false));
  }
  if (const Yaml* timeout = spec.take("timeout")) {
    if (const auto duration = duration_of(*timeout, "timeout", diagnostics_)) policy.put("timeout", duration->micros());
  }
  const Yaml* runs = spec.take("max_step_runs");
  const auto bound = runs == nullptr ? std::nullopt : integer_of(*runs, "max_step_runs", 1, kMaxInteger, diagnostics_);
  policy.put("max_step_runs", bound.value_or(10'000'000));
  const Yaml* inline_max = spec.take("inline_max");
  const auto bytes = inline_max == nullptr ? std::nullopt : bytes_of(*inline_max, "inline_max", diagnostics_);
  policy.put("inline_max", bytes.value_or(64 * 1024));
  const Yaml* retention = spec.take("retention");
  const auto kept = retention == nullptr ? std::nullopt : duration_of(*retention, "retention", diagnostics_);
  policy.put("retention", kept.value_or(*Duration::parse("30d")).micros());
  if (const Yaml* kinds = spec.take("kinds")) {
    if (kinds->kind != Kind::list) wrong_kind(*kinds, "kinds", "a list of names", diagnostics_);
    for (const Yaml& kind : kinds->items) {
      if (const auto name = name_of(kind, "a tool kind", diagnostics_)) kinds_.push_back(*name);
    }
  }
  std::int64_t every = 1000;
  if (const Yaml* snapshot = spec.take("snapshot")) {
    Fields fields(*snapshot, "snapshot", diagnostics_);
    if (const Yaml* events = fields.need("every_events")) {
      every = integer_of(*events, "snapshot.every_events", 1, kMaxInteger, diagnostics_).value_or(every);
    }
    fields.finish();
  }
  policy.put("snapshot_every_events", every);
  policy_steps(spec, policy);
  spec.finish();
  out.put("policy", policy.finish());
}

void Loader::policy_steps(Fields& spec, Canon& out) {
  auto root_step = [&](const Yaml& node, std::string_view what) -> std::int64_t {
    const auto name = text_of(node, what, diagnostics_);
    if (!name) return -1;
    const StepEntry* entry = names_.find_step(*name);
    if (entry != nullptr && entry->list == 0) return names_.index_of(*name);
    if (entry == nullptr && !names_.all_named) return -1;
    std::vector<std::string_view> near;
    for (const StepEntry& step : names_.steps) {
      if (step.list == 0) near.push_back(step.name);
    }
    diagnostics_.error(node.mark, "policy-step",
                       fmt::format("{} names '{}', which is no step of the workflow", what, *name),
                       did_you_mean(*name, near));
    return -1;
  };
  if (const Yaml* entry = spec.take("entry_step")) entry_ = std::max<std::int64_t>(root_step(*entry, "entry_step"), 0);
  out.put("entry_step", entry_);
  if (const Yaml* final_step = spec.take("final_step")) {
    final_step_ = root_step(*final_step, "final_step");
    final_mark_ = final_step->mark;
    if (final_step_ >= 0) out.put("final_step", final_step_);
  }
}

void Loader::schemas(Fields& root, Canon& out) {
  const Yaml* node = root.take("schema");
  if (node == nullptr) return;
  Fields fields(*node, "schema", diagnostics_);
  Canon schemas;
  for (const std::string_view key : {"workload", "ctx", "output"}) {
    if (const Yaml* schema = fields.take(key)) schemas.put_if(key, schema_of(*schema, fmt::format("schema.{}", key)));
  }
  fields.finish();
  out.put("schema", schemas.finish());
}

}  // namespace stepwell
