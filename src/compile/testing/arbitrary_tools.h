#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "stepwell/compile/canon.h"
#include "stepwell/compile/testing/arbitrary_expressions.h"
#include "stepwell/compile/testing/dice.h"
#include "stepwell/value/value.h"

// Random tools and what all of a playbook is made of: data, mappings, durations, schemas.
namespace stepwell::testing {

// Texts that YAML 1.1 or a careless printer would take for something else.
inline Value arbitrary_data(Dice& dice, int levels = 2) {
  const std::size_t kind = dice.below(levels == 0 ? 5 : 7);
  if (kind == 0) return static_cast<std::int64_t>(dice.below(1000)) - 500;
  if (kind == 1) return dice.flip();
  if (kind == 2) return 0.25 * static_cast<double>(dice.below(100));
  if (kind <= 4) {
    return dice.word({"no",   "007",          "1_000", "~",   "",    " x ", "it's", "a: b", "#c", "- x", "é\n", "null",
                      "a\tb", "😀",           "{",     "[",   "*a",  "&a",  "!t",   "%",    "@",  "`",   "|",   ">",
                      "\"",   "two\nlines\n", "x # y", "1.0", "true"});
  }
  std::vector<Value> items;
  for (std::size_t i = dice.below(4); i > 0; --i) items.push_back(arbitrary_data(dice, levels - 1));
  if (kind == 5) return Value::list(std::move(items));
  Canon map;
  for (std::size_t i = 0; i < items.size(); ++i) map.put(fmt::format("k{} {}", i, i), std::move(items[i]));
  return map.finish();
}

inline Value arbitrary_mapping(Dice& dice, ArbitraryExpressions& expressions, int levels = 1) {
  if (dice.flip()) return expressions.computed();
  if (levels == 0 || dice.flip()) return arbitrary_data(dice, levels);
  return Value::list({arbitrary_mapping(dice, expressions, 0), arbitrary_mapping(dice, expressions, 0)});
}

inline Value arbitrary_map_mapping(Dice& dice, ArbitraryExpressions& expressions) {
  Canon map;
  for (const char* key : {"a", "on", "1", "a b"}) {
    if (dice.flip()) map.put(key, arbitrary_mapping(dice, expressions));
  }
  return map.finish();
}

inline Value arbitrary_duration(Dice& dice) { return dice.word({"30s", "1h30m", "500ms", "2d", "90s", "1m"}); }

inline Value arbitrary_schema(Dice& dice) {
  if (dice.one_in(4)) return true;
  Canon inner;
  inner.put("type", Value::list({"string", "null"}));
  Canon properties;
  properties.put("a", inner.finish());
  Canon schema;
  schema.put("type", "object");
  schema.put("properties", properties.finish());
  if (dice.flip()) schema.put("required", Value::list({"a"}));
  return schema.finish();
}

inline void put_backoff(Dice& dice, Canon& out) {
  if (dice.flip()) out.put("backoff", dice.word({"none", "fixed", "linear", "exponential"}));
  if (dice.flip()) out.put("delay", arbitrary_duration(dice));
  if (dice.flip()) out.put("max_delay", arbitrary_duration(dice));
  if (dice.flip()) out.put("jitter", 0.25 * static_cast<double>(dice.below(5)));
}

// What the rules of a pipeline may write and where they may jump.
struct RuleBounds {
  bool may_write_ctx = true;
  bool may_write_iter = false;
  std::vector<std::string> labels;
};

inline Value arbitrary_rule(Dice& dice, std::vector<std::string> paths, const RuleBounds& bounds) {
  paths.insert(paths.end(), {"outcome.status", "outcome.error.retryable", "vars.n", "_attempt"});
  ArbitraryExpressions expressions(dice, std::move(paths));
  Canon rule;
  rule.put("when", expressions.condition());
  const std::string action = dice.word({"continue", "retry", "jump", "break", "fail"});
  if (action == "jump" && !bounds.labels.empty()) {
    rule.put("do", action);
    rule.put("to", dice.of(bounds.labels));
  } else if (action == "retry") {
    rule.put("do", action);
    if (dice.flip()) rule.put("attempts", static_cast<std::int64_t>(1 + dice.below(9)));
    put_backoff(dice, rule);
  } else if (action != "jump") {
    rule.put("do", action);
  }
  if (bounds.may_write_ctx && dice.flip()) rule.put("set_ctx", arbitrary_map_mapping(dice, expressions));
  if (dice.flip()) rule.put("set_vars", arbitrary_map_mapping(dice, expressions));
  if (bounds.may_write_iter && dice.flip()) rule.put("set_iter", arbitrary_map_mapping(dice, expressions));
  return rule.finish();
}

inline Value arbitrary_tool(Dice& dice, std::vector<std::string> paths, const RuleBounds& bounds) {
  ArbitraryExpressions expressions(dice, paths);
  Canon tool;
  const std::string kind = dice.word({"noop", "http", "shell", "sqlite", "lua", "emit", "own_kind", "artifact"});
  tool.put("kind", kind);
  if (kind == "http") {
    tool.put("url", expressions.computed());
    if (dice.flip()) tool.put("timeout", arbitrary_duration(dice));
    if (dice.flip()) tool.put("json", arbitrary_mapping(dice, expressions));
    if (dice.flip()) tool.put("headers", arbitrary_map_mapping(dice, expressions));
  } else if (kind == "shell") {
    tool.put("cmd", dice.flip() ? Value(expressions.computed()) : Value::list({"ls", "-l"}));
  } else if (kind == "sqlite") {
    tool.put("connection", "db");
    tool.put("query", "select 1");
    tool.put("params", Value::list({arbitrary_mapping(dice, expressions)}));
  } else if (kind == "lua") {
    tool.put("script", "local x = 1\nreturn x\n");
    tool.put("args", arbitrary_map_mapping(dice, expressions));
  } else if (kind == "emit") {
    tool.put("event", "order.paid");
    tool.put("value", arbitrary_mapping(dice, expressions));
  } else if (kind == "own_kind") {
    tool.put("anything", arbitrary_mapping(dice, expressions));
  } else if (kind == "artifact") {
    tool.put("action", "put");
    tool.put("name", expressions.computed());
  }
  std::vector<Value> rules;
  for (std::size_t i = dice.below(3); i > 0; --i) rules.push_back(arbitrary_rule(dice, paths, bounds));
  if (!rules.empty()) tool.put("eval", Value::list(std::move(rules)));
  return tool.finish();
}

// A pipeline of labelled tasks, one of which may come from the workbook.
inline Value arbitrary_pipeline(Dice& dice, const std::vector<std::string>& paths, RuleBounds bounds) {
  bounds.labels = {"first", "second", "third"};
  bounds.labels.resize(1 + dice.below(3));
  std::vector<Value> tasks;
  for (const std::string& label : bounds.labels) {
    Canon call;
    call.put("kind", "workbook");
    call.put("name", "shared");
    Canon entry;
    entry.put(label, dice.one_in(4) ? call.finish() : arbitrary_tool(dice, paths, bounds));
    tasks.push_back(entry.finish());
  }
  return Value::list(std::move(tasks));
}

}  // namespace stepwell::testing
