#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stepwell/model/diagnostic.h"
#include "stepwell/model/document.h"

namespace stepwell {

// Reads and checks one document of any kind. Everything found goes to `diagnostics`; with an error among it there is no
// document. `default_name` is for a document that does not say its name: the file's, without folder and ending.
//
// A canonical definition is a document, too: whatever has `format` at its top is taken as such, and comes out as it is.
std::optional<Document> load_document(std::string_view text, std::string_view default_name, Diagnostics& diagnostics);

// The same for those who can only take a playbook: another kind is an error.
std::optional<Document> load_playbook(std::string_view text, std::string_view default_name, Diagnostics& diagnostics);

// What an invalid document would have been, as far as it can be told: a kind or name that cannot be read is the
// default.
struct DocumentId {
  DocumentKind kind = DocumentKind::playbook;
  std::string name;
};
DocumentId identify_document(std::string_view text, std::string_view default_name);

}  // namespace stepwell
