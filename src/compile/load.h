#pragma once

#include <optional>
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

}  // namespace stepwell
