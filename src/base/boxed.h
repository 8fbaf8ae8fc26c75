#pragma once

#include <utility>

namespace stepwell {

// An error on its way out, behind one pointer. Who hands on an std::expected of it needs no more room and no more code
// than for a pointer, and the code for what is rare stays away from the code for what is usual.
template <typename E>
class Boxed {
 public:
  [[gnu::cold]] Boxed(E error) : held_(new E(std::move(error))) {}
  Boxed(Boxed&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  Boxed& operator=(Boxed&& other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~Boxed() {
    if (held_ != nullptr) [[unlikely]]
      free(held_);
  }

  E& operator*() & { return *held_; }
  const E& operator*() const& { return *held_; }
  E&& operator*() && { return std::move(*held_); }
  E* operator->() { return held_; }
  const E* operator->() const { return held_; }

 private:
  [[gnu::cold, gnu::noinline]] static void free(E* held) { delete held; }

  E* held_;
};

}  // namespace stepwell
