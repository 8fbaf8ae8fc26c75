#include "stepwell/value/path.h"

#include <algorithm>
#include <optional>

#include "stepwell/base/limits.h"
#include "stepwell/value/blob_ref.h"

namespace stepwell {
namespace {

// Where a list keeps the item that `index` names, if it has one.
std::optional<std::size_t> position(std::int64_t index, std::size_t size) {
  const std::int64_t count = static_cast<std::int64_t>(size);
  if (index < -count || index >= count) return std::nullopt;
  return static_cast<std::size_t>(index < 0 ? index + count : index);
}

const Value* child(const Value& parent, const Segment& segment) {
  if (segment.is_key()) return parent.find(segment.key());
  if (!parent.is_list()) return nullptr;
  const std::span<const Value> items = parent.as_list();
  const std::optional<std::size_t> at = position(segment.index(), items.size());
  return at ? &items[*at] : nullptr;
}

std::string name_of(const Path& path) { return path.empty() ? "the value itself" : path.str(); }

std::string with_article(Kind kind) {
  if (kind == Kind::null) return "null";
  if (kind == Kind::text) return "text";
  return (kind == Kind::integer ? "an " : "a ") + std::string(kind_name(kind));
}

// Builds the new containers of one set() from the target upwards.
class Setter {
 public:
  Setter(const Path& path, Value value) : path_(path), value_(std::move(value)) {}

  // What stands at the first `depth` segments after the change; `old` stands there now, or nothing does.
  std::expected<Value, PathMisfit> replaced(const Value* old, std::size_t depth) {
    if (depth == path_.size()) return std::move(value_);
    return path_[depth].is_key() ? member_replaced(old, depth) : item_replaced(old, depth);
  }

 private:
  std::expected<Value, PathMisfit> member_replaced(const Value* old, std::size_t depth) {
    const std::string_view key = path_[depth].key();
    if (old && !old->is_map()) {
      return misfit(depth, " is " + with_article(old->kind()) + ", which has no members; make it a map first");
    }
    if (old && is_blob_ref(*old)) return misfit(depth, " is a blob, which is kept elsewhere; set it as a whole");
    auto made = replaced(old ? old->find(key) : nullptr, depth + 1);
    if (!made) return made;
    if (!old) return Value::map({{Value(key), *std::move(made)}});
    return old->with(key, *std::move(made));
  }

  std::expected<Value, PathMisfit> item_replaced(const Value* old, std::size_t depth) {
    if (!old) return misfit(depth, " does not exist; set it to a list first");
    if (!old->is_list()) {
      return misfit(depth, " is " + with_article(old->kind()) + ", which has no items; make it a list first");
    }
    const std::span<const Value> items = old->as_list();
    const std::optional<std::size_t> at = position(path_[depth].index(), items.size());
    if (!at) {
      const std::string count = items.size() == 1 ? "1 item" : std::to_string(items.size()) + " items";
      return misfit(depth, " has " + count + "; set the whole list to make it longer");
    }
    auto made = replaced(&items[*at], depth + 1);
    if (!made) return made;

    std::vector<Value> changed(items.begin(), items.end());
    changed[*at] = *std::move(made);
    return Value::list(std::move(changed));
  }

  std::unexpected<PathMisfit> misfit(std::size_t depth, const std::string& reason) const {
    Path prefix = path_.first(depth);
    std::string message = "cannot set " + path_.str() + ": " + name_of(prefix) + reason;
    return std::unexpected(PathMisfit{std::move(prefix), std::move(message)});
  }

  const Path& path_;
  Value value_;
};

}  // namespace

std::strong_ordering operator<=>(const Segment& a, const Segment& b) {
  if (a.is_key() != b.is_key()) return a.is_key() <=> b.is_key();
  if (!a.is_key()) return a.index() <=> b.index();
  if (a.key().size() != b.key().size()) return a.key().size() <=> b.key().size();
  return a.key() <=> b.key();
}

Path Path::first(std::size_t count) const {
  CHECK(count <= size());
  Path path;
  path.segments_ = Few<Segment>(begin(), begin() + count);
  return path;
}

Path Path::without_first(std::size_t count) const {
  CHECK(count <= size());
  Path path;
  path.segments_ = Few<Segment>(begin() + count, end());
  return path;
}

bool Path::lies_under(const Path& prefix) const noexcept {
  return prefix.size() <= size() && std::equal(prefix.begin(), prefix.end(), begin());
}

const Value* get(const Value& root, const Path& path) noexcept {
  const Value* found = &root;
  for (const Segment& segment : path) {
    found = child(*found, segment);
    if (!found) return nullptr;
  }
  return found;
}

std::expected<Value, PathMisfit> set(const Value& root, const Path& path, Value value) {
  // What is already in `root` fits, so only the new branch can be too deep. This also bounds the recursion.
  if (path.size() + value.depth() > limits::kValueDepth) {
    return std::unexpected(PathMisfit{path.first(std::min(path.size(), limits::kValueDepth)),
                                      "cannot set a value " + std::to_string(value.depth()) +
                                          " levels deep at a path of " + std::to_string(path.size()) +
                                          " segments: values nest at most " + std::to_string(limits::kValueDepth) +
                                          " levels; keep the data flatter"});
  }
  // Most writes are to a member of the root.
  if (path.size() == 1 && path[0].is_key() && root.is_map() && !is_blob_ref(root)) {
    return root.with(path[0].key(), std::move(value));
  }
  return Setter(path, std::move(value)).replaced(&root, 0);
}

}  // namespace stepwell

std::size_t std::hash<stepwell::Path>::operator()(const stepwell::Path& path) const noexcept {
  std::size_t mixed = path.size();
  for (const stepwell::Segment& segment : path) {
    const std::size_t one =
        segment.is_key() ? std::hash<std::string_view>()(segment.key()) : std::hash<std::int64_t>()(segment.index());
    mixed = (mixed ^ one) * 0x9E3779B97F4A7C15u;  // the golden ratio: order matters and every bit spreads
    mixed ^= mixed >> 32;
  }
  return mixed;
}
