#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <utility>

namespace stepwell {

// A list that mostly holds one item or none: that one lives inside, and only more take memory of their own. Half the
// size of a std::vector for small items. As there, adding may move the items, and removing never gives memory back.
template <typename T>
class Few {
 public:
  using value_type = T;

  Few() noexcept {}
  Few(std::initializer_list<T> items) { append(items.begin(), items.end()); }
  template <typename Iterator>
  Few(Iterator first, Iterator last) {
    append(first, last);
  }
  Few(const Few& other) { append(other.begin(), other.end()); }
  Few(Few&& other) noexcept { take(other); }
  Few& operator=(const Few& other) {
    if (this != &other) *this = Few(other);
    return *this;
  }
  Few& operator=(Few&& other) noexcept {
    if (this == &other) return *this;
    release();
    take(other);
    return *this;
  }
  ~Few() { release(); }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T* begin() noexcept { return room_ == 1 ? &one_ : many_; }
  T* end() noexcept { return begin() + size_; }
  const T* begin() const noexcept { return room_ == 1 ? &one_ : many_; }
  const T* end() const noexcept { return begin() + size_; }
  T& operator[](std::size_t i) noexcept { return begin()[i]; }
  const T& operator[](std::size_t i) const noexcept { return begin()[i]; }
  T& front() noexcept { return *begin(); }
  const T& front() const noexcept { return *begin(); }
  T& back() noexcept { return end()[-1]; }
  const T& back() const noexcept { return end()[-1]; }

  template <typename... Args>
  T& emplace_back(Args&&... args) {
    if (size_ == room_) {
      T item(std::forward<Args>(args)...);  // it may be one of ours
      grow(2 * room_);
      return *new (begin() + size_++) T(std::move(item));
    }
    return *new (begin() + size_++) T(std::forward<Args>(args)...);
  }
  void push_back(const T& item) { emplace_back(item); }
  void push_back(T&& item) { emplace_back(std::move(item)); }
  // What is appended must not be ours.
  template <typename Iterator>
  void append(Iterator first, Iterator last) {
    const std::size_t needed = size_ + static_cast<std::size_t>(std::distance(first, last));
    if (needed > room_) grow(empty() ? needed : std::max<std::size_t>(needed, 2 * room_));
    for (; first != last; ++first) emplace_back(*first);
  }
  void pop_back() noexcept { std::destroy_at(begin() + --size_); }
  void clear() noexcept {
    std::destroy_n(begin(), size_);
    size_ = 0;
  }

  friend bool operator==(const Few& a, const Few& b) { return std::ranges::equal(a, b); }
  friend auto operator<=>(const Few& a, const Few& b) {
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  void grow(std::size_t room) {
    T* const wider = std::allocator<T>().allocate(room);
    const std::uint32_t size = size_;
    std::uninitialized_move_n(begin(), size, wider);
    release();
    many_ = wider;
    size_ = size;
    room_ = static_cast<std::uint32_t>(room);
  }

  // To be called while nothing is held.
  void take(Few& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    room_ = other.room_;
    if (room_ == 1) {
      if (size_ == 0) return;
      new (&one_) T(std::move(other.one_));
      std::destroy_at(&other.one_);
    } else {
      many_ = other.many_;
      other.room_ = 1;
    }
  }

  void release() noexcept {
    clear();
    if (room_ == 1) return;
    std::allocator<T>().deallocate(many_, room_);
    room_ = 1;
  }

  std::uint32_t size_ = 0;
  std::uint32_t room_ = 1;  // for how many there is memory; 1: inside
  union {
    T one_;
    T* many_;
  };
};

}  // namespace stepwell
