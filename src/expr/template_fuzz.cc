#include "stepwell/expr/testing/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  stepwell::testing::check_program(stepwell::compile_template(source), source);
  stepwell::testing::check_round_trips(stepwell::parse_template(source));
  return 0;
}
