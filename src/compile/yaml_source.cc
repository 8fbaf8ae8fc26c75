#include "stepwell/compile/yaml_source.h"

#include <algorithm>

namespace stepwell {
namespace {

constexpr std::string_view kBlank = " \t\r";

// A '#' begins a comment at the start of a line or after white space.
std::string_view without_comment(std::string_view line) {
  for (std::size_t hash = line.find('#'); hash != std::string_view::npos; hash = line.find('#', hash + 1)) {
    if (hash == 0 || kBlank.contains(line[hash - 1])) return line.substr(0, hash);
  }
  return line;
}

std::string_view from(std::string_view text, std::size_t at) { return text.substr(std::min(at, text.size())); }

}  // namespace

bool null_is_written(std::string_view text, std::size_t at) {
  const std::string_view rest = from(text, at);
  return std::ranges::any_of(std::initializer_list<std::string_view>{"~", "null", "Null", "NULL", "&", "!"},
                             [&](std::string_view start) { return rest.starts_with(start); });
}

std::size_t indicator_before(std::string_view text, std::size_t at) {
  text = text.substr(0, at);
  // Before something in the same line no comment can stand; only the lines above may have one.
  const std::size_t last = text.find_last_not_of(kBlank);
  if (last == std::string_view::npos) return 0;
  if (text[last] != '\n') return last;
  text = text.substr(0, last);
  while (true) {
    const std::size_t line = text.rfind('\n') + 1;
    const std::size_t found = without_comment(text.substr(line)).find_last_not_of(kBlank);
    if (found != std::string_view::npos) return line + found;
    if (line == 0) return 0;
    text = text.substr(0, line - 1);
  }
}

std::int8_t verbatim_after(std::string_view text, std::size_t at, std::string_view value) {
  const std::string_view source = from(text, at);
  const bool quoted = source.starts_with('"') || source.starts_with('\'');
  const bool as_it_is = !value.contains('\n') && source.substr(quoted ? 1 : 0).starts_with(value);
  return static_cast<std::int8_t>(as_it_is ? quoted : -1);
}

bool quote_is_closed(std::string_view text, std::size_t at) {
  std::string_view rest = from(text, at);
  while (rest.starts_with('!') || rest.starts_with('&')) {
    rest.remove_prefix(std::min(rest.find_first_of(" \t\r\n"), rest.size()));
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  }
  if (!rest.starts_with('"') && !rest.starts_with('\'')) return true;
  const bool escapes = rest.front() == '"';
  const std::string_view wanted = escapes ? "\"\\" : "'";
  for (std::size_t i = rest.find_first_of(wanted, 1); i < rest.size(); i = rest.find_first_of(wanted, i + 2)) {
    const bool escaped = escapes ? rest[i] == '\\' : rest.substr(i + 1).starts_with('\'');
    if (!escaped) return true;
  }
  return false;
}

std::string_view cut(std::string_view text) {
  constexpr std::size_t kShown = 40;
  if (text.size() <= kShown) return text;
  std::size_t end = kShown;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace stepwell
