#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "stepwell/compile/testing/arbitrary_expressions.h"
#include "stepwell/compile/testing/dice.h"
#include "stepwell/compile/testing/members.h"
#include "stepwell/expr/parser.h"
#include "stepwell/value/value.h"

namespace stepwell::testing {

// Says a playbook in other words that mean the same: short and long forms, defaults written or left out, expressions
// spaced and wrapped otherwise, the same length of time in another unit, sets in another order.
class Rephrase {
 public:
  explicit Rephrase(Dice& dice) : dice_(dice) {}

  Value playbook(const Value& document) {
    Members root(document);
    maybe_default(root, "apiVersion", "stepwell/v1");
    maybe_default(root, "kind", "Playbook");
    maybe_default(root, "workload", Value::map({}));
    Members metadata(*root.find("metadata"));
    // Not part of the definition.
    if (dice_.flip()) metadata.put("version", static_cast<std::int64_t>(1 + dice_.below(9)));
    root.put("metadata", metadata.finish());
    root.put("executor", executor(*root.find("executor")));
    root.put("workflow", steps(*root.find("workflow")));
    for (const char* key : {"reference", "output"}) {
      if (const Value* mapping = root.find(key)) root.put(key, respaced(*mapping));
    }
    return root.finish();
  }

 private:
  // What is said is the default, so it may be left out or said.
  void maybe_default(Members& members, std::string_view key, const Value& value) {
    const Value* given = members.find(key);
    if (given == nullptr && dice_.one_in(3)) {
      members.put(key, value);
    } else if (given != nullptr && *given == value && dice_.flip()) {
      members.drop(key);
    }
  }

  void maybe_duration(Members& members, std::string_view key) {
    static const std::vector<std::vector<Value>> kSame = {{"30s", "0.5m", 30, "30000ms", 30.0},
                                                          {"1h30m", "90m", 5400, "1.5h"},
                                                          {"500ms", "0.5s", 0.5},
                                                          {"2d", "48h", 172800},
                                                          {"90s", "1m30s", 90},
                                                          {"1m", "60s", 60}};
    const Value* given = members.find(key);
    if (given == nullptr) return;
    for (const std::vector<Value>& same : kSame) {
      if (same[0] == *given) return members.put(key, dice_.of(same));
    }
  }

  void shuffle_set(Members& members, std::string_view key) {
    const Value* given = members.find(key);
    if (given == nullptr) return;
    std::vector<Value> all(given->as_list().begin(), given->as_list().end());
    if (dice_.one_in(4)) all.push_back(all.front());
    dice_.shuffle(all);
    members.put(key, Value::list(std::move(all)));
  }

  void respell(Members& members, std::string_view key) {
    const Value* given = members.find(key);
    if (given == nullptr) return;
    const std::string text = respelled(dice_, given->as_text());
    members.put(key, dice_.flip() ? Value(text) : Value(wrapped(text)));
  }

  std::string wrapped(std::string_view expression) {
    const bool tight = dice_.flip() && !expression.starts_with('{') && !expression.ends_with('}');
    return fmt::format(fmt::runtime(tight ? "{{{{{}}}}}" : "{{{{ {} }}}}"), expression);
  }

  // Every text that is one expression, however deep in a mapping.
  Value respaced(const Value& mapping) {
    if (mapping.is_text()) {
      const std::string_view text = mapping.as_text();
      const bool is_value = text.starts_with("{{ ") && text.ends_with(" }}") && text.find("{{", 2) == text.npos;
      if (!is_value || !parse_expression(text)) return mapping;
      return wrapped(respelled(dice_, text.substr(3, text.size() - 6)));
    }
    if (mapping.is_list()) {
      std::vector<Value> items;
      for (const Value& item : mapping.as_list()) items.push_back(respaced(item));
      return Value::list(std::move(items));
    }
    if (!mapping.is_map()) return mapping;
    std::vector<Member> members;
    for (const Member& member : mapping.as_map()) members.push_back({Value(member.key()), respaced(member.value)});
    return Value::map(std::move(members));
  }

  Value executor(const Value& given) {
    Members spec(*given.find("spec"));
    maybe_default(spec, "on_failure", "fail_any");
    maybe_default(spec, "when_false", "hold");
    maybe_default(spec, "on_stall", "wait");
    maybe_default(spec, "failed_arcs", "outcome_aware");
    maybe_default(spec, "no_next_is_error", false);
    maybe_default(spec, "callable_only", false);
    maybe_default(spec, "entry_step", "s1");
    maybe_default(spec, "max_step_runs", 10'000'000);
    maybe_default(spec, "inline_max", "64KiB");
    maybe_default(spec, "retention", "30d");
    if (spec.find("inline_max") != nullptr && *spec.find("inline_max") == Value("64KiB") && dice_.flip()) {
      spec.put("inline_max", 65536);
    }
    maybe_duration(spec, "timeout");
    maybe_duration(spec, "retention");
    shuffle_set(spec, "kinds");
    return Value::map({{"spec", spec.finish()}});
  }

  Value steps(const Value& list) {
    std::vector<Value> all;
    for (const Value& each : list.as_list()) all.push_back(step(each));
    return Value::list(std::move(all));
  }

  Value step(const Value& given) {
    Members step(given);
    const Value* type = step.find("type");
    const std::string kind(type == nullptr ? "task" : type->as_text());
    maybe_default(step, "type", "task");
    respell(step, "when");
    respell(step, "until");
    respell(step, "match");
    maybe_duration(step, "timeout");
    maybe_duration(step, "for");
    for (const char* key : {"args", "set", "title", "payload", "input", "reason", "output_template"}) {
      if (const Value* mapping = step.find(key)) step.put(key, respaced(*mapping));
    }
    if (step.find("roles") != nullptr) shuffle_set(step, "roles");
    if (kind == "human") maybe_default(step, "on_timeout", "fail");
    if (kind == "call") {
      maybe_default(step, "on_failure", "propagate");
      maybe_default(step, "on_terminate", "continue");
      maybe_default(step, "inherit_artifacts", false);
    }
    if (const Value* loop = step.find("loop")) step.put("loop", this->loop(*loop));
    if (const Value* join = step.find("join")) step.put("join", this->join(*join));
    if (const Value* retry = step.find("retry")) step.put("retry", this->retry(*retry, "max_attempts"));
    if (const Value* inner = step.find("workflow")) step.put("workflow", steps(*inner));
    if (kind == "task") tool(step);
    if (kind != "terminate") routing(step);
    return step.finish();
  }

  Value loop(const Value& given) {
    Members loop(given);
    loop.put("in", respaced(*loop.find("in")));
    const bool parallel = loop.find("mode") != nullptr;
    if (!parallel && dice_.flip()) loop.put("mode", "sequential");
    maybe_default(loop, "max_in_flight", parallel ? 16 : 1);
    maybe_default(loop, "on_failure", "fail_fast");
    return loop.finish();
  }

  Value join(const Value& given) {
    Members join(given);
    maybe_default(join, "mode", "all");
    maybe_default(join, "on_early_complete", "cancel");
    maybe_default(join, "on_timeout", "fail");
    maybe_duration(join, "timeout");
    shuffle_set(join, "allow");
    maybe_default(join, "allow", Value::list({}));
    return join.finish();
  }

  // Of a step or of a rule: the number of tries has two names.
  Value retry(const Value& given, std::string_view tries) {
    Members retry(given);
    maybe_default(retry, tries, 3);
    maybe_default(retry, "backoff", "fixed");
    maybe_default(retry, "jitter", 0.0);
    maybe_default(retry, "delay", "1s");
    maybe_duration(retry, "delay");
    maybe_duration(retry, "max_delay");
    if (retry.find("on") != nullptr) shuffle_set(retry, "on");
    return retry.finish();
  }

  void tool(Members& step) {
    const Value* given = step.find("tool");
    const Value noop = Value::map({{"kind", "noop"}});
    if (given == nullptr) {
      if (dice_.one_in(3)) step.put("tool", noop);
    } else if (given->is_list()) {
      std::vector<Value> tasks;
      for (const Value& task : given->as_list()) {
        const Member& labelled = task.as_map()[0];
        tasks.push_back(Value::map({{Value(labelled.key()), one_tool(labelled.value)}}));
      }
      step.put("tool", Value::list(std::move(tasks)));
    } else {
      const Value tool = one_tool(*given);
      step.put("tool", dice_.flip() ? tool : Value::list({tool}));
    }
  }

  Value one_tool(const Value& given) {
    Members tool(given);
    for (const char* key : {"url", "json", "headers", "cmd", "params", "args", "value", "anything", "name"}) {
      if (const Value* mapping = tool.find(key)) tool.put(key, respaced(*mapping));
    }
    if (const Value* rules = tool.find("eval")) {
      std::vector<Value> all;
      for (const Value& each : rules->as_list()) all.push_back(rule(each));
      tool.put("eval", Value::list(std::move(all)));
    }
    return tool.finish();
  }

  Value rule(const Value& given) {
    Members rule(given);
    respell(rule, "when");
    if (dice_.flip()) {
      rule.put("expr", *rule.find("when"));
      rule.drop("when");
    }
    maybe_default(rule, "do", "continue");
    for (const char* key : {"set_ctx", "set_vars", "set_iter"}) {
      if (const Value* mapping = rule.find(key)) rule.put(key, respaced(*mapping));
    }
    const Value* action = rule.find("do");
    return action != nullptr && *action == Value("retry") ? retry(rule.finish(), "attempts") : rule.finish();
  }

  void routing(Members& step) {
    const Value* spec = step.find("spec");
    if (spec != nullptr && dice_.flip()) step.put("spec", Value::map({{"fan_out", "all"}}));
    if (spec == nullptr && dice_.one_in(4)) {
      const bool is_alias = dice_.flip();
      step.put("spec", Value::map({{is_alias ? "fan_out" : "next_mode", is_alias ? "first_match" : "exclusive"}}));
    }
    const Value* next = step.find("next");
    if (next == nullptr) return;
    std::vector<Value> arcs;
    for (const Value& each : next->as_list()) arcs.push_back(arc(each));
    if (arcs.size() > 1 && dice_.one_in(3)) prioritise(arcs);
    const bool is_name = arcs.size() == 1 && arcs[0].is_text();
    step.put("next", is_name && dice_.flip() ? arcs[0] : Value::list(std::move(arcs)));
  }

  Value arc(const Value& given) {
    Members arc(given);
    respell(arc, "when");
    if (const Value* args = arc.find("args")) arc.put("args", respaced(*args));
    if (const Value* each = arc.find("foreach")) {
      Members foreach (*each);
      foreach
        .put("in", respaced(*foreach.find("in")));
      arc.put("foreach", foreach.finish());
    }
    if (arc.find("when") == nullptr) maybe_default(arc, "on", "done");
    Value said = arc.finish();
    return said.as_map().size() == 1 && dice_.flip() ? *said.find("step") : said;
  }

  // Written in any order, asked in the same.
  void prioritise(std::vector<Value>& arcs) {
    std::int64_t priority = 0;
    for (Value& arc : arcs) {
      Members members(arc.is_text() ? Value::map({{"step", arc}}) : arc);
      members.put("priority", priority += static_cast<std::int64_t>(1 + dice_.below(5)));
      arc = members.finish();
    }
    dice_.shuffle(arcs);
  }

  Dice& dice_;
};

}  // namespace stepwell::testing
