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

constexpr unsigned kTwo = 1;
constexpr unsigned kFour = 2;
constexpr unsigned kEight = 3;

// A payload in 1, 2, 4 or 8 bytes: 2 to the power of `width`.
char* put_widened(char* at, unsigned major, unsigned width, std::uint64_t payload) {
  // The payload at the front of a word, whose end is written over by what follows.
  const std::size_t size = std::size_t{1} << width;
  const std::uint64_t leading = payload << (8 * (sizeof payload - size));
  const std::uint64_t ordered = std::endian::native == std::endian::big ? leading : std::byteswap(leading);
  *at = first_byte(major, kOneByte + width);
  std::memcpy(at + 1, &ordered, sizeof ordered);
  return at + 1 + size;
}

}  // namespace

char* cbor::put_long_head(char* at, unsigned major, std::uint64_t argument) {
  const unsigned width = unsigned{argument > 0xFF} + unsigned{argument > 0xFFFF} + unsigned{argument > 0xFFFFFFFF};
  return put_widened(at, major, width, argument);
}

void CborWriter::flush() {
  out_.append(room_, used_);
  used_ = 0;
}

void CborWriter::append(std::string_view bytes) {
  flush();
  out_.append(bytes);
}

void CborWriter::real(double real) {
  CHECK(std::isfinite(real));
  char* const at = room(kLongestHead);
  if (const std::optional<std::uint16_t> half = exact_half(real)) {
    wrote(put_widened(at, kOther, kTwo, *half));
  } else if (is_exact_single(real)) {
    wrote(put_widened(at, kOther, kFour, std::bit_cast<std::uint32_t>(static_cast<float>(real))));
  } else {
    wrote(put_widened(at, kOther, kEight, std::bit_cast<std::uint64_t>(real)));
  }
}

// Recursion is bounded: no value nests deeper than limits::kValueDepth.
void CborWriter::something(const Value& value) {
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
