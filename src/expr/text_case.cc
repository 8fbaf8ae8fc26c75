#include "stepwell/expr/text_case.h"

#include <algorithm>
#include <array>

#include <utf8proc.h>

#include "stepwell/base/utf8.h"
#include "stepwell/expr/code_points.h"
#include "stepwell/expr/unicode.h"

namespace stepwell {
namespace {

using Mapping = std::array<char32_t, 3>;  // zeros fill it up

struct SpecialCase {
  char32_t from;
  Mapping upper;
  Mapping title;
};

// The unconditional rows of SpecialCasing.txt that upper or title case maps to more than one character.
constexpr std::array kSpecialCases = std::to_array<SpecialCase>({
    {0xDF, {0x53, 0x53, 0}, {0x53, 0x73, 0}},
    {0x149, {0x2BC, 0x4E, 0}, {0x2BC, 0x4E, 0}},
    {0x1F0, {0x4A, 0x30C, 0}, {0x4A, 0x30C, 0}},
    {0x390, {0x399, 0x308, 0x301}, {0x399, 0x308, 0x301}},
    {0x3B0, {0x3A5, 0x308, 0x301}, {0x3A5, 0x308, 0x301}},
    {0x587, {0x535, 0x552, 0}, {0x535, 0x582, 0}},
    {0x1E96, {0x48, 0x331, 0}, {0x48, 0x331, 0}},
    {0x1E97, {0x54, 0x308, 0}, {0x54, 0x308, 0}},
    {0x1E98, {0x57, 0x30A, 0}, {0x57, 0x30A, 0}},
    {0x1E99, {0x59, 0x30A, 0}, {0x59, 0x30A, 0}},
    {0x1E9A, {0x41, 0x2BE, 0}, {0x41, 0x2BE, 0}},
    {0x1F50, {0x3A5, 0x313, 0}, {0x3A5, 0x313, 0}},
    {0x1F52, {0x3A5, 0x313, 0x300}, {0x3A5, 0x313, 0x300}},
    {0x1F54, {0x3A5, 0x313, 0x301}, {0x3A5, 0x313, 0x301}},
    {0x1F56, {0x3A5, 0x313, 0x342}, {0x3A5, 0x313, 0x342}},
    {0x1F80, {0x1F08, 0x399, 0}, {0x1F88, 0, 0}},
    {0x1F81, {0x1F09, 0x399, 0}, {0x1F89, 0, 0}},
    {0x1F82, {0x1F0A, 0x399, 0}, {0x1F8A, 0, 0}},
    {0x1F83, {0x1F0B, 0x399, 0}, {0x1F8B, 0, 0}},
    {0x1F84, {0x1F0C, 0x399, 0}, {0x1F8C, 0, 0}},
    {0x1F85, {0x1F0D, 0x399, 0}, {0x1F8D, 0, 0}},
    {0x1F86, {0x1F0E, 0x399, 0}, {0x1F8E, 0, 0}},
    {0x1F87, {0x1F0F, 0x399, 0}, {0x1F8F, 0, 0}},
    {0x1F88, {0x1F08, 0x399, 0}, {0x1F88, 0, 0}},
    {0x1F89, {0x1F09, 0x399, 0}, {0x1F89, 0, 0}},
    {0x1F8A, {0x1F0A, 0x399, 0}, {0x1F8A, 0, 0}},
    {0x1F8B, {0x1F0B, 0x399, 0}, {0x1F8B, 0, 0}},
    {0x1F8C, {0x1F0C, 0x399, 0}, {0x1F8C, 0, 0}},
    {0x1F8D, {0x1F0D, 0x399, 0}, {0x1F8D, 0, 0}},
    {0x1F8E, {0x1F0E, 0x399, 0}, {0x1F8E, 0, 0}},
    {0x1F8F, {0x1F0F, 0x399, 0}, {0x1F8F, 0, 0}},
    {0x1F90, {0x1F28, 0x399, 0}, {0x1F98, 0, 0}},
    {0x1F91, {0x1F29, 0x399, 0}, {0x1F99, 0, 0}},
    {0x1F92, {0x1F2A, 0x399, 0}, {0x1F9A, 0, 0}},
    {0x1F93, {0x1F2B, 0x399, 0}, {0x1F9B, 0, 0}},
    {0x1F94, {0x1F2C, 0x399, 0}, {0x1F9C, 0, 0}},
    {0x1F95, {0x1F2D, 0x399, 0}, {0x1F9D, 0, 0}},
    {0x1F96, {0x1F2E, 0x399, 0}, {0x1F9E, 0, 0}},
    {0x1F97, {0x1F2F, 0x399, 0}, {0x1F9F, 0, 0}},
    {0x1F98, {0x1F28, 0x399, 0}, {0x1F98, 0, 0}},
    {0x1F99, {0x1F29, 0x399, 0}, {0x1F99, 0, 0}},
    {0x1F9A, {0x1F2A, 0x399, 0}, {0x1F9A, 0, 0}},
    {0x1F9B, {0x1F2B, 0x399, 0}, {0x1F9B, 0, 0}},
    {0x1F9C, {0x1F2C, 0x399, 0}, {0x1F9C, 0, 0}},
    {0x1F9D, {0x1F2D, 0x399, 0}, {0x1F9D, 0, 0}},
    {0x1F9E, {0x1F2E, 0x399, 0}, {0x1F9E, 0, 0}},
    {0x1F9F, {0x1F2F, 0x399, 0}, {0x1F9F, 0, 0}},
    {0x1FA0, {0x1F68, 0x399, 0}, {0x1FA8, 0, 0}},
    {0x1FA1, {0x1F69, 0x399, 0}, {0x1FA9, 0, 0}},
    {0x1FA2, {0x1F6A, 0x399, 0}, {0x1FAA, 0, 0}},
    {0x1FA3, {0x1F6B, 0x399, 0}, {0x1FAB, 0, 0}},
    {0x1FA4, {0x1F6C, 0x399, 0}, {0x1FAC, 0, 0}},
    {0x1FA5, {0x1F6D, 0x399, 0}, {0x1FAD, 0, 0}},
    {0x1FA6, {0x1F6E, 0x399, 0}, {0x1FAE, 0, 0}},
    {0x1FA7, {0x1F6F, 0x399, 0}, {0x1FAF, 0, 0}},
    {0x1FA8, {0x1F68, 0x399, 0}, {0x1FA8, 0, 0}},
    {0x1FA9, {0x1F69, 0x399, 0}, {0x1FA9, 0, 0}},
    {0x1FAA, {0x1F6A, 0x399, 0}, {0x1FAA, 0, 0}},
    {0x1FAB, {0x1F6B, 0x399, 0}, {0x1FAB, 0, 0}},
    {0x1FAC, {0x1F6C, 0x399, 0}, {0x1FAC, 0, 0}},
    {0x1FAD, {0x1F6D, 0x399, 0}, {0x1FAD, 0, 0}},
    {0x1FAE, {0x1F6E, 0x399, 0}, {0x1FAE, 0, 0}},
    {0x1FAF, {0x1F6F, 0x399, 0}, {0x1FAF, 0, 0}},
    {0x1FB2, {0x1FBA, 0x399, 0}, {0x1FBA, 0x345, 0}},
    {0x1FB3, {0x391, 0x399, 0}, {0x1FBC, 0, 0}},
    {0x1FB4, {0x386, 0x399, 0}, {0x386, 0x345, 0}},
    {0x1FB6, {0x391, 0x342, 0}, {0x391, 0x342, 0}},
    {0x1FB7, {0x391, 0x342, 0x399}, {0x391, 0x342, 0x345}},
    {0x1FBC, {0x391, 0x399, 0}, {0x1FBC, 0, 0}},
    {0x1FC2, {0x1FCA, 0x399, 0}, {0x1FCA, 0x345, 0}},
    {0x1FC3, {0x397, 0x399, 0}, {0x1FCC, 0, 0}},
    {0x1FC4, {0x389, 0x399, 0}, {0x389, 0x345, 0}},
    {0x1FC6, {0x397, 0x342, 0}, {0x397, 0x342, 0}},
    {0x1FC7, {0x397, 0x342, 0x399}, {0x397, 0x342, 0x345}},
    {0x1FCC, {0x397, 0x399, 0}, {0x1FCC, 0, 0}},
    {0x1FD2, {0x399, 0x308, 0x300}, {0x399, 0x308, 0x300}},
    {0x1FD3, {0x399, 0x308, 0x301}, {0x399, 0x308, 0x301}},
    {0x1FD6, {0x399, 0x342, 0}, {0x399, 0x342, 0}},
    {0x1FD7, {0x399, 0x308, 0x342}, {0x399, 0x308, 0x342}},
    {0x1FE2, {0x3A5, 0x308, 0x300}, {0x3A5, 0x308, 0x300}},
    {0x1FE3, {0x3A5, 0x308, 0x301}, {0x3A5, 0x308, 0x301}},
    {0x1FE4, {0x3A1, 0x313, 0}, {0x3A1, 0x313, 0}},
    {0x1FE6, {0x3A5, 0x342, 0}, {0x3A5, 0x342, 0}},
    {0x1FE7, {0x3A5, 0x308, 0x342}, {0x3A5, 0x308, 0x342}},
    {0x1FF2, {0x1FFA, 0x399, 0}, {0x1FFA, 0x345, 0}},
    {0x1FF3, {0x3A9, 0x399, 0}, {0x1FFC, 0, 0}},
    {0x1FF4, {0x38F, 0x399, 0}, {0x38F, 0x345, 0}},
    {0x1FF6, {0x3A9, 0x342, 0}, {0x3A9, 0x342, 0}},
    {0x1FF7, {0x3A9, 0x342, 0x399}, {0x3A9, 0x342, 0x345}},
    {0x1FFC, {0x3A9, 0x399, 0}, {0x1FFC, 0, 0}},
    {0xFB00, {0x46, 0x46, 0}, {0x46, 0x66, 0}},
    {0xFB01, {0x46, 0x49, 0}, {0x46, 0x69, 0}},
    {0xFB02, {0x46, 0x4C, 0}, {0x46, 0x6C, 0}},
    {0xFB03, {0x46, 0x46, 0x49}, {0x46, 0x66, 0x69}},
    {0xFB04, {0x46, 0x46, 0x4C}, {0x46, 0x66, 0x6C}},
    {0xFB05, {0x53, 0x54, 0}, {0x53, 0x74, 0}},
    {0xFB06, {0x53, 0x54, 0}, {0x53, 0x74, 0}},
    {0xFB13, {0x544, 0x546, 0}, {0x544, 0x576, 0}},
    {0xFB14, {0x544, 0x535, 0}, {0x544, 0x565, 0}},
    {0xFB15, {0x544, 0x53B, 0}, {0x544, 0x56B, 0}},
    {0xFB16, {0x54E, 0x546, 0}, {0x54E, 0x576, 0}},
    {0xFB17, {0x544, 0x53D, 0}, {0x544, 0x56D, 0}},
});
static_assert(std::ranges::is_sorted(kSpecialCases, {}, &SpecialCase::from));

constexpr char32_t kCapitalSigma = 0x3A3;
constexpr char32_t kSmallSigma = 0x3C3;
constexpr char32_t kFinalSigma = 0x3C2;
constexpr char32_t kCapitalIWithDot = 0x130;
constexpr char32_t kDotAbove = 0x307;

const SpecialCase* special_case(char32_t c) {
  if (c < kSpecialCases.front().from) return nullptr;
  const auto found = std::ranges::lower_bound(kSpecialCases, c, {}, &SpecialCase::from);
  return found != kSpecialCases.end() && found->from == c ? &*found : nullptr;
}

void append_mapping(std::string& out, const Mapping& mapping) {
  for (const char32_t c : mapping)
    if (c != 0) utf8::append(out, c);
}

char32_t simple(utf8proc_int32_t (*mapping)(utf8proc_int32_t), char32_t c) {
  return static_cast<char32_t>(mapping(static_cast<utf8proc_int32_t>(c)));
}

void append_upper(std::string& out, char32_t c) {
  if (const SpecialCase* special = special_case(c)) return append_mapping(out, special->upper);
  utf8::append(out, simple(utf8proc_toupper, c));
}

void append_title(std::string& out, char32_t c) {
  if (const SpecialCase* special = special_case(c)) return append_mapping(out, special->title);
  utf8::append(out, simple(utf8proc_totitle, c));
}

bool is_cased(char32_t c) { return is_lowercase(c) || is_uppercase(c) || is_titlecase(c); }

// A sigma that ends a word: a cased character before it, none after it, not counting what words may contain.
bool ends_word(std::u32string_view text, std::size_t at) {
  std::size_t before = at;
  while (before > 0 && is_case_ignorable(text[before - 1])) --before;
  if (before == 0 || !is_cased(text[before - 1])) return false;
  std::size_t after = at + 1;
  while (after < text.size() && is_case_ignorable(text[after])) ++after;
  return after == text.size() || !is_cased(text[after]);
}

void append_lower(std::string& out, std::u32string_view text, std::size_t at) {
  const char32_t c = text[at];
  if (c == kCapitalSigma) return utf8::append(out, ends_word(text, at) ? kFinalSigma : kSmallSigma);
  if (c == kCapitalIWithDot) {
    out += 'i';
    return utf8::append(out, kDotAbove);
  }
  utf8::append(out, simple(utf8proc_tolower, c));
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

char ascii_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_all(std::string_view text, bool (*wanted)(char32_t)) {
  bool any = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (!is_cased(c)) continue;
    if (!wanted(c)) return false;
    any = true;
  }
  return any;
}

}  // namespace

std::string upper_case(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  if (is_ascii(text)) {
    std::ranges::transform(text, std::back_inserter(out), ascii_upper);
    return out;
  }
  for (std::size_t at = 0; at < text.size();) append_upper(out, next_code_point(text, at));
  return out;
}

std::string lower_case(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  if (is_ascii(text)) {
    std::ranges::transform(text, std::back_inserter(out), ascii_lower);
    return out;
  }
  const std::u32string code_points = to_code_points(text);
  for (std::size_t at = 0; at < code_points.size(); ++at) append_lower(out, code_points, at);
  return out;
}

std::string capitalized(std::string_view text) {
  std::string out;
  const std::u32string code_points = to_code_points(text);
  if (code_points.empty()) return out;
  out.reserve(text.size());
  append_title(out, code_points.front());
  for (std::size_t at = 1; at < code_points.size(); ++at) append_lower(out, code_points, at);
  return out;
}

bool is_all_lower(std::string_view text) { return is_all(text, is_lowercase); }
bool is_all_upper(std::string_view text) { return is_all(text, is_uppercase); }

}  // namespace stepwell
