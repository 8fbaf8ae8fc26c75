#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "stepwell/value/cbor_form.h"
#include "stepwell/value/value.h"

namespace stepwell {

struct EncodedMember;

// A value in its canonical bytes, read in place: nothing is decoded but what is asked for, nothing is allocated, and
// texts point into the bytes.
//
// The bytes must be canonical: written by encode_cbor, or accepted by decode_cbor. They may be longer than the value
// that starts them. They must outlive the view and everything taken from it. That reads stay inside the bytes is
// CHECKed; anything else about them is trusted.
class EncodedView {
 public:
  explicit EncodedView(std::string_view bytes) : bytes_(bytes) { CHECK(!bytes.empty()); }

  Kind kind() const;

  // Each CHECKs the kind.
  bool as_bool() const;
  std::int64_t as_int() const;
  double as_real() const;
  std::string_view as_text() const;
  // The number of items of a list or members of a map.
  std::size_t size() const;

  // The member with this key, if this is a map that has it. Stops where the key would be.
  std::optional<EncodedView> find(std::string_view key) const;
  // The item with this index, if this is a list that has it. Walks over those before; EncodedWalk is for all of them.
  std::optional<EncodedView> at(std::size_t index) const;

  // Whether it is a list or a map.
  bool is_container() const {
    const unsigned major = cbor::major_of(static_cast<unsigned char>(bytes_.front()));
    return major == cbor::kList || major == cbor::kMap;
  }
  // The bytes of this value, and what is known to follow them.
  std::string_view known() const { return bytes_; }

  // How many bytes of this value come before one that was taken from it.
  std::size_t offset_of(const EncodedView& inside) const { return bytes_.size() - inside.bytes_.size(); }

  // Exactly the bytes of this value.
  std::string_view bytes() const;
  Value decode() const;

 private:
  friend class EncodedWalk;

  std::string_view bytes_;  // from the value's first byte to the end of what is known
};

// Goes through the items of a list or the members of a map in order.
class EncodedWalk {
 public:
  // CHECKs that it is a list or map.
  explicit EncodedWalk(const EncodedView& container);

  // The next one, or nothing after the last. Each CHECKs that the container is of its kind.
  std::optional<EncodedView> next_item();
  std::optional<EncodedMember> next_member();

 private:
  bool advance(Kind kind);

  Kind kind_;
  std::size_t left_;
  std::string_view rest_;
  bool at_value_ = false;  // `rest_` starts with a value that was handed out and is not skipped yet
};

struct EncodedMember {
  std::string_view key;
  EncodedView value;
};

}  // namespace stepwell
