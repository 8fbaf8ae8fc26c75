#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "stepwell/value/value.h"

namespace stepwell {

// Why bytes are not the canonical bytes of a value.
enum class CborErrorCode : std::uint8_t {
  truncated,         // the bytes end inside the document, or cannot hold what a length announces
  trailing_bytes,    // something follows the document
  malformed,         // not CBOR: a reserved first byte, or a break that ends nothing
  unsupported_type,  // byte string, tag, undefined, or another simple value
  indefinite_length,
  non_canonical_integer,  // a longer form than needed
  non_canonical_length,
  non_canonical_float,
  integer_out_of_range,  // does not fit 64 bits with sign
  not_finite,            // NaN or an infinity
  invalid_utf8,
  non_text_key,
  unsorted_keys,
  duplicate_key,
  too_deep,         // deeper than limits::kValueDepth
  too_long,         // longer than limits::kDocumentBytes
  unexpected_kind,  // CborReader only: well-formed, but not what was asked for
};

// The code as in docs/formats/values.md: "unsorted_keys".
std::string_view code_name(CborErrorCode code);

struct CborError {
  CborErrorCode code = CborErrorCode::malformed;
  std::size_t offset = 0;  // of the first byte of the item that is wrong

  // "byte 3: keys are not in canonical order"
  std::string to_string() const;
  friend bool operator==(const CborError&, const CborError&) = default;
};

// The value with these canonical bytes. Accepts exactly what encode_cbor writes. Announced lengths allocate nothing:
// memory is bounded by a small multiple of the bytes that are there.
[[nodiscard]] std::expected<Value, CborError> decode_cbor(std::string_view bytes);

// Reads canonical CBOR item by item, as strictly, for documents that are never values. After an error the reader must
// not be used further. Texts point into the bytes.
class CborReader {
 public:
  explicit CborReader(std::string_view bytes) : bytes_(bytes) {}

  // One scalar, or the head of a list or map, whose items follow.
  struct Item {
    Kind kind = Kind::null;
    bool boolean = false;
    std::int64_t integer = 0;
    double real = 0;
    std::string_view text;
    std::size_t size = 0;  // of a list or map; never more than the bytes left could hold
  };
  [[nodiscard]] std::expected<Item, CborError> next();

  // The next item, which must be of this kind.
  [[nodiscard]] std::expected<bool, CborError> boolean();
  [[nodiscard]] std::expected<std::int64_t, CborError> integer();
  [[nodiscard]] std::expected<double, CborError> real();
  [[nodiscard]] std::expected<std::string_view, CborError> text();
  [[nodiscard]] std::expected<std::size_t, CborError> list();
  [[nodiscard]] std::expected<std::size_t, CborError> map();
  // A whole value of any kind.
  [[nodiscard]] std::expected<Value, CborError> value();

  std::size_t offset() const { return offset_; }
  bool at_end() const { return offset_ == bytes_.size(); }
  // Refuses bytes that are left.
  [[nodiscard]] std::expected<void, CborError> finish() const;

 private:
  std::expected<Item, CborError> expect(Kind kind);
  std::expected<Item, CborError> read_other(std::size_t start, unsigned info, std::uint64_t argument);
  std::unexpected<CborError> fail(CborErrorCode code, std::size_t offset) const {
    return std::unexpected(CborError{code, offset});
  }
  std::size_t left() const { return bytes_.size() - offset_; }

  std::string_view bytes_;
  std::size_t offset_ = 0;
};

}  // namespace stepwell
