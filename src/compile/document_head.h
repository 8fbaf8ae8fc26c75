#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "stepwell/compile/canon.h"
#include "stepwell/compile/fields.h"
#include "stepwell/compile/yaml.h"
#include "stepwell/model/diagnostic.h"
#include "stepwell/model/document.h"

namespace stepwell {

// What `kind` says; a document without it is a playbook. Nothing if it cannot be told, with an error in `diagnostics`.
std::optional<DocumentKind> read_kind(const Yaml& root, Diagnostics& diagnostics);

// What every document begins with: apiVersion, kind (which read_kind has read) and metadata. Answers
// metadata.version; the rest is put into `out`.
std::optional<std::int64_t> read_head(Fields& root, std::string_view default_name, Canon& out,
                                      Diagnostics& diagnostics);

}  // namespace stepwell
