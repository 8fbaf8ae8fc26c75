#pragma once

#include <string>
#include <utility>
#include <vector>

#include "stepwell/cli/testing/command_test.h"

namespace stepwell::cli {

// Runs command lines on a store of the test's own.
class StoreCommandTest : public CommandTest {
 protected:
  Ran stepwell(std::vector<std::string> line, bool terminal = false) {
    line.push_back("--store=" + folder() + "/store");
    return run_line(line, {}, "", terminal);
  }

  std::string waits_for_signal() {
    return file("wait.yaml",
                "metadata: {name: wait}\n"
                "workflow:\n"
                "  - {step: note, set: {ctx.n: '{{ workload.n | default(1) }}'}, next: paid}\n"
                "  - {step: paid, type: wait, signal: paid}\n"
                "output: {n: '{{ ctx.n }}', paid: '{{ paid.output }}'}\n");
  }
};

}  // namespace stepwell::cli
