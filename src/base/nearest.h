#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace stepwell {

// The candidate most likely meant by a mistyped `word`, for "did you mean ...?": the one with the fewest inserted,
// lost, changed or swapped bytes, the earlier one of equals. None if every candidate differs in more than about a third
// of its bytes. ASCII case is ignored. Words longer than limits::kNearestBytes have no neighbours, which bounds the
// work.
std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace stepwell
