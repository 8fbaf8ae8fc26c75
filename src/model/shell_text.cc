#include "stepwell/model/shell_text.h"

#include <algorithm>

namespace stepwell {
namespace {

bool is_one_of(char c, std::string_view characters) { return characters.contains(c); }

bool is_name_character(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Means itself wherever it stands in a command.
bool is_harmless(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return is_name_character(c) || is_one_of(c, "./:@%+,-"); });
}

bool starts_word(std::string_view code, std::size_t at) { return at == 0 || is_one_of(code[at - 1], " \t\n;&|()"); }

void append_in_single_quotes(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '\'') out += R"('\')";
    out += c;
  }
}

void append_in_double_quotes(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (is_one_of(c, "\\$`\"")) out += '\\';
    out += c;
  }
}

}  // namespace

void append_shell_word(std::string& out, std::string_view text) {
  out += '\'';
  append_in_single_quotes(out, text);
  out += '\'';
}

OrFault<void> ShellText::append(std::string& written, std::string_view text) {
  follow(written);
  if (text.contains('\0')) return fault(FaultCode::value, "a command cannot hold the character U+0000");
  switch (place_) {
    case Place::plain: append_shell_word(written, text); break;
    case Place::single_quotes: append_in_single_quotes(written, text); break;
    case Place::double_quotes: append_in_double_quotes(written, text); break;
    case Place::escape: return fault(FaultCode::value, "a value cannot stand right behind '\\' or '$' in a command");
    case Place::comment:
    case Place::unclear:
      if (!is_harmless(text)) {
        return fault(FaultCode::value, "this value cannot be quoted in this place of a command; hand it over in 'env'");
      }
      written += text;
      break;
  }
  // A value ends where it began, so there is no need to follow it.
  followed_ = written.size();
  return {};
}

void ShellText::follow(std::string_view code) {
  std::size_t at = followed_;
  while (at < code.size()) {
    switch (place_) {
      case Place::plain: at = follow_plain(code, at); break;
      case Place::single_quotes:
        if (code[at++] == '\'') place_ = Place::plain;
        break;
      case Place::double_quotes: at = follow_double_quotes(code, at); break;
      case Place::comment:
        if (code[at++] == '\n') place_ = Place::plain;
        break;
      case Place::unclear:
      case Place::escape: at = code.size(); break;
    }
  }
  followed_ = at;
}

std::size_t ShellText::follow_plain(std::string_view code, std::size_t at) {
  const std::string_view rest = code.substr(at);
  if (rest[0] == '$') return follow_dollar(code, at);
  if (rest[0] == '\\') {
    if (rest.size() == 1) place_ = Place::escape;
    return at + 2;
  }
  if (rest[0] == '\'') place_ = Place::single_quotes;
  if (rest[0] == '"') place_ = Place::double_quotes;
  if (rest[0] == '#' && starts_word(code, at)) place_ = Place::comment;
  // Here-documents, and where some shells calculate.
  const bool two = rest.starts_with("<<") || rest.starts_with("((") || rest.starts_with("[[");
  if (rest[0] == '`' || two) place_ = Place::unclear;
  return at + 1;
}

std::size_t ShellText::follow_double_quotes(std::string_view code, std::size_t at) {
  const std::string_view rest = code.substr(at);
  if (rest[0] == '$') return follow_dollar(code, at);
  if (rest[0] == '\\') {
    if (rest.size() == 1) place_ = Place::escape;
    return at + 2;
  }
  if (rest[0] == '"') place_ = Place::plain;
  if (rest[0] == '`') place_ = Place::unclear;
  return at + 1;
}

std::size_t ShellText::follow_dollar(std::string_view code, std::size_t at) {
  const std::string_view rest = code.substr(at + 1);
  if (rest.empty()) {
    place_ = Place::escape;
    return at + 1;
  }
  // A command that is substituted where nothing is quoted is read like any other code.
  if (rest[0] == '(' && !rest.starts_with("((") && place_ == Place::plain) return at + 2;
  if (rest[0] == '{') {
    const std::size_t end = rest.find('}');
    if (end != rest.npos && std::ranges::all_of(rest.substr(1, end - 1), is_name_character)) return at + 2 + end;
  }
  if (is_one_of(rest[0], "({['\\")) place_ = Place::unclear;
  return at + (is_name_character(rest[0]) || is_one_of(rest[0], "#?$!*@-") ? 2 : 1);
}

}  // namespace stepwell
