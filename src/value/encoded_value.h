#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "stepwell/value/encoded.h"
#include "stepwell/value/value.h"

namespace stepwell {

// A value kept as its canonical bytes: for what is stored more often than it is read. Immutable, 8 bytes, shared and
// counted; null takes no memory beyond that. Counts are atomic, as those of Value.
class EncodedValue {
 public:
  EncodedValue() noexcept = default;
  explicit EncodedValue(const Value& value);
  // Takes bytes that are known to be canonical, of a value of that depth.
  static EncodedValue from_canonical(std::string_view bytes, std::size_t depth);

  EncodedValue(const EncodedValue& other) noexcept : block_(other.block_) { retain(); }
  EncodedValue(EncodedValue&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  EncodedValue& operator=(EncodedValue other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~EncodedValue() { release(); }

  bool is_null() const noexcept { return block_ == nullptr; }
  // As Value::depth; known without looking.
  std::size_t depth() const noexcept;
  std::string_view bytes() const& noexcept;
  std::string_view bytes() && = delete;
  EncodedView view() const& { return EncodedView(bytes()); }
  EncodedView view() && = delete;
  Value decode() const { return view().decode(); }

  friend bool operator==(const EncodedValue& a, const EncodedValue& b) noexcept { return a.bytes() == b.bytes(); }

 private:
  struct Block;

  void retain() const noexcept {
    if (block_ != nullptr) retain_block();
  }
  void release() noexcept {
    if (block_ != nullptr) release_block();
  }
  void retain_block() const noexcept;
  void release_block() noexcept;

  Block* block_ = nullptr;
};

}  // namespace stepwell
