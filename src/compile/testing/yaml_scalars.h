#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "stepwell/compile/core_schema.h"
#include "stepwell/compile/testing/dice.h"
#include "stepwell/value/json_write.h"
#include "stepwell/value/value.h"

// The ways in which one scalar can be written.
namespace stepwell::testing {

inline bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

inline bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

// Whether a text stays what it is without quotes.
inline bool can_be_plain(std::string_view text, bool in_flow) {
  constexpr std::string_view kStart = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/(";
  if (text.empty() || !kStart.contains(text.front()) || has_control(text) || !is_ascii(text)) return false;
  if (text.contains(": ") || text.contains(" #") || text.ends_with(' ') || text.ends_with(':')) return false;
  if (in_flow && text.find_first_of(",[]{}:?") != std::string_view::npos) return false;
  const auto value = resolve_core(text);
  return value && value->is_text();
}

inline std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out.append(c == '\'' ? "''" : std::string(1, c));
  return out + "'";
}

inline std::string text_scalar(Dice& dice, std::string_view text, bool in_flow) {
  if (can_be_plain(text, in_flow) && !dice.one_in(4)) return std::string(text);
  if (!has_control(text) && is_ascii(text) && dice.flip()) return single_quoted(text);
  return to_json(Value(text));
}

inline std::string integer_scalar(Dice& dice, std::int64_t integer) {
  if (integer < 0 || !dice.one_in(4)) return fmt::format("{}", integer);
  switch (dice.below(4)) {
    case 0: return fmt::format("+{}", integer);
    case 1: return fmt::format("0x{:x}", integer);
    case 2: return fmt::format("0o{:o}", integer);
    default: return fmt::format("00{}", integer);
  }
}

inline std::string scalar(Dice& dice, const Value& value, bool in_flow) {
  switch (value.kind()) {
    case Kind::null: return dice.word({"null", "~", "Null", "NULL"});
    case Kind::boolean:
      return value.as_bool() ? dice.word({"true", "True", "TRUE"}) : dice.word({"false", "False", "FALSE"});
    case Kind::integer: return integer_scalar(dice, value.as_int());
    case Kind::real: return to_json(value);
    case Kind::text: return text_scalar(dice, value.as_text(), in_flow);
    case Kind::list:
    case Kind::map: break;
  }
  CHECK(false);
}

inline std::string key(Dice& dice, std::string_view name, bool in_flow = false) {
  return text_scalar(dice, name, in_flow);
}

// Lines that a literal block keeps as they are.
inline bool can_be_block_text(std::string_view text) {
  if (text.empty() || text.front() == '\n' || text.ends_with("\n\n") || !is_ascii(text)) return false;
  char before = '\n';
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7F) return false;
    if (c == ' ' && before == '\n') return false;
    before = c;
  }
  return before != ' ';
}

inline std::string block_text(Dice& dice, std::string_view text, std::size_t indent) {
  const bool ends_line = text.ends_with('\n');
  const bool one_line = text.find('\n') >= text.size() - (ends_line ? 1 : 0);
  std::string out = one_line && dice.flip() ? ">" : "|";
  out += ends_line ? "\n" : "-\n";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) out.append(indent, ' ').append(text.substr(at, end - at));
    out += '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace stepwell::testing
