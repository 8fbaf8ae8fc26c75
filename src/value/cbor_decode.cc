#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "stepwell/base/limits.h"
#include "stepwell/value/cbor_read.h"

namespace stepwell {
namespace {

// Builds a value bottom-up. What is read waits on one stack until its container is complete, so a length that is only
// announced costs nothing.
class Decoder {
 public:
  explicit Decoder(CborReader& reader) : reader_(reader) {}

  std::expected<Value, CborError> decode() {
    if (const auto error = read(0)) return std::unexpected(*error);
    return std::move(values_.front());
  }

 private:
  using Error = std::optional<CborError>;

  // Reads one item inside `depth` containers. Recursion is bounded by the depth a value may have.
  Error read(std::size_t depth) {
    const std::size_t start = reader_.offset();
    const auto item = reader_.next();
    if (!item) return item.error();
    switch (item->kind) {
      case Kind::null: values_.emplace_back(); return {};
      case Kind::boolean: values_.emplace_back(item->boolean); return {};
      case Kind::integer: values_.emplace_back(item->integer); return {};
      case Kind::real: values_.emplace_back(item->real); return {};
      case Kind::text: values_.emplace_back(item->text); return {};
      case Kind::list:
      case Kind::map: break;
    }
    if (depth == limits::kValueDepth) return CborError{CborErrorCode::too_deep, start};
    return item->kind == Kind::list ? read_list(item->size, depth) : read_map(item->size, depth);
  }

  Error read_list(std::size_t size, std::size_t depth) {
    for (std::size_t i = 0; i < size; ++i) {
      if (const Error error = read(depth + 1)) return error;
    }
    const auto first = values_.end() - static_cast<std::ptrdiff_t>(size);
    std::vector<Value> items(std::make_move_iterator(first), std::make_move_iterator(values_.end()));
    values_.erase(first, values_.end());
    values_.push_back(Value::list(std::move(items)));
    return {};
  }

  Error read_map(std::size_t size, std::size_t depth) {
    std::optional<std::string_view> before;
    for (std::size_t i = 0; i < size; ++i) {
      if (const Error error = read_key(before)) return error;
      if (const Error error = read(depth + 1)) return error;
    }
    std::vector<Member> members;
    members.reserve(size);
    const std::size_t first = values_.size() - 2 * size;
    for (std::size_t i = first; i < values_.size(); i += 2) {
      members.push_back({std::move(values_[i]), std::move(values_[i + 1])});
    }
    values_.resize(first);
    values_.push_back(Value::map(std::move(members)));
    return {};
  }

  Error read_key(std::optional<std::string_view>& before) {
    const std::size_t start = reader_.offset();
    const auto key = reader_.text();
    if (!key) {
      CborError error = key.error();
      if (error.code == CborErrorCode::unexpected_kind) error.code = CborErrorCode::non_text_key;
      return error;
    }
    if (before == *key) return CborError{CborErrorCode::duplicate_key, start};
    if (before && !canonical_key_less(*before, *key)) return CborError{CborErrorCode::unsorted_keys, start};
    before = *key;
    values_.emplace_back(*key);
    return {};
  }

  CborReader& reader_;
  std::vector<Value> values_;
};

}  // namespace

std::expected<Value, CborError> CborReader::value() { return Decoder(*this).decode(); }

std::expected<Value, CborError> decode_cbor(std::string_view bytes) {
  if (bytes.size() > limits::kDocumentBytes) {
    return std::unexpected(CborError{CborErrorCode::too_long, limits::kDocumentBytes});
  }
  CborReader reader(bytes);
  std::expected<Value, CborError> value = reader.value();
  if (!value) return value;
  if (const auto finished = reader.finish(); !finished) return std::unexpected(finished.error());
  return value;
}

}  // namespace stepwell
