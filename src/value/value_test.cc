#include "stepwell/value/value.h"

#include <limits>

#include <gtest/gtest.h>

#include "stepwell/base/limits.h"

namespace stepwell {
namespace {

TEST(ValueTest, ScalarsKeepTheirKind) {
  EXPECT_EQ(Value().kind(), Kind::null);
  EXPECT_EQ(Value(true).kind(), Kind::boolean);
  EXPECT_EQ(Value(1).as_int(), 1);
  EXPECT_EQ(Value(1.0).as_real(), 1.0);
  EXPECT_FALSE(Value(1) == Value(1.0));
  EXPECT_FALSE(Value(0.0) == Value(-0.0));
}

TEST(ValueTest, TextOfEveryLengthSurvivesCopyAndMove) {
  for (std::size_t size = 0; size < 40; ++size) {
    const std::string text(size, 'x');
    Value original(text);
    Value copy = original;
    Value moved = std::move(original);
    EXPECT_EQ(copy.as_text(), text);
    EXPECT_EQ(moved.as_text(), text);
    EXPECT_EQ(copy, moved);
  }
}

TEST(ValueTest, MapsAreInCanonicalOrderAndTheLastOfEqualKeysStays) {
  const Value map = Value::map({{"bb", 1}, {"a", 2}, {"b", 3}, {"bb", 4}});
  std::string order;
  for (const Member& member : map.as_map()) order += std::string(member.key()) + " ";
  EXPECT_EQ(order, "a b bb ");
  EXPECT_EQ(map.find("bb")->as_int(), 4);
  EXPECT_EQ(map.find("c"), nullptr);
  EXPECT_EQ(map.find("a")->find("c"), nullptr);
}

TEST(ValueTest, SharingOutlivesTheFirstOwner) {
  Value kept;
  {
    const Value list = Value::list({Value("a text that is too long to be kept inside"), Value(2)});
    kept = Value::map({{"list", list}});
  }
  EXPECT_EQ(kept.find("list")->as_list()[0].as_text(), "a text that is too long to be kept inside");
}

TEST(ValueTest, DepthIsKnownAndBounded) {
  Value nested = 1;
  EXPECT_EQ(nested.depth(), 0u);
  for (std::size_t i = 0; i < limits::kValueDepth; ++i) {
    std::vector<Value> items = {nested};
    ASSERT_TRUE(Value::list_fits(items));
    nested = Value::list(items);
  }
  EXPECT_EQ(nested.depth(), limits::kValueDepth);
  EXPECT_FALSE(Value::list_fits(std::vector<Value>{nested}));
  EXPECT_DEATH(Value::list({nested}), "bug in stepwell");
}

TEST(ValueTest, WeightCountsWhatIsSharedWhereverItIsSeen) {
  EXPECT_EQ(Value().weight(), 1u);
  EXPECT_EQ(Value("abc").weight(), 4u);
  EXPECT_EQ(Value(std::string(100, 'x')).weight(), 101u);
  EXPECT_EQ(Value::map({{"key", Value::list({1, 2})}}).weight(), 1u + 4u + 3u);
  Value tower = Value::list({1});
  for (int i = 0; i < 10; ++i) tower = Value::list({tower, tower});
  EXPECT_EQ(tower.weight(), 3u * 1024 - 1);
  for (int i = 0; i < 100; ++i) tower = Value::list({tower, tower});
  EXPECT_EQ(tower.weight(), std::numeric_limits<std::uint64_t>::max());
}

TEST(ValueTest, AMapWithAnotherMemberIsTheMapMadeAnew) {
  const Value flat = Value::map({{"a", 1}, {"bb", "text"}});
  const Value deep = Value::map({{"a", Value::list({Value::list({})})}, {"bb", 2}});
  for (const Value& map : {Value::map({}), flat, deep}) {
    for (const char* key : {"", "a", "b", "bb", "zzz"}) {
      for (const Value& value : {Value(), Value("longer than fits inside"), deep}) {
        std::vector<Member> members(map.as_map().begin(), map.as_map().end());
        members.push_back({key, value});
        const Value anew = Value::map(std::move(members));
        const Value changed = map.with(key, value);
        EXPECT_EQ(changed, anew) << key;
        EXPECT_EQ(changed.depth(), anew.depth()) << key;
        EXPECT_EQ(changed.weight(), anew.weight()) << key;
      }
    }
  }
}

}  // namespace
}  // namespace stepwell
