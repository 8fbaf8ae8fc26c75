#pragma once

#include <expected>
#include <optional>
#include <span>
#include <vector>

#include "stepwell/expr/budget.h"
#include "stepwell/expr/builtin.h"
#include "stepwell/expr/error.h"
#include "stepwell/expr/program.h"
#include "stepwell/value/encoded.h"
#include "stepwell/value/value.h"

namespace stepwell {

// What a name of the outside stands for during one evaluation: a value, canonical bytes of one (decoded only where the
// program reads), or nothing. Borrowed: what it refers to must outlive the evaluation.
class Input {
 public:
  Input() = default;
  Input(const Value& value) : at_(&value) {}
  Input(Value&&) = delete;
  Input(EncodedView bytes) : at_(bytes.known().data()), size_(bytes.known().size()) {}

  const Value* value() const { return size_ == 0 ? static_cast<const Value*>(at_) : nullptr; }
  std::optional<EncodedView> bytes() const {
    if (size_ == 0) return std::nullopt;
    return EncodedView(std::string_view(static_cast<const char*>(at_), size_));
  }

 private:
  const void* at_ = nullptr;
  std::size_t size_ = 0;  // of the bytes, of which there is at least one; 0: it is a value, or nothing
};

// Runs a program. `inputs` has one entry for each of program.roots, in that order. Nothing outside is touched but
// `ambient`, and the same arguments give the same answer. A result that is undefined is an error.
std::expected<Value, ExprError> evaluate(const Program& program, std::span<const Input> inputs, Ambient& ambient,
                                         const EvalLimits& limits = {});

// Whether the result is true, for a condition. A value that is not here is neither: looking at it is an error.
std::expected<bool, ExprError> ask(const Program& program, std::span<const Input> inputs, Ambient& ambient,
                                   const EvalLimits& limits = {});

// The same at once, for programs that are so simple that the machine costs several times as much to set up as they
// take: those that read one place, or compare what is there with something. They answer and spend as the machine would;
// nothing, if it is not that simple, and for every error.
std::optional<Value> evaluate_at_once(const Program& program, std::span<const Input> inputs, Ambient& ambient,
                                      const EvalLimits& limits = {});
std::optional<bool> ask_at_once(const Program& program, std::span<const Input> inputs, Ambient& ambient,
                                const EvalLimits& limits = {});

// The inputs of a program out of one map: a member is what its name stands for. Borrows from `map`.
std::vector<Input> inputs_from(const Program& program, const Value& map);

}  // namespace stepwell
