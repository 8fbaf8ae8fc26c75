#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "stepwell/base/check.h"

namespace stepwell {

// What lives, by id. Entries are added in order of their ids and stay in that order, in one piece of memory; an erased
// one leaves a hole, and when half of them are holes the table closes up. Adding and erasing cost O(1) on average,
// finding O(log n). A pointer to an entry is good until the next add or erase.
//
// T has a member `id`.
template <typename IdOf, typename T>
class Table {
 public:
  T& add(T entry) {
    CHECK(slots_.empty() || slots_.back().id < entry.id);
    slots_.push_back({entry.id, true, std::move(entry)});
    ++size_;
    return slots_.back().entry;
  }

  void erase(IdOf id) {
    Slot* slot = locate(id);
    CHECK(slot != nullptr);
    slot->entry = T();
    slot->alive = false;
    --size_;
    if (slots_.size() > kFewSlots && size_ * 2 < slots_.size()) close_up();
    if (size_ == 0) slots_.clear();
  }

  const T* find(IdOf id) const {
    const Slot* slot = const_cast<Table*>(this)->locate(id);
    return slot == nullptr ? nullptr : &slot->entry;
  }
  T* find(IdOf id) {
    Slot* slot = locate(id);
    return slot == nullptr ? nullptr : &slot->entry;
  }
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
    for (const Slot& slot : slots_) {
      if (slot.alive) visit(slot.entry);
    }
  }
  // The first entry after `id`, or nullptr: for walks during which entries come and go.
  const T* after(IdOf id) const {
    auto slot = std::ranges::upper_bound(slots_, id, {}, &Slot::id);
    while (slot != slots_.end() && !slot->alive) ++slot;
    return slot == slots_.end() ? nullptr : &slot->entry;
  }

 private:
  static constexpr std::size_t kFewSlots = 8;

  struct Slot {
    IdOf id;
    bool alive = false;
    T entry;
  };

  Slot* locate(IdOf id) {
    if (slots_.empty()) return nullptr;
    // Young entries are asked for most.
    if (slots_.back().id == id) return slots_.back().alive ? &slots_.back() : nullptr;
    const auto slot = std::ranges::lower_bound(slots_, id, {}, &Slot::id);
    return slot != slots_.end() && slot->id == id && slot->alive ? &*slot : nullptr;
  }

  void close_up() {
    std::erase_if(slots_, [](const Slot& slot) { return !slot.alive; });
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace stepwell
