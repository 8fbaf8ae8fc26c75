#include "stepwell/value/path.h"

#include <unordered_set>

#include <gtest/gtest.h>

#include "stepwell/base/limits.h"

namespace stepwell {
namespace {

Value order() {
  return Value::map({{"items", Value::list({Value::map({{"price", 10}}), Value::map({{"price", 5}})})},
                     {"customer", Value::map({{"name", "Ada"}})},
                     {"note", nullptr}});
}

std::string refusal(const Path& path) {
  auto changed = set(order(), path, 1);
  return changed ? "accepted" : changed.error().message;
}

TEST(PathTest, GetFindsMembersAndItems) {
  const Value root = order();
  EXPECT_EQ(*get(root, {"items", 1, "price"}), Value(5));
  EXPECT_EQ(*get(root, {"items", -2, "price"}), Value(10));
  EXPECT_EQ(get(root, {}), &root);
  EXPECT_TRUE(get(root, {"note"})->is_null());
}

TEST(PathTest, GetOfWhatIsNotThereIsNothing) {
  const Value root = order();
  EXPECT_EQ(get(root, {"items", 2}), nullptr);
  EXPECT_EQ(get(root, {"items", -3}), nullptr);
  EXPECT_EQ(get(root, {"items", "price"}), nullptr);
  EXPECT_EQ(get(root, {"customer", 0}), nullptr);
  EXPECT_EQ(get(root, {"customer", "name", "first"}), nullptr);
  EXPECT_EQ(get(root, {"items", std::numeric_limits<std::int64_t>::min()}), nullptr);
}

TEST(PathTest, SetReplacesOneValueAndSharesTheRest) {
  const Value before = order();
  const Value after = *set(before, {"items", -1, "price"}, 7);
  EXPECT_EQ(*get(after, {"items", 1, "price"}), Value(7));
  EXPECT_EQ(*get(before, {"items", 1, "price"}), Value(5));
  EXPECT_EQ(get(after, {"customer"})->as_map().data(), get(before, {"customer"})->as_map().data());
  EXPECT_EQ(get(after, {"items", 0})->as_map().data(), get(before, {"items", 0})->as_map().data());
}

TEST(PathTest, SetMakesMissingMapsInCanonicalOrder) {
  const Value after = *set(order(), {"customer", "address", "city"}, "Oslo");
  EXPECT_EQ(after.find("customer")->as_map().front().key(), "name");
  EXPECT_EQ(*get(after, {"customer", "address", "city"}), Value("Oslo"));
  EXPECT_EQ(*set(order(), {}, 3), Value(3));
}

TEST(PathTest, SetRefusesWhatDoesNotFitAndSaysWhatToDo) {
  EXPECT_EQ(refusal({"customer", "name", "first"}),
            "cannot set customer.name.first: customer.name is text, which has no members; make it a map first");
  EXPECT_EQ(refusal({"note", "text"}), "cannot set note.text: note is null, which has no members; make it a map first");
  EXPECT_EQ(refusal({"items", 2}), "cannot set items[2]: items has 2 items; set the whole list to make it longer");
  EXPECT_EQ(refusal({"lines", 0}), "cannot set lines[0]: lines does not exist; set it to a list first");
  EXPECT_EQ(refusal({"customer", 0}),
            "cannot set customer[0]: customer is a map, which has no items; make it a list first");
  EXPECT_EQ(refusal({0}), "cannot set [0]: the value itself is a map, which has no items; make it a list first");
  EXPECT_EQ(set(order(), {"items", 0, "price", "net"}, 1).error().prefix, (Path{"items", 0, "price"}));
}

TEST(PathTest, SetKeepsToTheDepthThatValuesMayHave) {
  Path deepest;
  while (deepest.size() < limits::kValueDepth) deepest.push_back("a");
  const Value root = Value::map({});
  EXPECT_EQ(set(root, deepest, 1)->depth(), limits::kValueDepth);
  EXPECT_FALSE(set(root, deepest / "a", 1));
  EXPECT_FALSE(set(root, deepest, Value::list({})));
  Path endless;
  while (endless.size() < 1'000'000) endless.push_back("a");
  EXPECT_FALSE(set(root, endless, 1));
}

TEST(PathTest, LiesUnderComparesWholeSegments) {
  const Path approved = {"ctx", "approved"};
  EXPECT_TRUE(approved.lies_under(approved));
  EXPECT_TRUE((approved / "by").lies_under(approved));
  EXPECT_TRUE(approved.lies_under({}));
  EXPECT_FALSE(approved.lies_under(approved / "by"));
  EXPECT_FALSE((Path{"ctx", "approved_by"}).lies_under(approved));
}

TEST(PathTest, PathsSortAsValuesHoldThem) {
  const std::vector<Path> sorted = {{}, {-1}, {2}, {10}, {"b"}, {"b", 0}, {"b", "a"}, {"aa"}};
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
}

TEST(PathTest, HashTellsOrderAndKindApart) {
  const std::unordered_set<Path> paths = {{"a", "b"}, {"b", "a"}, {"a", "b"}, {1}, {"1"}, {}};
  EXPECT_EQ(paths.size(), 5u);
  EXPECT_NE(std::hash<Path>()({"a", "b"}), std::hash<Path>()({"b", "a"}));
}

}  // namespace
}  // namespace stepwell
