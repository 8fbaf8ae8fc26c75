#include "stepwell/value/encoded_value.h"

#include <gtest/gtest.h>

#include "stepwell/value/cbor_write.h"
#include "stepwell/value/json_read.h"

namespace stepwell {
namespace {

const Value kOrder = parse_json(R"({"id": "A-7", "lines": [{"qty": 2}, {"qty": 0.5}], "paid": null})").value();

TEST(EncodedValue, HoldsTheCanonicalBytesOfItsValue) {
  const EncodedValue order(kOrder);
  EXPECT_EQ(order.bytes(), encode_cbor(kOrder));
  EXPECT_EQ(order.decode(), kOrder);
  EXPECT_FALSE(order.is_null());
}

TEST(EncodedValue, IsReadInPlace) {
  const EncodedValue order(kOrder);
  const auto lines = order.view().find("lines");
  ASSERT_TRUE(lines.has_value());
  EXPECT_EQ(lines->at(0)->find("qty")->decode(), Value(2));
}

TEST(EncodedValue, NullIsNothing) {
  const EncodedValue nothing;
  EXPECT_TRUE(nothing.is_null());
  EXPECT_EQ(nothing.bytes(), encode_cbor(Value()));
  EXPECT_TRUE(nothing.decode().is_null());
  EXPECT_EQ(EncodedValue(Value()), nothing);
  EXPECT_TRUE(EncodedValue::from_canonical(encode_cbor(Value()), 0).is_null()) << "however it came";
}

TEST(EncodedValue, OfBytesIsTheSameAsOfTheValue) {
  const std::string bytes = encode_cbor(kOrder);
  EXPECT_EQ(EncodedValue::from_canonical(bytes, kOrder.depth()), EncodedValue(kOrder));
  EXPECT_NE(EncodedValue(Value(1)), EncodedValue(Value(1.0))) << "equality is identity of bytes";
}

TEST(EncodedValue, CopiesShareTheirBytesAndOutliveEachOther) {
  EncodedValue copy;
  const char* where = nullptr;
  {
    const EncodedValue order(kOrder);
    where = order.bytes().data();
    copy = order;
  }
  EXPECT_EQ(copy.bytes().data(), where);
  EXPECT_EQ(copy.decode(), kOrder);
}

TEST(EncodedValue, MovingLeavesNull) {
  EncodedValue order(kOrder);
  const EncodedValue moved = std::move(order);
  EXPECT_TRUE(order.is_null());  // NOLINT(bugprone-use-after-move): what is left is part of the contract
  EXPECT_EQ(moved.decode(), kOrder);
}

TEST(EncodedValue, CanBeAssignedToItself) {
  EncodedValue order(kOrder);
  const EncodedValue& same = order;
  order = same;
  EXPECT_EQ(order.decode(), kOrder);
}

}  // namespace
}  // namespace stepwell
