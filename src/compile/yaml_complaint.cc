#include "stepwell/compile/yaml_complaint.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "stepwell/compile/yaml_source.h"

namespace stepwell {
namespace {

// How the parser begins to say something, and how we say it. A '@' stands for the character it is about.
struct Wording {
  std::string_view said;
  std::string_view message;
  std::string_view hint;
};

constexpr auto kWordings = std::to_array<Wording>({
    {"illegal tab when looking for indentation", "a tab in the indentation", "indent with spaces"},
    {"illegal EOF in scalar", "the text in quotes does not end", "close it with the quote it begins with"},
    {"illegal document indicator in scalar", "a document marker inside a text in quotes", "close the quote before it"},
    {"illegal block entry", "a list item cannot begin here",
     "begin it on a line of its own, or put the text in quotes"},
    {"illegal map key", "a key cannot begin here", "check the indentation, or put the text in quotes"},
    {"illegal flow end", "'@' closes nothing", "remove it, or put the text in quotes"},
    {"unknown token", "a value cannot begin with '@'", "put it in quotes"},
    {"alias not found after *", "a name must follow '*'", "put the text in quotes if it is no alias"},
    {"anchor not found after &", "a name must follow '&'", "put the text in quotes if it is no anchor"},
    {"illegal character found while scanning alias", "'@' cannot be part of an alias",
     "put the text in quotes if it is no alias"},
    {"illegal character found while scanning anchor", "'@' cannot be part of an anchor",
     "put the text in quotes if it is no anchor"},
    {"bad character found while scanning hex number", "the escape needs more hexadecimal digits",
     "write \\xHH, \\uHHHH or \\UHHHHHHHH"},
    {"invalid unicode", "the escape is not a character", "write the character itself, or \\UHHHHHHHH"},
    {"unexpected character in block scalar", "only a comment may follow on the line of '|' or '>'",
     "begin the text on the next line"},
    {"cannot set zero indentation for a block scalar", "an indentation of 0", "write a number from 1 to 9, or none"},
    {"tag handle with no suffix", "a tag without a name", "put the text in quotes if it is no tag"},
    {"cannot assign multiple tags", "a second tag for the same value", "remove one of them"},
    {"cannot assign multiple anchors", "a second anchor for the same value", "remove one of them"},
});

std::string_view character_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; };
  std::size_t size = std::min<std::size_t>(rest.size(), 1);
  while (size < rest.size() && continues(rest[size])) ++size;
  return rest.substr(0, size);
}

std::string with_character(std::string_view message, std::string_view character) {
  const std::size_t at = message.find('@');
  if (at == std::string_view::npos) return std::string(message);
  return fmt::format("{}{}{}", message.substr(0, at), character, message.substr(at + 1));
}

std::string_view line_before(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  return before.substr(before.rfind('\n') + 1);
}

bool is_indented_by_tab(std::string_view line) { return line.substr(0, line.find_first_not_of(" \t")).contains('\t'); }

// A ':' where none may be: mostly a tab, or text that should be in quotes, or a line that is too deep.
std::string hint_for_colon(std::string_view line) {
  if (is_indented_by_tab(line)) return "indent with spaces, not tabs";
  if (line.contains(": ")) return "put a text that contains ': ' in quotes";
  return "check the indentation of this line and the one above";
}

std::string begins_at(const std::optional<Mark>& inside) {
  return inside ? fmt::format("it begins at line {}, column {}", inside->line, inside->column) : "";
}

}  // namespace

void report_yaml_error(const YamlComplaint& complaint, std::string_view text, const TextPlaces& places,
                       Diagnostics& diagnostics) {
  const auto& [said, beyond, inside] = complaint;
  const std::size_t at = std::min(beyond, text.size());
  const Mark mark = places.mark(at);
  const auto syntax = [&](Mark where, std::string message, std::string hint) {
    diagnostics.error(where, "yaml-syntax", std::move(message), std::move(hint));
  };
  if (said.starts_with("the referenced anchor is not defined")) {
    const std::string_view name = text.substr(at, text.find_first_of(" \t\r\n,[]{}", at) - at);
    diagnostics.error(mark, "yaml-alias", fmt::format("alias {} stands for nothing", cut(name)),
                      fmt::format("put an anchor '&{}' on a value above, or put the text in quotes",
                                  cut(name.substr(std::min<std::size_t>(name.size(), 1)))));
  } else if (said == "illegal block entry" && is_indented_by_tab(line_before(text, at))) {
    syntax(mark, "a tab before a list item", "indent with spaces");
  } else if (said == "illegal map value") {
    syntax(mark, "':' is not allowed here", hint_for_colon(line_before(text, at)));
  } else if (said == "end of sequence flow not found") {
    syntax(mark, "expected ',' or ']' in the list", begins_at(inside));
  } else if (said == "end of map flow not found") {
    syntax(mark, "expected ',' or '}' in the map", begins_at(inside));
  } else if (said == "end of map not found") {
    syntax(mark, "expected a key of the map", begins_at(inside));
  } else if (said == "end of sequence not found") {
    syntax(mark, "expected '- ' and an item of the list", begins_at(inside));
  } else if (said.starts_with("unknown escape character")) {
    const std::size_t backslash = std::min(text.rfind('\\', at), at);
    syntax(places.mark(backslash), fmt::format("unknown escape '\\{}'", character_at(text, backslash + 1)),
           "write \\\\ for a backslash, or use single quotes");
  } else {
    const auto known = std::ranges::find_if(kWordings, [&](const Wording& w) { return said.starts_with(w.said); });
    if (known == kWordings.end()) return syntax(mark, std::string(said), "");
    syntax(mark, with_character(known->message, character_at(text, at)), std::string(known->hint));
  }
}

}  // namespace stepwell
