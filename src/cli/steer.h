#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stepwell/cli/command.h"
#include "stepwell/cli/options.h"
#include "stepwell/value/value.h"

// What the commands that steer one execution have in common.
namespace stepwell::cli {

// The options that all of them take.
struct SteerFlags {
  std::string execution;
  std::optional<std::string> id = {};
  std::optional<std::string> expected_version = {};

  // The execution is the first argument.
  void declare(Options& options);
};

// Sends the command, and says which version the execution has come to.
ExitCode steer(Call& call, std::string_view method, const SteerFlags& flags, Value params);

// JSON of an argument; nothing if it is none, which was said.
std::optional<Value> json_argument(Call& call, std::string_view what, const std::string& text);

}  // namespace stepwell::cli
