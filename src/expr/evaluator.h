#pragma once

#include <expected>
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
  Input(const Value& value) : value_(&value) {}
  Input(Value&&) = delete;
  Input(EncodedView bytes) : bytes_(bytes) {}

  const Value* value() const { return value_; }
  const std::optional<EncodedView>& bytes() const { return bytes_; }

 private:
  const Value* value_ = nullptr;
  std::optional<EncodedView> bytes_;
};

// Runs a program. `inputs` has one entry for each of program.roots, in that order. Nothing outside is touched but
// `ambient`, and the same arguments give the same answer. A result that is undefined is an error.
std::expected<Value, ExprError> evaluate(const Program& program, std::span<const Input> inputs, Ambient& ambient,
                                         const EvalLimits& limits = {});

// Whether the result is true, for a condition. A value that is not here is neither: looking at it is an error.
std::expected<bool, ExprError> ask(const Program& program, std::span<const Input> inputs, Ambient& ambient,
                                   const EvalLimits& limits = {});

// The inputs of a program out of one map: a member is what its name stands for. Borrows from `map`.
std::vector<Input> inputs_from(const Program& program, const Value& map);

}  // namespace stepwell
