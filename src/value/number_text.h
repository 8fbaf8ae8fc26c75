#pragma once

#include <cstdint>
#include <string>

namespace stepwell {

// The one way numbers become text, in JSON and in templates: the fewest digits that read back as the same double,
// written as Python's repr does. 1.0, 0.1, 1e+16, 1e-05, -0.0. Fixed notation from 1e-4 up to below 1e16, and always
// a point or an exponent, so that a real never looks like an integer. CHECKs that the number is finite.
void append_real(std::string& out, double real);

void append_int(std::string& out, std::int64_t integer);

}  // namespace stepwell
