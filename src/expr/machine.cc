#include "stepwell/expr/machine.h"

#include <utility>

#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/base/limits.h"
#include "stepwell/expr/numbers.h"
#include "stepwell/expr/operators.h"
#include "stepwell/expr/quoter.h"
#include "stepwell/expr/secrets.h"
#include "stepwell/expr/text_of.h"
#include "stepwell/expr/tree.h"

namespace stepwell {

Machine::Machine(const Program& program, std::span<const Input> inputs, Ambient& ambient, const EvalLimits& limits)
    : program_(program), inputs_(inputs), ambient_(ambient), budget_(limits) {
  CHECK(inputs.size() == program.roots.size());
  static_assert(alignof(Operand) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  const std::size_t needed = program.locals + program.max_stack;
  if (needed > kInline) outside_ = std::make_unique_for_overwrite<std::byte[]>(needed * sizeof(Operand));
  locals_ = reinterpret_cast<Operand*>(outside_ ? outside_.get() : inside_.data());
  stack_ = locals_ + program.locals;
  for (std::size_t i = 0; i < program.locals; ++i) (new (locals_ + i) Operand())->missing = Operand::kUnset;
}

Machine::~Machine() {
  std::destroy_n(stack_, height_);
  std::destroy_n(locals_, program_.locals);
}

// Runs to the end; false if there is an error.
bool Machine::execute() {
  while (true) {
    const Instruction& instruction = program_.code[at_];
    if (instruction.op == Op::done) break;
    if (!budget_.spend(1)) {
      fail(Budget::out_of_fuel().error());
      break;
    }
    if (!step(instruction)) break;
    ++at_;
  }
  return !error_;
}

std::expected<Value, ExprError> Machine::run() {
  if (execute() && !program_.makes_text) check_result(top());
  if (error_) return std::unexpected(std::move(*error_));
  return program_.makes_text ? Value(out_) : std::move(top().value);
}

std::expected<bool, ExprError> Machine::ask() {
  bool yes = false;
  if (execute()) {
    if (program_.makes_text) return !out_.empty();
    if (need(top())) truth(top(), yes);
  }
  if (error_) return std::unexpected(std::move(*error_));
  return yes;
}

// A value can hold itself many times over at no cost. Who writes or stores it pays for every time, and could not read
// it back.
bool Machine::check_result(const Operand& result) {
  if (!need(result)) return false;
  if (result.value.depth() > limits::kDataDepth) {
    return fail({FaultCode::depth, fmt::format("the result nests deeper than {} levels", limits::kDataDepth)});
  }
  if (result.value.weight() <= limits::kDocumentBytes) return true;
  return fail({FaultCode::size, fmt::format("the result is larger than {} bytes", limits::kDocumentBytes)});
}

// Jumps set `at_` to the instruction before their target, because run() goes on to the next.
bool Machine::step(const Instruction& instruction) {
  const std::uint32_t a = instruction.a;
  const std::uint32_t b = instruction.b;
  bool yes = false;
  switch (instruction.op) {
    case Op::constant: push(program_.constants[a]); return true;
    case Op::nothing: push(Operand::blank_at(at_)); return true;
    case Op::path: return path(program_.paths[a]);
    case Op::local: push(locals_[a]); return true;
    case Op::local_or:
      if (locals_[a].missing == Operand::kUnset) return true;
      push(locals_[a]);
      at_ = b - 1;
      return true;
    case Op::store: locals_[a] = pop(); return true;
    case Op::store_member: return store_member(a, program_.constants[b]);
    case Op::clear:
      if (auto paid = budget_.spend_items(b); !paid) return fail(paid.error());
      for (std::uint32_t i = a; i < a + b; ++i) locals_[i].missing = Operand::kUnset;
      return true;
    case Op::member: return need(top()) && item(Value(top().value), program_.constants[a], top());
    case Op::item: {
      if (!need(top(1)) || !touch(top())) return false;
      const Operand key = pop();
      return item(Value(top().value), key.value, top());
    }
    case Op::slice:
      for (std::size_t i = 0; i < 4; ++i) {
        if (!touch(top(3 - i))) return false;
      }
      return replace(4, slice(top(3).value, top(2).value, top(1).value, top().value, budget_));
    case Op::list: return list(a);
    case Op::map: return map(a);
    case Op::negate: return unary(negated);
    case Op::plus: return unary(positive);
    case Op::invert:
      if (!truth(top(), yes)) return false;
      top() = Operand(Value(!yes));
      return true;
    case Op::arithmetic:
      if (!touch(top(1)) || !touch(top())) return false;
      return replace(2, arithmetic(static_cast<Arithmetic>(a), top(1).value, top().value, budget_));
    case Op::concat: return concat(a);
    case Op::compare:
      if (!compare(static_cast<Comparison>(a), top(1), top(), yes)) return false;
      drop(1);
      top() = Operand(Value(yes));
      return true;
    case Op::compare_chain:
      if (!compare(static_cast<Comparison>(a), top(1), top(), yes)) return false;
      top(1) = yes ? std::move(top()) : Operand(Value(false));
      drop(1);
      if (!yes) at_ = b - 1;
      return true;
    case Op::jump: at_ = b - 1; return true;
    case Op::jump_if_not:
      if (!truth(top(), yes)) return false;
      drop(1);
      if (!yes) at_ = b - 1;
      return true;
    case Op::and_jump:
    case Op::or_jump:
      if (!truth(top(), yes)) return false;
      if (yes == (instruction.op == Op::or_jump)) {
        at_ = b - 1;
      } else {
        drop(1);
      }
      return true;
    case Op::use_default: {
      if (!truth(top(), yes)) return false;
      const bool keep = top(2).defined() && (!yes || truthy(top(2).value));
      if (!keep) top(2) = std::move(top(1));
      drop(2);
      return true;
    }
    case Op::is_defined: top() = Operand(Value(top().defined())); return true;
    case Op::call: return call(program_.calls[a]);
    case Op::text: return write(program_.constants[a].as_text());
    case Op::print: return print();
    case Op::capture: captures_.push_back(out_.size()); return true;
    case Op::captured: {
      const std::size_t begin = captures_.back();
      captures_.pop_back();
      push(Value(std::string_view(out_).substr(begin)));
      out_.resize(begin);
      return true;
    }
    case Op::loop_begin: return loop_begin();
    case Op::loop_next: {
      Loop& loop = loops_.back();
      if (loop.next == loop.items.as_list().size()) {
        at_ = b - 1;
      } else {
        push(loop.items.as_list()[loop.next++]);
      }
      return true;
    }
    case Op::loop_end:
      if (loops_.back().next > 0) at_ = b - 1;
      loops_.pop_back();
      return true;
    case Op::loop_keep: {
      Loop& loop = loops_.back();
      loop.kept.push_back(loop.items.as_list()[loop.next - 1]);
      return true;
    }
    case Op::loop_kept: {
      Value kept = Value::list(std::move(loops_.back().kept));
      loops_.pop_back();
      push(std::move(kept));
      return true;
    }
    case Op::loop_field: return loop_field(loop_out(a), static_cast<LoopField>(b));
    case Op::loop_cycle: return loop_cycle(loop_out(a), b);
    case Op::loop_changed: return loop_changed(loop_out(a), b);
    case Op::unpack: return unpack(a);
    case Op::done: break;
  }
  CHECK(false);
}

bool Machine::fail(Fault fault) {
  const Origin& origin = program_.origins[at_];
  error_ = ExprError{.code = fault.code,
                     .message = std::move(fault.message),
                     .detail = std::move(fault.detail),
                     .source = program_.source,
                     .expression = origin.expression,
                     .at = origin.at,
                     .path = std::nullopt};
  return false;
}

bool Machine::replace(std::size_t count, OrFault<Value> result) {
  if (!result) return fail(std::move(result.error()));
  top(count - 1) = Operand(std::move(*result));
  drop(count - 1);
  return true;
}

bool Machine::truth(const Operand& operand, bool& result) {
  if (!operand.blank && !touch(operand)) return false;
  result = truthy(operand.value);
  return true;
}

bool Machine::unary(OrFault<Value> (*operation)(const Value&)) {
  return touch(top()) && replace(1, operation(top().value));
}

bool Machine::compare(Comparison op, const Operand& left, const Operand& right, bool& result) {
  if (!touch(left) || !touch(right)) return false;
  if (is_number(left.value) && is_number(right.value)) {
    if (const std::optional<bool> answer = in_order(op, compare_numbers(left.value, right.value))) {
      result = *answer;
      return true;
    }
  }
  auto decided = [&](OrFault<bool> answer, bool wanted) {
    if (!answer) return fail(std::move(answer.error()));
    result = *answer == wanted;
    return true;
  };
  switch (op) {
    case Comparison::equal: return decided(loosely_equal(left.value, right.value, budget_), true);
    case Comparison::not_equal: return decided(loosely_equal(left.value, right.value, budget_), false);
    case Comparison::in: return decided(contains(right.value, left.value, budget_), true);
    case Comparison::not_in: return decided(contains(right.value, left.value, budget_), false);
    case Comparison::less:
    case Comparison::less_equal:
    case Comparison::greater:
    case Comparison::greater_equal: break;
  }
  const OrFault<std::weak_ordering> order = ordered(left.value, right.value, budget_);
  if (!order) return fail(order.error());
  result = *in_order(op, *order);
  return true;
}

bool Machine::list(std::uint32_t count) {
  std::vector<Value> items;
  items.reserve(count);
  for (std::uint32_t i = count; i > 0; --i) {
    if (!need(top(i - 1))) return false;
    items.push_back(std::move(top(i - 1).value));
  }
  if (!Value::list_fits(items)) return fail({FaultCode::depth, "the list nests too deep"});
  drop(count);
  push(Value::list(std::move(items)));
  return true;
}

bool Machine::map(std::uint32_t count) {
  std::vector<Member> members;
  members.reserve(count);
  for (std::uint32_t i = 2 * count; i > 0; i -= 2) {
    Operand& key = top(i - 1);
    Operand& value = top(i - 2);
    if (!need(key) || !need(value)) return false;
    if (!key.value.is_text()) {
      return fail({FaultCode::type, fmt::format("the keys of a map are text; {} is not", shown(key.value))});
    }
    members.push_back({std::move(key.value), std::move(value.value)});
  }
  if (!Value::map_fits(members)) return fail({FaultCode::depth, "the map nests too deep"});
  drop(2 * count);
  push(Value::map(std::move(members)));
  return true;
}

bool Machine::concat(std::uint32_t count) {
  std::string text;
  for (std::uint32_t i = count; i > 0; --i) {
    if (top(i - 1).blank) continue;
    if (!touch(top(i - 1))) return false;
    if (auto written = append_text_of(text, top(i - 1).value, budget_); !written) return fail(written.error());
  }
  if (auto paid = budget_.spend_text(text.size()); !paid) return fail(paid.error());
  drop(count);
  push(Value(text));
  return true;
}

bool Machine::write(std::string_view text) {
  if (auto paid = budget_.spend_append(out_.size(), text.size()); !paid) return fail(paid.error());
  out_ += text;
  return true;
}

bool Machine::print() {
  if (!top().blank && !touch(top())) return false;
  if (top().blank) {
    drop(1);
    return true;
  }
  if (ambient_.quoter != nullptr && captures_.empty()) {
    if (!print_quoted(top().value)) return false;
  } else if (top().value.is_text()) {
    if (!write(top().value.as_text())) return false;
  } else if (auto written = append_text_of(out_, top().value, budget_); !written) {
    return fail(written.error());
  }
  drop(1);
  return true;
}

// What is captured is not quoted: it is a value that may be printed later.
bool Machine::print_quoted(const Value& value) {
  const auto text = text_of(value, budget_);
  if (!text) return fail(text.error());
  const std::size_t before = out_.size();
  if (auto quoted = ambient_.quoter->append(out_, *text); !quoted) return fail(quoted.error());
  if (auto paid = budget_.spend_append(before, out_.size() - before); !paid) return fail(paid.error());
  return true;
}

bool Machine::store_member(std::uint32_t local, const Value& key) {
  if (!need(top()) || !need(locals_[local])) return false;
  std::vector<Member> members(locals_[local].value.as_map().begin(), locals_[local].value.as_map().end());
  if (auto paid = budget_.spend_items(members.size()); !paid) return fail(paid.error());
  members.push_back({key, std::move(top().value)});
  if (!Value::map_fits(members)) return fail({FaultCode::depth, "the namespace nests too deep"});
  locals_[local] = Operand(Value::map(std::move(members)));
  drop(1);
  return true;
}

bool Machine::call(const CallPlan& plan) {
  // Copies of what is on the stack, in one row as a built-in wants it; few enough for no allocation in most calls.
  constexpr std::size_t kFew = 4;
  std::array<Value, kFew> few;
  std::vector<Value> many;
  if (plan.count > kFew) many.resize(plan.count);
  Value* const args = plan.count > kFew ? many.data() : few.data();
  for (std::uint32_t i = 0; i < plan.count; ++i) {
    Operand& operand = top(plan.count - 1 - i);
    if (!operand.defined() && plan.undefined_is_none) continue;
    // What takes anything looks for itself at what it touches: coalesce() only passes on.
    if (plan.builtin->free_form ? !need(operand) : !touch(operand)) return false;
    args[i] = std::move(operand.value);
    // Whatever the built-in does with a text, it looks at all of it.
    if (!args[i].is_text()) continue;
    if (auto paid = budget_.spend_reading(args[i].as_text().size()); !paid) return fail(paid.error());
  }
  const std::size_t named = plan.keywords.size();
  std::vector<KeywordArgument> keywords;
  keywords.reserve(named);
  for (std::size_t i = 0; i < named; ++i) keywords.push_back({plan.keywords[i], args[plan.count - named + i]});
  Call made{.args = {args, plan.count - named},
            .present = plan.present,
            .keywords = keywords,
            .budget = budget_,
            .ambient = ambient_};
  OrFault<Value> result = plan.builtin->function(made);
  if (!result && result.error().code != FaultCode::index) return fail(std::move(result.error()));
  drop(plan.count);
  // The first of nothing may be asked about, like a member that is not there.
  push(result ? Operand(std::move(*result)) : Operand::undefined(at_, 0, Value(result.error().message)));
  return true;
}

namespace {

template <typename T>
std::expected<T, ExprError> run(std::expected<T, ExprError> (Machine::*how)(), const Program& program,
                                std::span<const Input> inputs, Ambient& ambient, const EvalLimits& limits) {
  Machine machine(program, inputs, ambient, limits);
  auto result = (machine.*how)();
  ambient.operations += limits.fuel - machine.fuel_left();
  // The errors of secret() itself show no more than its name.
  if (!result && result.error().code != FaultCode::secret && names_secrets(program)) hide_values(result.error());
  return result;
}

}  // namespace

std::expected<Value, ExprError> evaluate(const Program& program, std::span<const Input> inputs, Ambient& ambient,
                                         const EvalLimits& limits) {
  if (auto value = evaluate_at_once(program, inputs, ambient, limits)) return std::move(*value);
  return run(&Machine::run, program, inputs, ambient, limits);
}

std::expected<bool, ExprError> ask(const Program& program, std::span<const Input> inputs, Ambient& ambient,
                                   const EvalLimits& limits) {
  if (const auto answer = ask_at_once(program, inputs, ambient, limits)) return *answer;
  return run(&Machine::ask, program, inputs, ambient, limits);
}

std::vector<Input> inputs_from(const Program& program, const Value& map) {
  std::vector<Input> inputs;
  inputs.reserve(program.roots.size());
  for (const std::string& root : program.roots) {
    const Value* member = map.find(root);
    inputs.push_back(member != nullptr ? Input(*member) : Input());
  }
  return inputs;
}

}  // namespace stepwell
