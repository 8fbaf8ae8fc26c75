#include "stepwell/compile/json_events.h"

#include <algorithm>
#include <string>

#include "stepwell/base/check.h"
#include "stepwell/value/json_read.h"

namespace stepwell {
namespace {

constexpr std::string_view kBetween = " \t\r\n,:";

// The length of the string literal that `text` begins with, quotes included.
std::size_t literal_size(std::string_view text) {
  std::size_t i = 1;
  while (text[i] != '"') i += text[i] == '\\' ? 2 : 1;
  return i + 1;
}

bool build_text(std::string_view literal, std::size_t at, YamlBuilder& builder) {
  if (!literal.contains('\\')) return builder.scalar(at, "!", 0, literal.substr(1, literal.size() - 2));
  const auto text = parse_json(literal);
  CHECK(text);
  return builder.scalar(at, "!", 0, text->as_text());
}

}  // namespace

bool is_json(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && std::string_view("{[\"").contains(text[start]) && parse_json(text);
}

// The text was read once and is known to be right, so where a part begins says what it is.
bool build_from_json(std::string_view json, YamlBuilder& builder) {
  constexpr auto npos = std::string_view::npos;
  for (std::size_t at = json.find_first_not_of(kBetween); at != npos;) {
    std::size_t size = 1;
    bool go_on = true;
    switch (json[at]) {
      case '{': go_on = builder.open(Kind::map, true, at, "?", 0); break;
      case '[': go_on = builder.open(Kind::list, true, at, "?", 0); break;
      case '}':
      case ']': go_on = builder.close(); break;
      case '"':
        size = literal_size(json.substr(at));
        go_on = build_text(json.substr(at, size), at, builder);
        break;
      default:
        size = std::min(json.find_first_of(" \t\r\n,]}", at), json.size()) - at;
        go_on = builder.scalar(at, "?", 0, json.substr(at, size));
    }
    if (!go_on) return false;
    at = json.find_first_not_of(kBetween, at + size);
  }
  return true;
}

}  // namespace stepwell
