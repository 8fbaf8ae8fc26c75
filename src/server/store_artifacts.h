#pragma once

#include <expected>
#include <optional>
#include <string>

#include "stepwell/runtime/playbooks.h"
#include "stepwell/store/store.h"
#include "stepwell/tools/artifact.h"

namespace stepwell {

// Artifacts in the store of an engine. An artifact is a blob with a name, and its reference is the blob's, with the
// type of the artifact: a tool field or the input of a call that has it gets the content. Borrows the store.
class StoreArtifacts final : public Artifacts {
 public:
  explicit StoreArtifacts(Store& store) : store_(store) {}

  // Where types and the playbooks of callers are found; told before the first call. Borrows them.
  void attach(Playbooks& playbooks) { playbooks_ = &playbooks; }

  // A value that does not fit the schema of its type, if that is a registered one, is refused with the kind `schema`.
  std::expected<Value, ToolError> put(const ArtifactName& name, const Value& value) override;
  // One that the execution has not put is looked for in its caller, if the call lets it inherit.
  std::expected<Value, ToolError> get(const ArtifactName& name) override;

 private:
  std::expected<void, ToolError> check_type(const ArtifactName& name, const Value& value);
  // The caller whose artifacts an execution may read; none if there is none, or if it may not.
  Stored<std::optional<std::string>> inherits_from(const std::string& execution);

  Store& store_;
  Playbooks* playbooks_ = nullptr;
};

}  // namespace stepwell
