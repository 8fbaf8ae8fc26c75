#include "stepwell/server/store_artifacts.h"

#include <fmt/format.h>

#include "stepwell/base/sha256.h"
#include "stepwell/kernel/playbook/violation_text.h"
#include "stepwell/model/documents.h"
#include "stepwell/runtime/clock.h"
#include "stepwell/runtime/load_instance.h"
#include "stepwell/value/cbor_write.h"

namespace stepwell {

namespace {

// What the store could not do now, it may do the next time.
ToolError error_of(const StoreError& error) {
  return {.kind = "artifact", .message = error.message, .retryable = true};
}

Value reference_of(const ArtifactRow& artifact) {
  return Value::map({{"$ref", Value(artifact.blob)},
                     {"size", static_cast<std::int64_t>(artifact.size)},
                     {"type", Value(artifact.type)}});
}

}  // namespace

std::expected<Value, ToolError> StoreArtifacts::put(const ArtifactName& name, const Value& value) {
  if (auto fits = check_type(name, value); !fits) return std::unexpected(std::move(fits.error()));
  const std::string bytes = encode_cbor(value);
  const ArtifactRow artifact{.execution = name.execution,
                             .name = name.name,
                             .type = name.type.empty() ? std::string(kind_name(value.kind())) : name.type,
                             .blob = "sha256:" + sha256(bytes).to_hex(),
                             .size = bytes.size()};
  const std::string_view content = bytes;
  if (auto put = store_.put_blobs({&content, 1}, system_clock().now()); !put) {
    return std::unexpected(error_of(put.error()));
  }
  if (auto put = store_.put_artifact(artifact); !put) return std::unexpected(error_of(put.error()));
  return reference_of(artifact);
}

std::expected<Value, ToolError> StoreArtifacts::get(const ArtifactName& name) {
  for (std::string execution = name.execution;;) {
    const auto found = store_.find_artifact(execution, name.name);
    if (!found) return std::unexpected(error_of(found.error()));
    if (*found && !name.type.empty() && (*found)->type != name.type) {
      return std::unexpected(ToolError{.kind = "artifact",
                                       .message = fmt::format("the artifact '{}' is of the type '{}', not '{}'",
                                                              name.name, (*found)->type, name.type)});
    }
    if (*found) return reference_of(**found);
    auto caller = inherits_from(execution);
    if (!caller) return std::unexpected(error_of(caller.error()));
    if (!*caller) {
      return std::unexpected(ToolError{
          .kind = "artifact", .message = fmt::format("this execution has put no artifact '{}' yet", name.name)});
    }
    execution = std::move(**caller);
  }
}

std::expected<void, ToolError> StoreArtifacts::check_type(const ArtifactName& name, const Value& value) {
  const auto document = playbooks_->latest(DocumentKind::artifact_type, name.type);
  if (!document) return {};
  const auto type = read_artifact_type((*document)->document.definition);
  if (!type) return std::unexpected(ToolError{.kind = "artifact", .message = type.error()});
  if (type->schema.accepts(value)) return {};
  return std::unexpected(ToolError{.kind = "schema",
                                   .message = fmt::format("the artifact '{}' does not fit the type '{}': {}", name.name,
                                                          name.type, violation_text(type->schema, value))});
}

Stored<std::optional<std::string>> StoreArtifacts::inherits_from(const std::string& execution) {
  const auto child = load_instance(store_, *playbooks_, execution);
  if (!child) return std::unexpected(child.error());
  const Rarely* rarely = *child == nullptr ? nullptr : (*child)->state.rarely.get();
  if (rarely == nullptr || !rarely->caller) return std::nullopt;
  const auto caller = load_instance(store_, *playbooks_, rarely->caller->execution);
  if (!caller) return std::unexpected(caller.error());
  const Run* run = *caller == nullptr ? nullptr : (*caller)->state.runs.find(rarely->caller->waiting_token.run);
  if (run == nullptr) return std::nullopt;
  const std::optional<Callee>& callee = (*caller)->playbook->definition.steps[run->step].callee;
  return callee && callee->inherit_artifacts ? std::optional(rarely->caller->execution) : std::nullopt;
}

}  // namespace stepwell
