#pragma once

#include <cstdint>
#include <optional>

namespace stepwell {

// The nearest number with so many decimals (negative: so many zeros at the end); of two equally near ones the even one.
// Decided on the exact value, so 2.675 to two places is 2.67. Nothing if the result does not fit.
std::optional<double> round_real(double value, std::int64_t decimals);
std::optional<std::int64_t> round_integer(std::int64_t value, std::int64_t decimals);

}  // namespace stepwell
