#include "stepwell/value/json_pointer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepwell {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

TEST(JsonPointer, TokensAreEscapedAndReadBack) {
  std::string pointer;
  append_pointer_token(pointer, "a/b~c");
  append_pointer_token(pointer, std::size_t{12});
  append_pointer_token(pointer, "");
  EXPECT_EQ(pointer, "/a~1b~0c/12/");
  EXPECT_THAT(pointer_tokens(pointer), Optional(ElementsAre("a/b~c", "12", "")));
  EXPECT_THAT(pointer_tokens(""), Optional(IsEmpty()));
}

TEST(JsonPointer, OtherTextsAreRefused) {
  for (const char* text : {"a", "#/a", "/a~", "/~2", "/~~0"}) EXPECT_EQ(pointer_tokens(text), std::nullopt) << text;
}

TEST(JsonPointer, AnIndexHasNoLeadingZeroAndNoSign) {
  EXPECT_THAT(pointer_index("0"), Optional(0u));
  EXPECT_THAT(pointer_index("120"), Optional(120u));
  for (const char* text : {"", "01", "-1", "+1", "1x", "-", "99999999999999999999999"}) {
    EXPECT_EQ(pointer_index(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace stepwell
