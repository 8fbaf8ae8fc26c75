#include <gtest/gtest.h>

#include "stepwell/compile/testing/yaml_text.h"

namespace stepwell {
namespace {

using testing::errors_of;

TEST(YamlErrors, RefuseAKeyTwice) {
  EXPECT_EQ(errors_of("a: 1\nb: {c: 1, 'c': 2}\na: 2\na: 3\n"),
            "f:2:11: error: key 'c' is already in this map, at line 2; remove one of the two [yaml-duplicate-key]\n"
            "f:3:1: error: key 'a' is already in this map, at line 1; remove one of the two [yaml-duplicate-key]\n"
            "f:4:1: error: key 'a' is already in this map, at line 1; remove one of the two [yaml-duplicate-key]\n");
}

TEST(YamlErrors, RefuseKeysThatAreNotText) {
  EXPECT_EQ(errors_of("1: x\ntrue: x\n1.5: x\n~: x\n[1]: x\n{a: 1}: x\n: x\n'2': fine\nno: fine\n"),
            "f:1:1: error: a key must be text, not an integer; put it in quotes [yaml-key]\n"
            "f:2:1: error: a key must be text, not a boolean; put it in quotes [yaml-key]\n"
            "f:3:1: error: a key must be text, not a number; put it in quotes [yaml-key]\n"
            "f:4:1: error: a key must be text, not null; put it in quotes [yaml-key]\n"
            "f:5:1: error: a list cannot be a key; write text before the ':' [yaml-key]\n"
            "f:6:1: error: a map cannot be a key; write text before the ':' [yaml-key]\n"
            "f:7:1: error: a key is missing here; write text before the ':' [yaml-key]\n");
}

TEST(YamlErrors, RefuseMergeKeysButNotTheirText) {
  EXPECT_EQ(errors_of("a: &a {x: 1}\nb:\n  <<: *a\nc: {\"<<\": 1}\n"),
            "f:3:3: error: merge keys belong to YAML 1.1; write the members out, or put the key '<<' in quotes "
            "[yaml-merge-key]\n");
}

TEST(YamlErrors, KnowATemplateWithoutQuotes) {
  EXPECT_EQ(errors_of("url: {{ workload.api }}\n"),
            "f:1:6: error: '{{' begins a map whose key is a map; put the template in quotes [yaml-key]\n");
}

TEST(YamlErrors, RefuseNumbersThatAreNoValues) {
  EXPECT_EQ(errors_of("[99999999999999999999, 1e999, -.inf, .nan]"),
            "f:1:2: error: integer 99999999999999999999 does not fit 64 bits; write it in quotes to keep it as text "
            "[yaml-number]\n"
            "f:1:24: error: number 1e999 is too large; write it in quotes to keep it as text [yaml-number]\n"
            "f:1:31: error: -.inf is not a finite number; write it in quotes to keep it as text [yaml-number]\n"
            "f:1:38: error: .nan is not a finite number; write it in quotes to keep it as text [yaml-number]\n");
}

TEST(YamlErrors, RefuseUnknownTagsAndTagsThatDoNotFit) {
  EXPECT_EQ(
      errors_of("a: !secret x\nb: !!set {x}\nc: !!int x\nd: !!seq {}\n"),
      "f:1:4: error: unknown tag !secret; leave it out, or use one of !!str, !!int, !!float, !!bool, !!null, !!seq, "
      "!!map [yaml-tag]\n"
      "f:2:4: error: unknown tag !!set; leave it out, or use one of !!str, !!int, !!float, !!bool, !!null, !!seq, "
      "!!map [yaml-tag]\n"
      "f:3:4: error: 'x' is text, not !!int; leave the tag out [yaml-tag]\n"
      "f:4:4: error: this is a map, not !!seq; leave the tag out [yaml-tag]\n");
}

TEST(YamlErrors, RefuseAliasesOfNothingAndOfWhatIsAroundThem) {
  EXPECT_EQ(
      errors_of("a: *charge\n"),
      "f:1:4: error: alias *charge stands for nothing; put an anchor '&charge' on a value above, or put the text in "
      "quotes [yaml-alias]\n");
  EXPECT_EQ(errors_of("&a [1, {b: *a}]"),
            "f:1:12: error: the alias stands inside the value it names; write the value out [yaml-alias]\n");
}

TEST(YamlErrors, RefuseASecondDocument) {
  EXPECT_EQ(errors_of("a: 1\n---\nb: 2\n"),
            "f:2:1: error: a second document begins here; put each document into a file of its own [yaml-documents]\n");
  EXPECT_EQ(
      errors_of("{a: 1} b"),
      "f:1:8: error: the document ended before this; check the indentation and the brackets above [yaml-syntax]\n");
}

TEST(YamlErrors, RefuseBytesThatAreNoText) {
  EXPECT_EQ(errors_of("a: é\xFF\n"), "f:1:5: error: not UTF-8; save the file as UTF-8 [yaml-text]\n");
  EXPECT_EQ(errors_of(std::string_view("a: 1\nb: \0", 9)),
            "f:2:4: error: control character U+0000; remove it, or write \"\\x00\" in double quotes [yaml-text]\n");
  EXPECT_EQ(errors_of("a: \x04"),
            "f:1:4: error: control character U+0004; remove it, or write \"\\x04\" in double quotes [yaml-text]\n");
  EXPECT_EQ(errors_of("a: 1\rb: 2\r"),
            "f:1:5: error: a carriage return without a line feed; end lines with a line feed [yaml-text]\n");
}

TEST(YamlErrors, GoOnAfterAMistakeThatLeavesATree) {
  Diagnostics found("f");
  const auto tree = read_yaml("a: .inf\n2: x\nb: {{ x }}\nc: fine\n", found);
  ASSERT_TRUE(tree);
  EXPECT_EQ(found.sorted().size(), 3u);
  EXPECT_TRUE(tree->find("a")->faulty);
  EXPECT_TRUE(tree->find("b")->faulty);
  EXPECT_FALSE(tree->find("c")->faulty);
  EXPECT_EQ(tree->members.size(), 3u);
}

struct Syntax {
  const char* text;
  const char* error;
};

class YamlSyntax : public ::testing::TestWithParam<Syntax> {};

TEST_P(YamlSyntax, IsRefusedWithPlaceAndAdvice) {
  EXPECT_EQ(errors_of(GetParam().text), "f:" + std::string(GetParam().error) + " [yaml-syntax]\n") << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Yaml, YamlSyntax,
    ::testing::Values(
        Syntax{"a: 1\n\tb: 2", "2:1: error: a tab in the indentation; indent with spaces"},
        Syntax{"a:\n\tb: 2", "2:3: error: ':' is not allowed here; indent with spaces, not tabs"},
        Syntax{"a:\n\t- b", "2:2: error: a tab before a list item; indent with spaces"},
        Syntax{"a: 1\n b: 2",
               "2:3: error: ':' is not allowed here; check the indentation of this line and the one above"},
        Syntax{"a: b: c", "1:5: error: ':' is not allowed here; put a text that contains ': ' in quotes"},
        Syntax{"a: 'x", "1:6: error: the text in quotes does not end; close it with the quote it begins with"},
        Syntax{"a: 'x\n", "1:4: error: the text in quotes does not end; close it with the quote it begins with"},
        Syntax{"a:\n  - \"x\\\"\n\n",
               "2:5: error: the text in quotes does not end; close it with the quote it begins with"},
        Syntax{"a: &b 'x''\n", "1:4: error: the text in quotes does not end; close it with the quote it begins with"},
        Syntax{"\"a: 1\n", "1:1: error: the text in quotes does not end; close it with the quote it begins with"},
        Syntax{"a: [1, 2\n", "2:1: error: expected ',' or ']' in the list; it begins at line 1, column 4"},
        Syntax{"a: {b: 1\n", "2:1: error: expected ',' or '}' in the map; it begins at line 1, column 4"},
        Syntax{"a: [1,,2]", "1:7: error: expected a value before ','; write null if it is empty"},
        Syntax{"a:\n  b: 1\n c: 2", "3:2: error: expected a key of the map; it begins at line 1, column 1"},
        Syntax{"a: 1\nb\n", "2:1: error: expected ':' after this key; add it, or indent what belongs above"},
        Syntax{"- a\nb: 1", "2:1: error: the document ended before this; check the indentation and the brackets above"},
        Syntax{"a: \"\\q\"", "1:5: error: unknown escape '\\q'; write \\\\ for a backslash, or use single quotes"},
        Syntax{"a: \"\\ud83d\"",
               "1:11: error: the escape is not a character; write the character itself, or \\UHHHHHHHH"},
        Syntax{"a: @x", "1:4: error: a value cannot begin with '@'; put it in quotes"},
        Syntax{"a: ]", "1:4: error: ']' closes nothing; remove it, or put the text in quotes"},
        Syntax{"a: - b",
               "1:4: error: a list item cannot begin here; begin it on a line of its own, or put the text in quotes"},
        Syntax{"a: !!", "1:6: error: a tag without a name; put the text in quotes if it is no tag"}));

}  // namespace
}  // namespace stepwell
