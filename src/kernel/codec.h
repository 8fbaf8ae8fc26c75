#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <deque>
#include <expected>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "stepwell/base/duration.h"
#include "stepwell/base/few.h"
#include "stepwell/base/instant.h"
#include "stepwell/kernel/field.h"
#include "stepwell/kernel/ids.h"
#include "stepwell/kernel/rare.h"
#include "stepwell/kernel/shared.h"
#include "stepwell/kernel/table.h"
#include "stepwell/value/cbor_read.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/encoded_value.h"
#include "stepwell/value/path.h"

// Structs with fields to canonical CBOR and back: a struct is the list of its fields, what may be missing is a list of
// none or one, a variant is a list that begins with the tag of what it holds.
namespace stepwell {

// An enumeration that is written says beside itself which numbers mean something: `constexpr bool known(E value)`, a
// switch without default, so that a new enumerator cannot be forgotten.

// What is written for an enumerator. An enumeration with states that do not last overloads it.
template <typename T>
  requires std::is_enum_v<T>
T stored(T value) {
  return value;
}

class Encoder {
 public:
  explicit Encoder(std::string& out) : cbor_(out) {}

  template <typename T>
  void write(const T& value) {
    static_assert(longest<T>() <= CborWriter::kRoom);
    cbor_.wrote(put(cbor_.room(longest<T>()), value));
  }

 private:
  // Each puts a value where `at` says, and returns where to go on: so the place stays in a register. There is room for
  // what is short; what may be long is written aside, and leaves room for `kFields` bytes after it.
  static constexpr std::size_t kFields = 400;

  // The most that is put of a value at once, leaving aside what is written aside.
  template <typename T>
  static consteval std::size_t longest() {
    if constexpr (HasFields<T>) {
      std::size_t bytes = cbor::kLongestHead;
      T::each_field([&]<typename Of>(std::string_view, Of T::*) { bytes += longest<Of>(); });
      return bytes;
    } else {
      return longest_of(static_cast<const T*>(nullptr));
    }
  }
  template <typename T>
  static consteval std::size_t longest_of(const T*) {
    return cbor::kLongestHead;
  }
  template <typename T>
  static consteval std::size_t longest_of(const Few<T>*) {
    return cbor::kLongestHead + longest<T>();
  }
  template <typename... Ts>
  static consteval std::size_t longest_of(const std::variant<Ts...>*) {
    return cbor::kLongestHead + std::max({longest<Ts>()...});
  }

  template <typename How>
  [[gnu::always_inline]] char* aside(char* at, How how) {
    cbor_.wrote(at);
    how();
    return cbor_.room(kFields);
  }
  static char* put_list(char* at, std::size_t items) { return cbor::put_head(at, cbor::kList, items); }

  static char* put(char* at, bool value) {
    *at = value ? '\xF5' : '\xF4';
    return at + 1;
  }
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  static char* put(char* at, T value) {
    return cbor::put_integer(at, static_cast<std::int64_t>(value));
  }
  template <typename T>
    requires std::is_enum_v<T>
  static char* put(char* at, T value) {
    return cbor::put_integer(at, static_cast<std::int64_t>(stored(value)));
  }
  char* put(char* at, const std::string& value) {
    if (value.empty()) return cbor::put_head(at, cbor::kText, 0);
    return aside(at, [&] { cbor_.text(value); });
  }
  [[gnu::always_inline]] char* put(char* at, const Value& value) {
    if (value.is_null()) {
      *at = '\xF6';
      return at + 1;
    }
    if (value.is_int()) return cbor::put_integer(at, value.as_int());
    return aside(at, [&] { cbor_.value(value); });
  }
  char* put(char* at, const EncodedValue& value) {
    return aside(at, [&] { cbor_.canonical(value.bytes()); });
  }
  char* put(char* at, const Path& value) {
    // Most are one name.
    const std::string_view name = value.sole_name();
    return aside(at, [&] { name.empty() ? cbor_.text(value.str()) : cbor_.text(name); });
  }
  static char* put(char* at, Instant value) { return cbor::put_integer(at, value.micros()); }
  static char* put(char* at, Duration value) { return cbor::put_integer(at, value.micros()); }
  template <typename Of>
  static char* put(char* at, Id<Of> value) {
    return put(at, value.number);
  }
  template <typename T>
  char* put(char* at, const std::optional<T>& value) {
    return put_maybe(at, value ? &*value : nullptr);
  }
  template <typename T>
  char* put(char* at, const Shared<T>& value) {
    return aside(at, [&] { write(*value); });
  }
  template <typename T>
  char* put(char* at, const std::shared_ptr<T>& value) {
    return put_maybe(at, value.get());
  }
  template <typename T>
  char* put(char* at, const std::unique_ptr<T>& value) {
    return put_maybe(at, value.get());
  }
  template <typename T>
  char* put(char* at, const Rare<T>& value) {
    return aside(at, [&] { write(*value); });
  }
  template <typename T>
  char* put(char* at, const std::vector<T>& all) {
    return put_all(at, all);
  }
  template <typename T>
  char* put(char* at, const std::deque<T>& all) {
    return put_all(at, all);
  }
  template <typename T>
  char* put(char* at, const Few<T>& all) {
    if (all.size() == 1) return put(put_list(at, 1), all.front());
    return put_all(at, all);
  }
  template <typename A, typename B>
  char* put(char* at, const std::pair<A, B>& both) {
    return aside(put_list(at, 2), [&] {
      write(both.first);
      write(both.second);
    });
  }
  template <typename IdOf, typename T>
  char* put(char* at, const Table<IdOf, T>& table) {
    return aside(put_list(at, table.size()), [&] { table.each([this](const T& entry) { write(entry); }); });
  }
  template <HasFields T>
  char* put(char* at, const T& value) {
    return put_fields(put_list(at, field_count<T>()), value);
  }
  template <typename... Ts>
  char* put(char* at, const std::variant<Ts...>& value) {
    return std::visit([&](const auto& held) { return put_tagged(at, held); }, value);
  }

  template <HasFields T>
  char* put_tagged(char* at, const T& value) {
    return put_fields(put(put_list(at, 1 + field_count<T>()), T::kTag), value);
  }
  template <HasFields T>
  char* put_fields(char* at, const T& value) {
    static_assert(longest<T>() <= kFields);
    T::each_field([&](std::string_view, auto member) { at = put(at, value.*member); });
    return at;
  }
  template <typename T>
  char* put_maybe(char* at, const T* value) {
    if (value == nullptr) return put_list(at, 0);
    return aside(put_list(at, 1), [&] { write(*value); });
  }
  template <typename Range>
  char* put_all(char* at, const Range& all) {
    if (all.empty()) return put_list(at, 0);
    return aside(put_list(at, all.size()), [&] {
      for (const auto& each : all) write(each);
    });
  }

  CborWriter cbor_;
};

// Reads what Encoder writes, trusting nothing. After the first thing that does not fit, everything that is read is
// worthless, and `error` says what it was.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : bytes_(bytes), cbor_(bytes) {}

  const std::optional<std::string>& error() const { return error_; }
  void finish() {
    if (const auto ended = cbor_.finish(); !error_ && !ended) error_ = ended.error().to_string();
  }

  void read(bool& value) { keep(cbor_.boolean(), value); }
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  void read(T& value) {
    std::int64_t number = 0;
    keep(cbor_.integer(), number);
    if (!std::in_range<T>(number)) return refuse("a number is out of range");
    value = static_cast<T>(number);
  }
  template <typename T>
    requires std::is_enum_v<T>
  void read(T& value) {
    std::underlying_type_t<T> number = {};
    read(number);
    if (!known(static_cast<T>(number))) return refuse("a number means nothing here");
    value = static_cast<T>(number);
  }
  void read(std::string& value) { keep(cbor_.text(), value); }
  void read(Value& value) { keep(cbor_.value(), value); }
  void read(EncodedValue& value) {
    const std::size_t begin = cbor_.offset();
    Value whole;
    keep(cbor_.value(), whole);
    if (!error_) value = EncodedValue::from_canonical(bytes_.substr(begin, cbor_.offset() - begin), whole.depth());
  }
  void read(Path& value) {
    std::string text;
    read(text);
    auto path = Path::parse(text);
    if (!path || path->str() != text) return refuse("a path is malformed");
    value = std::move(*path);
  }
  void read(Instant& value) {
    std::int64_t micros = 0;
    read(micros);
    const auto instant = Instant::from_micros(micros);
    if (!instant) return refuse("an instant is out of range");
    value = *instant;
  }
  void read(Duration& value) {
    std::int64_t micros = 0;
    read(micros);
    value = Duration::micros(micros);
  }
  template <typename Of>
  void read(Id<Of>& value) {
    read(value.number);
  }
  template <typename T>
  void read(std::optional<T>& value) {
    if (maybe()) read(value.emplace());
  }
  template <typename T>
  void read(Shared<T>& value) {
    T made;
    read(made);
    value = std::move(made);
  }
  template <typename T>
  void read(std::shared_ptr<const T>& value) {
    if (!maybe()) return;
    auto made = std::make_shared<T>();
    read(*made);
    value = std::move(made);
  }
  template <typename T>
  void read(std::unique_ptr<T>& value) {
    if (!maybe()) return;
    value = std::make_unique<T>();
    read(*value);
  }
  template <typename T>
  void read(Rare<T>& value) {
    T made;
    read(made);
    if (!made.empty()) value.write() = std::move(made);
  }
  template <typename T>
  void read(std::vector<T>& all) {
    read_all(all);
  }
  template <typename T>
  void read(std::deque<T>& all) {
    read_all(all);
  }
  template <typename T>
  void read(Few<T>& all) {
    read_all(all);
  }
  template <typename A, typename B>
  void read(std::pair<A, B>& both) {
    expect_list(2);
    read(both.first);
    read(both.second);
  }
  template <typename IdOf, typename T>
  void read(Table<IdOf, T>& table) {
    IdOf last;
    for (std::size_t left = list(); left > 0 && !error_; --left) {
      T entry;
      read(entry);
      if (entry.id <= last) return refuse("ids are not in order");
      last = entry.id;
      table.add(std::move(entry));
    }
  }
  template <HasFields T>
  void read(T& value) {
    expect_list(field_count<T>());
    read_fields(value);
  }
  template <typename... Ts>
  void read(std::variant<Ts...>& value) {
    const std::size_t size = list();
    std::uint8_t tag = 0;
    if (size > 0) read(tag);
    if (error_) return;
    const bool known = (read_as<Ts>(tag, size, value) || ...);
    if (!known) refuse("a tag is not known");
  }

 private:
  template <typename T, typename Variant>
  bool read_as(std::uint8_t tag, std::size_t size, Variant& value) {
    if (tag != T::kTag) return false;
    if (size != 1 + field_count<T>()) {
      refuse("the number of fields is wrong");
      return true;
    }
    read_fields(value.template emplace<T>());
    return true;
  }
  template <HasFields T>
  void read_fields(T& value) {
    T::each_field([&](std::string_view, auto member) {
      if (!error_) read(value.*member);
    });
  }
  template <typename Range>
  void read_all(Range& all) {
    for (std::size_t left = list(); left > 0 && !error_; --left) read(all.emplace_back());
  }
  template <typename T, typename U>
  void keep(std::expected<T, CborError> read, U& value) {
    if (error_) return;
    if (!read) return refuse(read.error().to_string());
    value = U(std::move(*read));
  }
  std::size_t list() {
    std::size_t size = 0;
    keep(cbor_.list(), size);
    return size;
  }
  void expect_list(std::size_t size) {
    if (list() != size) refuse("the number of fields is wrong");
  }
  bool maybe() {
    const std::size_t size = list();
    if (size > 1) refuse("more than one where at most one can be");
    return !error_ && size == 1;
  }
  void refuse(std::string why) {
    if (!error_) error_ = "byte " + std::to_string(cbor_.offset()) + ": " + std::move(why);
  }

  std::string_view bytes_;
  CborReader cbor_;
  std::optional<std::string> error_;
};

}  // namespace stepwell
