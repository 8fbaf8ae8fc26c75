#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stepwell/base/limits.h"
#include "stepwell/expr/testing/expressions.h"

// Sources and values that are made to hurt. What takes the square of its size would not end within the suite's time.
namespace stepwell {
namespace {

using testing::eval;
using testing::render;

// As many copies of a piece as a source may have; {0} in it is the number of the copy.
std::string many(std::string_view piece) {
  std::string source;
  for (std::size_t i = 0; source.size() + piece.size() + 100 < limits::kExprSourceBytes; ++i) {
    source += fmt::format(fmt::runtime(piece), i);
  }
  return source;
}

TEST(HostileSource, LongSourcesAreCompiledInTimeThatGrowsWithTheirLength) {
  EXPECT_TRUE(compile_expression("[" + many("{0},") + "]")) << "constants";
  EXPECT_TRUE(compile_expression("[" + many("1+{0},") + "]")) << "constants that are folded";
  EXPECT_TRUE(compile_expression("[" + many("a{0},") + "]")) << "names";
  EXPECT_TRUE(compile_expression("dict(" + many("a{0}=b,") + ")")) << "named arguments";
  EXPECT_TRUE(compile_template(many("{{% set a{0} = 1 %}}"))) << "variables";
}

}  // namespace
}  // namespace stepwell
