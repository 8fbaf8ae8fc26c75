#include "stepwell/base/limits.h"
#include "stepwell/expr/evaluator.h"
#include "stepwell/expr/numbers.h"
#include "stepwell/expr/operators.h"

namespace stepwell {

namespace {

const Value* walk(std::span<const Value> names, const Value& root) {
  const Value* at = &root;
  for (const Value& name : names) {
    at = name.is_text() ? at->find(name.as_text()) : nullptr;
    if (at == nullptr) break;
  }
  return at;
}

std::optional<EncodedView> walk(std::span<const Value> names, EncodedView at, Budget& budget) {
  for (const Value& name : names) {
    const std::optional<EncodedView> next = name.is_text() ? at.find(name.as_text()) : std::nullopt;
    if (!next || !budget.can_read(at.offset_of(*next))) return std::nullopt;
    at = *next;
  }
  return at;
}

// What an instruction pushes, if it is a constant or at the end of names: borrowed, or decoded into `room`.
const Value* pushed(const Program& program, const Instruction& instruction, std::span<const Input> inputs,
                    Budget& budget, Value& room) {
  if (!budget.spend(1)) return nullptr;
  if (instruction.op == Op::constant) return &program.constants[instruction.a];
  if (instruction.op != Op::path) return nullptr;
  const PathPlan& plan = program.paths[instruction.a];
  const Input& input = inputs[plan.root];
  if (input.value() != nullptr) return walk(plan.keys, *input.value());
  if (!input.bytes()) return nullptr;
  const std::optional<EncodedView> found = walk(plan.keys, *input.bytes(), budget);
  if (!found || found->is_container()) return nullptr;
  room = found->decode();
  return &room;
}

std::optional<Value> simple_value(const Program& program, std::span<const Input> inputs, Budget& budget) {
  if (program.code.size() != 2 || program.makes_text) return std::nullopt;
  Value room;
  const Value* value = pushed(program, program.code[0], inputs, budget, room);
  if (value == nullptr || value->depth() > limits::kDataDepth || value->weight() > limits::kDocumentBytes) {
    return std::nullopt;
  }
  if (value == &room) return room;
  return *value;
}

std::optional<bool> simple_answer(const Program& program, std::span<const Input> inputs, Budget& budget) {
  const std::vector<Instruction>& code = program.code;
  if (program.makes_text || code.size() > 4) return std::nullopt;
  Value left_room;
  const Value* left = pushed(program, code[0], inputs, budget, left_room);
  // A map may be a reference to a blob.
  if (left == nullptr || left->is_map()) return std::nullopt;
  if (code.size() == 2) return truthy(*left);
  if (code.size() != 4 || code[2].op != Op::compare) return std::nullopt;
  Value right_room;
  const Value* right = pushed(program, code[1], inputs, budget, right_room);
  if (right == nullptr || !budget.spend(1)) return std::nullopt;
  const auto op = static_cast<Comparison>(code[2].a);
  if (left->is_int() && right->is_int()) return in_order(op, left->as_int() <=> right->as_int());
  if (is_number(*left) && is_number(*right)) return in_order(op, compare_numbers(*left, *right));
  const bool for_equality = op == Comparison::equal || op == Comparison::not_equal;
  if (!for_equality || !left->is_text() || !right->is_text()) return std::nullopt;
  const OrFault<bool> same = loosely_equal(*left, *right, budget);
  if (!same) return std::nullopt;
  return *same == (op == Comparison::equal);
}

}  // namespace

std::optional<Value> evaluate_at_once(const Program& program, std::span<const Input> inputs, Ambient& ambient,
                                      const EvalLimits& limits) {
  Budget budget(limits);
  std::optional<Value> value = simple_value(program, inputs, budget);
  if (value) ambient.operations += limits.fuel - budget.fuel_left();
  return value;
}

std::optional<bool> ask_at_once(const Program& program, std::span<const Input> inputs, Ambient& ambient,
                                const EvalLimits& limits) {
  Budget budget(limits);
  const std::optional<bool> answer = simple_answer(program, inputs, budget);
  if (answer) ambient.operations += limits.fuel - budget.fuel_left();
  return answer;
}

}  // namespace stepwell
