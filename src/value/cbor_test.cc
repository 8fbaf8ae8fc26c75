#include <cmath>

#include <gtest/gtest.h>

#include "stepwell/base/hex.h"
#include "stepwell/base/limits.h"
#include "stepwell/value/cbor_read.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"
#include "stepwell/value/short_float.h"

namespace stepwell {
namespace {

std::string bytes_of(std::string_view hex) {
  const auto bytes = from_hex(hex);
  EXPECT_TRUE(bytes.has_value()) << hex;
  return bytes.value_or("");
}

// "unsorted_keys at 3", or the value as JSON.
std::string decoded(std::string_view bytes) {
  const auto value = decode_cbor(bytes);
  if (value) return to_json(*value);
  return std::string(code_name(value.error().code)) + " at " + std::to_string(value.error().offset);
}

std::string outcome_of_hex(std::string_view hex) { return decoded(bytes_of(hex)); }

struct Vector {
  std::string hex;
  std::string expected;
};

// RFC 8949 appendix A: everything our values can be.
TEST(CborTest, ExamplesOfTheStandard) {
  const std::vector<Vector> vectors = {
      {"00", "0"},
      {"01", "1"},
      {"0a", "10"},
      {"17", "23"},
      {"1818", "24"},
      {"1819", "25"},
      {"1864", "100"},
      {"1903e8", "1000"},
      {"1a000f4240", "1000000"},
      {"1b000000e8d4a51000", "1000000000000"},
      {"20", "-1"},
      {"29", "-10"},
      {"3863", "-100"},
      {"3903e7", "-1000"},
      {"f90000", "0.0"},
      {"f98000", "-0.0"},
      {"f93c00", "1.0"},
      {"fb3ff199999999999a", "1.1"},
      {"f93e00", "1.5"},
      {"f97bff", "65504.0"},
      {"fa47c35000", "100000.0"},
      {"fa7f7fffff", "3.4028234663852886e+38"},
      {"fb7e37e43c8800759c", "1e+300"},
      {"f90001", "5.960464477539063e-08"},
      {"f90400", "6.103515625e-05"},
      {"f9c400", "-4.0"},
      {"fbc010666666666666", "-4.1"},
      {"f4", "false"},
      {"f5", "true"},
      {"f6", "null"},
      {"60", R"("")"},
      {"6161", R"("a")"},
      {"6449455446", R"("IETF")"},
      {"62225c", R"("\"\\")"},
      {"62c3bc", R"("ü")"},
      {"63e6b0b4", R"("水")"},
      {"64f0908591", R"("𐅑")"},
      {"80", "[]"},
      {"83010203", "[1,2,3]"},
      {"8301820203820405", "[1,[2,3],[4,5]]"},
      {"98190102030405060708090a0b0c0d0e0f101112131415161718181819",
       "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25]"},
      {"a0", "{}"},
      {"a26161016162820203", R"({"a":1,"b":[2,3]})"},
      {"826161a161626163", R"(["a",{"b":"c"}])"},
      {"a56161614161626142616361436164614461656145", R"({"a":"A","b":"B","c":"C","d":"D","e":"E"})"},
  };
  for (const auto& [hex, json] : vectors) {
    EXPECT_EQ(outcome_of_hex(hex), json) << hex;
    EXPECT_EQ(to_hex(encode_cbor(*parse_json(json))), hex) << json;
  }
}

// RFC 8949 appendix A: the rest of it.
TEST(CborTest, ExamplesOfTheStandardThatAreNoValues) {
  const std::vector<Vector> vectors = {
      {"1bffffffffffffffff", "integer_out_of_range at 0"},
      {"3bffffffffffffffff", "integer_out_of_range at 0"},
      {"c249010000000000000000", "unsupported_type at 0"},
      {"c349010000000000000000", "unsupported_type at 0"},
      {"f97c00", "not_finite at 0"},
      {"f97e00", "not_finite at 0"},
      {"f9fc00", "not_finite at 0"},
      {"fa7f800000", "not_finite at 0"},
      {"fa7fc00000", "not_finite at 0"},
      {"faff800000", "not_finite at 0"},
      {"fb7ff0000000000000", "not_finite at 0"},
      {"fb7ff8000000000000", "not_finite at 0"},
      {"fbfff0000000000000", "not_finite at 0"},
      {"f7", "unsupported_type at 0"},
      {"f0", "unsupported_type at 0"},
      {"f8ff", "unsupported_type at 0"},
      {"c074323031332d30332d32315432303a30343a30305a", "unsupported_type at 0"},
      {"c11a514b67b0", "unsupported_type at 0"},
      {"c1fb41d452d9ec200000", "unsupported_type at 0"},
      {"d74401020304", "unsupported_type at 0"},
      {"d818456449455446", "unsupported_type at 0"},
      {"d82076687474703a2f2f7777772e6578616d706c652e636f6d", "unsupported_type at 0"},
      {"40", "unsupported_type at 0"},
      {"4401020304", "unsupported_type at 0"},
      {"a201020304", "non_text_key at 1"},
      {"5f42010243030405ff", "indefinite_length at 0"},
      {"7f657374726561646d696e67ff", "indefinite_length at 0"},
      {"9fff", "indefinite_length at 0"},
      {"9f018202039f0405ffff", "indefinite_length at 0"},
      {"83018202039f0405ff", "indefinite_length at 5"},
      {"bf61610161629f0203ffff", "indefinite_length at 0"},
      {"826161bf61626163ff", "indefinite_length at 3"},
  };
  for (const auto& [hex, error] : vectors) EXPECT_EQ(outcome_of_hex(hex), error) << hex;
}

TEST(CborTest, EachRefusalHasItsCodeAndPlace) {
  const std::vector<Vector> vectors = {
      {"", "truncated at 0"},
      {"18", "truncated at 0"},
      {"1901", "truncated at 0"},
      {"6261", "truncated at 0"},
      {"8201", "truncated at 0"},
      {"828101", "truncated at 3"},
      {"a16161", "truncated at 3"},
      {"a1616181", "truncated at 3"},
      {"fb3ff19999", "truncated at 0"},
      {"0000", "trailing_bytes at 1"},
      {"8000", "trailing_bytes at 1"},
      {"1c", "malformed at 0"},
      {"811e", "malformed at 1"},
      {"1f", "malformed at 0"},
      {"df", "malformed at 0"},
      {"ff", "malformed at 0"},
      {"1817", "non_canonical_integer at 0"},
      {"1900ff", "non_canonical_integer at 0"},
      {"1a0000ffff", "non_canonical_integer at 0"},
      {"1b00000000ffffffff", "non_canonical_integer at 0"},
      {"813817", "non_canonical_integer at 1"},
      {"3b00000000ffffffff", "non_canonical_integer at 0"},
      {"780161", "non_canonical_length at 0"},
      {"980100", "non_canonical_length at 0"},
      {"b8016100", "non_canonical_length at 0"},
      {"79000161", "non_canonical_length at 0"},
      {"7b000000000000000161", "non_canonical_length at 0"},
      {"fa3f800000", "non_canonical_float at 0"},
      {"fb3ff0000000000000", "non_canonical_float at 0"},
      {"fb36a0000000000000", "non_canonical_float at 0"},
      {"fb47efffffe0000000", "non_canonical_float at 0"},
      {"fa80000000", "non_canonical_float at 0"},
      {"1b8000000000000000", "integer_out_of_range at 0"},
      {"3b8000000000000000", "integer_out_of_range at 0"},
      {"61ff", "invalid_utf8 at 0"},
      {"63eda080", "invalid_utf8 at 0"},
      {"a161ff00", "invalid_utf8 at 1"},
      {"a1f600", "non_text_key at 1"},
      {"a1410000", "unsupported_type at 1"},
      {"a2616200616100", "unsorted_keys at 4"},
      {"a2616100616100", "duplicate_key at 4"},
      {"f800", "unsupported_type at 0"},
  };
  for (const auto& [hex, error] : vectors) EXPECT_EQ(outcome_of_hex(hex), error) << hex;
  EXPECT_EQ(outcome_of_hex("a262616100616200"), "unsorted_keys at 5") << "shorter keys come first";
}

TEST(CborTest, TheEndsOfTheIntegersSurvive) {
  EXPECT_EQ(outcome_of_hex("1b7fffffffffffffff"), "9223372036854775807");
  EXPECT_EQ(outcome_of_hex("3b7fffffffffffffff"), "-9223372036854775808");
}

TEST(CborTest, EveryHalfFloatIsKeptOrRefused) {
  for (unsigned bits = 0; bits <= 0xFFFF; ++bits) {
    const double real = half_to_double(static_cast<std::uint16_t>(bits));
    const std::string bytes = {'\xF9', static_cast<char>(bits >> 8), static_cast<char>(bits & 0xFF)};
    if (!std::isfinite(real)) {
      ASSERT_EQ(decoded(bytes), "not_finite at 0");
      continue;
    }
    ASSERT_EQ(exact_half(real), bits);
    ASSERT_EQ(encode_cbor(real), bytes);
    ASSERT_EQ(*decode_cbor(bytes), Value(real));
    // Halfway to the next one there is no half float.
    const double between = std::nextafter(static_cast<float>(real), HUGE_VALF);
    ASSERT_EQ(exact_half(between), std::nullopt);
    ASSERT_EQ(encode_cbor(between).size(), 5u);
  }
}

TEST(CborTest, DepthIsBounded) {
  const std::string deepest(limits::kValueDepth, '\x81');
  EXPECT_TRUE(decode_cbor(deepest + '\0').has_value());
  EXPECT_EQ(decoded(deepest + "\x81" + '\0'), "too_deep at 256");
  EXPECT_EQ(decoded(std::string(1000000, '\x81')), "too_deep at 256");
  EXPECT_EQ(decoded(deepest + "\xA0"), "too_deep at 256");
}

TEST(CborTest, LengthIsBounded) {
  EXPECT_EQ(decoded(std::string(limits::kDocumentBytes + 1, '\x81')), "too_long at 67108864");
}

TEST(CborTest, AnnouncedLengthsAllocateNothing) {
  EXPECT_EQ(outcome_of_hex("9b7fffffffffffffff00"), "truncated at 0");
  EXPECT_EQ(outcome_of_hex("bbffffffffffffffff00"), "truncated at 0");
  EXPECT_EQ(outcome_of_hex("7bffffffffffffffff00"), "truncated at 0");
  // Every level announces as much as the bytes left could hold; reserving it would take gigabytes.
  std::string nested;
  for (std::size_t i = 0; i < limits::kValueDepth; ++i) nested += bytes_of("9a000f4240");
  EXPECT_EQ(decoded(nested + std::string(1000000, '\xFF')), "malformed at 1280");
}

// Pieces are gathered before they are appended: neither many small ones nor one that is larger than the room for them
// may be lost or change places.
TEST(CborWriterTest, PiecesOfAnySizeStayInOrder) {
  constexpr std::size_t kRoom = CborWriter::kRoom;
  for (const std::size_t large : {std::size_t{0}, kRoom / 2, kRoom - 2, kRoom - 1, kRoom, kRoom + 1, 9 * kRoom}) {
    std::vector<Value> items;
    for (std::int64_t i = 0; i < 200; ++i) items.emplace_back(i * 7);
    items.emplace_back(std::string(large, 'x'));
    for (std::int64_t i = 0; i < 200; ++i) items.emplace_back(-i);
    const Value list = Value::list(std::move(items));
    EXPECT_EQ(decode_cbor(encode_cbor(list)), list) << large;
  }
}

TEST(CborWriterTest, WhatIsWrittenByHandStandsBetweenTheRest) {
  for (std::size_t before = 0; before <= CborWriter::kRoom; ++before) {
    std::string bytes;
    {
      CborWriter writer(bytes);
      writer.list(3);
      writer.text(std::string(before, 'x'));
      writer.wrote(cbor::put_integer(writer.room(cbor::kLongestHead), -1'000'000));
      writer.boolean(true);
    }
    EXPECT_EQ(decode_cbor(bytes), Value::list({Value(std::string(before, 'x')), -1'000'000, true})) << before;
  }
}

TEST(CborReaderTest, ReadsItemByItem) {
  std::string bytes;
  {
    CborWriter writer(bytes);
    writer.list(6);
    writer.integer(-7);
    writer.text("run");
    writer.real(0.5);
    writer.boolean(true);
    writer.map(1);
    writer.text("k");
    writer.null();
    writer.value(Value::list({1, 2}));
  }

  CborReader reader(bytes);
  EXPECT_EQ(reader.list(), 6u);
  EXPECT_EQ(reader.integer(), -7);
  EXPECT_EQ(reader.text(), "run");
  EXPECT_EQ(reader.real(), 0.5);
  EXPECT_EQ(reader.boolean(), true);
  EXPECT_EQ(reader.map(), 1u);
  EXPECT_EQ(reader.text(), "k");
  EXPECT_EQ(reader.next()->kind, Kind::null);
  EXPECT_FALSE(reader.finish().has_value());
  EXPECT_EQ(reader.value(), Value::list({1, 2}));
  EXPECT_TRUE(reader.finish().has_value());
}

TEST(CborReaderTest, AnotherKindThanAskedForIsAnError) {
  CborReader reader("\x01");
  const auto text = reader.text();
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error(), (CborError{CborErrorCode::unexpected_kind, 0}));
  EXPECT_EQ(text.error().to_string(), "byte 0: this is not the kind of item that belongs here");
}

}  // namespace
}  // namespace stepwell
