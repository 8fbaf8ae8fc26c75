#include "stepwell/runtime/execution_id.h"

#include <gtest/gtest.h>

namespace stepwell {
namespace {

Instant at(std::int64_t milliseconds) { return *Instant::from_micros(milliseconds * 1'000); }

TEST(ExecutionId, IsAUuidOfVersionSeven) {
  Entropy entropy = {};
  const std::string id = fresh_execution_id(at(0x0123456789ab), entropy);
  EXPECT_EQ(id.size(), 36U);
  EXPECT_TRUE(id.starts_with("01234567-89ab-7")) << id;
  EXPECT_NE(std::string("89ab").find(id[19]), std::string::npos) << id;
}

TEST(ExecutionId, LaterOnesSortBehindEarlierOnes) {
  const Entropy low = {};
  Entropy high;
  high.fill(0xFF);
  EXPECT_LT(fresh_execution_id(at(1'700'000'000'000), high), fresh_execution_id(at(1'700'000'000'001), low));
}

TEST(ExecutionId, OfTheSameMomentDiffer) {
  const Entropy low = {};
  Entropy high;
  high.fill(0xFF);
  EXPECT_NE(fresh_execution_id(at(5), low), fresh_execution_id(at(5), high));
}

}  // namespace
}  // namespace stepwell
