// What names mean: ctx with the overlays on the way in, the latest ended run of a step, the branch, the iteration.
#include <algorithm>

#include "stepwell/expr/evaluator.h"
#include "stepwell/model/render_mapping.h"
#include "stepwell/value/path.h"

#include "interpreter.h"

namespace stepwell::reference {

// The enclosing ctx with the overlay of each isolated scope on the way applied.
Value Interpreter::ctx_in(int scope) const {
  if (scope == 0) return world_.ctx;
  const Scope& own = world_.scopes.at(scope);
  Value ctx = ctx_in(own.parent);
  for (const Write& write : own.overlay) {
    if (auto written = set(ctx, write.path, write.value)) ctx = *written;
  }
  return ctx;
}

// The last failure in this or an enclosing scope.
Value Interpreter::last_error_in(int scope) const {
  const std::pair<int, Error>* last = nullptr;
  for (int at = scope; at != 0; at = world_.scopes.at(at).parent) {
    const auto& own = world_.scopes.at(at).last_error;
    if (own && (last == nullptr || own->first > last->first)) last = &*own;
  }
  return last == nullptr ? Value() : last->second.to_value();
}

Value Interpreter::branch_in(int scope) const {
  for (int at = scope; at != 0; at = world_.scopes.at(at).parent) {
    const Scope& own = world_.scopes.at(at);
    if (own.kind != ScopeKind::branch) continue;
    const FanOut& fan_out = world_.fan_outs.at(own.fan_out);
    Value output;
    for (const Write& write : own.overlay) {
      if (auto tree = set(output.is_null() ? Value::map({}) : output, write.path, write.value)) output = *tree;
    }
    return Value::map({{"index", own.index},
                       {"total", fan_out.total()},
                       {"fan_out_step", Value(step_of(fan_out.step).name)},
                       {"item", own.item},
                       {"output", output},
                       {"parent", branch_in(own.parent)}});
  }
  return {};
}

Value Interpreter::iter_in(int scope) const {
  for (int at = scope; at != 0; at = world_.scopes.at(at).parent) {
    const Scope& own = world_.scopes.at(at);
    if (own.kind != ScopeKind::iteration) continue;
    std::vector<Member> members = {{Value(own.item_name), own.item},
                                   {"index", own.index},
                                   {"total", world_.fan_outs.at(own.fan_out).total()},
                                   {"parent", iter_in(own.parent)}};
    for (const Member& member : own.iter.as_map()) members.push_back(member);
    return Value::map(std::move(members));
  }
  return {};
}

std::optional<Value> Interpreter::item_in(int scope, const std::string& name) const {
  for (int at = scope; at != 0; at = world_.scopes.at(at).parent) {
    if (world_.scopes.at(at).item_name == name) return world_.scopes.at(at).item;
  }
  return std::nullopt;
}

// The latest ended run of a step in a scope and in those closed into it.
Interpreter::Found Interpreter::closed_into(int scope, StepIndex step) const {
  Found found;
  auto consider = [&](const Found& other) {
    if (other.latest != nullptr && (found.latest == nullptr || other.latest->order > found.latest->order)) {
      found = other;
    }
  };
  for (const Ended& ended : world_.scopes.at(scope).ended) {
    if (ended.step == step) consider({&ended});
  }
  std::map<int, std::vector<Found>> by_instance;
  for (const auto& [id, child] : world_.scopes) {
    if (child.parent != scope || !child.closed || child.detached) continue;
    const Found inside = closed_into(id, step);
    if (inside.latest == nullptr) continue;
    if (child.kind == ScopeKind::block) {
      consider(inside);
    } else {
      by_instance[child.fan_out].push_back(inside);
    }
  }
  for (auto& [instance, branches] : by_instance) {
    Found latest = *std::ranges::max_element(branches, {}, [](const Found& each) { return each.latest->order; });
    latest.several = latest.several || branches.size() > 1;
    consider(latest);
  }
  return found;
}

Interpreter::Found Interpreter::find_step(int scope, StepIndex step) const {
  for (int at = scope; at != 0; at = world_.scopes.at(at).parent) {
    if (const Found found = closed_into(at, step); found.latest != nullptr) return found;
  }
  return {};
}

Value Interpreter::step_value(const Ended& ended) const {
  std::vector<Member> members = {{"output", ended.output},
                                 {"status", Value(ended.error ? "failed" : "done")},
                                 {"error", ended.error ? ended.error->to_value() : Value()},
                                 {"attempts", ended.attempts}};
  if (step_of(ended.step).type == StepType::call) members.push_back({"child", ended.child});
  return Value::map(std::move(members));
}

// What a name stands for, or nothing; an error if it stands for more than one thing.
std::expected<std::optional<Value>, Error> Interpreter::name_in(int scope, Name name, const std::string& text,
                                                                bool last_error, const Extras& extras) const {
  auto or_nothing = [](Value value) -> std::optional<Value> {
    return value.is_null() ? std::nullopt : std::optional(std::move(value));
  };
  switch (name.kind) {
    case NameKind::workload: return world_.workload;
    case NameKind::ctx: {
      const Value ctx = ctx_in(scope);
      return last_error ? set(ctx, {"_last_error"}, last_error_in(scope)).value() : ctx;
    }
    case NameKind::args: return extras.args.is_null() ? Value::map({}) : extras.args;
    case NameKind::iter: return or_nothing(iter_in(scope));
    case NameKind::branch: {
      const auto opening = extras.names.find(name.kind);
      return or_nothing(opening == extras.names.end() ? branch_in(scope) : opening->second);
    }
    case NameKind::item: {
      const auto bound = extras.items.find(text);
      return bound == extras.items.end() ? item_in(scope, text) : std::optional(bound->second);
    }
    case NameKind::step: {
      const Found found = find_step(scope, name.index);
      if (found.latest == nullptr) return std::nullopt;
      if (found.several) return std::unexpected(expression_error("several"));
      return step_value(*found.latest);
    }
    default: {
      const auto extra = extras.names.find(name.kind);
      return extra == extras.names.end() ? std::nullopt : std::optional(extra->second);
    }
  }
}

// The value of an expression. If it needs a member of ctx that is not there, `missing` is told its path.
Interpreter::Result Interpreter::evaluate(const Expression& expression, int scope, const Extras& extras,
                                          std::string* missing) const {
  std::vector<std::optional<Value>> values;
  for (std::size_t i = 0; i < expression.names.size(); ++i) {
    auto value = name_in(scope, expression.names[i], expression.program.roots[i], expression.reads_last_error, extras);
    if (!value) return std::unexpected(value.error());
    values.push_back(std::move(*value));
  }
  std::vector<Input> inputs;
  for (const auto& value : values) inputs.push_back(value ? Input(*value) : Input());
  Ambient ambient{.stamp = {.time = now_}};
  auto result = stepwell::evaluate(expression.program, inputs, ambient);
  if (result) return *result;
  const ExprError& error = result.error();
  const bool of_ctx = error.code == FaultCode::undefined && error.path && error.path->size() > 1 &&
                      (*error.path)[0].is_key() && (*error.path)[0].key() == "ctx";
  if (missing != nullptr && of_ctx) *missing = error.path->str();
  return std::unexpected(expression_error(std::string(fault_word(error.code))));
}

Interpreter::Result Interpreter::render(const Mapping& mapping, int scope, const Extras& extras) const {
  auto value_of = [&](const Expression& expression) { return evaluate(expression, scope, extras); };
  return render_mapping(mapping, value_of);
}

// What a foreach or a loop goes over: the items of a list, or {key, value} of a map.
std::expected<std::vector<Value>, Error> Interpreter::items_of(const Mapping& mapping, int scope,
                                                               const Extras& extras) const {
  const auto in = render(mapping, scope, extras);
  if (!in) return std::unexpected(in.error());
  std::vector<Value> items;
  if (in->is_list()) {
    items.assign(in->as_list().begin(), in->as_list().end());
  } else if (in->is_map()) {
    for (const Member& member : in->as_map()) {
      items.push_back(Value::map({{"key", member.name}, {"value", member.value}}));
    }
  } else {
    return std::unexpected(expression_error("type"));
  }
  return items;
}

// The last run that ended in a scope or in those closed into it.
const Ended* Interpreter::last_ended(int scope) const {
  const auto& own = world_.scopes.at(scope).ended;
  const Ended* last = own.empty() ? nullptr : &own.back();
  for (const auto& [id, child] : world_.scopes) {
    if (child.parent != scope || !child.closed || child.detached) continue;
    const Ended* inside = last_ended(id);
    if (inside != nullptr && (last == nullptr || inside->order > last->order)) last = inside;
  }
  return last;
}

std::optional<Value> Interpreter::last_output(int scope) const {
  const Ended* last = last_ended(scope);
  return last == nullptr ? std::nullopt : std::optional(last->output);
}

// What was written in it, else the output of its last ended run, else its item.
Value Interpreter::scope_output(const Scope& scope) const {
  if (scope.kind == ScopeKind::iteration && !scope.iter.as_map().empty()) return scope.iter;
  if (!scope.overlay.empty()) {
    Value tree = Value::map({});
    for (const Write& write : scope.overlay) {
      if (auto written = set(tree, write.path, write.value)) tree = *written;
    }
    return tree;
  }
  return last_output(scope.id).value_or(scope.item);
}

}  // namespace stepwell::reference
