#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stepwell {

// zstd, with a checksum of the content.
std::string compress(std::string_view bytes);
// Nothing if the bytes are not what compress() gave, or hold more than `limit`.
std::optional<std::string> decompress(std::string_view bytes, std::size_t limit);

// Bytes that are compressed where that makes them smaller.
struct Packed {
  bool compressed = false;
  std::string bytes = {};
};
Packed pack(std::string_view bytes);
std::optional<std::string> unpack(bool compressed, std::string_view bytes);

}  // namespace stepwell
