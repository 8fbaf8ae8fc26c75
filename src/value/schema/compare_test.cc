#include "stepwell/value/schema/compare.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "stepwell/value/testing/json.h"

namespace stepwell::schema {
namespace {

using testing::json;

bool equal(std::string_view a, std::string_view b) {
  Fuel fuel(1000);
  return compare_json(json(a), json(b), fuel) == 0;
}

TEST(CompareJson, NumbersAreEqualByValueAndNothingElseIsANumber) {
  EXPECT_TRUE(equal("1", "1.0"));
  EXPECT_TRUE(equal("0", "-0.0"));
  EXPECT_TRUE(equal("[1, {\"a\": 2.0}]", "[1.0, {\"a\": 2}]"));
  EXPECT_FALSE(equal("1", "true"));
  EXPECT_FALSE(equal("0", "false"));
  EXPECT_FALSE(equal("0", "null"));
  EXPECT_FALSE(equal("1", "\"1\""));
  EXPECT_FALSE(equal("9007199254740993", "9007199254740992.0"));
  EXPECT_FALSE(equal("{\"a\": 1}", "{\"b\": 1}"));
}

TEST(CompareJson, TheFirstPairOfEqualItemsIsFound) {
  auto duplicate = [](std::string_view list) {
    Fuel fuel(10'000);
    const Value value = json(list);
    return find_duplicate(value.as_list(), fuel);
  };
  EXPECT_EQ(duplicate("[]"), std::nullopt);
  EXPECT_EQ(duplicate("[1, true, \"1\", [1], {\"a\": 1}, null, 0, false]"), std::nullopt);
  EXPECT_EQ(duplicate("[3, 2, 1.0, 2, 1, 1]"), std::pair(std::size_t{1}, std::size_t{3}));
}

TEST(CompareJson, StopsWithoutFuel) {
  Fuel fuel(10);
  const Value list = Value::list(std::vector<Value>(1000, Value(7)));
  const Value other = Value::list(std::vector<Value>(1000, Value(7)));
  EXPECT_EQ(compare_json(list, other, fuel), std::weak_ordering::equivalent);
  EXPECT_TRUE(fuel.exhausted());
}

bool multiple(Value number, Value divisor) { return is_multiple(number, divisor); }

TEST(MultipleOf, TakesNumbersAsPeopleWriteThem) {
  EXPECT_TRUE(multiple(0.3, 0.1));
  EXPECT_TRUE(multiple(0.0075, 0.0001));
  EXPECT_FALSE(multiple(0.00751, 0.0001));
  EXPECT_TRUE(multiple(19.99, 0.01));
  EXPECT_TRUE(multiple(-4.5, 1.5));
  EXPECT_FALSE(multiple(35, 1.5));
  EXPECT_TRUE(multiple(3, 1.5));
  EXPECT_TRUE(multiple(0.0, 7));
  EXPECT_FALSE(multiple(1, 1e300));
  EXPECT_TRUE(multiple(1e300, 1e-300));
  EXPECT_FALSE(multiple(1e308, 3.0));
  EXPECT_TRUE(multiple(INT64_MIN, 2));
  EXPECT_TRUE(multiple(INT64_MIN, 0.5));
  EXPECT_TRUE(multiple(5e-324, 5e-324));
}

RC_GTEST_PROP(MultipleOf, CentsAreMultiplesOfACent, ()) {
  const int cents = *rc::gen::inRange(-100'000'000, 100'000'000);
  RC_ASSERT(multiple(cents / 100.0, 0.01));
  RC_ASSERT(multiple(cents / 100.0, 0.1) == (cents % 10 == 0));
}

}  // namespace
}  // namespace stepwell::schema
