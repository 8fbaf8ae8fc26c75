#include "stepwell/expr/html_text.h"

#include <algorithm>
#include <array>

#include "stepwell/base/utf8.h"
#include "stepwell/expr/text_parts.h"

namespace stepwell {
namespace {

struct Entity {
  std::string_view name;
  char32_t code_point;
  bool bare;  // HTML also reads it without the semicolon, and as the beginning of a longer name
};

constexpr std::array kEntities = std::to_array<Entity>({
    {"AElig", 0xC6, true},    {"AMP", 0x26, true},       {"Aacute", 0xC1, true},    {"Acirc", 0xC2, true},
    {"Agrave", 0xC0, true},   {"Aring", 0xC5, true},     {"Atilde", 0xC3, true},    {"Auml", 0xC4, true},
    {"COPY", 0xA9, true},     {"Ccedil", 0xC7, true},    {"Dagger", 0x2021, false}, {"ETH", 0xD0, true},
    {"Eacute", 0xC9, true},   {"Ecirc", 0xCA, true},     {"Egrave", 0xC8, true},    {"Euml", 0xCB, true},
    {"GT", 0x3E, true},       {"Iacute", 0xCD, true},    {"Icirc", 0xCE, true},     {"Igrave", 0xCC, true},
    {"Iuml", 0xCF, true},     {"LT", 0x3C, true},        {"Ntilde", 0xD1, true},    {"OElig", 0x152, false},
    {"Oacute", 0xD3, true},   {"Ocirc", 0xD4, true},     {"Ograve", 0xD2, true},    {"Oslash", 0xD8, true},
    {"Otilde", 0xD5, true},   {"Ouml", 0xD6, true},      {"Prime", 0x2033, false},  {"QUOT", 0x22, true},
    {"REG", 0xAE, true},      {"Scaron", 0x160, false},  {"THORN", 0xDE, true},     {"Uacute", 0xDA, true},
    {"Ucirc", 0xDB, true},    {"Ugrave", 0xD9, true},    {"Uuml", 0xDC, true},      {"Yacute", 0xDD, true},
    {"Yuml", 0x178, false},   {"aacute", 0xE1, true},    {"acirc", 0xE2, true},     {"acute", 0xB4, true},
    {"aelig", 0xE6, true},    {"agrave", 0xE0, true},    {"amp", 0x26, true},       {"apos", 0x27, false},
    {"aring", 0xE5, true},    {"asymp", 0x2248, false},  {"atilde", 0xE3, true},    {"auml", 0xE4, true},
    {"bdquo", 0x201E, false}, {"brvbar", 0xA6, true},    {"bull", 0x2022, false},   {"ccedil", 0xE7, true},
    {"cedil", 0xB8, true},    {"cent", 0xA2, true},      {"circ", 0x2C6, false},    {"copy", 0xA9, true},
    {"curren", 0xA4, true},   {"dagger", 0x2020, false}, {"darr", 0x2193, false},   {"deg", 0xB0, true},
    {"divide", 0xF7, true},   {"eacute", 0xE9, true},    {"ecirc", 0xEA, true},     {"egrave", 0xE8, true},
    {"emsp", 0x2003, false},  {"ensp", 0x2002, false},   {"eth", 0xF0, true},       {"euml", 0xEB, true},
    {"euro", 0x20AC, false},  {"fnof", 0x192, false},    {"frac12", 0xBD, true},    {"frac14", 0xBC, true},
    {"frac34", 0xBE, true},   {"ge", 0x2265, false},     {"gt", 0x3E, true},        {"hellip", 0x2026, false},
    {"iacute", 0xED, true},   {"icirc", 0xEE, true},     {"iexcl", 0xA1, true},     {"igrave", 0xEC, true},
    {"infin", 0x221E, false}, {"iquest", 0xBF, true},    {"iuml", 0xEF, true},      {"laquo", 0xAB, true},
    {"larr", 0x2190, false},  {"ldquo", 0x201C, false},  {"le", 0x2264, false},     {"lsaquo", 0x2039, false},
    {"lsquo", 0x2018, false}, {"lt", 0x3C, true},        {"macr", 0xAF, true},      {"mdash", 0x2014, false},
    {"micro", 0xB5, true},    {"middot", 0xB7, true},    {"minus", 0x2212, false},  {"nbsp", 0xA0, true},
    {"ndash", 0x2013, false}, {"ne", 0x2260, false},     {"not", 0xAC, true},       {"ntilde", 0xF1, true},
    {"oacute", 0xF3, true},   {"ocirc", 0xF4, true},     {"oelig", 0x153, false},   {"ograve", 0xF2, true},
    {"ordf", 0xAA, true},     {"ordm", 0xBA, true},      {"oslash", 0xF8, true},    {"otilde", 0xF5, true},
    {"ouml", 0xF6, true},     {"para", 0xB6, true},      {"permil", 0x2030, false}, {"plusmn", 0xB1, true},
    {"pound", 0xA3, true},    {"prime", 0x2032, false},  {"quot", 0x22, true},      {"raquo", 0xBB, true},
    {"rarr", 0x2192, false},  {"rdquo", 0x201D, false},  {"reg", 0xAE, true},       {"rsaquo", 0x203A, false},
    {"rsquo", 0x2019, false}, {"sbquo", 0x201A, false},  {"scaron", 0x161, false},  {"sect", 0xA7, true},
    {"shy", 0xAD, true},      {"sup1", 0xB9, true},      {"sup2", 0xB2, true},      {"sup3", 0xB3, true},
    {"szlig", 0xDF, true},    {"thinsp", 0x2009, false}, {"thorn", 0xFE, true},     {"tilde", 0x2DC, false},
    {"times", 0xD7, true},    {"trade", 0x2122, false},  {"uacute", 0xFA, true},    {"uarr", 0x2191, false},
    {"ucirc", 0xFB, true},    {"ugrave", 0xF9, true},    {"uml", 0xA8, true},       {"uuml", 0xFC, true},
    {"yacute", 0xFD, true},   {"yen", 0xA5, true},       {"yuml", 0xFF, true},      {"zwj", 0x200D, false},
    {"zwnj", 0x200C, false},
});
static_assert(std::ranges::is_sorted(kEntities, {}, &Entity::name));

constexpr std::array<char32_t, 32> kWindows1252 = {0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021,
                                                   0x2C6,  0x2030, 0x160,  0x2039, 0x152,  0x8D,   0x17D,  0x8F,
                                                   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                   0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E,  0x178};

const Entity* entity(std::string_view name) {
  const auto found = std::ranges::lower_bound(kEntities, name, {}, &Entity::name);
  return found != kEntities.end() && found->name == name ? &*found : nullptr;
}

bool is_noncharacter(char32_t c) {
  const bool control = (c < 0x20 && c != '\t' && c != '\n' && c != '\f' && c != '\r') || (c >= 0x7F && c < 0xA0);
  return control || (c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE;
}

void append_numbered(std::string& out, char32_t c) {
  if (c == 0 || (c >= 0xD800 && c <= 0xDFFF) || c > 0x10FFFF) return utf8::append(out, 0xFFFD);
  if (c >= 0x80 && c <= 0x9F) return utf8::append(out, kWindows1252[c - 0x80]);
  if (!is_noncharacter(c)) utf8::append(out, c);
}

// Reads "#123;" or "#x1F;" at the start of `text`. Answers how much of it was read; 0 is nothing.
std::size_t read_numbered(std::string& out, std::string_view text) {
  const bool hexadecimal = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  const unsigned base = hexadecimal ? 16 : 10;
  const std::size_t start = hexadecimal ? 2 : 1;
  std::size_t at = start;
  char32_t number = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    unsigned digit = 16;
    if (c >= '0' && c <= '9') digit = static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') digit = static_cast<unsigned>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') digit = static_cast<unsigned>(c - 'A' + 10);
    if (digit >= base) break;
    number = std::min<char32_t>(number * base + digit, 0x110000);
  }
  if (at == start) return 0;
  append_numbered(out, number);
  return at < text.size() && text[at] == ';' ? at + 1 : at;
}

// The same for "amp;". Without the semicolon the longest beginning that is a bare name counts.
std::size_t read_named(std::string& out, std::string_view text) {
  constexpr std::size_t kLongest = 32;
  const std::string_view name = text.substr(0, std::min(text.find_first_of("\t\n\f <&#;"), kLongest));
  if (name.size() < text.size() && text[name.size()] == ';') {
    if (const Entity* found = entity(name)) {
      utf8::append(out, found->code_point);
      return name.size() + 1;
    }
  }
  for (std::size_t size = name.size(); size > 1; --size) {
    const Entity* found = entity(name.substr(0, size));
    if (found == nullptr || !found->bare) continue;
    utf8::append(out, found->code_point);
    return size;
  }
  return 0;
}

// Drops everything from `open` to the next `close`.
std::string without(std::string_view text, std::string_view open, std::string_view close) {
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t start = find_text(text, open, at);
    const std::size_t end = start == text.npos ? text.npos : find_text(text, close, start + open.size());
    if (end == text.npos) return out += text.substr(at);
    out += text.substr(at, start - at);
    at = end + close.size();
  }
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '\'': out += "&#39;"; break;
      case '"': out += "&#34;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string html_unescaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t ampersand = std::min(text.find('&', at), text.size());
    out += text.substr(at, ampersand - at);
    if (ampersand == text.size()) break;
    const std::string_view rest = text.substr(ampersand + 1);
    const std::size_t read = rest.starts_with('#') ? read_numbered(out, rest) : read_named(out, rest);
    if (read == 0) out += '&';
    at = ampersand + 1 + read;
  }
  return out;
}

std::string without_tags(std::string_view text) { return without(without(text, "<!--", "-->"), "<", ">"); }

}  // namespace stepwell
