#include "stepwell/base/utf8.h"

#include <gtest/gtest.h>

namespace stepwell {
namespace {

TEST(Utf8Test, EveryCodePointSurvivesEncodingAndDecoding) {
  for (char32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    if (code_point == 0xD800) code_point = 0xE000;
    std::string bytes;
    utf8::append(bytes, code_point);
    const utf8::Decoded decoded = utf8::decode(bytes);
    ASSERT_EQ(decoded.code_point, code_point);
    ASSERT_EQ(decoded.size, bytes.size());
    ASSERT_TRUE(utf8::is_valid(bytes));
    ASSERT_EQ(utf8::length(bytes), 1u);
  }
}

TEST(Utf8Test, WhatIsNotACodePointIsRefused) {
  for (const char* bytes : {"\x80",
                            "\xBF",
                            "\xC0\x80",
                            "\xC1\xBF",
                            "\xE0\x80\x80",
                            "\xE0\x9F\xBF",
                            "\xF0\x80\x80\x80",
                            "\xF0\x8F\xBF\xBF",
                            "\xED\xA0\x80",
                            "\xED\xBF\xBF",
                            "\xF4\x90\x80\x80",
                            "\xF5\x80\x80\x80",
                            "\xFE",
                            "\xFF",
                            "\xC3",
                            "\xE2\x82",
                            "\xF0\x9F\x98",
                            "\xC3(",
                            "\xE2(\xA1",
                            "\xE2\x82("}) {
    EXPECT_EQ(utf8::decode(bytes).size, 0u);
    EXPECT_EQ(utf8::valid_prefix(bytes), 0u);
  }
  EXPECT_EQ(utf8::decode("").size, 0u);
}

TEST(Utf8Test, ValidPrefixEndsAtTheFirstBadByteWhereverItIs) {
  for (std::size_t at = 0; at < 40; ++at) {
    std::string bytes(40, 'a');
    EXPECT_TRUE(utf8::is_valid(bytes));
    bytes[at] = '\xFF';
    EXPECT_EQ(utf8::valid_prefix(bytes), at);
  }
  EXPECT_EQ(utf8::valid_prefix("aé€😀\xE2\x82"), 10u);
}

TEST(Utf8Test, LengthAndOffsetCountCodePoints) {
  const std::string_view text = "aé€😀b";
  EXPECT_EQ(utf8::length(text), 5u);
  EXPECT_EQ(utf8::offset_of(text, 0), 0u);
  EXPECT_EQ(utf8::offset_of(text, 2), 3u);
  EXPECT_EQ(utf8::offset_of(text, 4), 10u);
  EXPECT_EQ(utf8::offset_of(text, 5), 11u);
  EXPECT_EQ(utf8::offset_of(text, 9), 11u);
}

TEST(Utf8Test, CutsBetweenCodePoints) {
  EXPECT_EQ(utf8::cut("aé€", 9), "aé€");
  EXPECT_EQ(utf8::cut("aé€", 5), "aé");
  EXPECT_EQ(utf8::cut("aé€", 3), "aé");
  EXPECT_EQ(utf8::cut("aé€", 2), "a");
  EXPECT_EQ(utf8::cut("€", 2), "");
}

TEST(Utf8Test, OnlyScalarValuesCanBeAppended) {
  std::string out;
  EXPECT_DEATH(utf8::append(out, 0xD800), "bug in stepwell");
  EXPECT_DEATH(utf8::append(out, 0x110000), "bug in stepwell");
}

}  // namespace
}  // namespace stepwell
