#include "stepwell/value/diff.h"

#include <algorithm>

#include "stepwell/value/json_write.h"

namespace stepwell {
namespace {

// Recursion is bounded: no value nests deeper than limits::kValueDepth.
class Differ {
 public:
  explicit Differ(const Path& at) : path_(at) {}

  void compare(const Value& before, const Value& after) {
    if (before.is_map() && after.is_map()) {
      compare_members(before.as_map(), after.as_map());
    } else if (before.is_list() && after.is_list()) {
      compare_items(before.as_list(), after.as_list());
    } else if (before != after) {
      changes_.push_back({path_, before, after});
    }
  }

  std::vector<Change> take() { return std::move(changes_); }

 private:
  void compare_members(std::span<const Member> before, std::span<const Member> after) {
    if (before.data() == after.data()) return;
    auto old = before.begin();
    auto now = after.begin();
    while (old != before.end() || now != after.end()) {
      if (now == after.end() || (old != before.end() && canonical_key_less(old->key(), now->key()))) {
        changes_.push_back({path_ / old->key(), old->value, std::nullopt});
        ++old;
      } else if (old == before.end() || canonical_key_less(now->key(), old->key())) {
        changes_.push_back({path_ / now->key(), std::nullopt, now->value});
        ++now;
      } else {
        compare_at(old->key(), old->value, now->value);
        ++old;
        ++now;
      }
    }
  }

  void compare_items(std::span<const Value> before, std::span<const Value> after) {
    if (before.data() == after.data()) return;
    const std::size_t common = std::min(before.size(), after.size());
    for (std::size_t i = 0; i < common; ++i) compare_at(index(i), before[i], after[i]);
    for (std::size_t i = common; i < before.size(); ++i) {
      changes_.push_back({path_ / index(i), before[i], std::nullopt});
    }
    for (std::size_t i = common; i < after.size(); ++i) {
      changes_.push_back({path_ / index(i), std::nullopt, after[i]});
    }
  }

  void compare_at(Segment segment, const Value& before, const Value& after) {
    path_.push_back(std::move(segment));
    compare(before, after);
    path_.pop_back();
  }

  static Segment index(std::size_t i) { return static_cast<std::int64_t>(i); }

  Path path_;
  std::vector<Change> changes_;
};

// The first offset not before `at` where a character starts.
std::size_t character_from(std::string_view text, std::size_t at) {
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return at;
}

// The text, or if it is long the part of it around `focus`, and how long it is.
std::string excerpt(std::string_view text, std::size_t focus) {
  constexpr std::size_t kShown = 80;
  constexpr std::size_t kBeforeFocus = 20;
  if (text.size() <= kShown) return std::string(text);
  const std::size_t wanted = std::min(focus - std::min(focus, kBeforeFocus), text.size() - kShown);
  const std::size_t start = character_from(text, wanted);
  const std::size_t end = character_from(text, wanted + kShown);
  std::string out = start > 0 ? "..." : "";
  out += text.substr(start, end - start);
  if (end < text.size()) out += "...";
  return out + " (" + std::to_string(text.size()) + " bytes)";
}

void append_line(std::string& out, char sign, const Path& path, const std::string& shown) {
  out += sign;
  out += ' ';
  if (!path.empty()) out += path.str() + ": ";
  out += shown + '\n';
}

}  // namespace

std::vector<Change> diff(const Value& before, const Value& after, const Path& at) {
  Differ differ(at);
  differ.compare(before, after);
  return differ.take();
}

std::string diff_text(std::span<const Change> changes) {
  std::string out;
  for (const Change& change : changes) {
    const std::string before = change.before ? to_json(*change.before) : "";
    const std::string after = change.after ? to_json(*change.after) : "";
    const auto differs = std::ranges::mismatch(before, after).in1;
    const std::size_t focus = static_cast<std::size_t>(differs - before.begin());
    if (change.before) append_line(out, '-', change.path, excerpt(before, focus));
    if (change.after) append_line(out, '+', change.path, excerpt(after, focus));
  }
  return out;
}

}  // namespace stepwell
