#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "stepwell/base/check.h"

namespace stepwell {

// The unit in which segments are written: a multiple of what any disk wants for writes around the system's cache.
inline constexpr std::size_t kBlockBytes = 4096;

constexpr std::size_t whole_blocks(std::size_t bytes) { return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes; }

// Whole blocks in memory, where such writes want them. The room it has got it keeps.
class AlignedBuffer {
 public:
  std::string_view view() const { return {bytes_.get(), size_}; }

  // Holds the bytes, and zeros up to the end of the last block.
  void assign(std::string_view bytes) {
    size_ = whole_blocks(bytes.size());
    if (size_ > capacity_) {
      bytes_.reset(static_cast<char*>(std::aligned_alloc(kBlockBytes, size_)));
      CHECK(bytes_ != nullptr);
      capacity_ = size_;
    }
    if (!bytes.empty()) std::memcpy(bytes_.get(), bytes.data(), bytes.size());
    std::memset(bytes_.get() + bytes.size(), 0, size_ - bytes.size());
  }

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<char, Free> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace stepwell
