#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/expr/machine.h"
#include "stepwell/expr/operators.h"

namespace stepwell {

bool Machine::loop_begin() {
  if (!touch(top())) return false;
  OrFault<Value> items = items_of(top().value, budget_);
  if (!items) return fail(std::move(items.error()));
  drop(1);
  loops_.push_back({.items = std::move(*items), .next = 0, .kept = {}, .last_changed = std::nullopt});
  return true;
}

bool Machine::loop_field(const Loop& loop, LoopField field) {
  const auto items = loop.items.as_list();
  const auto length = static_cast<std::int64_t>(items.size());
  const auto index = static_cast<std::int64_t>(loop.next);
  switch (field) {
    case LoopField::index: push(Value(index)); return true;
    case LoopField::index0: push(Value(index - 1)); return true;
    case LoopField::revindex: push(Value(length - index + 1)); return true;
    case LoopField::revindex0: push(Value(length - index)); return true;
    case LoopField::first: push(Value(index == 1)); return true;
    case LoopField::last: push(Value(index == length)); return true;
    case LoopField::length: push(Value(length)); return true;
    case LoopField::previtem: push(index == 1 ? Operand::undefined(at_) : Operand(items[loop.next - 2])); return true;
    case LoopField::nextitem: push(index == length ? Operand::undefined(at_) : Operand(items[loop.next])); return true;
    case LoopField::depth: push(Value(1)); return true;
    case LoopField::depth0: push(Value(0)); return true;
  }
  CHECK(false);
}

bool Machine::loop_cycle(const Loop& loop, std::uint32_t count) {
  Operand turn = top(count - 1 - (loop.next - 1) % count);
  drop(count);
  push(std::move(turn));
  return true;
}

bool Machine::loop_changed(Loop& loop, std::uint32_t count) {
  std::vector<Value> values;
  for (std::uint32_t i = count; i > 0; --i) {
    if (!need(top(i - 1))) return false;
    values.push_back(top(i - 1).value);
  }
  bool changed = true;
  if (loop.last_changed && Value::list_fits(values)) {
    const OrFault<bool> same = loosely_equal(Value::list(*loop.last_changed), Value::list(values), budget_);
    if (!same) return fail(same.error());
    changed = !*same;
  }
  if (changed) loop.last_changed = std::move(values);
  drop(count);
  push(Value(changed));
  return true;
}

bool Machine::unpack(std::uint32_t count) {
  if (!touch(top())) return false;
  OrFault<Value> items = items_of(top().value, budget_);
  if (!items) return fail(std::move(items.error()));
  const auto each = items->as_list();
  if (each.size() != count) {
    return fail({FaultCode::value, fmt::format("cannot assign {} items to {} names", each.size(), count)});
  }
  drop(1);
  for (std::uint32_t i = count; i > 0; --i) push(each[i - 1]);
  return true;
}

}  // namespace stepwell
