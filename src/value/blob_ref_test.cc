#include "stepwell/value/blob_ref.h"

#include <gtest/gtest.h>

#include "stepwell/value/merge.h"
#include "stepwell/value/path.h"
#include "stepwell/value/testing/json.h"

namespace stepwell {
namespace {

using testing::json;

const Value kRef = json(R"({"$ref": "sha256:abc", "size": 70000, "type": "list"})");

TEST(BlobRef, IsAMapOfExactlyThreeMembers) {
  EXPECT_TRUE(is_blob_ref(kRef));
  EXPECT_EQ(blob_of(kRef), "sha256:abc");
  EXPECT_FALSE(is_blob_ref(json(R"({"$ref": "sha256:abc", "size": 70000})")));
  EXPECT_FALSE(is_blob_ref(json(R"({"$ref": "sha256:abc", "size": 70000, "type": "list", "x": 1})")));
  EXPECT_FALSE(is_blob_ref(json(R"({"$ref": "#/definitions/a", "size": 1, "type": "x"})")));
  EXPECT_FALSE(is_blob_ref(json(R"({"$ref": "sha256:abc", "size": "1", "type": "x"})")));
  EXPECT_FALSE(is_blob_ref(json(R"(["$ref", "size", "type"])")));
}

TEST(BlobRef, IsFoundHoweverDeep) {
  EXPECT_TRUE(holds_blob_ref(kRef));
  EXPECT_TRUE(holds_blob_ref(Value::list({1, Value::map({{"doc", kRef}})})));
  EXPECT_FALSE(holds_blob_ref(json(R"({"a": [{"$ref": "x"}]})")));
}

// Its members are not those of the value it stands for, so nothing may be mixed with them.
TEST(BlobRef, IsOneThingToMergesAndPatches) {
  const Value old = json(R"({"doc": {"title": "t", "size": 1}})");
  const Value over = Value::map({{"doc", kRef}});
  EXPECT_EQ(deep_merge(old, over), over);
  EXPECT_EQ(deep_merge(over, old), old);
  EXPECT_EQ(merge_patch(old, over), over);
  EXPECT_EQ(merge_patch(over, old), old);
}

TEST(BlobRef, CannotBeWrittenInto) {
  const auto written = set(Value::map({{"doc", kRef}}), *Path::parse("doc.title"), Value("t"));
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().message, "cannot set doc.title: doc is a blob, which is kept elsewhere; set it as a whole");
  EXPECT_TRUE(set(Value::map({{"doc", kRef}}), *Path::parse("doc"), Value("t")).has_value());
}

}  // namespace
}  // namespace stepwell
