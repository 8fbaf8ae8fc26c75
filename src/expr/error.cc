#include "stepwell/expr/error.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/base/utf8.h"

namespace stepwell {

namespace {

// A line or an expression in a message is cut here.
constexpr std::size_t kExcerpt = 100;

std::string_view line_around(std::string_view source, std::size_t offset) {
  const std::size_t before = offset == 0 ? std::string_view::npos : source.rfind('\n', offset - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return source.substr(begin, source.find('\n', offset) - begin);
}

std::string one_line(std::string_view text) {
  const std::size_t newline = text.find('\n');
  std::size_t size = std::min(newline, text.size());
  const bool cut = size > kExcerpt || newline != std::string_view::npos;
  if (size > kExcerpt) size = utf8::cut(text, kExcerpt).size();
  return std::string(text.substr(0, size)) + (cut ? "..." : "");
}

}  // namespace

Place place_of(std::string_view source, std::size_t offset) {
  const std::string_view before = source.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::string_view line = newline == std::string_view::npos ? before : before.substr(newline + 1);
  return {static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1, utf8::length(line) + 1};
}

std::string ExprError::summary() const {
  const Place place = place_of(source, at);
  const std::string quoted =
      one_line(std::string_view(source).substr(expression.begin, expression.end - expression.begin));
  if (source.find('\n') == std::string::npos) return fmt::format("{} in '{}' at {}", message, quoted, place.column);
  return fmt::format("{} in '{}' at line {}, column {}", message, quoted, place.line, place.column);
}

std::string ExprError::describe() const {
  std::string text = summary();
  const std::string_view line = line_around(source, at);
  if (line.size() <= kExcerpt) {
    text += fmt::format("\n  {}\n  {}^", line, std::string(place_of(source, at).column - 1, ' '));
  }
  if (!detail.empty()) text += fmt::format("\n  where it was {}", detail);
  return text;
}

}  // namespace stepwell
