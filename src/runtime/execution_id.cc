#include "stepwell/runtime/execution_id.h"

#include <cstdint>

#include <fmt/format.h>

namespace stepwell {

std::string fresh_execution_id(Instant now, const Entropy& entropy) {
  constexpr std::uint64_t kTimeBits = 48;
  constexpr std::size_t kVersion = 14;
  // Of version 4: all but the version and two bits is random. The first groups have eight and four digits.
  std::string id = uuid_from(entropy, 0);
  const auto milliseconds = static_cast<std::uint64_t>(now.micros() / 1'000) & ((std::uint64_t{1} << kTimeBits) - 1);
  const std::string time = fmt::format("{:012x}", milliseconds);
  id.replace(0, 8, time, 0, 8);
  id.replace(9, 4, time, 8, 4);
  id[kVersion] = '7';
  return id;
}

}  // namespace stepwell
