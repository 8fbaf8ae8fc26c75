#include "stepwell/cli/options.h"

#include <algorithm>
#include <ostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "stepwell/base/nearest.h"

namespace stepwell::cli {
namespace {

constexpr std::string_view kGlobals[] = {"--help", "--json", "--quiet", "--verbose", "--no-color", "--store"};

}  // namespace

// The library only splits the line. What is missing or unknown is told here, in our own words, and so is help.
struct Options::Parser {
  struct Line {
    std::string name;  // "--with", or "EXPR" of an argument.
    std::string shown;
    std::string help;
  };

  explicit Parser(const Command& command) : about(command) {
    app.set_help_flag();
    app.allow_extras();
  }

  // Registers an option or argument whose texts are handed to `take` untouched. The library's typed targets would
  // reinterpret texts such as "{}" and "[1,2]".
  template <typename Take>
  CLI::Option* add(std::string_view name, Take take) {
    return app.add_option(std::string(name), [take](const CLI::results_t& texts) { return take(texts), true; });
  }

  const Command& about;
  CLI::App app;
  std::vector<Line> positional, named;
  std::vector<std::pair<CLI::Option*, std::string>> needed;

  std::string help(std::string_view program) const;
  std::string unknown(const std::string& extra) const;
  std::string miscounted(std::string_view complaint, const std::vector<std::string>& arguments) const;
};

std::string Options::Parser::help(std::string_view program) const {
  std::string text = fmt::format("{}: {}\n\nusage: {}", program, about.summary, program);
  for (const Line& line : positional) text += " " + line.shown;
  text += " [OPTIONS]\n";
  std::size_t width = 0;
  for (const auto* lines : {&positional, &named})
    for (const Line& line : *lines) width = std::max(width, line.shown.size());
  for (const auto* lines : {&positional, &named}) {
    if (lines->empty()) continue;
    text += lines == &positional ? "\narguments:\n" : "\noptions:\n";
    for (const Line& line : *lines) text += fmt::format("  {:<{}}  {}\n", line.shown, width, line.help);
  }
  return text + fmt::format("\nexample:\n  {}\n\n{}\n", about.example, kEverywhere);
}

std::string Options::Parser::unknown(const std::string& extra) const {
  if (!extra.starts_with('-')) return fmt::format("unexpected argument '{}' (text with spaces needs quotes)", extra);
  std::vector<std::string_view> names(std::begin(kGlobals), std::end(kGlobals));
  for (const Line& line : named) names.push_back(line.name);
  const std::string name = extra.substr(0, extra.find('='));
  if (auto meant = nearest(name, names)) return fmt::format("no option '{}'; did you mean '{}'?", name, *meant);
  return fmt::format("no option '{}' (if it is not meant as one, put -- before it)", name);
}

// The library complains "--with: ..." about an option that has no text, or that was given twice.
std::string Options::Parser::miscounted(std::string_view complaint, const std::vector<std::string>& arguments) const {
  const auto line = std::ranges::find(named, complaint.substr(0, complaint.find(':')), &Line::name);
  if (line == named.end()) return std::string(complaint);
  const bool ends_with_it = !arguments.empty() && arguments.back() == line->name;
  return ends_with_it ? fmt::format("{} needs what it is named for: {}", line->name, line->shown)
                      : fmt::format("{} is given more than once", line->name);
}

Options::Options(const Command& command) : parser_(std::make_unique<Parser>(command)) {}
Options::~Options() = default;

void Options::argument(std::string_view what, std::string& target, std::string_view help) {
  CLI::Option* option = parser_->add(what, [&target](const auto& texts) { target = texts.front(); });
  parser_->needed.emplace_back(option, what);
  parser_->positional.push_back({std::string(what), std::string(what), std::string(help)});
}

void Options::argument(std::string_view what, std::optional<std::string>& target, std::string_view help) {
  parser_->add(what, [&target](const auto& texts) { target = texts.front(); });
  parser_->positional.push_back({std::string(what), fmt::format("[{}]", what), std::string(help)});
}

void Options::arguments(std::string_view what, std::vector<std::string>& target, std::string_view help) {
  // The library gives no text at all to an argument that expects none. At least one, then, for it may still be left
  // out.
  parser_->add(what, [&target](const auto& texts) { target = texts; })
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->allow_extra_args();
  parser_->positional.push_back({std::string(what), fmt::format("[{}...]", what), std::string(help)});
}

void Options::flag(std::string_view name, bool& target, std::string_view help) {
  parser_->app.add_flag(std::string(name), target);
  parser_->named.push_back({std::string(name), std::string(name), std::string(help)});
}

void Options::option(std::string_view name, std::string_view what, std::string& target, std::string_view help) {
  CLI::Option* option = parser_->add(name, [&target](const auto& texts) { target = texts.front(); });
  parser_->needed.emplace_back(option, fmt::format("{} {}", name, what));
  parser_->named.push_back({std::string(name), fmt::format("{} {}", name, what), std::string(help)});
}

void Options::option(std::string_view name, std::string_view what, std::optional<std::string>& target,
                     std::string_view help) {
  parser_->add(name, [&target](const auto& texts) { target = texts.front(); });
  parser_->named.push_back({std::string(name), fmt::format("{} {}", name, what), std::string(help)});
}

void Options::options(std::string_view name, std::string_view what, std::vector<std::string>& target,
                      std::string_view help) {
  parser_->add(name, [&target](const auto& texts) { target = texts; })
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  parser_->named.push_back({std::string(name), fmt::format("{} {}...", name, what), std::string(help)});
}

std::optional<ExitCode> Options::parse(Call& call) {
  const auto flags_end = std::ranges::find(call.arguments, "--");
  const auto asks_help = [](const std::string& argument) { return argument == "--help" || argument == "-h"; };
  if (std::any_of(call.arguments.begin(), flags_end, asks_help)) {
    call.out << parser_->help(call.program);
    return ExitCode::ok;
  }
  const auto usage = [&call](std::string_view message) {
    return refuse(call, fmt::format("{} (see {} --help)", message, call.program));
  };
  try {
    parser_->app.parse(std::vector(call.arguments.rbegin(), call.arguments.rend()));
  } catch (const CLI::ArgumentMismatch& error) {
    return usage(parser_->miscounted(error.what(), call.arguments));
  } catch (const CLI::ParseError& error) {
    return usage(error.what());
  }
  std::vector<std::string> extras = parser_->app.remaining();
  if (const auto mark = std::ranges::find(extras, "--"); mark != extras.end()) extras.erase(mark);
  if (!extras.empty()) return usage(parser_->unknown(extras.front()));
  for (const auto& [option, what] : parser_->needed)
    if (option->count() == 0) return usage(fmt::format("{} is missing", what));
  return std::nullopt;
}

}  // namespace stepwell::cli
