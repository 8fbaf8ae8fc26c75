#include "stepwell/expr/text_of.h"

#include <gtest/gtest.h>

namespace stepwell {
namespace {

std::string text(const Value& value) {
  Budget budget({});
  return text_of(value, budget).value();
}

std::string repr(const Value& value) {
  Budget budget({});
  std::string out;
  EXPECT_TRUE(append_repr_of(out, value, budget).has_value());
  return out;
}

TEST(TextOf, ScalarsReadAsPythonWritesThem) {
  EXPECT_EQ(text(nullptr), "None");
  EXPECT_EQ(text(true), "True");
  EXPECT_EQ(text(false), "False");
  EXPECT_EQ(text(INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(text(1.0), "1.0");
  EXPECT_EQ(text(1e16), "1e+16");
  EXPECT_EQ(text("it's"), "it's");
}

TEST(TextOf, ContainersShowTheirMembersInQuotes) {
  const Value list = Value::list({"a", 1, nullptr, Value::list({}), Value::map({})});
  EXPECT_EQ(text(list), "['a', 1, None, [], {}]");
  EXPECT_EQ(text(Value::map({{"bb", 1.5}, {"a", list}})), "{'a': ['a', 1, None, [], {}], 'bb': 1.5}");
}

TEST(TextOf, QuotesAreChosenSoThatFewestAreEscaped) {
  EXPECT_EQ(repr("plain"), "'plain'");
  EXPECT_EQ(repr("it's"), "\"it's\"");
  EXPECT_EQ(repr("\"so\""), "'\"so\"'");
  EXPECT_EQ(repr("it's \"so\""), "'it\\'s \"so\"'");
  EXPECT_EQ(repr("back\\slash"), "'back\\\\slash'");
}

TEST(TextOf, WhatCannotBePrintedIsEscaped) {
  EXPECT_EQ(repr("\t\n\r\x01\x7f"), "'\\t\\n\\r\\x01\\x7f'");
  EXPECT_EQ(repr("\u00a0\u00ad\u200b\u2028\ufeff"), "'\\xa0\\xad\\u200b\\u2028\\ufeff'");
  EXPECT_EQ(repr("\U000E0001\U0010FFFF"), "'\\U000e0001\\U0010ffff'");
  EXPECT_EQ(repr("é 日本 😀"), "'é 日本 😀'");
}

TEST(TextOf, StopsAtTheTextLimitAndWhenFuelIsOut) {
  const Value long_text = std::string(100, 'x');
  Budget narrow({.text_bytes = 150});
  EXPECT_EQ(text_of(Value::list({long_text, long_text}), narrow).error().code, FaultCode::size);
  Budget poor({.fuel = 10});
  EXPECT_EQ(text_of(Value::list(std::vector<Value>(11, Value(1))), poor).error().code, FaultCode::fuel);
}

}  // namespace
}  // namespace stepwell
