#include <gtest/gtest.h>

#include "stepwell/expr/compiler.h"
#include "stepwell/expr/evaluator.h"
#include "stepwell/expr/testing/expressions.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/json_write.h"

namespace stepwell {
namespace {

using testing::from_json;

constexpr std::string_view kRefContext =
    R"({"ctx": {"doc": {"$ref": "sha256:ab", "size": 70000, "type": "list"}, "i": 0,)"
    R"( "docs": [{"$ref": "sha256:cd", "size": 80000, "type": "text"}]}})";

// The value as JSON, or the code and message of the error; the same from a value and from bytes.
std::string outcome(std::string_view source) {
  const auto program = compile_expression(source);
  if (!program) return program.error().message;
  const Value names = from_json(kRefContext);
  Ambient ambient;
  auto text = [](const std::expected<Value, ExprError>& result) {
    if (result) return to_json(*result);
    return std::string(fault_word(result.error().code)) + ": " + result.error().message;
  };
  const std::string of_value = text(evaluate(*program, inputs_from(*program, names), ambient));
  const std::string bytes = encode_cbor(*names.find("ctx"));
  const std::vector<Input> encoded(program->roots.size(), Input(EncodedView(bytes)));
  EXPECT_EQ(text(evaluate(*program, encoded, ambient)), of_value) << source;
  return of_value;
}

TEST(BlobRefInExpressions, CanBePassedOn) {
  const std::string doc = R"({"$ref":"sha256:ab","size":70000,"type":"list"})";
  EXPECT_EQ(outcome("ctx.doc"), doc);
  EXPECT_EQ(outcome("[ctx.doc] | first"), doc);
  EXPECT_EQ(outcome("{'a': ctx.doc}.a"), doc);
  EXPECT_EQ(outcome("ctx.doc | default(1)"), doc);
  EXPECT_EQ(outcome("coalesce(none, ctx.doc)"), doc);
  EXPECT_EQ(outcome("ctx.doc if ctx.i == 0 else 1"), doc);
  EXPECT_EQ(outcome("ctx.docs | length"), "1");
}

TEST(BlobRefInExpressions, TellsItsSizeAndType) {
  EXPECT_EQ(outcome("ctx.doc.size > 65536 and ctx.doc.type == 'list'"), "true");
  EXPECT_EQ(outcome("ctx.docs[ctx.i].size"), "80000");
  EXPECT_EQ(outcome("ctx.docs | map(attribute='size') | list"), "[80000]");
}

TEST(BlobRefInExpressions, AnyOtherTouchIsAnErrorThatNamesThePath) {
  const std::string doc =
      "blob_ref: 'ctx.doc' is kept elsewhere (list of 70000 bytes), so only its 'size' and 'type' can be read here";
  for (const std::string_view touch :
       {"ctx.doc.title", "ctx.doc[0]", "ctx.doc | length", "ctx.doc + [1]", "ctx.doc == []", "1 in ctx.doc",
        "not ctx.doc", "ctx.doc and true", "ctx.doc ~ ''", "ctx.doc[1:]", "ctx.doc.get('x')", "ctx.doc is mapping",
        "ctx.doc | map('upper') | list"}) {
    EXPECT_EQ(outcome(touch).substr(0, 8), "blob_ref") << touch;
  }
  EXPECT_EQ(outcome("ctx.doc.title"), doc);
  EXPECT_EQ(outcome("ctx.doc | length"), doc);
  EXPECT_EQ(
      outcome("ctx.docs[ctx.i].x"),
      "blob_ref: 'ctx.docs[0]' is kept elsewhere (text of 80000 bytes), so only its 'size' and 'type' can be read "
      "here");
}

TEST(BlobRefInExpressions, IsNeverShownInsideSomethingElse) {
  for (const std::string_view touch : {"ctx | tojson", "ctx ~ ''", "ctx.docs | join(',')", "ctx.docs == [1]",
                                       "ctx.docs | map('upper') | list", "merge(ctx.doc, {})"}) {
    EXPECT_EQ(outcome(touch).substr(0, 8), "blob_ref") << touch;
  }
}

TEST(BlobRefInExpressions, IsNeitherTrueNorFalse) {
  const auto program = compile_expression("ctx.doc").value();
  const Value names = from_json(kRefContext);
  Ambient ambient;
  const auto answer = ask(program, inputs_from(program, names), ambient);
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, FaultCode::blob_ref);
}

}  // namespace
}  // namespace stepwell
