#pragma once

#include <cstdint>

namespace stepwell::schema {

// The steps a validation may still take.
class Fuel {
 public:
  explicit Fuel(std::uint64_t steps) : left_(steps) {}

  // Takes the steps; false once there are not enough, and from then on.
  bool burn(std::uint64_t steps) {
    if (exhausted_ || left_ < steps) [[unlikely]] {
      left_ = 0;
      exhausted_ = true;
      return false;
    }
    left_ -= steps;
    return true;
  }
  bool exhausted() const { return exhausted_; }

 private:
  std::uint64_t left_;
  bool exhausted_ = false;
};

}  // namespace stepwell::schema
