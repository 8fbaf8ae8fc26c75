#include "stepwell/base/boxed.h"

#include <expected>
#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace stepwell {
namespace {

// Fails with what is counted.
std::expected<int, Boxed<std::shared_ptr<std::string>>> fails(const std::shared_ptr<std::string>& why) {
  return std::unexpected(why);
}

TEST(Boxed, IsAsLargeAsAPointer) { EXPECT_EQ(sizeof(Boxed<std::string>), sizeof(void*)); }

TEST(Boxed, CarriesAnErrorOutAndLetsGoOfItOnce) {
  const auto why = std::make_shared<std::string>("because");
  {
    auto failed = fails(why);
    ASSERT_FALSE(failed.has_value());
    EXPECT_EQ(why.use_count(), 2);
    EXPECT_EQ(**failed.error(), "because");
    const auto handed_on =
        std::expected<double, Boxed<std::shared_ptr<std::string>>>(std::unexpect, std::move(failed.error()));
    EXPECT_EQ(why.use_count(), 2);
    EXPECT_EQ(handed_on.error()->get(), why.get());
  }
  EXPECT_EQ(why.use_count(), 1);
}

TEST(Boxed, CanBeAssigned) {
  Boxed<std::string> first("one");
  first = Boxed<std::string>("two");
  EXPECT_EQ(*first, "two");
  const std::string taken = *std::move(first);
  EXPECT_EQ(taken, "two");
}

}  // namespace
}  // namespace stepwell
