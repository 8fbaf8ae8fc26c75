#pragma once

#include <expected>
#include <memory>
#include <string>

#include "stepwell/tools/tool.h"
#include "stepwell/tools/tool_error.h"

namespace stepwell {

// One artifact, as the tool names it.
struct ArtifactName {
  std::string execution = {};
  std::string name = {};
  std::string type = {};  // empty: not said
};

// Where artifacts are kept. Called by many threads at once; may wait.
class Artifacts {
 public:
  Artifacts() = default;
  Artifacts(const Artifacts&) = delete;
  Artifacts& operator=(const Artifacts&) = delete;
  virtual ~Artifacts() = default;

  // Each gives the artifact's reference, or says why there is none. Putting replaces what is there under the name;
  // putting the same again changes nothing and gives the same reference.
  virtual std::expected<Value, ToolError> put(const ArtifactName& name, const Value& value) = 0;
  virtual std::expected<Value, ToolError> get(const ArtifactName& name) = 0;
};

// Puts artifacts and gets references to them. docs/reference/tools/artifact.md.
class ArtifactTool final : public Tool {
 public:
  explicit ArtifactTool(std::shared_ptr<Artifacts> artifacts) : artifacts_(std::move(artifacts)) {}
  TaskOutcome run(const ToolCall& call) override;

 private:
  std::shared_ptr<Artifacts> artifacts_;
};

}  // namespace stepwell
