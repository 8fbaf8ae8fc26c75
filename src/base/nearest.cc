#include "stepwell/base/nearest.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "stepwell/base/limits.h"

namespace stepwell {
namespace {

using Row = std::array<std::size_t, limits::kNearestBytes + 1>;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment: Levenshtein's distance where swapping two neighbours also costs one.
std::size_t distance(std::string_view a, std::string_view b) {
  Row rows[3] = {};
  Row *before = &rows[0], *last = &rows[1], *row = &rows[2];
  for (std::size_t j = 0; j <= b.size(); ++j) (*last)[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    (*row)[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = lower(a[i - 1]), y = lower(b[j - 1]);
      std::size_t best = std::min({(*last)[j] + 1, (*row)[j - 1] + 1, (*last)[j - 1] + (x == y ? 0 : 1)});
      if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y) best = std::min(best, (*before)[j - 2] + 1);
      (*row)[j] = best;
    }
    Row* oldest = before;
    before = last;
    last = row;
    row = oldest;
  }
  return (*last)[b.size()];
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.size() > limits::kNearestBytes) return std::nullopt;
  std::optional<std::string_view> found;
  std::size_t fewest = 0;
  for (std::string_view candidate : candidates) {
    if (candidate.size() > limits::kNearestBytes) continue;
    const std::size_t tolerated = (std::max(word.size(), candidate.size()) + 2) / 3;
    const std::size_t edits = distance(word, candidate);
    if (edits > tolerated || edits >= candidate.size() || (found && edits >= fewest)) continue;
    found = candidate;
    fewest = edits;
  }
  return found;
}

}  // namespace stepwell
