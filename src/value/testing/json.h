#pragma once

#include <string_view>

#include <gtest/gtest.h>

#include "stepwell/value/json_read.h"

namespace stepwell::testing {

// The value that a test writes as JSON; null, and the test fails, if it is none.
inline Value json(std::string_view text) {
  auto value = parse_json(text);
  EXPECT_TRUE(value) << text << ": " << (value ? "" : value.error().to_string());
  return value ? *std::move(value) : Value();
}

}  // namespace stepwell::testing
