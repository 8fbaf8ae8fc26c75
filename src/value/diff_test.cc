#include "stepwell/value/diff.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "stepwell/value/json_read.h"
#include "stepwell/value/testing/arbitrary_value.h"

namespace stepwell {
namespace {

std::string diffed(std::string_view before, std::string_view after) {
  return diff_text(diff(parse_json(before).value(), parse_json(after).value(), {"ctx"}));
}

// `parent` with one child more or less. A list changes only at its end.
Value grown_or_shrunk(const Value& parent, const Segment& child, const std::optional<Value>& after) {
  if (parent.is_list()) {
    std::vector<Value> items(parent.as_list().begin(), parent.as_list().end());
    if (after) {
      items.push_back(*after);
    } else {
      items.pop_back();
    }
    return Value::list(items);
  }
  std::vector<Member> members(parent.as_map().begin(), parent.as_map().end());
  std::erase_if(members, [&](const Member& member) { return member.key() == child.key(); });
  if (after) members.push_back({child.key(), *after});
  return Value::map(members);
}

Value applied(const Value& root, const Change& change) {
  if (change.before && change.after) return *set(root, change.path, *change.after);
  const std::size_t last = change.path.size() - 1;
  const Path parent = change.path.first(last);
  return *set(root, parent, grown_or_shrunk(*get(root, parent), change.path[last], change.after));
}

// Removals last and from the back, so that the indices of the others stay true.
Value applied(Value value, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    if (change.after) value = applied(value, change);
  }
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    if (!change->after) value = applied(value, *change);
  }
  return value;
}

TEST(DiffTest, ReadsAsLinesThatWentAndCame) {
  EXPECT_EQ(diffed(R"({"total": 3, "old": true, "same": [1], "customer": {"name": "Ada"}})",
                   R"({"total": 4, "new": null, "same": [1], "customer": {"name": "Bob"}})"),
            "+ ctx.new: null\n"
            "- ctx.old: true\n"
            "- ctx.total: 3\n"
            "+ ctx.total: 4\n"
            "- ctx.customer.name: \"Ada\"\n"
            "+ ctx.customer.name: \"Bob\"\n");
}

TEST(DiffTest, TheExampleOfTheReferencePageIsTrue) {
  EXPECT_EQ(diffed(R"({"total": 3, "note": "first draft", "lines": [1, 2]})",
                   R"({"total": 4, "lines": [1, 2, {"sku": "b-7", "price": 12.5}]})"),
            "- ctx.note: \"first draft\"\n"
            "+ ctx.lines[2]: {\"sku\":\"b-7\",\"price\":12.5}\n"
            "- ctx.total: 3\n"
            "+ ctx.total: 4\n");
}

TEST(DiffTest, ListsGrowAndShrinkAtTheEnd) {
  EXPECT_EQ(diffed("[1, 2]", "[1, 5, 3, 4]"), "- ctx[1]: 2\n+ ctx[1]: 5\n+ ctx[2]: 3\n+ ctx[3]: 4\n");
  EXPECT_EQ(diffed("[1, 2, 3]", "[1]"), "- ctx[1]: 2\n- ctx[2]: 3\n");
}

TEST(DiffTest, AnotherKindIsReplacedAsAWhole) {
  EXPECT_EQ(diffed(R"({"a": [1]})", R"({"a": {"b": 1}})"), "- ctx.a: [1]\n+ ctx.a: {\"b\":1}\n");
  EXPECT_EQ(diffed("1", "1.0"), "- ctx: 1\n+ ctx: 1.0\n");
  EXPECT_EQ(diff_text(diff(1, 2)), "- 1\n+ 2\n");
}

TEST(DiffTest, LongValuesAreCutAroundTheFirstDifference) {
  const std::string long_text(200, 'x');
  const Value before = Value::map({{"note", long_text + "é one " + long_text}});
  const Value after = Value::map({{"note", long_text + "é two " + long_text}});
  const std::string left(17, 'x');
  const std::string right(56, 'x');
  EXPECT_EQ(diff_text(diff(before, after)), "- note: ..." + left + "é one " + right + "... (409 bytes)\n" +
                                                "+ note: ..." + left + "é two " + right + "... (409 bytes)\n");
}

TEST(DiffTest, ACutNeverSplitsACharacter) {
  std::string euros;
  for (int i = 0; i < 100; ++i) euros += "€";
  for (std::size_t shift = 0; shift < 4; ++shift) {
    const Value before = std::string(shift, 'x') + euros + "1";
    const Value after = std::string(shift, 'x') + euros + "2";
    EXPECT_TRUE(utf8::is_valid(diff_text(diff(before, after))));
    EXPECT_TRUE(utf8::is_valid(diff_text({{Change{{}, std::nullopt, before}}})));
  }
}

RC_GTEST_PROP(DiffTest, ApplyingTheDifferenceGivesTheOtherValue, ()) {
  const auto values = rc::gen::oneOf(rc::gen::arbitrary<Value>(), testing::arbitrary_map());
  const Value before = *values;
  const Value after = *values;
  RC_ASSERT(applied(before, diff(before, after)) == after);
  RC_ASSERT(applied(after, diff(after, before)) == before);
}

RC_GTEST_PROP(DiffTest, IdenticalValuesDoNotDiffer, (const Value& value)) {
  // Through JSON, so that nothing is shared and everything is looked at.
  RC_ASSERT(diff(value, parse_json(to_json(value)).value()).empty());
}

}  // namespace
}  // namespace stepwell
