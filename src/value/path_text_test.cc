#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "stepwell/value/path.h"

namespace stepwell {
namespace {

std::string error_of(std::string_view text) {
  auto path = Path::parse(text);
  return path ? "read as " + path->str() : path.error().message;
}

TEST(PathTextTest, ReadsNamesIndicesAndQuotedKeys) {
  EXPECT_EQ(*Path::parse("ctx.items[2].price"), (Path{"ctx", "items", 2, "price"}));
  EXPECT_EQ(*Path::parse("a[\"odd key\"].b"), (Path{"a", "odd key", "b"}));
  EXPECT_EQ(*Path::parse("a['it\\'s'][-1]"), (Path{"a", "it's", -1}));
  EXPECT_EQ(*Path::parse("[0][\"\"]"), (Path{0, ""}));
  EXPECT_EQ(*Path::parse("[\"\\u00e9\\u20ac\\n\"]"), (Path{"é€\n"}));
  EXPECT_EQ(*Path::parse(""), Path());
}

TEST(PathTextTest, WritesOneSpelling) {
  EXPECT_EQ((Path{"ctx", "items", -1, "price"}).str(), "ctx.items[-1].price");
  EXPECT_EQ((Path{"a", "odd key", "b"}).str(), "a[\"odd key\"].b");
  EXPECT_EQ((Path{"1st", "say \"hi\"\\", "\x01\n\t"}).str(), "[\"1st\"][\"say \\\"hi\\\"\\\\\"][\"\\u0001\\n\\t\"]");
  EXPECT_EQ(Path().str(), "");
}

TEST(PathTextTest, ASoleNameIsItsOwnSpelling) {
  EXPECT_EQ((Path{"total_2"}).sole_name(), "total_2");
  for (const Path& path : {Path(), Path{"a", "b"}, Path{0}, Path{""}, Path{"2nd"}, Path{"odd key"}, Path{"é"}}) {
    EXPECT_EQ(path.sole_name(), "") << path.str();
  }
}

TEST(PathTextTest, ErrorsNameThePositionAndTheRemedy) {
  EXPECT_EQ(error_of("ctx..a"), "bad path 'ctx..a' at 4: expected a name after '.'");
  EXPECT_EQ(error_of("items.0"), "bad path 'items.0' at 6: an index is written [0]");
  EXPECT_EQ(error_of("odd-key"),
            "bad path 'odd-key' at 3: expected '.' or '['; a key with other characters is written [\"...\"]");
  EXPECT_EQ(error_of(".a"), "bad path '.a' at 0: expected a name or '['");
  EXPECT_EQ(error_of("a["), "bad path 'a[' at 2: expected an index or a quoted key");
  EXPECT_EQ(error_of("a[1"), "bad path 'a[1' at 3: expected ']'");
  EXPECT_EQ(error_of("a['b"), "bad path 'a['b' at 4: the string is not closed; expected '");
  EXPECT_EQ(error_of("a['\\x']"), "bad path 'a['\\x']' at 4: unknown escape; a backslash is written \\\\");
  EXPECT_EQ(error_of("a['\\u12']"), "bad path 'a['\\u12']' at 5: expected four hexadecimal digits after \\u");
  EXPECT_EQ(error_of("a['\\ud83d']"),
            "bad path 'a['\\ud83d']' at 5: a surrogate is no character; write the character itself");
  EXPECT_EQ(error_of("a[9223372036854775808]"),
            "bad path 'a[9223372036854775808]' at 2: the index does not fit 64 bits");
}

RC_GTEST_PROP(PathTextTest, WhatIsWrittenIsReadBack, ()) {
  const auto keys = rc::gen::oneOf(rc::gen::string<std::string>(),
                                   rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab_1\"'\\ .[]\n"))));
  Path path;
  for (int count = *rc::gen::inRange(0, 6); count > 0; --count) {
    path.push_back(*rc::gen::arbitrary<bool>() ? Segment(*keys) : Segment(*rc::gen::arbitrary<std::int64_t>()));
  }
  const auto again = Path::parse(path.str());
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == path);
}

RC_GTEST_PROP(PathTextTest, AnyTextIsReadOrRefusedWithAPositionInIt, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab.[]\"'\\u01-_")));
  const auto path = Path::parse(text);
  if (path) {
    RC_ASSERT(*Path::parse(path->str()) == *path);
  } else {
    RC_ASSERT(path.error().at <= text.size());
  }
}

}  // namespace
}  // namespace stepwell
