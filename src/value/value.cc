#include "stepwell/value/value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <new>

#include "stepwell/base/limits.h"
#include "stepwell/base/owners.h"

namespace stepwell {

struct Value::Block {
  Owners owners;
  std::uint32_t depth;
  std::uint64_t weight;
  std::size_t size;

  Block(std::size_t size_of_content, std::size_t depth_of_all, std::uint64_t weight_of_all)
      : depth(static_cast<std::uint32_t>(depth_of_all)), weight(weight_of_all), size(size_of_content) {}

  template <typename T>
  T* content() {
    return reinterpret_cast<T*>(this + 1);
  }

  template <typename T>
  static Block* make(std::size_t size, std::size_t depth, std::uint64_t weight) {
    return new (::operator new(sizeof(Block) + size * sizeof(T))) Block(size, depth, weight);
  }

  static void free(Block* block) {
    block->~Block();
    ::operator delete(block);
  }
};

namespace {

std::size_t deepest(std::span<const Value> items) {
  std::size_t depth = 0;
  for (const Value& item : items) depth = std::max(depth, item.depth());
  return depth;
}

std::size_t deepest(std::span<const Member> members) {
  std::size_t depth = 0;
  for (const Member& member : members) depth = std::max(depth, member.value.depth());
  return depth;
}

// The weight of a container with this content. Sharing can double it with every level, so it stops at the most there
// is.
constexpr std::uint64_t kHeaviest = std::numeric_limits<std::uint64_t>::max();

std::uint64_t weight_around(std::span<const Value> items) {
  std::uint64_t weight = 1;
  bool beyond = false;
  for (const Value& item : items) beyond |= __builtin_add_overflow(weight, item.weight(), &weight);
  return beyond ? kHeaviest : weight;
}

std::uint64_t weight_around(std::span<const Member> members) {
  std::uint64_t weight = 1;
  bool beyond = false;
  for (const Member& member : members) {
    beyond |= __builtin_add_overflow(weight, member.name.weight(), &weight);
    beyond |= __builtin_add_overflow(weight, member.value.weight(), &weight);
  }
  return beyond ? kHeaviest : weight;
}

// Sorts into canonical order and keeps the last of equal keys.
void canonicalise(std::vector<Member>& members) {
  auto less = [](const Member& a, const Member& b) { return canonical_key_less(a.key(), b.key()); };
  auto not_less = [&](const Member& a, const Member& b) { return !less(a, b); };
  if (std::adjacent_find(members.begin(), members.end(), not_less) == members.end()) return;
  std::stable_sort(members.begin(), members.end(), less);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (kept > 0 && members[kept - 1].key() == members[i].key()) --kept;
    if (kept != i) members[kept] = std::move(members[i]);
    ++kept;
  }
  members.resize(kept);
}

}  // namespace

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::null: return "null";
    case Kind::boolean: return "boolean";
    case Kind::integer: return "integer";
    case Kind::real: return "number";
    case Kind::text: return "text";
    case Kind::list: return "list";
    case Kind::map: return "map";
  }
  CHECK(false);
}

Value::Value(double real) : Value(Tag::real) {
  CHECK(std::isfinite(real));
  store(real);
}

Value::Value(std::string_view text) : Value(Tag::short_text) {
  if (text.size() <= kShortText) {
    raw_.bytes[1] = static_cast<char>(text.size());
    std::copy(text.begin(), text.end(), raw_.bytes.begin() + 2);
    return;
  }
  raw_.bytes[0] = static_cast<char>(Tag::long_text);
  Block* made = Block::make<char>(text.size(), 0, 1 + text.size());
  std::copy(text.begin(), text.end(), made->content<char>());
  store(made);
}

Value Value::list(std::vector<Value> items) {
  const std::size_t depth = deepest(items) + 1;
  CHECK(depth <= limits::kValueDepth);
  Block* made = Block::make<Value>(items.size(), depth, weight_around(items));
  std::uninitialized_move(items.begin(), items.end(), made->content<Value>());
  Value value(Tag::list);
  value.store(made);
  return value;
}

Value Value::map(std::vector<Member> members) {
  canonicalise(members);
  const std::size_t depth = deepest(members) + 1;
  CHECK(depth <= limits::kValueDepth);
  Block* made = Block::make<Member>(members.size(), depth, weight_around(members));
  std::uninitialized_move(members.begin(), members.end(), made->content<Member>());
  Value value(Tag::map);
  value.store(made);
  return value;
}

Value Value::with(std::string_view key, Value value) const {
  const std::span<const Member> old = as_map();
  // Most keys differ in length already, so the others need only one look at their bytes.
  auto place = old.begin();
  while (place != old.end() && place->key().size() < key.size()) ++place;
  bool exists = false;
  for (; place != old.end() && place->key().size() == key.size(); ++place) {
    const int order = place->key().compare(key);
    exists = order == 0;
    if (order >= 0) break;
  }
  const std::size_t size = old.size() + (exists ? 0 : 1);
  // Depth and weight follow from the old ones, unless what goes may have been the deepest or the old weight is no sum.
  const bool follow = (!exists || value.depth() >= place->value.depth()) && block()->weight != kHeaviest;
  const std::size_t depth = std::max<std::size_t>(block()->depth, value.depth() + 1);
  const std::uint64_t without = block()->weight - (exists ? place->value.weight() : 0);
  const std::uint64_t added = value.weight() + (exists ? 0 : 1 + key.size());
  Block* made = Block::make<Member>(size, depth, 0);
  Member* at = std::uninitialized_copy(old.begin(), place, made->content<Member>());
  new (at) Member{exists ? place->name : Value(key), std::move(value)};
  std::uninitialized_copy(place + (exists ? 1 : 0), old.end(), at + 1);
  const std::span<const Member> members(made->content<Member>(), size);
  if (follow) {
    if (__builtin_add_overflow(without, added, &made->weight)) made->weight = kHeaviest;
  } else {
    made->depth = static_cast<std::uint32_t>(deepest(members) + 1);
    made->weight = weight_around(members);
  }
  CHECK(made->depth <= limits::kValueDepth);
  Value changed(Tag::map);
  changed.store(made);
  return changed;
}

bool Value::list_fits(std::span<const Value> items) { return deepest(items) < limits::kValueDepth; }
bool Value::map_fits(std::span<const Member> members) { return deepest(members) < limits::kValueDepth; }

void Value::retain_block() const noexcept { block()->owners.add(); }

void Value::release_block() noexcept {
  Block* held = block();
  if (!held->owners.drop()) return;
  if (tag() == Tag::list) std::destroy_n(held->content<Value>(), held->size);
  if (tag() == Tag::map) std::destroy_n(held->content<Member>(), held->size);
  Block::free(held);
}

std::string_view Value::long_text() const {
  CHECK(tag() == Tag::long_text);
  return {block()->content<char>(), block()->size};
}

std::span<const Value> Value::as_list() const& {
  CHECK(tag() == Tag::list);
  return {block()->content<Value>(), block()->size};
}

std::span<const Member> Value::as_map() const& {
  CHECK(tag() == Tag::map);
  return {block()->content<Member>(), block()->size};
}

const Value* Value::find(std::string_view key) const& {
  if (tag() != Tag::map) return nullptr;
  std::span<const Member> members = as_map();
  // Halving down to a few, then one after the other: most maps are small, and most keys differ in length already.
  constexpr std::size_t kFew = 8;
  while (members.size() > kFew) {
    const std::size_t half = members.size() / 2;
    members = canonical_key_less(key, members[half].key()) ? members.first(half) : members.subspan(half);
  }
  for (const Member& member : members) {
    const std::string_view candidate = member.key();
    if (candidate.size() > key.size()) return nullptr;
    if (candidate == key) return &member.value;
  }
  return nullptr;
}

std::size_t Value::block_depth() const noexcept { return block()->depth; }
std::uint64_t Value::block_weight() const noexcept { return block()->weight; }

bool operator==(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::null: return true;
    case Kind::boolean: return a.as_bool() == b.as_bool();
    case Kind::integer: return a.as_int() == b.as_int();
    case Kind::real: return std::bit_cast<std::uint64_t>(a.as_real()) == std::bit_cast<std::uint64_t>(b.as_real());
    case Kind::text: return a.as_text() == b.as_text();
    case Kind::list: return a.block() == b.block() || std::ranges::equal(a.as_list(), b.as_list());
    case Kind::map:
      return a.block() == b.block() || std::ranges::equal(a.as_map(), b.as_map(), [](const Member& x, const Member& y) {
               return x.key() == y.key() && x.value == y.value;
             });
  }
  CHECK(false);
}

}  // namespace stepwell
