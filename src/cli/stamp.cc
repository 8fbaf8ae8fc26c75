#include "stepwell/cli/stamp.h"

#include <chrono>
#include <random>

namespace stepwell::cli {

Stamp fresh_stamp() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  Stamp stamp{.time = Instant::from_micros(std::chrono::duration_cast<std::chrono::microseconds>(now).count()).value()};
  std::random_device device;
  for (std::uint8_t& byte : stamp.entropy) byte = static_cast<std::uint8_t>(device());
  return stamp;
}

}  // namespace stepwell::cli
