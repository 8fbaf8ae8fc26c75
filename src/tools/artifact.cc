#include "stepwell/tools/artifact.h"

#include "stepwell/tools/call_fields.h"
#include "stepwell/tools/used_secrets.h"

namespace stepwell {

TaskOutcome ArtifactTool::run(const ToolCall& call) {
  CallFields fields(call);
  const std::string_view action = fields.text("action");
  const ArtifactName name{.execution = call.execution,
                          .name = std::string(fields.text("name")),
                          .type = std::string(fields.optional_text("type"))};
  if (action != "put" && action != "get") fields.refuse("action", "put or get");
  if (action == "put" && call.fields.find("value") == nullptr) fields.refuse("value", "there, to put an artifact");
  if (auto wrong = fields.wrong()) return *wrong;
  // What is kept is out of the call, so no secret may be in it.
  auto reference = action == "put" ? artifacts_->put(name, call.secrets->redacted(*call.fields.find("value")))
                                   : artifacts_->get(name);
  if (!reference) return failed(reference.error());
  return {.result = std::move(*reference)};
}

}  // namespace stepwell
