#include "stepwell/tools/artifact.h"

#include <map>

#include "stepwell/tools/testing/tool_test.h"

namespace stepwell {
namespace {

class KeptArtifacts final : public Artifacts {
 public:
  std::expected<Value, ToolError> put(const ArtifactName& name, const Value& value) override {
    kept_[name.execution + "/" + name.name] = value;
    return Value::map({{"artifact", Value(name.name)}, {"type", Value(name.type)}});
  }
  std::expected<Value, ToolError> get(const ArtifactName& name) override {
    const auto found = kept_.find(name.execution + "/" + name.name);
    if (found == kept_.end())
      return std::unexpected(ToolError{.kind = "artifact", .message = "there is no '" + name.name + "'"});
    return Value::map({{"artifact", Value(name.name)}, {"value", found->second}});
  }

 private:
  std::map<std::string, Value> kept_;
};

class Artifact : public testing::ToolTest<Tool> {
 protected:
  Artifact() {
    call_.execution = "e1";
    tool_ = std::make_shared<ArtifactTool>(std::make_shared<KeptArtifacts>());
  }
};

TEST_F(Artifact, PutsAndGetsReferences) {
  EXPECT_EQ(answer(R"({"action": "put", "name": "report", "type": "pdf", "value": {"pages": 3}})"),
            R"({"type":"pdf","artifact":"report"})");
  EXPECT_EQ(answer(R"({"action": "get", "name": "report"})"), R"({"value":{"pages":3},"artifact":"report"})");
}

TEST_F(Artifact, SecretsAreNotKept) {
  secrets_.known["token"] = "opensesame";
  ASSERT_TRUE(call_.secrets->find("token").has_value());
  answer(R"({"action": "put", "name": "report", "value": ["the token is opensesame"]})");
  EXPECT_EQ(answer(R"({"action": "get", "name": "report"})"), R"({"value":["the token is ***"],"artifact":"report"})");
}

TEST_F(Artifact, ErrorsOfTheKeeperAreTold) {
  EXPECT_EQ(answer(R"({"action": "get", "name": "other"})"), "transport artifact: there is no 'other'");
}

TEST_F(Artifact, FieldsThatDoNotFitAreNamed) {
  EXPECT_EQ(answer(R"({"action": "take", "name": "x"})"),
            "expression type: 'action' of tool must be put or get, not text");
  EXPECT_EQ(answer(R"({"action": "put", "name": "x"})"),
            "expression type: 'value' of tool must be there, to put an artifact, not null");
}

}  // namespace
}  // namespace stepwell
