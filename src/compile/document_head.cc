#include "stepwell/compile/document_head.h"

#include <array>
#include <limits>
#include <string>

#include "stepwell/compile/scalars.h"

namespace stepwell {

std::optional<DocumentKind> read_kind(const Yaml& root, Diagnostics& diagnostics) {
  const Yaml* kind = root.find("kind");
  if (kind == nullptr) return DocumentKind::playbook;
  const auto word = kind->faulty ? std::nullopt : word_of(*kind, "kind", kind_words(), diagnostics);
  return word ? kind_of_word(*word) : std::nullopt;
}

std::optional<std::int64_t> read_head(Fields& root, std::string_view default_name, Canon& out,
                                      Diagnostics& diagnostics) {
  static constexpr auto kVersions = std::to_array<std::string_view>({"stepwell/v1"});
  if (const Yaml* version = root.take("apiVersion")) word_of(*version, "apiVersion", kVersions, diagnostics);
  root.take("kind");
  std::string name(default_name);
  std::optional<std::int64_t> version;
  if (const Yaml* metadata = root.take("metadata")) {
    Fields fields(*metadata, "metadata", diagnostics);
    if (const Yaml* given = fields.take("name")) {
      name = catalog_name_of(*given, "metadata.name", diagnostics).value_or(name);
    }
    if (const Yaml* given = fields.take("version")) {
      version = integer_of(*given, "metadata.version", 1, std::numeric_limits<std::int64_t>::max(), diagnostics);
    }
    if (const Yaml* description = fields.take("description")) {
      out.put_if("description", text_of(*description, "metadata.description", diagnostics));
    }
    if (const Yaml* labels = fields.take("labels")) {
      if (labels->kind != Kind::map) wrong_kind(*labels, "metadata.labels", "a map", diagnostics);
      for (const YamlMember& label : labels->members) text_of(label.value, "a label", diagnostics);
      out.put("labels", labels->to_value());
    }
    fields.finish();
  }
  out.put("name", name);
  return version;
}

}  // namespace stepwell
