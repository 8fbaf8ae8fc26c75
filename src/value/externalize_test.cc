#include "stepwell/value/externalize.h"

#include <map>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "stepwell/value/blob_ref.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/json_write.h"
#include "stepwell/value/testing/arbitrary_value.h"

namespace stepwell {
namespace {

Value text(std::size_t size, char of = 'x') { return Value(std::string(size, of)); }

Value many(std::size_t count, const Value& item) { return Value::list(std::vector<Value>(count, item)); }

// Where the blobs of a test are.
class Externalize : public ::testing::Test {
 protected:
  Value shrink(const Value& value, std::size_t inline_max) {
    Externalized made = externalize(value, inline_max);
    for (const Blob& blob : made.blobs) kept_[blob.name] = blob.bytes;
    return made.value;
  }
  std::expected<Value, std::string> fill(const Value& value, std::size_t most = 1 << 20) {
    return internalize(value, most, [&](std::string_view name) -> std::expected<std::string, std::string> {
      const auto found = kept_.find(std::string(name));
      if (found == kept_.end()) return std::unexpected(std::string(name) + " is gone");
      return found->second;
    });
  }

  std::map<std::string, std::string> kept_;
};

TEST_F(Externalize, WhatFitsStaysAsItIs) {
  const Value value = Value::map({{"a", text(900)}});
  EXPECT_EQ(shrink(value, 1000), value);
  EXPECT_TRUE(kept_.empty());
}

TEST_F(Externalize, TheLargeLeafGoesAndTheStructureAroundItStays) {
  const Value small =
      shrink(Value::map({{"status", 200}, {"data", Value::map({{"page", text(5000)}, {"n", 1}})}}), 1000);
  const Value& data = *small.find("data");
  EXPECT_EQ(*small.find("status"), Value(200));
  EXPECT_EQ(*data.find("n"), Value(1));
  ASSERT_TRUE(is_blob_ref(*data.find("page")));
  EXPECT_EQ(*data.find("page")->find("type"), Value("text"));
  EXPECT_EQ(*data.find("page")->find("size"), Value(std::int64_t{5003}));
  EXPECT_EQ(kept_.at(std::string(blob_of(*data.find("page")))), encode_cbor(text(5000)));
}

TEST_F(Externalize, OfSeveralTheLargestGoFirst) {
  const Value small = shrink(Value::map({{"a", text(600, 'a')}, {"b", text(700, 'b')}, {"c", text(200, 'c')}}), 1000);
  EXPECT_FALSE(is_blob_ref(*small.find("a")));
  EXPECT_TRUE(is_blob_ref(*small.find("b")));
  EXPECT_FALSE(is_blob_ref(*small.find("c")));
}

TEST_F(Externalize, AListOfManySmallItemsGoesAsAWhole) {
  const Value small = shrink(Value::map({{"rows", many(500, Value(1))}, {"n", 500}}), 200);
  ASSERT_TRUE(is_blob_ref(*small.find("rows")));
  EXPECT_EQ(*small.find("rows")->find("type"), Value("list"));
  EXPECT_EQ(kept_.size(), 1u);
  EXPECT_TRUE(is_blob_ref(shrink(many(5000, Value(1)), 1000)));
}

TEST_F(Externalize, EqualPartsAreOneBlobAndAReferenceStaysOne) {
  const Value once = shrink(many(2, text(5000)), 1000);
  EXPECT_EQ(kept_.size(), 1u);
  EXPECT_EQ(shrink(once, 300), once);
}

TEST_F(Externalize, WhatIsMissingDamagedOrTooLargeIsAnError) {
  const Value reference = shrink(text(5000), 1000);
  EXPECT_EQ(fill(reference, 4000).error(), "what the references lead to is too large");
  std::string& bytes = kept_.begin()->second;
  bytes.pop_back();
  EXPECT_TRUE(fill(reference).error().ends_with("does not hold a value: byte 0: the bytes end too early"))
      << fill(reference).error();
  kept_.clear();
  EXPECT_TRUE(fill(reference).error().ends_with("is gone"));
}

RC_GTEST_FIXTURE_PROP(Externalize, ThereAndBackIsTheSame, ()) {
  const Value value = *rc::gen::arbitrary<Value>();
  const auto inline_max = *rc::gen::inRange<std::size_t>(120, 400);
  const Value large = many(3, Value::map({{"a", value}, {"b", text(150)}, {"c", many(3, value)}}));
  const Value small = shrink(large, inline_max);
  RC_ASSERT(small.weight() <= std::max<std::uint64_t>(inline_max, 150));
  RC_ASSERT(*fill(small, 1 << 30) == large);
}

}  // namespace
}  // namespace stepwell
