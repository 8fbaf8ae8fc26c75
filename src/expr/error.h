#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "stepwell/expr/fault.h"
#include "stepwell/value/path.h"

namespace stepwell {

// A part of a source text, in bytes.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

// Where something stands, for people: line and column from 1, the column in characters.
struct Place {
  std::size_t line = 1;
  std::size_t column = 1;
};
Place place_of(std::string_view source, std::size_t offset);

// What went wrong in a source text, and where.
struct ExprError {
  FaultCode code = FaultCode::syntax;
  std::string message;       // what, without the where: "cannot add list and number"
  std::string detail;        // the values that did not fit, where the message names only their kinds
  std::string source;        // the whole text of the expression or template
  Span expression;           // the expression in it that was evaluated or parsed
  std::uint32_t at = 0;      // the byte in `source` that a caret should point to
  std::optional<Path> path;  // for `undefined`: the path that was not there, if it starts at a name from outside

  // "cannot add list and number in 'items + 1' at 7"
  std::string summary() const;
  // The summary, the line of the source, a caret below the place, and the values that did not fit.
  std::string describe() const;
};

}  // namespace stepwell
