#include "stepwell/compile/yaml_read.h"

#include <gtest/gtest.h>

#include "stepwell/compile/testing/yaml_text.h"

namespace stepwell {
namespace {

using testing::json_of;
using testing::place;
using testing::tree_of;

TEST(YamlRead, ReadsBlocksAndFlowsAlike) {
  EXPECT_EQ(json_of("a:\n  - 1\n  - b: x\n    c: [y, {d: null}]\n"), R"({"a":[1,{"b":"x","c":["y",{"d":null}]}]})");
  EXPECT_EQ(json_of("{a: [1, {b: x, c: [y, {d: }]}]}"), R"({"a":[1,{"b":"x","c":["y",{"d":null}]}]})");
}

TEST(YamlRead, ReadsJson) {
  EXPECT_EQ(json_of("{\n\t\"a\":1,\n\t\"b\":[true,null,1.5e3,\"\\u00e9\\/\\n\"]\n}"),
            R"({"a":1,"b":[true,null,1500.0,"é/\n"]})");
}

TEST(YamlRead, ReadsJsonThatTheYamlParserWouldNotTake) {
  EXPECT_EQ(json_of(R"({"a": "\ud83d\ude00"})"), "{\"a\":\"\U0001F600\"}");
  EXPECT_EQ(json_of("{\"a\"\n:\n1}"), R"({"a":1})");
  const std::string long_key(2000, 'k');
  EXPECT_EQ(json_of("{\"" + long_key + "\":[]}"), "{\"" + long_key + "\":[]}");
}

TEST(YamlRead, KnowsThePlacesOfJsonToo) {
  const Yaml tree = tree_of("\n{\"a\": [1,\n {\"é\": \"x\"}]}");
  EXPECT_EQ(place(tree.mark), "2:1");
  EXPECT_EQ(place(tree.member("a")->key_mark), "2:2");
  EXPECT_EQ(place(tree.find("a")->items[0].mark), "2:8");
  EXPECT_EQ(place(tree.find("a")->items[1].members[0].key_mark), "3:3");
  EXPECT_EQ(place(tree.find("a")->items[1].find("é")->mark), "3:8");
}

TEST(YamlRead, TakesQuotedScalarsAsText) {
  EXPECT_EQ(json_of("['1', \"true\", '', \"null\", 'it''s', \"\\x41\\t\"]"), R"(["1","true","","null","it's","A\t"])");
}

TEST(YamlRead, KnowsTheEscapesThatTheParserDoesNot) {
  EXPECT_EQ(json_of(R"("a\Nb\_\N\_c\L\P": "é\_\N")"),
            "{\"a\u0085b\u00A0\u0085\u00A0c\u2028\u2029\":\"é\u00A0\u0085\"}");
}

TEST(YamlRead, ReadsBlockScalars) {
  EXPECT_EQ(json_of("a: |\n  one\n  two\nb: >-\n  one\n  two\nc: |+\n  x\n\n"),
            R"({"a":"one\ntwo\n","b":"one two","c":"x\n\n"})");
}

TEST(YamlRead, ObeysCoreTags) {
  EXPECT_EQ(json_of("[!!str 1, !!str null, !!str , ! 12, !!int '3', !!float 1, !!null '', !!bool true]"),
            R"(["1","null","","12",3,1.0,null,true])");
  EXPECT_EQ(json_of("a: !!seq [1]\nb: !!map {c: 1}\nd: !<tag:yaml.org,2002:str> 1"),
            R"({"a":[1],"b":{"c":1},"d":"1"})");
}

TEST(YamlRead, ReadsNothingAsNull) {
  for (const char* text : {"", "\n", "# only a comment\n", "---\n", "---\n...\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(json_of(text), "null") << text;
  }
}

TEST(YamlRead, PassesOverAByteOrderMarkAndCarriageReturns) {
  const Yaml tree = tree_of(
      "\xEF\xBB\xBF"
      "a: 1\r\nb: |\r\n  x\r\n  y\r\nc: z\r\n");
  EXPECT_EQ(to_json(tree.to_value()), R"({"a":1,"b":"x\ny\n","c":"z"})");
  EXPECT_EQ(place(tree.members[2].value.mark), "5:4");
}

TEST(YamlRead, ExpandsAliases) {
  const Yaml tree = tree_of("base: &b {x: [1]}\nk: &k name\ncopy: *b\n*k : *k\nempty: &e\nagain: *e\n");
  EXPECT_EQ(to_json(tree.to_value()),
            R"({"k":"name","base":{"x":[1]},"copy":{"x":[1]},"name":"name","again":null,"empty":null})");
  // Of an alias the node has the place, what is inside has its own.
  const Yaml& copy = *tree.find("copy");
  EXPECT_EQ(place(copy.mark), "3:7");
  EXPECT_EQ(place(copy.find("x")->mark), "1:14");
}

TEST(YamlRead, TakesTheLatestAnchorOfAName) { EXPECT_EQ(json_of("[&a 1, *a, &a 2, *a]"), "[1,1,2,2]"); }

TEST(YamlRead, KeepsMembersInTheOrderTheyWereWritten) {
  const Yaml tree = tree_of("zz: 1\nb: 2\na: 3\n");
  EXPECT_EQ(tree.members[0].key, "zz");
  EXPECT_EQ(tree.members[2].key, "a");
  EXPECT_EQ(tree.find("b")->scalar, Value(2));
  EXPECT_EQ(tree.member("a")->key_mark, (Mark{3, 1}));
  EXPECT_EQ(tree.find("c"), nullptr);
  EXPECT_EQ(tree.find("b")->find("x"), nullptr);
}

TEST(YamlPlaces, AreKnownForEveryKindOfNode) {
  const Yaml tree = tree_of("list:\n  - one\n  - 'two'\n  - [3, {k: 4}]\nmap:\n  in: |\n    text\nend: &x !!str 5\n");
  EXPECT_EQ(place(tree.mark), "1:1");
  const Yaml& list = *tree.find("list");
  EXPECT_EQ(place(list.mark), "2:3");
  EXPECT_EQ(place(list.items[0].mark), "2:5");
  EXPECT_EQ(place(list.items[1].mark), "3:5");
  const Yaml& flow = list.items[2];
  EXPECT_EQ(place(flow.mark), "4:5");
  EXPECT_EQ(place(flow.items[0].mark), "4:6");
  EXPECT_EQ(place(flow.items[1].mark), "4:9");
  EXPECT_EQ(place(flow.items[1].members[0].key_mark), "4:10");
  EXPECT_EQ(place(flow.items[1].members[0].value.mark), "4:13");
  EXPECT_EQ(place(tree.member("map")->key_mark), "5:1");
  EXPECT_EQ(place(tree.find("map")->mark), "6:3");
  EXPECT_EQ(place(tree.find("map")->find("in")->mark), "6:7");
  EXPECT_EQ(place(tree.find("end")->mark), "8:6");
}

TEST(YamlPlaces, CountCharactersNotBytes) {
  const Yaml tree = tree_of("é: [\U0001F600, ü]\n'日本': {ß: 1}\n");
  EXPECT_EQ(place(tree.members[0].value.mark), "1:4");
  EXPECT_EQ(place(tree.members[0].value.items[1].mark), "1:8");
  EXPECT_EQ(place(tree.members[1].value.mark), "2:7");
  EXPECT_EQ(place(tree.members[1].value.members[0].value.mark), "2:11");
}

TEST(YamlPlaces, OfAValueLeftOutAreThoseOfItsColonOrDash) {
  const Yaml tree = tree_of("a:   # none - at all\n\nb:\n  -\n  # why\n  - ~\nc: {d: , e}\n? f\n");
  EXPECT_EQ(place(tree.find("a")->mark), "1:2");
  EXPECT_EQ(place(tree.find("b")->items[0].mark), "4:3");
  EXPECT_EQ(place(tree.find("b")->items[1].mark), "6:5");
  EXPECT_EQ(place(tree.find("c")->find("d")->mark), "7:6");
  EXPECT_EQ(place(tree.find("c")->find("e")->mark), "7:10");
  EXPECT_EQ(place(tree.find("f")->mark), "8:3");
}

TEST(YamlPlaces, InsideATextAreKnownIfItIsWrittenAsItIs) {
  const Yaml tree = tree_of("[plain text, \"é quoted\", 'it''s', \"a\\tb\", &x anchored]");
  EXPECT_EQ(place(tree.items[0].mark_at(6)), "1:8");
  EXPECT_EQ(place(tree.items[1].mark_at(3)), "1:17");
  EXPECT_EQ(tree.items[2].mark_at(3), tree.items[2].mark);
  EXPECT_EQ(tree.items[3].mark_at(2), tree.items[3].mark);
  EXPECT_EQ(tree.items[4].mark_at(2), tree.items[4].mark);
}

}  // namespace
}  // namespace stepwell
