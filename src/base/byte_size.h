#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

#include "stepwell/base/text_error.h"

namespace stepwell {

// Reads `512`, `64KiB`, `10MB`: a whole number of bytes with an optional unit, B, KB, MB, GB (powers of 1000) or KiB,
// MiB, GiB (powers of 1024).
std::expected<std::int64_t, TextError> parse_byte_size(std::string_view text);

}  // namespace stepwell
