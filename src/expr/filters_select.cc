#include "stepwell/expr/filters_select.h"

#include <fmt/format.h>

#include "stepwell/expr/arguments.h"
#include "stepwell/expr/attribute_path.h"
#include "stepwell/expr/operators.h"

namespace stepwell {
namespace {

OrFault<const Builtin*> named(const Value& name, std::string_view what, const Builtin* (*find)(std::string_view)) {
  if (!name.is_text()) return wrong_kind(fmt::format("the name of a {}", what), "text", name);
  const Builtin* builtin = find(name.as_text());
  if (builtin == nullptr) return fault(FaultCode::value, fmt::format("there is no {} named {}", what, shown(name)));
  return builtin;
}

// A built-in with the arguments that follow the item.
class Applied {
 public:
  Applied(const Builtin& builtin, Call& call, std::span<const Value> rest) : builtin_(builtin), call_(call) {
    args_.emplace_back();
    args_.insert(args_.end(), rest.begin(), rest.end());
  }

  OrFault<Value> operator()(const Value& item) {
    args_[0] = item;
    if (!call_.budget.spend(1)) return Budget::out_of_fuel();
    return call_builtin(builtin_, args_, call_.keywords, call_.budget, call_.ambient);
  }

 private:
  const Builtin& builtin_;
  Call& call_;
  std::vector<Value> args_;
};

OrFault<Value> map_attribute(Call& call, const Items& items) {
  Value attribute;
  Value otherwise;
  for (const KeywordArgument& keyword : call.keywords) {
    if (keyword.name == "attribute") {
      attribute = keyword.value;
    } else if (keyword.name == "default") {
      otherwise = keyword.value;
    } else {
      return fault(FaultCode::type,
                   fmt::format("filter 'map' has no argument '{}' beside attribute; it takes default", keyword.name));
    }
  }
  const AttributePath path(attribute);
  std::vector<Value> result;
  for (const Value& item : items) {
    auto member = path.get(item, otherwise, call.budget);
    if (!member) return member;
    result.push_back(std::move(*member));
  }
  return list_value(std::move(result));
}

bool has_keyword(const Call& call, std::string_view name) {
  for (const KeywordArgument& keyword : call.keywords)
    if (keyword.name == name) return true;
  return false;
}

// What a test named by text says of something that may be missing.
class Condition {
 public:
  static OrFault<Condition> from(Call& call, std::span<const Value> args) {
    Condition condition;
    if (args.empty()) return condition;
    if (args[0].is_text() && (args[0].as_text() == "defined" || args[0].as_text() == "undefined")) {
      condition.asks_defined_ = true;
      condition.wanted_ = args[0].as_text() == "defined";
      return condition;
    }
    const auto builtin = named(args[0], "test", find_test);
    if (!builtin) return std::unexpected(builtin.error());
    condition.test_.emplace(**builtin, call, args.subspan(1));
    return condition;
  }

  bool allows_missing() const { return asks_defined_; }

  OrFault<bool> operator()(const std::optional<Value>& item) {
    if (asks_defined_) return item.has_value() == wanted_;
    if (!test_) return truthy(*item);
    const auto answer = (*test_)(*item);
    if (!answer) return std::unexpected(answer.error());
    return truthy(*answer);
  }

 private:
  std::optional<Applied> test_;  // none: is it true?
  bool asks_defined_ = false;
  bool wanted_ = false;
};

OrFault<Value> choose(Call& call, bool keep, bool by_attribute) {
  // As in Jinja2, nothing to choose from is no reason to look at the arguments.
  if (!truthy(call[0])) return Value::list({});
  std::span<const Value> args = call.args.subspan(1);
  if (by_attribute && args.empty()) return fault(FaultCode::type, "an attribute to choose by is missing");
  const AttributePath path(by_attribute ? args[0] : Value());
  auto condition = Condition::from(call, by_attribute ? args.subspan(1) : args);
  if (!condition) return std::unexpected(condition.error());
  const auto items = Items::of(call[0], call.budget);
  if (!items) return std::unexpected(items.error());
  std::vector<Value> chosen;
  for (const Value& item : *items) {
    auto member = path.find(item, Value(), call.budget);
    if (member && !*member && !condition->allows_missing()) member = path.get(item, call.budget);
    if (!member) return std::unexpected(member.error());
    const auto answer = (*condition)(*member);
    if (!answer) return std::unexpected(answer.error());
    if (*answer == keep) chosen.push_back(item);
  }
  return list_value(std::move(chosen));
}

}  // namespace

OrFault<Value> filter_map(Call& call) {
  if (!truthy(call[0])) return Value::list({});
  const auto items = Items::of(call[0], call.budget);
  if (!items) return std::unexpected(items.error());
  const std::span<const Value> args = call.args.subspan(1);
  if (args.empty() && has_keyword(call, "attribute")) return map_attribute(call, *items);
  if (args.empty())
    return fault(FaultCode::type, "filter 'map' needs the name of a filter, or attribute=; for example map('upper')");
  const auto builtin = named(args[0], "filter", find_filter);
  if (!builtin) return std::unexpected(builtin.error());
  Applied filter(**builtin, call, args.subspan(1));
  std::vector<Value> result;
  for (const Value& item : *items) {
    auto made = filter(item);
    if (!made) return made;
    result.push_back(std::move(*made));
  }
  return list_value(std::move(result));
}

OrFault<Value> filter_reject(Call& call) { return choose(call, false, false); }
OrFault<Value> filter_rejectattr(Call& call) { return choose(call, false, true); }
OrFault<Value> filter_select(Call& call) { return choose(call, true, false); }
OrFault<Value> filter_selectattr(Call& call) { return choose(call, true, true); }

}  // namespace stepwell
