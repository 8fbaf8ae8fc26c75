#include "stepwell/expr/text_parts.h"

#include <algorithm>
#include <cstring>

#include "stepwell/expr/code_points.h"
#include "stepwell/expr/unicode.h"

namespace stepwell {
namespace {

template <typename Unwanted>
std::string_view stripped_of(std::string_view text, Unwanted unwanted) {
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t next = start;
    if (!unwanted(next_code_point(text, next))) break;
    start = next;
  }
  std::size_t end = start;
  for (std::size_t at = start; at < text.size();)
    if (!unwanted(next_code_point(text, at))) end = at;
  return text.substr(start, end - start);
}

std::uint64_t bound(std::int64_t count) { return static_cast<std::uint64_t>(count); }  // negative: very many

OrFault<std::string> put_before_every_character(std::string_view text, std::string_view with, std::int64_t count,
                                                Budget& budget) {
  std::string out;
  std::uint64_t left = bound(count);
  std::size_t at = 0;
  for (; left > 0; --left) {
    const std::size_t from = at;
    if (at < text.size()) next_code_point(text, at);
    if (auto allowed = budget.spend_append(out.size(), with.size() + at - from); !allowed)
      return std::unexpected(allowed.error());
    out += with;
    out += text.substr(from, at - from);
    if (from == text.size()) return out;
  }
  if (auto allowed = budget.spend_append(out.size(), text.size() - at); !allowed)
    return std::unexpected(allowed.error());
  out += text.substr(at);
  return out;
}

}  // namespace

std::size_t find_text(std::string_view text, std::string_view wanted, std::size_t from) {
  const void* found = ::memmem(text.data() + from, text.size() - from, wanted.data(), wanted.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

std::string_view stripped(std::string_view text) { return stripped_of(text, is_space); }

std::string_view stripped(std::string_view text, std::string_view chars) {
  std::u32string unwanted = to_code_points(chars);
  std::ranges::sort(unwanted);
  return stripped_of(text, [&](char32_t c) { return std::ranges::binary_search(unwanted, c); });
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = at;
    const char32_t c = next_code_point(text, at);
    if (!is_line_break(c)) continue;
    lines.push_back(text.substr(start, end - start));
    if (c == '\r' && at < text.size() && text[at] == '\n') ++at;
    start = at;
  }
  if (start < text.size()) lines.push_back(text.substr(start));
  return lines;
}

OrFault<std::vector<std::string_view>> split_words(std::string_view text, std::int64_t cuts, Budget& budget) {
  if (auto allowed = budget.spend_text(text.size()); !allowed) return std::unexpected(allowed.error());
  const auto skip = [&](std::size_t at, bool space) {
    while (at < text.size()) {
      std::size_t next = at;
      if (is_space(next_code_point(text, next)) != space) break;
      at = next;
    }
    return at;
  };
  std::vector<std::string_view> words;
  for (std::size_t start = skip(0, true); start < text.size();) {
    if (!budget.spend(1)) return Budget::out_of_fuel();
    const bool last = words.size() == bound(cuts);
    const std::size_t end = last ? text.size() : skip(start, false);
    words.push_back(text.substr(start, end - start));
    if (last) break;
    start = skip(end, true);
  }
  return words;
}

OrFault<std::vector<std::string_view>> split_at(std::string_view text, std::string_view separator, std::int64_t cuts,
                                                Budget& budget) {
  if (auto allowed = budget.spend_text(text.size()); !allowed) return std::unexpected(allowed.error());
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  while (parts.size() < bound(cuts)) {
    if (!budget.spend(1)) return Budget::out_of_fuel();
    const std::size_t found = find_text(text, separator, start);
    if (found == std::string_view::npos) break;
    parts.push_back(text.substr(start, found - start));
    start = found + separator.size();
  }
  parts.push_back(text.substr(start));
  return parts;
}

OrFault<std::string> replaced(std::string_view text, std::string_view old, std::string_view with, std::int64_t count,
                              Budget& budget) {
  if (old.empty()) return put_before_every_character(text, with, count, budget);
  const auto parts = split_at(text, old, count, budget);
  if (!parts) return std::unexpected(parts.error());
  std::string out;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    const std::string_view between = i == 0 ? std::string_view() : with;
    if (auto allowed = budget.spend_append(out.size(), between.size() + (*parts)[i].size()); !allowed)
      return std::unexpected(allowed.error());
    out += between;
    out += (*parts)[i];
  }
  return out;
}

}  // namespace stepwell
