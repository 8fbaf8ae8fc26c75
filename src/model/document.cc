#include "stepwell/model/document.h"

#include <algorithm>
#include <array>

#include "stepwell/base/check.h"
#include "stepwell/value/cbor_write.h"

namespace stepwell {

namespace {

constexpr auto kWords =
    std::to_array<std::string_view>({"Playbook", "Manifest", "Schedule", "Prompt", "ModelProfile", "ArtifactType"});
static_assert(kWords.size() == kDocumentKinds);

}  // namespace

std::string_view kind_word(DocumentKind kind) { return kWords[static_cast<std::size_t>(kind)]; }

std::string_view kind_noun(DocumentKind kind) {
  switch (kind) {
    case DocumentKind::playbook: return "playbook";
    case DocumentKind::manifest: return "manifest";
    case DocumentKind::schedule: return "schedule";
    case DocumentKind::prompt: return "prompt";
    case DocumentKind::model_profile: return "model profile";
    case DocumentKind::artifact_type: return "artifact type";
  }
  CHECK(false);
}

std::span<const std::string_view> kind_words() { return kWords; }

std::optional<DocumentKind> kind_of_word(std::string_view word) {
  const auto found = std::ranges::find(kWords, word);
  if (found == kWords.end()) return std::nullopt;
  return static_cast<DocumentKind>(found - kWords.begin());
}

Document document_of(DocumentKind kind, std::optional<std::int64_t> version, const Value& definition) {
  const Value* name = definition.find("name");
  CHECK(name != nullptr);
  return {.kind = kind,
          .name = std::string(name->as_text()),
          .version = version,
          .definition = definition,
          .hash = sha256(encode_cbor(definition))};
}

}  // namespace stepwell
