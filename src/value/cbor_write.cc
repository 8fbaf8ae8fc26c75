#include "stepwell/value/cbor_write.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "stepwell/value/cbor_form.h"
#include "stepwell/value/short_float.h"

namespace stepwell {
namespace {

using namespace cbor;

template <typename T>
T big_endian(T payload) {
  return std::endian::native == std::endian::big ? payload : std::byteswap(payload);
}

}  // namespace

void CborWriter::flush() {
  out_.append(room_, used_);
  used_ = 0;
}

void CborWriter::append(std::string_view bytes) {
  flush();
  out_.append(bytes);
}

template <typename T>
void CborWriter::widened(char first, T payload) {
  if (1 + sizeof(T) > kRoom - used_) flush();
  char* at = room_ + used_;
  used_ += 1 + sizeof(T);
  const T ordered = big_endian(payload);
  *at = first;
  std::memcpy(at + 1, &ordered, sizeof ordered);
}

void CborWriter::long_head(unsigned major, std::uint64_t argument) {
  if (argument < kOneByte) {
    byte(first_byte(major, static_cast<unsigned>(argument)));
  } else if (argument <= 0xFF) {
    widened(first_byte(major, kOneByte), static_cast<std::uint8_t>(argument));
  } else if (argument <= 0xFFFF) {
    widened(first_byte(major, kTwoBytes), static_cast<std::uint16_t>(argument));
  } else if (argument <= 0xFFFFFFFF) {
    widened(first_byte(major, kFourBytes), static_cast<std::uint32_t>(argument));
  } else {
    widened(first_byte(major, kEightBytes), argument);
  }
}

void CborWriter::real(double real) {
  CHECK(std::isfinite(real));
  if (const std::optional<std::uint16_t> half = exact_half(real)) {
    widened(first_byte(kOther, kTwoBytes), *half);
  } else if (is_exact_single(real)) {
    widened(first_byte(kOther, kFourBytes), std::bit_cast<std::uint32_t>(static_cast<float>(real)));
  } else {
    widened(first_byte(kOther, kEightBytes), std::bit_cast<std::uint64_t>(real));
  }
}

// Recursion is bounded: no value nests deeper than limits::kValueDepth.
void CborWriter::value(const Value& value) {
  switch (value.kind()) {
    case Kind::null: return null();
    case Kind::boolean: return boolean(value.as_bool());
    case Kind::integer: return integer(value.as_int());
    case Kind::real: return real(value.as_real());
    case Kind::text: return text(value.as_text());
    case Kind::list:
      list(value.as_list().size());
      for (const Value& item : value.as_list()) this->value(item);
      return;
    case Kind::map:
      map(value.as_map().size());
      for (const Member& member : value.as_map()) {
        text(member.key());
        this->value(member.value);
      }
      return;
  }
}

void append_cbor(std::string& out, const Value& value) { CborWriter(out).value(value); }

std::string encode_cbor(const Value& value) {
  std::string out;
  append_cbor(out, value);
  return out;
}

}  // namespace stepwell
