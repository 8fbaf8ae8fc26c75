#include "stepwell/expr/tests.h"

#include "stepwell/expr/arguments.h"
#include "stepwell/expr/operators.h"
#include "stepwell/expr/text_case.h"
#include "stepwell/expr/text_of.h"

namespace stepwell {
namespace {

OrFault<Value> answer(OrFault<bool> found) {
  if (!found) return std::unexpected(std::move(found.error()));
  return *found;
}

OrFault<Value> compared(Call& call, bool (*holds)(std::weak_ordering)) {
  const auto order = ordered(call[0], call[1], call.budget);
  if (!order) return std::unexpected(order.error());
  return holds(*order);
}

// Through the operator `%`, so it means for text and reals what it means there.
OrFault<Value> leaves(Call& call, const Value& divisor, std::int64_t remainder) {
  auto rest = arithmetic(Arithmetic::modulo, call[0], divisor, call.budget);
  if (!rest) return rest;
  return answer(loosely_equal(*rest, remainder, call.budget));
}

OrFault<Value> of_case(Call& call, bool (*is_all)(std::string_view)) {
  const auto text = text_of(call[0], call.budget);
  if (!text) return std::unexpected(text.error());
  return is_all(*text);
}

OrFault<Value> known_name(const Value& name, bool known) {
  if (name.is_list() || name.is_map()) return wrong_kind("a name", "text", name);
  return known;
}

bool is_iterable(const Value& value) { return value.is_text() || value.is_list() || value.is_map(); }

}  // namespace

OrFault<Value> test_boolean(Call& call) { return call[0].is_bool(); }
OrFault<Value> test_divisibleby(Call& call) { return leaves(call, call[1], 0); }
OrFault<Value> test_eq(Call& call) { return answer(loosely_equal(call[0], call[1], call.budget)); }
OrFault<Value> test_even(Call& call) { return leaves(call, 2, 0); }
OrFault<Value> test_false(Call& call) { return call[0] == Value(false); }
OrFault<Value> test_float(Call& call) { return call[0].is_real(); }

OrFault<Value> test_filter(Call& call) {
  return known_name(call[0], call[0].is_text() && find_filter(call[0].as_text()) != nullptr);
}

OrFault<Value> test_ge(Call& call) {
  return compared(call, [](std::weak_ordering order) { return order >= 0; });
}

OrFault<Value> test_gt(Call& call) {
  return compared(call, [](std::weak_ordering order) { return order > 0; });
}

OrFault<Value> test_in(Call& call) { return answer(contains(call[1], call[0], call.budget)); }
OrFault<Value> test_integer(Call& call) { return call[0].is_int(); }
OrFault<Value> test_iterable(Call& call) { return is_iterable(call[0]); }

OrFault<Value> test_le(Call& call) {
  return compared(call, [](std::weak_ordering order) { return order <= 0; });
}

OrFault<Value> test_lower(Call& call) { return of_case(call, is_all_lower); }

OrFault<Value> test_lt(Call& call) {
  return compared(call, [](std::weak_ordering order) { return order < 0; });
}

OrFault<Value> test_mapping(Call& call) { return call[0].is_map(); }

OrFault<Value> test_ne(Call& call) {
  const auto same = loosely_equal(call[0], call[1], call.budget);
  if (!same) return std::unexpected(same.error());
  return !*same;
}

OrFault<Value> test_none(Call& call) { return call[0].is_null(); }
OrFault<Value> test_number(Call& call) { return call[0].is_bool() || call[0].is_int() || call[0].is_real(); }
OrFault<Value> test_odd(Call& call) { return leaves(call, 2, 1); }

OrFault<Value> test_sameas(Call& call) {
  // The language's equality comes first, because it pays for what it walks.
  const auto same = loosely_equal(call[0], call[1], call.budget);
  if (!same) return std::unexpected(same.error());
  return *same && call[0] == call[1];
}

OrFault<Value> test_string(Call& call) { return call[0].is_text(); }

OrFault<Value> test_test(Call& call) {
  return known_name(call[0], call[0].is_text() && find_test(call[0].as_text()) != nullptr);
}

OrFault<Value> test_true(Call& call) { return call[0] == Value(true); }
OrFault<Value> test_upper(Call& call) { return of_case(call, is_all_upper); }

}  // namespace stepwell
