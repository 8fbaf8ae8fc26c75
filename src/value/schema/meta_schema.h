#pragma once

#include <string_view>

#include "stepwell/value/value.h"

namespace stepwell::schema {

// The schema of schemas has this address; its places are named with the prefix.
inline constexpr std::string_view kMetaSchemaUri = "http://json-schema.org/draft-07/schema";
inline constexpr std::string_view kMetaSchemaPrefix = "http://json-schema.org/draft-07/schema#";

// What every schema of draft 7 must obey, as a schema.
const Value& meta_schema();

}  // namespace stepwell::schema
