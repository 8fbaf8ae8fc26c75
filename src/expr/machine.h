#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stepwell/expr/evaluator.h"
#include "stepwell/expr/operand.h"
#include "stepwell/expr/operators.h"

namespace stepwell {

// One evaluation of one program. Every instruction either succeeds or sets `error_` and answers false.
class Machine {
 public:
  Machine(const Program& program, std::span<const Input> inputs, Ambient& ambient, const EvalLimits& limits);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  std::expected<Value, ExprError> run();
  // The same, for whoever wants to know whether the result is true.
  std::expected<bool, ExprError> ask();
  std::uint64_t fuel_left() const { return budget_.fuel_left(); }

 private:
  // One loop that is open.
  struct Loop {
    Value items;  // a list
    std::size_t next = 0;
    std::vector<Value> kept;
    std::optional<std::vector<Value>> last_changed;
  };

  bool execute();
  bool step(const Instruction& instruction);
  bool check_result(const Operand& result);

  // Paths and members, in machine_path.cc.
  bool path(const PathPlan& plan);
  bool path_in_value(const PathPlan& plan, std::span<const Operand> from_stack, std::size_t from, const Value* at,
                     Operand& result);
  bool path_in_bytes(const PathPlan& plan, std::span<const Operand> from_stack, EncodedView at, Operand& result);
  bool not_there(const PathPlan& plan, std::span<const Operand> keys, std::size_t count, Operand& result);
  bool item(const Value& subject, const Value& key, Operand& result);
  // Whether there is something to pass on; to look into it, `touch` asks in addition that it is here.
  bool need(const Operand& operand);
  bool touch(const Operand& operand);
  bool fail_undefined(const Operand& operand);
  Path path_to(const PathPlan& plan, const Operand& operand) const;
  Operand reached(std::span<const Operand> from_stack, std::size_t count) const;
  void remember_ref(const PathPlan& plan, std::span<const Operand> from_stack, Operand& result);

  // Loops, in machine_loop.cc.
  bool loop_begin();
  bool loop_field(const Loop& loop, LoopField field);
  bool loop_cycle(const Loop& loop, std::uint32_t count);
  bool loop_changed(Loop& loop, std::uint32_t count);
  bool unpack(std::uint32_t count);
  Loop& loop_out(std::uint32_t levels) { return loops_[loops_.size() - 1 - levels]; }

  bool call(const CallPlan& plan);
  bool compare(Comparison op, const Operand& left, const Operand& right, bool& result);
  bool list(std::uint32_t count);
  bool map(std::uint32_t count);
  bool concat(std::uint32_t count);
  bool print();
  bool print_quoted(const Value& value);
  bool write(std::string_view text);
  bool store_member(std::uint32_t local, const Value& key);
  bool unary(OrFault<Value> (*operation)(const Value&));
  bool truth(const Operand& operand, bool& result);

  Operand& top(std::size_t from_top = 0) { return stack_[height_ - 1 - from_top]; }
  void push(Operand operand) { new (stack_ + height_++) Operand(std::move(operand)); }
  Operand pop() {
    Operand operand = std::move(top());
    drop(1);
    return operand;
  }
  void drop(std::size_t count) {
    height_ -= count;
    std::destroy_n(stack_ + height_, count);
  }
  // Replaces the topmost `count` operands by the result of an operation.
  bool replace(std::size_t count, OrFault<Value> result);
  bool fail(Fault fault);

  const Program& program_;
  std::span<const Input> inputs_;
  Ambient& ambient_;
  Budget budget_;
  std::uint32_t at_ = 0;

  // Room for the locals and, behind them, the stack; only [0, height_) of the stack is alive. Most programs fit inside:
  // no allocation, and nothing made that is not used.
  static constexpr std::size_t kInline = 16;
  alignas(Operand) std::array<std::byte, kInline * sizeof(Operand)> inside_;
  std::unique_ptr<std::byte[]> outside_;
  Operand* locals_ = nullptr;
  Operand* stack_ = nullptr;
  std::size_t height_ = 0;

  std::vector<Loop> loops_;
  std::vector<Path> refs_;  // where the references to blobs were read
  std::string out_;
  std::vector<std::size_t> captures_;
  std::optional<ExprError> error_;
};

}  // namespace stepwell
