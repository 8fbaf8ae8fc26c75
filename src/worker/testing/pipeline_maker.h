#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stepwell/compile/load.h"
#include "stepwell/model/definition.h"

namespace stepwell::testing {

// A playbook of one step with this pipeline, as a loader makes it. It knows the kinds that the tests add.
inline std::shared_ptr<const Definition> definition_of(std::string_view pipeline, std::int64_t inline_max) {
  const std::string text = fmt::format(
      "executor: {{spec: {{kinds: [throws, deep, key, missing, until_stopped, echo_async, never_async, at_once], "
      "inline_max: {}}}}}\n"
      "workload: {{x: 7}}\n"
      "workflow:\n"
      "  - step: only\n"
      "    tool: {}\n",
      inline_max, pipeline);
  Diagnostics diagnostics("test");
  const auto document = load_playbook(text, "test", diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.to_string() << pipeline;
  auto definition = read_definition(document->definition);
  EXPECT_TRUE(definition);
  return std::make_shared<const Definition>(std::move(*definition));
}

}  // namespace stepwell::testing
