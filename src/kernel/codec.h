#pragma once

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

  void write(bool value) { cbor_.boolean(value); }
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  void write(T value) {
    cbor_.integer(static_cast<std::int64_t>(value));
  }
  template <typename T>
    requires std::is_enum_v<T>
  void write(T value) {
    cbor_.integer(static_cast<std::int64_t>(stored(value)));
  }
  void write(const std::string& value) { cbor_.text(value); }
  void write(const Value& value) { cbor_.value(value); }
  void write(const EncodedValue& value) { cbor_.canonical(value.bytes()); }
  void write(const Path& value) { cbor_.text(value.str()); }
  void write(Instant value) { cbor_.integer(value.micros()); }
  void write(Duration value) { cbor_.integer(value.micros()); }
  template <typename Of>
  void write(Id<Of> value) {
    write(value.number);
  }
  template <typename T>
  void write(const std::optional<T>& value) {
    write_maybe(value ? &*value : nullptr);
  }
  template <typename T>
  void write(const Shared<T>& value) {
    write(*value);
  }
  template <typename T>
  void write(const std::shared_ptr<T>& value) {
    write_maybe(value.get());
  }
  template <typename T>
  void write(const std::unique_ptr<T>& value) {
    write_maybe(value.get());
  }
  template <typename T>
  void write(const Rare<T>& value) {
    write(*value);
  }
  template <typename T>
  void write(const std::vector<T>& all) {
    write_all(all);
  }
  template <typename T>
  void write(const std::deque<T>& all) {
    write_all(all);
  }
  template <typename T>
  void write(const Few<T>& all) {
    write_all(all);
  }
  template <typename A, typename B>
  void write(const std::pair<A, B>& both) {
    cbor_.list(2);
    write(both.first);
    write(both.second);
  }
  template <typename IdOf, typename T>
  void write(const Table<IdOf, T>& table) {
    cbor_.list(table.size());
    table.each([this](const T& entry) { write(entry); });
  }
  template <HasFields T>
  void write(const T& value) {
    cbor_.list(field_count<T>());
    write_fields(value);
  }
  template <typename... Ts>
  void write(const std::variant<Ts...>& value) {
    std::visit(
        [this]<typename T>(const T& held) {
          cbor_.list(1 + field_count<T>());
          write(T::kTag);
          write_fields(held);
        },
        value);
  }

 private:
  template <HasFields T>
  void write_fields(const T& value) {
    T::each_field([&](std::string_view, auto member) { write(value.*member); });
  }
  template <typename T>
  void write_maybe(const T* value) {
    cbor_.list(value == nullptr ? 0 : 1);
    if (value != nullptr) write(*value);
  }
  template <typename Range>
  void write_all(const Range& all) {
    cbor_.list(all.size());
    for (const auto& each : all) write(each);
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
