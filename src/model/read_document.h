#pragma once

#include <expected>
#include <string>

#include "stepwell/model/document.h"

namespace stepwell {

// A document from its canonical value, of whatever kind. What the loader makes is always accepted; anything that is
// malformed is refused with the place (a JSON pointer) and the reason. It has no version: that is not part of the
// value.
std::expected<Document, std::string> read_document(const Value& canonical);

}  // namespace stepwell
