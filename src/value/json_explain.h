#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stepwell/value/json_read.h"

// The slow path of the JSON reader: turns the bare fact that parsing stopped into an error a person can act on.
namespace stepwell {

enum class JsonFault : std::uint8_t { syntax, incomplete, trailing_text };

// `stopped_at` is where the parser gave up; everything before it is the beginning of a valid document.
JsonError explain_json_fault(std::string_view text, JsonFault fault, std::size_t stopped_at);

// An error at a known place.
JsonError json_error(std::string_view text, JsonErrorCode code, std::size_t offset, std::string message);

// The offset of the key with this number, counting every key of the document from 0 in the order of the text.
std::size_t find_json_key(std::string_view text, std::size_t number);

}  // namespace stepwell
