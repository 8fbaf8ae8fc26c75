#pragma once

#include <cstdint>
#include <string_view>

#include "stepwell/base/crc32c.h"

namespace stepwell {

// Which of the shards of a store owns an execution: the same one for ever.
inline std::uint32_t shard_of(std::string_view execution, std::uint32_t shards) {
  return static_cast<std::uint32_t>(crc32c(execution) % shards);
}

}  // namespace stepwell
