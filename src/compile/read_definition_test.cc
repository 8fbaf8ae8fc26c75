#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/compile/load.h"
#include "stepwell/model/definition.h"
#include "stepwell/value/path.h"

namespace stepwell {
namespace {

// A canonical definition may come from anywhere: from a store, or from somebody who wrote it by hand.
TEST(ReadDefinition, RefusesAnAssignmentToNowhere) {
  Diagnostics diagnostics("here");
  const auto loaded = load_document("workflow: [{step: only, set: {ctx.a: 1, reference: R}}]", "here", diagnostics);
  ASSERT_TRUE(loaded.has_value());
  const Path target{"steps", 0, "set", 0, "target"};
  ASSERT_NE(get(loaded->definition, target), nullptr);
  EXPECT_TRUE(read_definition(loaded->definition).has_value());
  for (const std::string_view wrong : {"", "elsewhere.a", "[3]"}) {
    const auto read = read_definition(set(loaded->definition, target, Value(wrong)).value());
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error(), "the definition at '/steps/0/set/0/target' must begin with ctx, iter or reference");
  }
}

}  // namespace
}  // namespace stepwell
