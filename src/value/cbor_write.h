#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "stepwell/value/cbor_form.h"
#include "stepwell/value/value.h"

namespace stepwell {

// The canonical bytes of a value: deterministic CBOR (RFC 8949 section 4.2.1). Equal values have equal bytes, different
// values different ones, and decode_cbor gives the value back. docs/formats/values.md has the whole form.
std::string encode_cbor(const Value& value);
void append_cbor(std::string& out, const Value& value);

// The same piece by piece, for documents that are never values. The caller writes as many items as a list announced,
// and after a map's head its keys as text, in canonical order, each followed by its value. The pieces are in `out` when
// the writer is gone: small ones are gathered first, since most are a byte or two.
class CborWriter {
 public:
  explicit CborWriter(std::string& out) : out_(out) {}
  ~CborWriter() { flush(); }
  CborWriter(const CborWriter&) = delete;
  CborWriter& operator=(const CborWriter&) = delete;

  void null() { byte('\xF6'); }
  void boolean(bool boolean) { byte(boolean ? '\xF5' : '\xF4'); }
  void integer(std::int64_t integer) { wrote(cbor::put_integer(room(cbor::kLongestHead), integer)); }
  void real(double real);  // CHECKs that it is finite
  void text(std::string_view text) {
    head(cbor::kText, text.size());
    canonical(text);
  }
  void list(std::size_t items) { head(cbor::kList, items); }
  void map(std::size_t members) { head(cbor::kMap, members); }
  void value(const Value& value) { value.is_null() ? null() : something(value); }
  // Takes bytes that are known to be canonical.
  void canonical(std::string_view bytes) {
    if (bytes.size() > kRoom - used_) return append(bytes);
    std::memcpy(room_ + used_, bytes.data(), bytes.size());
    used_ += bytes.size();
  }

  // For many small pieces in a row: where to write up to `most` bytes by hand, and, before anything else is written,
  // how far that went.
  static constexpr std::size_t kRoom = 1'024;
  char* room(std::size_t most) {
    if (most > kRoom - used_) flush();
    return room_ + used_;
  }
  void wrote(const char* end) { used_ = static_cast<std::size_t>(end - room_); }

 private:
  void byte(char byte) {
    if (used_ == kRoom) flush();
    room_[used_++] = byte;
  }
  void head(unsigned major, std::uint64_t argument) {
    wrote(cbor::put_head(room(cbor::kLongestHead), major, argument));
  }
  void something(const Value& value);
  void append(std::string_view bytes);
  // Apart, so that what calls it now and then stays small.
  [[gnu::noinline]] void flush();

  std::string& out_;
  std::size_t used_ = 0;
  char room_[kRoom];
};

}  // namespace stepwell
