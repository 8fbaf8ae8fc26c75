#pragma once

#include <expected>
#include <string>

#include "stepwell/value/value.h"

namespace stepwell {

// Whether this is the canonical form of a manifest (docs/formats/documents.md); if not, where it differs and how. Only
// its shape is looked at: what its names lead to is not.
std::expected<void, std::string> check_manifest(const Value& canonical);

}  // namespace stepwell
