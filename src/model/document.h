#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "stepwell/base/sha256.h"
#include "stepwell/value/value.h"

namespace stepwell {

enum class DocumentKind : std::uint8_t { playbook, manifest, schedule, prompt, model_profile, artifact_type };
inline constexpr std::size_t kDocumentKinds = 6;

// As `kind` has it in a document: "ModelProfile".
std::string_view kind_word(DocumentKind kind);
// As people say it: "model profile".
std::string_view kind_noun(DocumentKind kind);
// All words, in the order of the enum.
std::span<const std::string_view> kind_words();
std::optional<DocumentKind> kind_of_word(std::string_view word);

// Of canonical definitions; docs/formats/ describes it.
inline constexpr std::int64_t kDefinitionFormat = 1;

// A document that was read and found valid, as the catalog takes it.
struct Document {
  DocumentKind kind = DocumentKind::playbook;
  std::string name;
  std::optional<std::int64_t> version;  // as authored; not part of the definition, so not of the hash
  Value definition;                     // its canonical form: docs/formats/definition.md, docs/formats/documents.md
  Sha256Digest hash;                    // of the definition's canonical bytes
};

// A document of this definition, which is a canonical one and so has a name.
Document document_of(DocumentKind kind, std::optional<std::int64_t> version, const Value& definition);

}  // namespace stepwell
