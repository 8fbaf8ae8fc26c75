#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "stepwell/value/value.h"

namespace stepwell {

// The canonical bytes of a value: deterministic CBOR (RFC 8949 section 4.2.1). Equal values have equal bytes, different
// values different ones, and decode_cbor gives the value back. docs/formats/values.md has the whole form.
std::string encode_cbor(const Value& value);
void append_cbor(std::string& out, const Value& value);

// The same piece by piece, for documents that are never values. The caller writes as many items as a list announced,
// and after a map's head its keys as text, in canonical order, each followed by its value.
class CborWriter {
 public:
  explicit CborWriter(std::string& out) : out_(out) {}

  void null() { out_.push_back('\xF6'); }
  void boolean(bool boolean) { out_.push_back(boolean ? '\xF5' : '\xF4'); }
  void integer(std::int64_t integer);
  void real(double real);  // CHECKs that it is finite
  void text(std::string_view text);
  void list(std::size_t items);
  void map(std::size_t members);
  void value(const Value& value);

 private:
  void head(unsigned major, std::uint64_t argument);
  template <typename T>
  void widened(char first, T payload);

  std::string& out_;
};

}  // namespace stepwell
