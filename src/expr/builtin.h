#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "stepwell/base/stamp.h"
#include "stepwell/expr/budget.h"
#include "stepwell/expr/fault.h"
#include "stepwell/value/value.h"

namespace stepwell {

class Quoter;
class Secrets;

// What `now()`, `uuid()` and `random()` answer from: the command's stamp, so that replay answers the same. `draws`
// counts the random values taken, because two in one decision must differ. `secret()` answers from `secrets`, which
// only the place has where a tool runs; it is borrowed. A template's values are written through `quoter`, if there is
// one; it is borrowed, too. `operations` adds up what all evaluations have used.
struct Ambient {
  Stamp stamp;
  std::uint64_t draws = 0;
  std::uint64_t operations = 0;
  const Secrets* secrets = nullptr;
  Quoter* quoter = nullptr;
};

struct KeywordArgument {
  std::string_view name;
  Value value;
};

// One call of a built-in. For a filter, test or method `args[0]` is the subject and the declared parameters follow.
// Nothing undefined gets here: the evaluator refuses it before the call.
struct Call {
  std::span<const Value> args;
  std::uint32_t present = ~0u;                // bit i: args[i] was given
  std::span<const KeywordArgument> keywords;  // only for `free_form` built-ins; for others they are bound to args
  Budget& budget;
  Ambient& ambient;

  bool has(std::size_t i) const { return i < args.size() && i < 32 && (present >> i & 1u) != 0; }
  const Value& operator[](std::size_t i) const { return args[i]; }
};

using BuiltinFunction = OrFault<Value> (*)(Call&);

// One row of the tables below. All rows are constant data.
struct Builtin {
  std::string_view name;
  std::span<const std::string_view> parameters;  // after the subject, for filters, tests and methods
  std::size_t required;                          // how many of `parameters` must be given
  BuiltinFunction function;
  bool free_form = false;  // any number of positional and keyword arguments, handed over as they are
  bool pure = true;        // false: reads the ambient, so a call with constant arguments is not a constant
};

// Each answers nullptr for an unknown name. Aliases are rows of their own.
const Builtin* find_filter(std::string_view name);
const Builtin* find_test(std::string_view name);
const Builtin* find_function(std::string_view name);
const Builtin* find_method(std::string_view name);

// All names in order, for "did you mean" and for the documentation.
std::span<const Builtin> all_filters();
std::span<const Builtin> all_tests();
std::span<const Builtin> all_functions();
std::span<const Builtin> all_methods();

// Binds and calls by name at run time, for built-ins that take another by name: map('round', 2), select('gt', 3).
OrFault<Value> call_builtin(const Builtin& builtin, std::span<const Value> args,
                            std::span<const KeywordArgument> keywords, Budget& budget, Ambient& ambient);

}  // namespace stepwell
