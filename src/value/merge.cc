#include "stepwell/value/merge.h"

#include <optional>

#include "stepwell/value/blob_ref.h"

namespace stepwell {
namespace {

// A reference to a blob is one thing: its members are not those of what it stands for.
bool has_members(const Value& value) { return value.is_map() && !is_blob_ref(value); }

// One pass over the members of two maps. `both` and `added` say what becomes of a member that both have or only `over`
// has; nothing means that it goes. What only `base` has stays.
template <typename Both, typename Added>
Value merged(std::span<const Member> base, std::span<const Member> over, Both both, Added added) {
  std::vector<Member> result;
  result.reserve(base.size() + over.size());
  const auto keep = [&](const Value& name, std::optional<Value> value) {
    if (value) result.push_back({name, *std::move(value)});
  };
  auto old = base.begin();
  for (const Member& member : over) {
    while (old != base.end() && canonical_key_less(old->key(), member.key())) result.push_back(*old++);
    if (old != base.end() && old->key() == member.key()) {
      keep(old->name, both(old->value, member.value));
      ++old;
    } else {
      keep(member.name, added(member.value));
    }
  }
  result.insert(result.end(), old, base.end());
  return Value::map(std::move(result));
}

// The patch as a value of its own, which is the patch without its nulls. Lists are values: their nulls stay. A patch
// that has none is not copied.
Value without_nulls(const Value& patch) {
  if (!patch.is_map()) return patch;
  const std::span<const Member> members = patch.as_map();
  std::vector<Member> kept;
  bool changed = false;
  for (const Member& member : members) {
    Value value = without_nulls(member.value);
    // A map that lost nothing is still the same block.
    changed = changed || value.is_null() || (value.is_map() && value.as_map().data() != member.value.as_map().data());
    if (!value.is_null()) kept.push_back({member.name, std::move(value)});
  }
  return changed ? Value::map(std::move(kept)) : patch;
}

}  // namespace

Value deep_merge(const Value& base, const Value& over) {
  if (!has_members(base) || !has_members(over) || base.as_map().empty()) return over;
  if (over.as_map().empty()) return base;
  return merged(base.as_map(), over.as_map(), deep_merge, [](const Value& value) { return value; });
}

Value merge_patch(const Value& target, const Value& patch) {
  if (!has_members(patch) || !has_members(target)) return without_nulls(patch);
  if (patch.as_map().empty()) return target;
  const auto both = [](const Value& old, const Value& change) -> std::optional<Value> {
    if (change.is_null()) return std::nullopt;
    return merge_patch(old, change);
  };
  const auto added = [](const Value& change) -> std::optional<Value> {
    if (change.is_null()) return std::nullopt;
    return without_nulls(change);
  };
  return merged(target.as_map(), patch.as_map(), both, added);
}

}  // namespace stepwell
