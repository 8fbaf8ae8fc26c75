#include "stepwell/compile/load.h"

#include <fmt/format.h>

#include "stepwell/compile/document_head.h"
#include "stepwell/compile/load_kinds.h"
#include "stepwell/compile/loader.h"
#include "stepwell/compile/scalars.h"
#include "stepwell/compile/yaml_read.h"
#include "stepwell/model/read_document.h"
#include "stepwell/value/json_read.h"

namespace stepwell {
namespace {

void load_body(DocumentKind kind, Fields& root, Canon& out, Diagnostics& diagnostics) {
  switch (kind) {
    case DocumentKind::playbook: {
      static const Yaml kNothing;
      const Yaml* workflow = root.node().find("workflow");
      return Loader(workflow != nullptr ? *workflow : kNothing, diagnostics).playbook(root, out);
    }
    case DocumentKind::manifest: return load_manifest(root, out, diagnostics);
    case DocumentKind::schedule: return load_schedule(root, out, diagnostics);
    case DocumentKind::prompt: return load_prompt(root, out, diagnostics);
    case DocumentKind::model_profile: return load_model_profile(root, out, diagnostics);
    case DocumentKind::artifact_type: return load_artifact_type(root, out, diagnostics);
  }
  CHECK(false);
}

std::optional<Document> load_authored(const Yaml& node, std::string_view default_name, Diagnostics& diagnostics) {
  const auto kind = read_kind(node, diagnostics);
  Canon out;
  out.put("format", kDefinitionFormat);
  Fields root(node, kind ? fmt::format("the {}", kind_noun(*kind)) : "the document", diagnostics);
  const auto version = read_head(root, default_name, out, diagnostics);
  // What else the document of an unknown kind may hold, nobody can say.
  if (!kind) return std::nullopt;
  if (*kind != DocumentKind::playbook) out.put("kind", kind_word(*kind));
  load_body(*kind, root, out, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return document_of(*kind, version, out.finish());
}

std::optional<Document> import(const Value& definition, Diagnostics& diagnostics) {
  auto document = read_document(definition);
  if (document && is_catalog_name(document->name)) return *std::move(document);
  diagnostics.error(
      {}, "definition",
      document ? fmt::format("the definition at '/name' cannot be '{}'", document->name) : document.error(),
      "'format' marks an exported definition; a document that people write has none");
  return std::nullopt;
}

// A definition that was exported. It is read as JSON, because it may be longer and deeper than anything that people
// write, and its strings are those of JSON.
std::optional<Value> exported(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{' || !text.contains("\"format\"")) return std::nullopt;
  auto value = parse_json(text);
  if (!value || value->find("format") == nullptr) return std::nullopt;
  return std::move(*value);
}

}  // namespace

std::optional<Document> load_document(std::string_view text, std::string_view default_name, Diagnostics& diagnostics) {
  if (const auto definition = exported(text)) return import(*definition, diagnostics);
  const std::optional<Yaml> root = read_yaml(text, diagnostics);
  if (!root) return std::nullopt;
  if (root->find("format") == nullptr) return load_authored(*root, default_name, diagnostics);
  return diagnostics.has_errors() ? std::nullopt : import(root->to_value(), diagnostics);
}

std::optional<Document> load_playbook(std::string_view text, std::string_view default_name, Diagnostics& diagnostics) {
  auto document = load_document(text, default_name, diagnostics);
  if (!document || document->kind == DocumentKind::playbook) return document;
  diagnostics.error({}, "document-kind",
                    fmt::format("a playbook is needed here, not a document of kind {}", kind_word(document->kind)));
  return std::nullopt;
}

DocumentId identify_document(std::string_view text, std::string_view default_name) {
  Diagnostics ignored("");
  DocumentId id{.name = std::string(default_name)};
  const auto root = read_yaml(text, ignored);
  if (!root) return id;
  id.kind = read_kind(*root, ignored).value_or(id.kind);
  const Yaml* metadata = root->find("metadata");
  const Yaml* name = metadata == nullptr ? root->find("name") : metadata->find("name");
  if (name != nullptr && name->is_text() && is_catalog_name(name->text())) id.name = name->text();
  return id;
}

}  // namespace stepwell
