#include "stepwell/value/encoded_value.h"

#include <cstring>
#include <new>

#include "stepwell/base/owners.h"
#include "stepwell/value/cbor_write.h"

namespace stepwell {

namespace {

constexpr std::string_view kNullBytes = "\xF6";

}  // namespace

// The bytes follow the header.
struct EncodedValue::Block {
  Owners owners;
  std::uint32_t size = 0;
  std::uint32_t depth = 0;

  char* bytes() noexcept { return reinterpret_cast<char*>(this + 1); }
};

EncodedValue::EncodedValue(const Value& value) {
  if (!value.is_null()) *this = from_canonical(encode_cbor(value), value.depth());
}

EncodedValue EncodedValue::from_canonical(std::string_view bytes, std::size_t depth) {
  EncodedValue made;
  CHECK(!bytes.empty() && bytes.size() <= UINT32_MAX);
  if (bytes == kNullBytes) return made;
  made.block_ = new (::operator new(sizeof(Block) + bytes.size())) Block;
  made.block_->size = static_cast<std::uint32_t>(bytes.size());
  made.block_->depth = static_cast<std::uint32_t>(depth);
  std::memcpy(made.block_->bytes(), bytes.data(), bytes.size());
  return made;
}

std::size_t EncodedValue::depth() const noexcept { return block_ == nullptr ? 0 : block_->depth; }

std::string_view EncodedValue::bytes() const& noexcept {
  return block_ == nullptr ? kNullBytes : std::string_view(block_->bytes(), block_->size);
}

void EncodedValue::retain_block() const noexcept { block_->owners.add(); }

void EncodedValue::release_block() noexcept {
  if (!block_->owners.drop()) return;
  block_->~Block();
  ::operator delete(block_);
}

}  // namespace stepwell
