#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "stepwell/base/check.h"
#include "stepwell/base/few.h"

namespace stepwell {

// What lives, by id. Entries are added in order of their ids and stay in that order, in one piece of memory, a single
// one inside the table itself; an erased one leaves a hole, and when half of them are holes the table closes up. Adding
// and erasing cost O(1) on average, finding O(log n). A pointer to an entry is good until the next add or erase.
//
// T has a member `id`, whose highest bit is the table's: it marks a hole.
template <typename IdOf, typename T>
class Table {
 public:
  // Adds an entry that is new but for its id.
  T& add(IdOf id) {
    CHECK(entries_.empty() || number_of(entries_.back()) < id.number);
    T& added = entries_.emplace_back();
    added.id = id;
    ++size_;
    return added;
  }
  T& add(T&& entry) {
    T& added = add(entry.id);
    added = std::move(entry);
    return added;
  }

  void erase(IdOf id) { erase(at(id)); }
  // The entry must be one of the table's.
  void erase(T& entry) {
    --size_;
    if (size_ == 0) return entries_.clear();
    if (&entry == &entries_.back()) return entries_.pop_back();
    const std::uint64_t hole = entry.id.number | kHole;
    entry = T();
    entry.id = {hole};
    if (entries_.size() > kFewEntries && size_ * 2 < entries_.size()) {
      const auto holes = std::ranges::remove_if(entries_, [](const T& each) { return !is_alive(each); });
      for (std::size_t left = holes.size(); left > 0; --left) entries_.pop_back();
    }
  }

  const T* find(IdOf id) const { return const_cast<Table*>(this)->locate(id); }
  T* find(IdOf id) { return locate(id); }
  // CHECKs that it is there.
  const T& at(IdOf id) const {
    const T* found = find(id);
    CHECK(found != nullptr);
    return *found;
  }
  T& at(IdOf id) {
    T* found = find(id);
    CHECK(found != nullptr);
    return *found;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Calls visit(entry) for each, in order. It must neither add nor erase.
  template <typename Visit>
  void each(Visit visit) const {
    for (const T& entry : entries_) {
      if (is_alive(entry)) visit(entry);
    }
  }
  template <typename Visit>
  void each(Visit visit) {
    for (T& entry : entries_) {
      if (is_alive(entry)) visit(entry);
    }
  }

 private:
  static constexpr std::size_t kFewEntries = 8;
  static constexpr std::uint64_t kHole = std::uint64_t{1} << 63;

  static std::uint64_t number_of(const T& entry) { return entry.id.number & ~kHole; }
  static bool is_alive(const T& entry) { return (entry.id.number & kHole) == 0; }

  // Young entries are asked for most, so those are looked for where they are asked for.
  [[gnu::always_inline]] T* locate(IdOf id) {
    if (!entries_.empty()) {
      T& last = entries_.back();
      if (last.id == id) return &last;
    }
    return locate_among_all(id);
  }
  [[gnu::noinline]] T* locate_among_all(IdOf id) {
    const auto entry = std::ranges::lower_bound(entries_, id.number, {}, number_of);
    return entry != entries_.end() && entry->id == id ? &*entry : nullptr;
  }

  Few<T> entries_;
  std::size_t size_ = 0;
};

}  // namespace stepwell
