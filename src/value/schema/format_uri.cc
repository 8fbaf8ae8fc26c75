#include <algorithm>

#include "stepwell/base/ascii.h"
#include "stepwell/value/schema/format_checks.h"
#include "stepwell/value/schema/uri.h"

namespace stepwell::schema {

namespace {

bool is_hex(char c) { return digit_value(c) < 16; }

// Unreserved characters and sub-delims of RFC 3986, which every part may have, and what the part allows besides.
class Alphabet {
 public:
  constexpr explicit Alphabet(bool beyond_ascii) : beyond_ascii_(beyond_ascii) {}

  bool spells(std::string_view part, std::string_view besides) const {
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (part[i] == '%') {
        if (part.size() - i < 3 || !is_hex(part[i + 1]) || !is_hex(part[i + 2])) return false;
        i += 2;
      } else if (!allows(part[i]) && !is_one_of(part[i], besides)) {
        return false;
      }
    }
    return true;
  }

 private:
  bool allows(char c) const {
    return is_ascii(c) ? is_ascii_letter(c) || is_ascii_digit(c) || is_one_of(c, "-._~!$&'()*+,;=") : beyond_ascii_;
  }

  bool beyond_ascii_;
};

bool is_scheme(std::string_view text) {
  return !text.empty() && is_ascii_letter(text.front()) && std::ranges::all_of(text, [](char c) {
    return is_ascii_letter(c) || is_ascii_digit(c) || is_one_of(c, "+-.");
  });
}

// IPvFuture, RFC 3986 section 3.2.2: "v", a version, ".", an address.
bool is_future_address(std::string_view text, const Alphabet& alphabet) {
  if (!text.starts_with('v') && !text.starts_with('V')) return false;
  const std::size_t dot = text.find('.');
  return dot != std::string_view::npos && dot > 1 && dot + 1 < text.size() &&
         std::ranges::all_of(text.substr(1, dot - 1), is_hex) && !is_one_of('%', text) &&
         alphabet.spells(text.substr(dot + 1), ":");
}

bool is_authority(std::string_view text, const Alphabet& alphabet) {
  if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
    if (!alphabet.spells(text.substr(0, at), ":")) return false;
    text.remove_prefix(at + 1);
  }
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return false;
    const std::string_view address = text.substr(1, close - 1);
    if (!is_ipv6(address) && !is_future_address(address, alphabet)) return false;
    port = text.substr(close + 1);
  } else {
    const std::size_t colon = std::min(text.find(':'), text.size());
    if (!alphabet.spells(text.substr(0, colon), "")) return false;
    port = text.substr(colon);
  }
  return port.empty() || (port.front() == ':' && std::ranges::all_of(port.substr(1), is_ascii_digit));
}

bool is_reference(std::string_view text, bool beyond_ascii, bool absolute) {
  const Alphabet alphabet(beyond_ascii);
  const UriParts parts = split_uri(text);
  if (parts.scheme ? !is_scheme(*parts.scheme) : absolute) return false;
  if (parts.authority && !is_authority(*parts.authority, alphabet)) return false;
  // Without a scheme, a colon in the first segment would make it look like one.
  if (!parts.scheme && !parts.authority && parts.path.starts_with(':')) return false;
  return alphabet.spells(parts.path, ":@/") && alphabet.spells(parts.query.value_or(""), ":@/?") &&
         alphabet.spells(parts.fragment.value_or(""), ":@/?");
}

// The inside of the braces: an operator, then names with optional modifiers, separated by commas.
bool is_template_expression(std::string_view text) {
  if (!text.empty() && is_one_of(text.front(), "+#./;?&=,!@|")) text.remove_prefix(1);
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view name = text.substr(0, comma);
    if (name.ends_with('*')) {
      name.remove_suffix(1);
    } else if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) {
      const std::string_view length = name.substr(colon + 1);
      if (length.empty() || length.size() > 4 || length.front() == '0') return false;
      if (!std::ranges::all_of(length, is_ascii_digit)) return false;
      name = name.substr(0, colon);
    }
    const bool dots_fit = !name.starts_with('.') && !name.ends_with('.') && name.find("..") == std::string_view::npos;
    auto name_character = [](char c) { return is_ascii_letter(c) || is_ascii_digit(c) || is_one_of(c, "_.%"); };
    if (name.empty() || !dots_fit || !std::ranges::all_of(name, name_character)) return false;
    if (!percent_decoded(name)) return false;
    if (comma == text.size()) return true;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

bool is_uri(std::string_view text) { return is_reference(text, false, true); }
bool is_uri_reference(std::string_view text) { return is_reference(text, false, false); }
bool is_iri(std::string_view text) { return is_reference(text, true, true); }
bool is_iri_reference(std::string_view text) { return is_reference(text, true, false); }

bool is_uri_template(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') {
      const std::size_t close = text.find('}', i);
      if (close == std::string_view::npos || !is_template_expression(text.substr(i + 1, close - i - 1))) return false;
      i = close;
    } else if (is_ascii(text[i]) && (text[i] <= ' ' || text[i] == 127 || is_one_of(text[i], "\"'<>\\^`|}"))) {
      return false;
    } else if (text[i] == '%') {
      if (text.size() - i < 3 || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) return false;
    }
  }
  return true;
}

}  // namespace stepwell::schema
