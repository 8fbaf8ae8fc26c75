#pragma once

#include <cstddef>
#include <cstdint>

#include "stepwell/base/limits.h"
#include "stepwell/expr/fault.h"

namespace stepwell {

struct EvalLimits {
  std::uint64_t fuel = limits::kExprFuel;
  std::size_t text_bytes = limits::kExprTextBytes;
};

// What one evaluation may still use. Everything that takes time in proportion to data spends fuel in the same
// proportion, and memory is made only by spending, so fuel bounds both.
class Budget {
 public:
  explicit Budget(const EvalLimits& allowed) : fuel_(allowed.fuel), text_bytes_(allowed.text_bytes) {}

  std::uint64_t fuel_left() const { return fuel_; }

  // Takes `work` operations; false, for good, once there are not that many left.
  [[nodiscard]] bool spend(std::uint64_t work) {
    if (work > fuel_) [[unlikely]] {
      fuel_ = 0;
      return false;
    }
    fuel_ -= work;
    return true;
  }

  // Asks before text of this size is made: refuses what is too long, and spends for the bytes.
  [[nodiscard]] OrFault<void> spend_text(std::size_t bytes) {
    if (bytes > text_bytes_) [[unlikely]]
      return too_long(bytes);
    if (!spend(bytes / kBytesPerOperation)) [[unlikely]]
      return out_of_fuel();
    return {};
  }

  // Asks before `more` bytes are put behind a text of `have` bytes. Counts as an operation even for no byte, so text
  // made of many small pieces is paid for.
  [[nodiscard]] OrFault<void> spend_append(std::size_t have, std::size_t more) {
    if (have > text_bytes_ || more > text_bytes_ - have) [[unlikely]]
      return too_long(have + more);
    if (!spend(1 + more / kBytesPerOperation)) [[unlikely]]
      return out_of_fuel();
    return {};
  }

  // Asks before text of this size, whoever made it, is gone through.
  [[nodiscard]] bool can_read(std::size_t bytes) { return spend(bytes / kBytesPerOperation); }
  [[nodiscard]] OrFault<void> spend_reading(std::size_t bytes) {
    if (!can_read(bytes)) [[unlikely]]
      return out_of_fuel();
    return {};
  }

  // Asks before a list or map of this many items is made.
  [[nodiscard]] OrFault<void> spend_items(std::size_t items) {
    if (!spend(items)) [[unlikely]]
      return out_of_fuel();
    return {};
  }

  static std::unexpected<Fault> out_of_fuel();

 private:
  static constexpr std::size_t kBytesPerOperation = 64;
  std::unexpected<Fault> too_long(std::size_t bytes) const;

  std::uint64_t fuel_;
  std::size_t text_bytes_;
};

}  // namespace stepwell
