#include "stepwell/expr/unicode.h"

#include <algorithm>
#include <array>
#include <span>

#include <utf8proc.h>

namespace stepwell {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Other_Lowercase and Other_Uppercase of PropList.txt: cased, but not of category Ll or Lu.
constexpr std::array kOtherLowercase = std::to_array<Range>(
    {{0xAA, 0xAA},       {0xBA, 0xBA},       {0x2B0, 0x2B8},     {0x2C0, 0x2C1},    {0x2E0, 0x2E4},
     {0x345, 0x345},     {0x37A, 0x37A},     {0x1D2C, 0x1D6A},   {0x1D78, 0x1D78},  {0x1D9B, 0x1DBF},
     {0x2071, 0x2071},   {0x207F, 0x207F},   {0x2090, 0x209C},   {0x2170, 0x217F},  {0x24D0, 0x24E9},
     {0x2C7C, 0x2C7D},   {0xA69C, 0xA69D},   {0xA770, 0xA770},   {0xA7F8, 0xA7F9},  {0xAB5C, 0xAB5F},
     {0x10780, 0x10780}, {0x10783, 0x10785}, {0x10787, 0x107B0}, {0x107B2, 0x107BA}});
constexpr std::array kOtherUppercase = std::to_array<Range>(
    {{0x2160, 0x216F}, {0x24B6, 0x24CF}, {0x1F130, 0x1F149}, {0x1F150, 0x1F169}, {0x1F170, 0x1F189}});

// Word_Break is MidLetter, MidNumLet or Single_Quote.
constexpr std::array<char32_t, 17> kInsideWords = {0x27,   0x2E,   0x3A,   0xB7,   0x387,  0x55F,
                                                   0x5F4,  0x2018, 0x2019, 0x2024, 0x2027, 0xFE13,
                                                   0xFE52, 0xFE55, 0xFF07, 0xFF0E, 0xFF1A};

bool within(std::span<const Range> ranges, char32_t c) {
  const auto after = std::ranges::upper_bound(ranges, c, {}, &Range::first);
  return after != ranges.begin() && c <= std::prev(after)->last;
}

utf8proc_category_t category(char32_t c) { return utf8proc_category(static_cast<utf8proc_int32_t>(c)); }

}  // namespace

bool is_printable(char32_t c) {
  if (c < 0x7F) return c >= 0x20;
  switch (category(c)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ZS: return false;
    default: return true;
  }
}

bool is_space(char32_t c) {
  if (c < 0x80) return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_line_break(char32_t c) {
  return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

bool is_letter(char32_t c) {
  const utf8proc_category_t which = category(c);
  return which >= UTF8PROC_CATEGORY_LU && which <= UTF8PROC_CATEGORY_LO;
}

bool is_word(char32_t c) {
  const utf8proc_category_t which = category(c);
  return c == '_' || is_letter(c) || (which >= UTF8PROC_CATEGORY_ND && which <= UTF8PROC_CATEGORY_NO);
}

bool is_lowercase(char32_t c) { return category(c) == UTF8PROC_CATEGORY_LL || within(kOtherLowercase, c); }
bool is_uppercase(char32_t c) { return category(c) == UTF8PROC_CATEGORY_LU || within(kOtherUppercase, c); }
bool is_titlecase(char32_t c) { return category(c) == UTF8PROC_CATEGORY_LT; }

bool is_case_ignorable(char32_t c) {
  switch (category(c)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK: return true;
    default: return std::ranges::binary_search(kInsideWords, c);
  }
}

int cells(char32_t c) { return utf8proc_charwidth(static_cast<utf8proc_int32_t>(c)); }

int decimal_digit(char32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9' ? static_cast<int>(c - '0') : -1;
  if (category(c) != UTF8PROC_CATEGORY_ND) return -1;
  // Digits come in runs of ten that begin with a zero, and the only runs that touch are the mathematical ones.
  constexpr Range kMathematical = {0x1D7CE, 0x1D7FF};
  if (c >= kMathematical.first && c <= kMathematical.last) return static_cast<int>((c - kMathematical.first) % 10);
  int value = 0;
  while (value < 9 && category(c - 1 - static_cast<char32_t>(value)) == UTF8PROC_CATEGORY_ND) ++value;
  return value;
}

}  // namespace stepwell
