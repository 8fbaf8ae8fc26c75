#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <expected>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/base/few.h"
#include "stepwell/base/text_error.h"
#include "stepwell/value/value.h"

namespace stepwell {

// One step into a value: the key of a map's member, or the index of a list's item. A negative index counts from the
// end, as in expressions: items[-1] is the last one.
class Segment {
 public:
  Segment(std::string_view key) : step_(key) {}
  Segment(const std::string& key) : step_(key) {}
  Segment(const char* key) : step_(key) {}
  template <std::signed_integral T>
    requires(!std::same_as<T, char>)
  Segment(T index) noexcept : step_(index) {}

  bool is_key() const noexcept { return step_.is_text(); }
  // Each CHECKs that it is one.
  std::string_view key() const& { return step_.as_text(); }
  std::string_view key() && = delete;
  std::int64_t index() const { return step_.as_int(); }

  friend bool operator==(const Segment& a, const Segment& b) { return a.step_ == b.step_; }
  // Indices by number, then keys in canonical key order: the order in which a value holds them.
  friend std::strong_ordering operator<=>(const Segment& a, const Segment& b);

 private:
  Value step_;  // text or integer: short keys need no allocation, long ones are shared
};

// Where something is inside a value: `ctx.items[2].price`, `a["odd key"].b`. Without segments it is the whole value.
// Paths are equal, ordered and hashed as written: items[-1] and items[2] differ even where they meet in one list.
class Path {
 public:
  Path() = default;
  Path(std::initializer_list<Segment> segments) : segments_(segments) {}

  // Reads what str() writes. `text` is UTF-8.
  //   path  = "" | (name | "[" step "]") *("." name | "[" step "]")
  //   name  = [A-Za-z_][A-Za-z0-9_]*
  //   step  = ["-"] digits | a string in '...' or "..." with the escapes of JSON (\u not for surrogates)
  // There is no white space outside strings.
  static std::expected<Path, TextError> parse(std::string_view text);

  // One spelling for each path, which parse() reads back: names where they can be, else keys in double quotes.
  std::string str() const;
  // What str() writes, if that is just one name; else nothing.
  std::string_view sole_name() const;

  bool empty() const noexcept { return segments_.empty(); }
  std::size_t size() const noexcept { return segments_.size(); }
  const Segment& operator[](std::size_t i) const { return segments_[i]; }
  auto begin() const noexcept { return segments_.begin(); }
  auto end() const noexcept { return segments_.end(); }

  void push_back(Segment segment) { segments_.push_back(std::move(segment)); }
  void pop_back() { segments_.pop_back(); }
  friend Path operator/(Path path, Segment segment) {
    path.push_back(std::move(segment));
    return path;
  }

  // The first `count` segments, and all but those. Each CHECKs that there are that many.
  Path first(std::size_t count) const;
  Path without_first(std::size_t count) const;
  // Whether this is `prefix` or inside it: ctx.approved.by and ctx.approved lie under ctx.approved, ctx.approver not.
  bool lies_under(const Path& prefix) const noexcept;

  friend bool operator==(const Path&, const Path&) = default;
  friend std::strong_ordering operator<=>(const Path&, const Path&) = default;

 private:
  Few<Segment> segments_;
};

// What is at `path` in `root`, or nullptr if there is nothing. Lives as long as `root`.
const Value* get(const Value& root, const Path& path) noexcept;
const Value* get(Value&&, const Path&) = delete;

// Why a value could not be set.
struct PathMisfit {
  Path prefix;          // the part of the path that did not fit
  std::string message;  // complete: what is there and what to do
};

// `root` with `value` at `path`. Only the containers on the way are copied, all else is shared with `root`. Missing
// maps are made on the way. A list is never made or made longer, and nothing that exists is replaced but the value at
// `path` itself: a path that leads through a scalar, past the end of a list or deeper than limits::kValueDepth is
// refused.
std::expected<Value, PathMisfit> set(const Value& root, const Path& path, Value value);

}  // namespace stepwell

template <>
struct std::hash<stepwell::Path> {
  std::size_t operator()(const stepwell::Path& path) const noexcept;
};
