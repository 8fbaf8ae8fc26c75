#include "stepwell/model/manifest.h"

#include <array>

#include "stepwell/model/document_part.h"

namespace stepwell {
namespace {

// Each entry of the map at this key.
void each_entry(Part& root, std::string_view key, void (*check)(Part)) {
  auto entries = root.part(key);
  if (!entries) return root.refuse(key, "is missing");
  for (const std::string_view name : entries->keys()) check(*entries->part(name));
}

void check_schema(Part part) {
  if (auto variant = part.part("variant")) {
    for (const std::string_view arm : variant->keys()) variant->text(arm);
  } else {
    part.need("schema");
    part.schema("schema");
  }
  part.finish();
}

void check_effect(Part part) {
  part.text("params");
  part.text("receipt");
  part.optional_mapping("tool");
  part.optional_duration("timeout");
  part.finish();
}

void check_module(Part part) {
  static constexpr auto kRuntimes = std::to_array<std::string_view>({"lua", "native"});
  part.word("runtime", kRuntimes);
  part.optional_text("file");
  part.finish();
}

void check_workflow(Part part) {
  part.text("state");
  part.text("event");
  part.schema("key_schema");
  part.optional_text("context");
  part.optional_text("annotations");
  part.texts("effects_emitted");
  part.text("module");
  part.text("entrypoint");
  part.finish();
}

void check_subscription(Part part) {
  part.text("event");
  if (part.has("workflow")) {
    part.text("workflow");
    part.optional_text("key_field");
  } else {
    part.text("playbook");
    part.optional_mapping("input");
    part.optional_text("signal");
    part.optional_mapping("reference");
  }
  part.finish();
}

}  // namespace

std::expected<void, std::string> check_manifest(const Value& canonical) {
  std::optional<std::string> error;
  Part root(canonical, "", error);
  read_document_head(root, DocumentKind::manifest);
  each_entry(root, "schemas", check_schema);
  each_entry(root, "effects", check_effect);
  each_entry(root, "modules", check_module);
  each_entry(root, "workflows", check_workflow);
  for (const auto& [value, at] : root.items("subscriptions")) check_subscription(Part(*value, at, error));
  root.finish();
  if (error) return std::unexpected(std::move(*error));
  return {};
}

}  // namespace stepwell
