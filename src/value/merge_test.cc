#include "stepwell/value/merge.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "stepwell/value/json_write.h"
#include "stepwell/value/testing/arbitrary_value.h"
#include "stepwell/value/testing/json.h"

namespace stepwell {
namespace {

using testing::json;

std::string merged(std::string_view base, std::string_view over) { return to_json(deep_merge(json(base), json(over))); }

// The pseudocode of RFC 7386, section 2, word for word: a second engine to agree with.
Value naive_merge_patch(Value target, const Value& patch) {
  if (!patch.is_map()) return patch;
  if (!target.is_map()) target = Value::map({});
  std::vector<Member> result(target.as_map().begin(), target.as_map().end());
  for (const Member& change : patch.as_map()) {
    const Value* old = target.find(change.key());
    std::erase_if(result, [&](const Member& member) { return member.key() == change.key(); });
    if (change.value.is_null()) continue;
    result.push_back({change.name, naive_merge_patch(old ? *old : Value(), change.value)});
  }
  return Value::map(result);
}

TEST(MergeTest, MapsMergeListsReplaceNullStaysNull) {
  EXPECT_EQ(
      merged(R"({"a": {"x": 1, "y": 2}, "b": [1, 2], "c": 3})", R"({"a": {"y": 5, "z": 6}, "b": [9], "c": null})"),
      R"({"a":{"x":1,"y":5,"z":6},"b":[9],"c":null})");
  EXPECT_EQ(merged(R"({"a": 1})", R"({"a": {"b": 2}})"), R"({"a":{"b":2}})");
  EXPECT_EQ(merged(R"({"a": {"b": 2}})", R"({"a": 1})"), R"({"a":1})");
  EXPECT_EQ(merged(R"({"a": null})", R"({"bb": null})"), R"({"a":null,"bb":null})");
  EXPECT_EQ(merged("1", "2"), "2");
}

TEST(MergeTest, TheExampleOfTheReferencePageIsTrue) {
  const Value base = json(R"({"limit": 500, "tags": ["a"], "mail": {"to": "x", "cc": "y"}})");
  const Value over = json(R"({"limit": null, "tags": ["b"], "mail": {"cc": "z"}})");
  EXPECT_EQ(deep_merge(base, over), json(R"({"limit": null, "mail": {"cc": "z", "to": "x"}, "tags": ["b"]})"));
  EXPECT_EQ(merge_patch(base, over), json(R"({"mail": {"cc": "z", "to": "x"}, "tags": ["b"]})"));
}

TEST(MergeTest, MergingSharesWhatItDoesNotTouch) {
  const Value base = json(R"({"kept": {"x": 1}, "same": {"y": {"z": 2}}, "list": [1, 2]})");
  const Value over = json(R"({"same": {"y": {}}, "more": [3]})");
  for (const Value& after : {deep_merge(base, over), merge_patch(base, over)}) {
    EXPECT_EQ(after.find("kept")->as_map().data(), base.find("kept")->as_map().data());
    EXPECT_EQ(after.find("list")->as_list().data(), base.find("list")->as_list().data());
    EXPECT_EQ(after.find("same")->find("y")->as_map().data(), base.find("same")->find("y")->as_map().data());
    EXPECT_EQ(after.find("more")->as_list().data(), over.find("more")->as_list().data());
  }
}

TEST(MergeTest, APatchWithoutNullsIsSharedAsItIs) {
  const Value patch = json(R"({"a": {"b": {"c": [null]}}, "d": {"e": null, "f": {"g": 1}}})");
  const Value after = merge_patch(Value(), patch);
  EXPECT_EQ(to_json(after), R"({"a":{"b":{"c":[null]}},"d":{"f":{"g":1}}})");
  EXPECT_EQ(after.find("a")->as_map().data(), patch.find("a")->as_map().data());
  EXPECT_EQ(after.find("d")->find("f")->as_map().data(), patch.find("d")->find("f")->as_map().data());
}

struct PatchCase {
  std::string_view original, patch, result;
};

// RFC 7386, appendix A, all of it and in its order.
constexpr PatchCase kAppendixA[] = {
    {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
    {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
    {R"({"a":"b"})", R"({"a":null})", R"({})"},
    {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
    {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
    {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
    {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
    {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
    {R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
    {R"({"a":"b"})", R"(["c"])", R"(["c"])"},
    {R"({"a":"foo"})", R"(null)", R"(null)"},
    {R"({"a":"foo"})", R"("bar")", R"("bar")"},
    {R"({"e":null})", R"({"a":1})", R"({"a":1,"e":null})"},
    {R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
    {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
};

TEST(MergeTest, PatchesAsAppendixAOfRfc7386Says) {
  for (const auto& [original, patch, result] : kAppendixA) {
    EXPECT_EQ(to_json(merge_patch(json(original), json(patch))), result) << original << " patched with " << patch;
  }
}

TEST(MergeTest, PatchesAsTheExampleOfRfc7386Says) {
  const Value target = json(R"({"title": "Goodbye!", "author": {"givenName": "John", "familyName": "Doe"},
                                "tags": ["example", "sample"], "content": "This will be unchanged"})");
  const Value patch = json(R"({"title": "Hello!", "phoneNumber": "+01-123-456-7890", "author": {"familyName": null},
                               "tags": ["example"]})");
  const Value wanted = json(R"({"title": "Hello!", "author": {"givenName": "John"}, "tags": ["example"],
                                "content": "This will be unchanged", "phoneNumber": "+01-123-456-7890"})");
  EXPECT_EQ(merge_patch(target, patch), wanted);
}

// Two maps more often than two arbitrary values would be.
rc::Gen<Value> mostly_maps() {
  return rc::gen::weightedOneOf<Value>({{1, rc::gen::arbitrary<Value>()}, {4, testing::arbitrary_map()}});
}

RC_GTEST_PROP(MergeTest, PatchAgreesWithThePseudocode, ()) {
  const Value target = *mostly_maps();
  const Value patch = *mostly_maps();
  RC_ASSERT(merge_patch(target, patch) == naive_merge_patch(target, patch));
}

RC_GTEST_PROP(MergeTest, MergingAgainChangesNothing, ()) {
  const Value base = *mostly_maps();
  const Value over = *mostly_maps();
  const Value once = deep_merge(base, over);
  RC_ASSERT(deep_merge(once, over) == once);
  RC_ASSERT(deep_merge(base, base) == base);
}

}  // namespace
}  // namespace stepwell
