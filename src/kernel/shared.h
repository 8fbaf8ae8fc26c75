#pragma once

#include <memory>
#include <utility>

namespace stepwell {

// A value that never changes and is always there, held by whoever needs it: an event and the state that it leads to
// hold the same one. Reads as the value itself; written to disk as the value itself.
template <typename T>
class Shared {
 public:
  Shared() : held_(std::make_shared<const T>()) {}
  Shared(T value) : held_(std::make_shared<const T>(std::move(value))) {}

  const T& operator*() const { return *held_; }
  const T* operator->() const { return held_.get(); }
  const std::shared_ptr<const T>& pointer() const { return held_; }

  friend bool operator==(const Shared& a, const Shared& b) { return *a == *b; }

 private:
  std::shared_ptr<const T> held_;
};

}  // namespace stepwell
