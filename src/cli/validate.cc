#include <ostream>

#include <fmt/format.h>

#include "stepwell/cli/commands.h"
#include "stepwell/cli/document_file.h"
#include "stepwell/cli/options.h"
#include "stepwell/value/json_write.h"

namespace stepwell::cli {
namespace {

// What was found in all files so far.
class Findings {
 public:
  explicit Findings(Call& call) : call_(call) {}

  void argument(const std::string& path) {
    const auto paths = document_paths(path);
    if (!paths) {
      Diagnostics diagnostics(path);
      diagnostics.error({}, "file", paths.error());
      return add({.document = std::nullopt, .diagnostics = diagnostics.sorted()});
    }
    for (const std::string& each : *paths) add(read_document_file(each, call_.in));
  }

  ExitCode finish() {
    if (call_.flags.json) {
      call_.out << to_json_pretty(Value::list(std::move(found_))) << '\n';
    } else if (!call_.flags.quiet) {
      call_.out << fmt::format("{} of {} valid\n", valid_, files_);
      // Of one file, and of nothing found, it would say nothing new.
      if (files_ > 1 && errors_ + warnings_ > 0) call_.err << summary();
    }
    return valid_ == files_ ? ExitCode::ok : ExitCode::usage;
  }

 private:
  void add(const DocumentFile& file) {
    ++files_;
    if (file.document) ++valid_;
    for (const Diagnostic& diagnostic : file.diagnostics) {
      ++(diagnostic.severity == Severity::error ? errors_ : warnings_);
      if (call_.flags.json) found_.push_back(diagnostic.to_value());
    }
    if (!call_.flags.json) call_.err << file.to_string();
  }

  std::string summary() const {
    auto count = [](std::size_t number, std::string_view what) {
      return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
    };
    return fmt::format("{}, {}, {}\n", count(files_, "file"), count(errors_, "error"), count(warnings_, "warning"));
  }

  Call& call_;
  std::vector<Value> found_;
  std::size_t files_ = 0;
  std::size_t valid_ = 0;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
};

ExitCode run_validate(const Command& command, Call& call) {
  std::vector<std::string> paths;
  Options options(command);
  options.arguments("FILE", paths, "documents, or directories with documents in them; - is the standard input");
  if (auto ended = options.parse(call)) return *ended;
  if (paths.empty()) return refuse(call, "which files? give one or more");
  Findings findings(call);
  for (const std::string& path : paths) findings.argument(path);
  return findings.finish();
}

}  // namespace

const Command kValidate = {"validate", "check documents and say everything that is wrong with them",
                           "stepwell validate examples/hello/playbook.yaml", run_validate};

}  // namespace stepwell::cli
