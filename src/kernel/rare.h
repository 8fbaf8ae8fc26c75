#pragma once

#include <memory>

namespace stepwell {

// What most never have, behind one pointer. Who reads it before it was written sees an empty one. To disk it is written
// as the value itself, whether it is there or not; T says by `empty` whether it needs to be.
template <typename T>
class Rare {
 public:
  const T& operator*() const { return held_ == nullptr ? nothing() : *held_; }
  const T* operator->() const { return &**this; }
  // What is there, or nullptr.
  const T* get() const { return held_.get(); }
  // Made here if it is not there yet. A reference taken by reading before that is stale.
  T& write() {
    if (held_ == nullptr) held_ = std::make_unique<T>();
    return *held_;
  }
  void clear() { held_.reset(); }

 private:
  static const T& nothing() {
    static const T kNothing{};
    return kNothing;
  }

  std::unique_ptr<T> held_;
};

}  // namespace stepwell
