#include "stepwell/value/externalize.h"

#include <algorithm>
#include <numeric>

#include "stepwell/base/limits.h"
#include "stepwell/base/sha256.h"
#include "stepwell/value/blob_ref.h"
#include "stepwell/value/cbor_read.h"
#include "stepwell/value/cbor_write.h"

namespace stepwell {
namespace {

// An item is worth a blob of its own if it holds at least this part of what may stay.
constexpr std::size_t kShare = 16;

class Externalizer {
 public:
  explicit Externalizer(std::size_t inline_max) : inline_max_(inline_max) {}

  Value shrink(const Value& value) {
    if (value.weight() <= inline_max_ || is_blob_ref(value)) return value;
    if (value.is_list()) return shrink_list(value);
    if (value.is_map()) return shrink_map(value);
    return value.is_text() ? store(value) : value;
  }

  std::vector<Blob> take() { return std::move(blobs_); }

 private:
  Value shrink_list(const Value& list) {
    std::vector<Value> items(list.as_list().begin(), list.as_list().end());
    const bool fits = shrink_items(items, list.weight());
    Value shrunk = Value::list(std::move(items));
    return fits ? shrunk : store(shrunk);
  }

  Value shrink_map(const Value& map) {
    std::vector<Value> items;
    items.reserve(map.as_map().size());
    for (const Member& member : map.as_map()) items.push_back(member.value);
    const bool fits = shrink_items(items, map.weight());
    std::vector<Member> members;
    members.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) members.push_back({map.as_map()[i].name, std::move(items[i])});
    Value shrunk = Value::map(std::move(members));
    return fits ? shrunk : store(shrunk);
  }

  // First what is too large by itself, then the largest, until what is left of `total` fits. False if it does not.
  bool shrink_items(std::vector<Value>& items, std::uint64_t total) {
    for (Value& item : items) {
      total -= item.weight();
      item = shrink(item);
      total += item.weight();
    }
    std::vector<std::size_t> order(items.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return items[i].weight(); });
    for (const std::size_t i : order) {
      if (total <= inline_max_) return true;
      if (items[i].weight() < inline_max_ / kShare || is_blob_ref(items[i])) return false;
      total -= items[i].weight();
      items[i] = store(items[i]);
      total += items[i].weight();
    }
    return total <= inline_max_;
  }

  Value store(const Value& value) {
    Blob blob{.name = {}, .bytes = encode_cbor(value)};
    blob.name = "sha256:" + sha256(blob.bytes).to_hex();
    Value reference = Value::map({{"$ref", Value(blob.name)},
                                  {"size", static_cast<std::int64_t>(blob.bytes.size())},
                                  {"type", Value(kind_name(value.kind()))}});
    if (std::ranges::find(blobs_, blob.name, &Blob::name) == blobs_.end()) blobs_.push_back(std::move(blob));
    return reference;
  }

  std::size_t inline_max_;
  std::vector<Blob> blobs_;
};

using Load = std::function<std::expected<std::string, std::string>(std::string_view name)>;

class Internalizer {
 public:
  Internalizer(std::size_t most, const Load& load) : left_(most), load_(load) {}

  std::expected<Value, std::string> fill(const Value& value, std::size_t depth) {
    if (depth > limits::kDataDepth) return std::unexpected("what the references lead to nests too deep");
    if (is_blob_ref(value)) return loaded(value, depth);
    if (value.is_list()) {
      std::vector<Value> items;
      items.reserve(value.as_list().size());
      for (const Value& item : value.as_list()) {
        auto filled = fill(item, depth + 1);
        if (!filled) return filled;
        items.push_back(std::move(*filled));
      }
      return Value::list(std::move(items));
    }
    if (!value.is_map()) return value;
    std::vector<Member> members;
    members.reserve(value.as_map().size());
    for (const Member& member : value.as_map()) {
      auto filled = fill(member.value, depth + 1);
      if (!filled) return filled;
      members.push_back({member.name, std::move(*filled)});
    }
    return Value::map(std::move(members));
  }

 private:
  std::expected<Value, std::string> loaded(const Value& reference, std::size_t depth) {
    const std::string name(blob_of(reference));
    auto bytes = load_(name);
    if (!bytes) return std::unexpected(std::move(bytes.error()));
    if (bytes->size() > left_) return std::unexpected("what the references lead to is too large");
    left_ -= bytes->size();
    const auto value = decode_cbor(*bytes);
    if (!value) return std::unexpected(name + " does not hold a value: " + value.error().to_string());
    return holds_blob_ref(*value) ? fill(*value, depth) : *value;
  }

  std::size_t left_;
  const Load& load_;
};

}  // namespace

Externalized externalize(const Value& value, std::size_t inline_max) {
  Externalizer externalizer(inline_max);
  Value shrunk = externalizer.shrink(value);
  return {.value = std::move(shrunk), .blobs = externalizer.take()};
}

std::expected<Value, std::string> internalize(const Value& value, std::size_t most, const Load& load) {
  if (!holds_blob_ref(value)) return value;
  auto filled = Internalizer(most, load).fill(value, 0);
  if (filled && filled->depth() > limits::kDataDepth)
    return std::unexpected("what the references lead to nests too deep");
  return filled;
}

}  // namespace stepwell
