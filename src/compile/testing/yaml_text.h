#pragma once

#include <string>
#include <string_view>

#include "stepwell/base/check.h"
#include "stepwell/compile/yaml_read.h"
#include "stepwell/model/diagnostic.h"
#include "stepwell/value/json_write.h"

// Short ways to say what reading a text gives.
namespace stepwell::testing {

// The tree of a text without mistakes.
inline Yaml tree_of(std::string_view text) {
  Diagnostics found("f");
  auto tree = read_yaml(text, found);
  CHECK(tree && found.empty());
  return *tree;
}

// The value of a text as JSON, or what is wrong with it.
inline std::string json_of(std::string_view text) {
  Diagnostics found("f");
  const auto tree = read_yaml(text, found);
  return found.empty() && tree ? to_json(tree->to_value()) : found.to_string();
}

// All that is wrong with a text.
inline std::string errors_of(std::string_view text) {
  Diagnostics found("f");
  (void)read_yaml(text, found);
  return found.to_string();
}

inline std::string place(Mark mark) { return std::to_string(mark.line) + ':' + std::to_string(mark.column); }

}  // namespace stepwell::testing
