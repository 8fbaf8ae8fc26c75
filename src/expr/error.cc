#include "stepwell/expr/error.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/base/utf8.h"
#include "stepwell/expr/code_points.h"
#include "stepwell/expr/unicode.h"

namespace stepwell {

namespace {

// A line or an expression in a message is cut here.
constexpr std::size_t kExcerpt = 100;

// The line around a place: what stands before the place, and the rest.
std::pair<std::string_view, std::string_view> line_around(std::string_view source, std::size_t offset) {
  const std::size_t newline = source.substr(0, offset).rfind('\n');
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  const std::string_view after = source.substr(offset);
  return {source.substr(begin, offset - begin), after.substr(0, after.find('\n'))};
}

// The end of a text that may be long.
std::string last_part(std::string_view text) {
  constexpr std::size_t kBefore = 70;
  if (text.size() <= kBefore) return std::string(text);
  std::size_t begin = text.size() - kBefore;
  while ((static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) ++begin;
  return "..." + std::string(text.substr(begin));
}

// White space that brings a terminal's cursor as far as the text does. A tab goes as far as a tab.
std::string blank_as_wide_as(std::string_view text) {
  std::string blank;
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    blank.append(c == '\t' ? 1 : static_cast<std::size_t>(cells(c)), c == '\t' ? '\t' : ' ');
  }
  return blank;
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
  const auto [before, after] = line_around(source, at);
  const std::string left = last_part(before);
  text += fmt::format("\n  {}{}\n  {}^", left, one_line(after), blank_as_wide_as(left));
  if (!detail.empty()) text += fmt::format("\n  where it was {}", detail);
  return text;
}

}  // namespace stepwell
