#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepwell/base/check.h"

namespace stepwell {

enum class Kind : std::uint8_t { null, boolean, integer, real, text, list, map };

// The word for a kind in messages: "null", "boolean", "integer", "number", "text", "list", "map".
std::string_view kind_name(Kind kind);

struct Member;

// One JSON-shaped value: null, boolean, 64-bit integer, finite double, UTF-8 text, list or map.
//
// Immutable, 16 bytes, cheap to copy: scalars and text up to 14 bytes live inside, everything else is a shared,
// counted block. Counts are atomic, so values may be shared between threads. Maps keep their members in canonical key
// order (shorter keys first, equal lengths by bytes: the order of RFC 8949 section 4.2.1), whatever order they were
// built in. No value nests deeper than limits::kValueDepth; makers from untrusted input ask list_fits/map_fits first.
//
// Views (as_text, as_list, as_map, find) live as long as the value they were taken from.
class Value {
 public:
  Value() noexcept : Value(Tag::null) {}
  Value(std::nullptr_t) noexcept : Value(Tag::null) {}
  Value(std::same_as<bool> auto boolean) noexcept : Value(Tag::boolean) { store(boolean); }
  template <std::signed_integral T>
    requires(!std::same_as<T, char>)
  Value(T integer) noexcept : Value(Tag::integer) {
    store(static_cast<std::int64_t>(integer));
  }
  Value(double real);  // CHECKs that it is finite
  Value(std::string_view text);
  Value(const std::string& text) : Value(std::string_view(text)) {}
  Value(const char* text) : Value(std::string_view(text)) {}

  // Takes the items as they are. CHECKs list_fits.
  static Value list(std::vector<Value> items);
  // Sorts the members; of equal keys the last one stays. CHECKs map_fits.
  static Value map(std::vector<Member> members);
  static bool list_fits(std::span<const Value> items);
  static bool map_fits(std::span<const Member> members);
  // This map with one member more, or with another value for it. CHECKs that it is a map and that map_fits.
  Value with(std::string_view key, Value value) const;

  Value(const Value& other) noexcept : raw_(other.raw_) { retain(); }
  Value(Value&& other) noexcept : raw_(other.raw_) { other.raw_ = kNull; }
  Value& operator=(const Value& other) noexcept {
    Value copy(other);
    swap(copy);
    return *this;
  }
  Value& operator=(Value&& other) noexcept {
    if (this == &other) return *this;
    release();
    raw_ = std::exchange(other.raw_, kNull);
    return *this;
  }
  ~Value() { release(); }
  void swap(Value& other) noexcept { std::swap(raw_, other.raw_); }

  Kind kind() const noexcept { return kKinds[static_cast<std::size_t>(tag())]; }
  bool is_null() const noexcept { return tag() == Tag::null; }
  bool is_bool() const noexcept { return tag() == Tag::boolean; }
  bool is_int() const noexcept { return tag() == Tag::integer; }
  bool is_real() const noexcept { return tag() == Tag::real; }
  bool is_text() const noexcept { return kind() == Kind::text; }
  bool is_list() const noexcept { return tag() == Tag::list; }
  bool is_map() const noexcept { return tag() == Tag::map; }

  // Each CHECKs the kind. The views are refused on a temporary, which could take the bytes with it.
  bool as_bool() const { return checked_load<bool>(Tag::boolean); }
  std::int64_t as_int() const { return checked_load<std::int64_t>(Tag::integer); }
  double as_real() const { return checked_load<double>(Tag::real); }
  std::string_view as_text() const& {
    if (tag() == Tag::short_text) return {raw_.bytes.data() + 2, static_cast<std::size_t>(raw_.bytes[1])};
    return long_text();
  }
  std::string_view as_text() && = delete;
  std::span<const Value> as_list() const&;
  std::span<const Value> as_list() && = delete;
  std::span<const Member> as_map() const&;
  std::span<const Member> as_map() && = delete;

  // The member with this key, or nullptr if there is none or this is not a map.
  const Value* find(std::string_view key) const&;
  const Value* find(std::string_view key) && = delete;

  // 0 for a scalar or text, 1 for a list of scalars, ...; known without looking.
  std::size_t depth() const noexcept { return tag() >= Tag::list ? block_depth() : 0; }

  // How much there is in it: one for each value and key, and one for each byte of text. What is shared counts wherever
  // it is seen, so a value may be far heavier than the memory it takes; neither its canonical bytes nor its JSON are
  // fewer bytes than that. Known without looking.
  std::uint64_t weight() const noexcept {
    if (counted()) return block_weight();
    return tag() == Tag::short_text ? 1 + static_cast<std::uint64_t>(raw_.bytes[1]) : 1;
  }

  // Identity: the same canonical bytes. So 1 and 1.0 differ, and so do 0.0 and -0.0.
  friend bool operator==(const Value& a, const Value& b);

 private:
  enum class Tag : std::uint8_t { null, boolean, integer, real, short_text, long_text, list, map };
  static constexpr std::array<Kind, 8> kKinds = {Kind::null, Kind::boolean, Kind::integer, Kind::real,
                                                 Kind::text, Kind::text,    Kind::list,    Kind::map};
  static constexpr std::size_t kShortText = 14;

  // Byte 0 is the tag. Short text: byte 1 is its length, its bytes follow. Anything else: bytes 8 to 15 are the
  // payload.
  struct alignas(8) Raw {
    std::array<char, 16> bytes;
  };
  static constexpr Raw kNull = {};

  // Heap blocks: this header, then the characters, items or members.
  struct Block;

  explicit Value(Tag tag) noexcept : raw_(kNull) { raw_.bytes[0] = static_cast<char>(tag); }
  Tag tag() const noexcept { return static_cast<Tag>(raw_.bytes[0]); }
  template <typename T>
  void store(T payload) noexcept {
    std::memcpy(raw_.bytes.data() + 8, &payload, sizeof payload);
  }
  template <typename T>
  T load() const noexcept {
    T payload;
    std::memcpy(&payload, raw_.bytes.data() + 8, sizeof payload);
    return payload;
  }
  template <typename T>
  T checked_load(Tag expected) const {
    CHECK(tag() == expected);
    return load<T>();
  }
  Block* block() const noexcept { return load<Block*>(); }
  bool counted() const noexcept { return tag() >= Tag::long_text; }
  void retain() const noexcept {
    if (counted()) retain_block();
  }
  void release() noexcept {
    if (counted()) release_block();
  }
  std::string_view long_text() const;
  std::size_t block_depth() const noexcept;
  std::uint64_t block_weight() const noexcept;
  void retain_block() const noexcept;
  void release_block() noexcept;

  Raw raw_;
};

// One entry of a map. `name` is always text.
struct Member {
  Value name;
  Value value;

  std::string_view key() const& { return name.as_text(); }
};

// Canonical key order: shorter first, then bytewise.
inline bool canonical_key_less(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace stepwell
