#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "stepwell/base/limits.h"
#include "stepwell/value/value.h"

namespace stepwell {

enum class JsonErrorCode : std::uint8_t {
  syntax,
  incomplete,      // the text ends inside the document
  trailing_text,   // something follows the document
  invalid_utf8,    // inside a string
  lone_surrogate,  // \ud800 without its other half, or the halves swapped
  duplicate_key,
  integer_out_of_range,  // does not fit 64 bits with sign
  number_out_of_range,   // too large for a finite double
  too_deep,
  too_long,
};

// The code as in docs/formats/values.md: "duplicate_key".
std::string_view code_name(JsonErrorCode code);

// Where and why a text is no JSON document of ours. The place is the first byte of the offending token, or the
// offending byte inside a string. Lines and columns start at 1; columns count code points.
struct JsonError {
  JsonErrorCode code = JsonErrorCode::syntax;
  std::size_t offset = 0;
  std::size_t line = 1;
  std::size_t column = 1;
  std::string message;  // without the place: "expected ',' or '}'"

  // "line 1, column 8: expected ',' or '}'"
  std::string to_string() const;
};

struct JsonLimits {
  std::size_t depth = limits::kValueDepth;  // never more than that
  std::size_t bytes = limits::kDocumentBytes;
};

// Reads one JSON document (RFC 8259, no extensions, white space around it allowed). A number without point and
// exponent is an integer, any other a double, correctly rounded: 1 and 1.0 stay apart, -0 is the integer 0.
[[nodiscard]] std::expected<Value, JsonError> parse_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace stepwell
