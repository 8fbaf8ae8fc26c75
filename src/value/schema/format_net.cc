#include <algorithm>
#include <optional>

#include "stepwell/base/ascii.h"
#include "stepwell/value/schema/format_checks.h"

namespace stepwell::schema {

namespace {

bool is_alphanumeric(char c) { return is_ascii_letter(c) || is_ascii_digit(c); }

// Calls accept(part) for each part between separators until one is refused.
template <typename Accept>
bool all_parts(std::string_view text, char separator, Accept accept) {
  while (true) {
    const std::size_t end = text.find(separator);
    if (!accept(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

bool is_host(std::string_view text, bool beyond_ascii) {
  auto letter = [&](char c) { return is_alphanumeric(c) || (beyond_ascii && !is_ascii(c)); };
  auto label = [&](std::string_view part) {
    return !part.empty() && part.size() <= 63 && letter(part.front()) && letter(part.back()) &&
           std::ranges::all_of(part, [&](char c) { return letter(c) || c == '-'; });
  };
  return text.size() <= 253 && all_parts(text, '.', label);
}

bool is_address_literal(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']')) return false;
  text = text.substr(1, text.size() - 2);
  return text.starts_with("IPv6:") ? is_ipv6(text.substr(5)) : is_ipv4(text);
}

bool is_local_part(std::string_view text, bool beyond_ascii) {
  if (text.size() > 64) return false;
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
    return std::ranges::all_of(
        text, [&](char c) { return is_ascii(c) ? c >= ' ' && c <= '~' && c != '"' && c != '\\' : beyond_ascii; });
  }
  auto atom_character = [&](char c) {
    return is_alphanumeric(c) || is_one_of(c, "!#$%&'*+-/=?^_`{|}~") || (beyond_ascii && !is_ascii(c));
  };
  return all_parts(text, '.',
                   [&](std::string_view part) { return !part.empty() && std::ranges::all_of(part, atom_character); });
}

bool is_mailbox(std::string_view text, bool beyond_ascii) {
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos || !is_local_part(text.substr(0, at), beyond_ascii)) return false;
  const std::string_view domain = text.substr(at + 1);
  return is_host(domain, beyond_ascii) || is_address_literal(domain);
}

// How many groups of 16 bits a run of groups without "::" holds; a dotted tail counts for two. None if it is no such
// run.
std::optional<int> groups_in(std::string_view text, bool dotted_tail_allowed) {
  if (text.empty()) return 0;
  int groups = 0;
  const bool fits = all_parts(text, ':', [&](std::string_view part) {
    if (part.find('.') != std::string_view::npos) {
      groups += 2;
      return dotted_tail_allowed && part.data() + part.size() == text.data() + text.size() && is_ipv4(part);
    }
    ++groups;
    return !part.empty() && part.size() <= 4 && std::ranges::all_of(part, [](char c) { return digit_value(c) < 16; });
  });
  return fits ? std::optional(groups) : std::nullopt;
}

}  // namespace

bool is_hostname(std::string_view text) { return is_host(text, false); }
bool is_email(std::string_view text) { return is_mailbox(text, false); }
bool is_idn_email(std::string_view text) { return is_mailbox(text, true); }

bool is_ipv4(std::string_view text) {
  int parts = 0;
  return all_parts(text, '.',
                   [&](std::string_view part) {
                     if (++parts > 4 || part.empty() || part.size() > 3) return false;
                     if (part.size() > 1 && part.front() == '0') return false;
                     if (!std::ranges::all_of(part, is_ascii_digit)) return false;
                     return part.size() < 3 || part <= "255";
                   }) &&
         parts == 4;
}

bool is_ipv6(std::string_view text) {
  const std::size_t gap = text.find("::");
  if (gap == std::string_view::npos) return groups_in(text, true) == 8;
  const auto before = groups_in(text.substr(0, gap), false);
  const auto after = groups_in(text.substr(gap + 2), true);
  return before && after && *before + *after <= 7;
}

}  // namespace stepwell::schema
