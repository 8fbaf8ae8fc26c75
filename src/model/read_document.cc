#include "stepwell/model/read_document.h"

#include "stepwell/base/check.h"
#include "stepwell/model/definition.h"
#include "stepwell/model/documents.h"
#include "stepwell/model/manifest.h"

namespace stepwell {
namespace {

// Why it cannot be read; nothing if it can.
template <typename T>
std::optional<std::string> problem_of(const std::expected<T, std::string>& read) {
  return read ? std::nullopt : std::optional(read.error());
}

std::optional<std::string> problem(DocumentKind kind, const Value& canonical) {
  switch (kind) {
    case DocumentKind::playbook: return problem_of(read_definition(canonical));
    case DocumentKind::manifest: return problem_of(check_manifest(canonical));
    case DocumentKind::schedule: return problem_of(read_schedule(canonical));
    case DocumentKind::prompt: return problem_of(read_prompt(canonical));
    case DocumentKind::model_profile: return problem_of(read_model_profile(canonical));
    case DocumentKind::artifact_type: return problem_of(read_artifact_type(canonical));
  }
  CHECK(false);
}

}  // namespace

std::expected<Document, std::string> read_document(const Value& canonical) {
  const Value* word = canonical.find("kind");
  const auto kind = word == nullptr   ? DocumentKind::playbook
                    : word->is_text() ? kind_of_word(word->as_text())
                                      : std::nullopt;
  if (!kind) return std::unexpected("the definition at '/kind' is of no known kind");
  if (auto why = problem(*kind, canonical)) return std::unexpected(*std::move(why));
  return document_of(*kind, std::nullopt, canonical);
}

}  // namespace stepwell
