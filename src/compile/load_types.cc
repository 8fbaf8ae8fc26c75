#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "stepwell/compile/loader.h"
#include "stepwell/compile/scalars.h"
#include "stepwell/value/json_write.h"

namespace stepwell {

void Loader::timeout_policy(Fields& fields, Canon& out) {
  static constexpr auto kPolicies = std::to_array<std::string_view>({"fail", "continue"});
  std::string policy = "fail";
  if (const Yaml* given = fields.take("on_timeout")) {
    policy = word_of(*given, "on_timeout", kPolicies, diagnostics_).value_or(policy);
  }
  out.put("on_timeout", policy);
}

void Loader::human(Fields& fields, Canon& out) {
  Canon canon;
  for (const std::string_view key : {"title", "assignee", "payload"}) {
    if (const Yaml* given = fields.take(key)) canon.put(key, expressions_.mapping(*given, key, Where::inputs));
  }
  std::vector<std::string> roles;
  if (const Yaml* given = fields.take("roles")) {
    if (given->kind != Kind::list) wrong_kind(*given, "roles", "a list of names", diagnostics_);
    for (const Yaml& role : given->items) {
      if (const auto text = text_of(role, "a role", diagnostics_)) roles.push_back(*text);
    }
  }
  canon.put("roles", set_of(std::move(roles)));
  if (const Yaml* form = fields.take("form")) canon.put_if("form", schema_of(*form, "form"));
  if (const Yaml* options = fields.take("options")) {
    if (options->kind != Kind::list) wrong_kind(*options, "options", "a list of {value, label}", diagnostics_);
    std::vector<Value> all;
    for (const Yaml& option : options->items) {
      Fields each(option, "an option", diagnostics_);
      Canon choice;
      if (const Yaml* value = each.need("value")) choice.put("value", value->to_value());
      if (const Yaml* label = each.take("label")) choice.put_if("label", text_of(*label, "label", diagnostics_));
      each.finish();
      all.push_back(choice.finish());
      const Value* value = all.back().find("value");
      const auto same = [&](const Value& other) {
        return value != nullptr && other.find("value") != nullptr && *other.find("value") == *value;
      };
      if (std::ranges::count_if(all, same) > 1) {
        diagnostics_.error(option.mark, "option-twice",
                           fmt::format("there are two options with the value {}", to_json(*value)));
      }
    }
    canon.put("options", Value::list(std::move(all)));
  }
  timeout_policy(fields, canon);
  out.put("human", canon.finish());
}

void Loader::wait(Fields& fields, std::size_t index, Canon& out) {
  Canon canon;
  const Yaml* duration = fields.take("for");
  const Yaml* until = fields.take("until");
  const Yaml* signal = fields.take("signal");
  const int given = (duration != nullptr) + (until != nullptr) + (signal != nullptr);
  if (given != 1) {
    diagnostics_.error(fields.mark(), "wait-one",
                       fmt::format("{} must have exactly one of 'for', 'until' and 'signal'", fields.what()));
  }
  if (duration != nullptr) {
    if (const auto length = duration_of(*duration, "for", diagnostics_)) canon.put("for", length->micros());
  }
  if (until != nullptr) {
    if (auto instant = expressions_.expression(*until, "until", Where::inputs))
      canon.put("until", std::move(instant->tree));
  }
  const auto name = signal == nullptr ? std::nullopt : name_of(*signal, "signal", diagnostics_);
  canon.put_if("signal", name);
  if (const Yaml* match = fields.take("match")) {
    if (auto guard = expressions_.condition(*match, "match", Where::match)) canon.put("match", std::move(guard->tree));
  }
  const Yaml* schema = fields.take("schema");
  if (schema != nullptr) canon.put_if("schema", schema_of(*schema, "schema"));
  if (name) check_signal(*name, *signal, schema == nullptr ? Value() : schema->to_value());
  timeout_policy(fields, canon);
  if (signal == nullptr && given == 1) {
    for (const std::string_view key : {"match", "schema", "timeout", "on_timeout"}) {
      if (!fields.has(key)) continue;
      diagnostics_.error(fields.key_mark(key), "wait-signal", fmt::format("only a wait for a signal takes '{}'", key));
    }
  }
  steps_[index].waits = true;
  out.put("wait", canon.finish());
}

// A signal is checked at the door, before anybody knows which wait will take it.
void Loader::check_signal(const std::string& name, const Yaml& node, const Value& schema) {
  const auto first = std::ranges::find(signals_, name, [](const auto& each) { return each.first; });
  if (first == signals_.end()) {
    signals_.emplace_back(name, schema);
  } else if (first->second != schema) {
    diagnostics_.error(node.mark, "signal-schema", fmt::format("another wait for '{}' has another schema", name),
                       "all waits for one signal must agree on its schema");
  }
}

void Loader::callee(Fields& fields, Canon& out) {
  if (const Yaml* playbook = fields.need("playbook"))
    out.put_if("playbook", catalog_name_of(*playbook, "playbook", diagnostics_));
  if (const Yaml* version = fields.take("version")) {
    out.put_if("version", integer_of(*version, "version", 1, std::numeric_limits<std::int64_t>::max(), diagnostics_));
  }
  if (const Yaml* input = fields.take("input"))
    out.put("input", expressions_.map_mapping(*input, "input", Where::inputs));
}

void Loader::call(Fields& fields, Canon& out) {
  static constexpr auto kOnFailure = std::to_array<std::string_view>({"propagate", "catch"});
  static constexpr auto kOnTerminate = std::to_array<std::string_view>({"continue", "fail"});
  Canon canon;
  callee(fields, canon);
  const Yaml* failure = fields.take("on_failure");
  const auto caught = failure == nullptr ? std::nullopt : word_of(*failure, "on_failure", kOnFailure, diagnostics_);
  canon.put("on_failure", caught.value_or("propagate"));
  const Yaml* terminate = fields.take("on_terminate");
  const auto ended =
      terminate == nullptr ? std::nullopt : word_of(*terminate, "on_terminate", kOnTerminate, diagnostics_);
  canon.put("on_terminate", ended.value_or("continue"));
  const Yaml* inherit = fields.take("inherit_artifacts");
  const auto flag = inherit == nullptr ? std::nullopt : boolean_of(*inherit, "inherit_artifacts", diagnostics_);
  canon.put("inherit_artifacts", flag.value_or(false));
  out.put("call", canon.finish());
}

void Loader::continue_with(Fields& fields, Canon& out) {
  Canon canon;
  callee(fields, canon);
  out.put("continue_with", canon.finish());
}

void Loader::terminate(Fields& fields, Canon& out) {
  static constexpr auto kStatuses = std::to_array<std::string_view>({"success", "failed"});
  Canon canon;
  if (const Yaml* status = fields.need("status"))
    canon.put_if("status", word_of(*status, "status", kStatuses, diagnostics_));
  if (const Yaml* reason = fields.need("reason")) {
    const auto text = text_of(*reason, "reason", diagnostics_);
    if (text && text->find_first_not_of(" \t\r\n") == std::string::npos) {
      diagnostics_.error(reason->mark, "terminate-reason", "the reason of a terminate must not be blank");
    }
    canon.put("reason", expressions_.mapping(*reason, "reason", Where::inputs));
  }
  if (const Yaml* output = fields.take("output_template")) {
    if (output->kind != Kind::map && output->kind != Kind::text) {
      wrong_kind(*output, "output_template", "a map or a template whose text is JSON", diagnostics_);
    }
    canon.put("output", expressions_.mapping(*output, "output_template", Where::inputs));
  }
  out.put("terminate", canon.finish());
}

}  // namespace stepwell
