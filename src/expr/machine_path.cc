#include <algorithm>

#include <fmt/format.h>

#include "stepwell/expr/machine.h"
#include "stepwell/expr/numbers.h"
#include "stepwell/expr/operators.h"
#include "stepwell/value/blob_ref.h"
#include "stepwell/value/json_write.h"

namespace stepwell {

namespace {

// The plan's own key, or the one that comes from the stack: as many of those were taken as there are nulls before it.
const Value& key_of(const PathPlan& plan, std::span<const Operand> from_stack, std::size_t i) {
  if (!plan.keys[i].is_null()) return plan.keys[i];
  const auto before =
      std::ranges::count_if(plan.keys.begin(), plan.keys.begin() + static_cast<std::ptrdiff_t>(i), &Value::is_null);
  return from_stack[static_cast<std::size_t>(before)].value;
}

// A step that needs no copy: into a map or a list. nullptr if there is nothing.
const Value* into(const Value& value, const Value& key) {
  if (value.is_map()) return key.is_text() ? value.find(key.as_text()) : nullptr;
  const std::optional<std::int64_t> index = as_integer(key);
  if (!value.is_list() || !index) return nullptr;
  const auto size = static_cast<std::int64_t>(value.as_list().size());
  const std::int64_t place = *index < 0 ? *index + size : *index;
  return place < 0 || place >= size ? nullptr : &value.as_list()[static_cast<std::size_t>(place)];
}

std::optional<EncodedView> into(const EncodedView& view, const Value& key) {
  if (key.is_text()) return view.find(key.as_text());
  const std::optional<std::int64_t> index = as_integer(key);
  if (view.kind() != Kind::list || !index) return std::nullopt;
  const std::int64_t place = *index < 0 ? *index + static_cast<std::int64_t>(view.size()) : *index;
  return place < 0 ? std::nullopt : view.at(static_cast<std::size_t>(place));
}

std::string key_text(const Value& key) { return key.is_text() ? fmt::format("'{}'", key.as_text()) : to_json(key); }

}  // namespace

bool Machine::path(const PathPlan& plan) {
  const std::span<const Operand> keys(stack_ + height_ - plan.from_stack, plan.from_stack);
  for (const Operand& key : keys) {
    if (!need(key)) return false;
    if (!key.value.is_text()) continue;
    if (auto paid = budget_.spend_reading(key.value.as_text().size()); !paid) return fail(paid.error());
  }
  Operand result;
  const Input& input = inputs_[plan.root];
  if (input.value() != nullptr) {
    if (!path_in_value(plan, keys, 0, input.value(), result)) return false;
  } else if (input.bytes()) {
    if (!path_in_bytes(plan, keys, *input.bytes(), result)) return false;
  } else if (!not_there(plan, keys, 0, result)) {
    return false;
  }
  if (result.defined() && is_blob_ref(result.value)) remember_ref(plan, keys, result);
  drop(plan.from_stack);
  push(std::move(result));
  return true;
}

// Walks from `at`, where the first `from` keys have led, to the end.
bool Machine::path_in_value(const PathPlan& plan, std::span<const Operand> from_stack, std::size_t from,
                            const Value* at, Operand& result) {
  for (std::size_t i = from; i < plan.keys.size(); ++i) {
    const Value& key = key_of(plan, from_stack, i);
    const Value* next = into(*at, key);
    if (next == nullptr && at->is_text()) {
      OrFault<std::optional<Value>> character = stepwell::item(*at, key, budget_);
      if (!character) return fail(std::move(character.error()));
      if (*character) {
        result.value = std::move(**character);
        next = &result.value;
      }
    }
    if (next == nullptr && is_blob_ref(*at)) {
      return fail(untouchable(*at, path_to(plan, reached(from_stack, i)).str()).error());
    }
    if (next == nullptr) return not_there(plan, from_stack, i + 1, result);
    at = next;
  }
  if (at != &result.value) result.value = *at;
  return true;
}

bool Machine::path_in_bytes(const PathPlan& plan, std::span<const Operand> from_stack, EncodedView at,
                            Operand& result) {
  for (std::size_t i = 0; i < plan.keys.size(); ++i) {
    const std::optional<EncodedView> next = into(at, key_of(plan, from_stack, i));
    if (!next && at.kind() == Kind::text) {
      // Characters of a text are not bytes of their own: go on with the value.
      const Value text = at.decode();
      return path_in_value(plan, from_stack, i, &text, result);
    }
    if (!next && at.kind() == Kind::map && at.find("$ref")) {
      // Perhaps a reference to a blob, which is small.
      const Value reference = at.decode();
      return path_in_value(plan, from_stack, i, &reference, result);
    }
    const std::size_t passed = next ? at.offset_of(*next) : at.bytes().size();
    if (auto paid = budget_.spend_reading(passed); !paid) return fail(paid.error());
    if (!next) return not_there(plan, from_stack, i + 1, result);
    at = *next;
  }
  const Kind kind = at.kind();
  if (kind == Kind::list || kind == Kind::map) {
    if (auto paid = budget_.spend_text(at.bytes().size()); !paid) return fail(paid.error());
  }
  result.value = at.decode();
  return true;
}

// Where the first `count` keys of a path lead, for path_to.
Operand Machine::reached(std::span<const Operand> from_stack, std::size_t count) const {
  std::vector<Value> seen;
  seen.reserve(from_stack.size());
  for (const Operand& key : from_stack) seen.push_back(key.value);
  Value keys = seen.empty() ? Value() : Value::list(std::move(seen));
  return Operand::undefined(at_, static_cast<std::uint32_t>(count), std::move(keys));
}

void Machine::remember_ref(const PathPlan& plan, std::span<const Operand> from_stack, Operand& result) {
  refs_.push_back(path_to(plan, reached(from_stack, plan.keys.size())));
  result.keys = static_cast<std::uint32_t>(refs_.size());
}

// Undefined may be asked about (`is defined`, `default`), but nothing can be inside it: only the last key may fail.
bool Machine::not_there(const PathPlan& plan, std::span<const Operand> from_stack, std::size_t count, Operand& result) {
  result = reached(from_stack, count);
  return count == plan.keys.size() || fail_undefined(result);
}

bool Machine::item(const Value& subject, const Value& key, Operand& result) {
  OrFault<std::optional<Value>> found = stepwell::item(subject, key, budget_);
  if (!found) return fail(std::move(found.error()));
  result = *found ? Operand(std::move(**found)) : Operand::undefined(at_, 0, key);
  return true;
}

bool Machine::need(const Operand& operand) { return operand.defined() || fail_undefined(operand); }

bool Machine::touch(const Operand& operand) {
  if (!need(operand)) return false;
  if (!is_blob_ref(operand.value)) return true;
  return fail(untouchable(operand.value, operand.keys == 0 ? "" : refs_[operand.keys - 1].str()).error());
}

// Builds the path that was missing: its first `operand.keys` keys, those of the run included.
Path Machine::path_to(const PathPlan& plan, const Operand& operand) const {
  Path path{Segment(program_.roots[plan.root])};
  std::size_t taken = 0;
  for (std::size_t i = 0; i < operand.keys; ++i) {
    const Value& own = plan.keys[i];
    const Value& key = own.is_null() ? operand.value.as_list()[taken++] : own;
    if (key.is_text()) {
      path.push_back(Segment(key.as_text()));
    } else if (const std::optional<std::int64_t> index = as_integer(key)) {
      path.push_back(Segment(*index));
    } else {
      path.push_back(Segment(to_json(key)));
    }
  }
  return path;
}

bool Machine::fail_undefined(const Operand& operand) {
  const Instruction& source = program_.code[operand.missing];
  const Origin& origin = program_.origins[operand.missing];
  std::uint32_t place = origin.at;
  std::optional<Path> path;
  std::string message;
  switch (source.op) {
    case Op::path:
      path = path_to(program_.paths[source.a], operand);
      place = program_.paths[source.a].places[operand.keys];
      message = fmt::format("'{}' is undefined", path->str());
      break;
    case Op::member: message = fmt::format("there is no member '{}'", program_.constants[source.a].as_text()); break;
    case Op::item: message = fmt::format("there is no item {}", key_text(operand.value)); break;
    case Op::call: message = operand.value.as_text(); break;
    case Op::loop_field: message = "there is no item before the first or behind the last"; break;
    default: message = "the condition of this 'if' is false and there is no 'else'"; break;
  }
  fail({FaultCode::undefined, std::move(message)});
  error_->at = place;
  error_->expression = origin.expression;
  error_->path = std::move(path);
  return false;
}

}  // namespace stepwell
