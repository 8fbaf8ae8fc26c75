#include "stepwell/base/byte_size.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace stepwell {

std::expected<std::int64_t, TextError> parse_byte_size(std::string_view text) {
  struct Unit {
    std::string_view name;
    std::int64_t bytes;
  };
  static constexpr auto kUnits = std::to_array<Unit>({{"", 1},
                                                      {"B", 1},
                                                      {"KB", 1'000},
                                                      {"MB", 1'000'000},
                                                      {"GB", 1'000'000'000},
                                                      {"KiB", 1 << 10},
                                                      {"MiB", 1 << 20},
                                                      {"GiB", 1 << 30}});
  std::int64_t count = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), count);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (digits == 0 || count < 0) return std::unexpected(TextError{0, "a size starts with digits"});
  const auto unit = std::ranges::find(kUnits, text.substr(digits), &Unit::name);
  if (unit == kUnits.end()) return std::unexpected(TextError{digits, "the units are B, KB, MB, GB, KiB, MiB and GiB"});
  std::int64_t bytes = 0;
  if (code != std::errc() || __builtin_mul_overflow(count, unit->bytes, &bytes)) {
    return std::unexpected(TextError{0, "this is more than 64 bits of bytes"});
  }
  return bytes;
}

}  // namespace stepwell
