#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/cli/command.h"

namespace stepwell::cli {

// What one command takes. The type of the target says whether it may be left out:
//
//   std::string expression;
//   std::optional<std::string> context;
//   Options options(command);
//   options.argument("EXPR", expression, "the expression");
//   options.option("--with", "JSON", context, "what its names mean");
//   if (auto ended = options.parse(call)) return *ended;
//
// Targets must outlive parse().
class Options {
 public:
  explicit Options(const Command& command);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  void argument(std::string_view what, std::string& target, std::string_view help);
  void argument(std::string_view what, std::optional<std::string>& target, std::string_view help);
  void arguments(std::string_view what, std::vector<std::string>& target, std::string_view help);  // Zero or more.
  void flag(std::string_view name, bool& target, std::string_view help);
  void option(std::string_view name, std::string_view what, std::string& target, std::string_view help);
  void option(std::string_view name, std::string_view what, std::optional<std::string>& target, std::string_view help);
  // May be given again and again.
  void options(std::string_view name, std::string_view what, std::vector<std::string>& target, std::string_view help);

  // Fills the targets from the call's arguments; nothing if the command shall go on. Otherwise it is over: help was
  // asked for and printed, or what is wrong was reported.
  [[nodiscard]] std::optional<ExitCode> parse(Call& call);

 private:
  struct Parser;  // Hides the flags library.
  std::unique_ptr<Parser> parser_;
};

}  // namespace stepwell::cli
