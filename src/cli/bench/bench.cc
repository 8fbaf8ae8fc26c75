#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "stepwell/base/nearest.h"
#include "stepwell/cli/bench/workloads.h"
#include "stepwell/cli/commands.h"
#include "stepwell/cli/interrupt.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/store_choice.h"
#include "stepwell/value/json_read.h"

namespace stepwell::cli {
namespace {

constexpr double kMostMinutes = 10'000;

struct BenchFlags {
  std::vector<std::string> names;
  std::optional<std::string> directory, minutes, load;
  bool quick = false;
};

// A new directory that goes with the object.
class Scratch {
 public:
  static std::expected<Scratch, std::string> make(const std::string& parent) {
    std::string path = parent + "/stepwell-bench-XXXXXX";
    if (mkdtemp(path.data()) != nullptr) return Scratch(std::move(path));
    return std::unexpected(
        fmt::format("cannot make a directory in '{}': {}", parent, std::generic_category().message(errno)));
  }
  Scratch(Scratch&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// The nearest directory to the store that is there: its disk is the one that will be waited for.
std::expected<std::string, std::string> beside_store(const Call& call) {
  const auto choice = choose_store(call);
  if (!choice) return std::unexpected(choice.error());
  if (choice->directory.empty()) return std::unexpected("a store in memory has no disk to measure; say --dir DIR");
  std::filesystem::path directory = choice->directory;
  std::error_code none;
  while (!std::filesystem::is_directory(directory, none)) directory = directory.parent_path();
  return directory.string();
}

std::expected<std::vector<const Workload*>, std::string> choose(const std::vector<std::string>& names) {
  std::vector<std::string_view> known;
  std::vector<const Workload*> chosen;
  for (const Workload& workload : workloads()) {
    known.push_back(workload.name);
    if (names.empty() ? workload.in_all : std::ranges::count(names, workload.name) != 0) chosen.push_back(&workload);
  }
  for (const std::string& name : names) {
    if (std::ranges::count(known, name) != 0) continue;
    const auto meant = nearest(name, known);
    return std::unexpected(fmt::format(
        "no workload '{}'; {}", name,
        meant ? fmt::format("did you mean '{}'?", *meant) : fmt::format("there are {}", fmt::join(known, ", "))));
  }
  return chosen;
}

std::expected<double, std::string> read_minutes(const std::string& text) {
  const auto value = parse_json(text);
  const double minutes = !value             ? 0
                         : value->is_int()  ? static_cast<double>(value->as_int())
                         : value->is_real() ? value->as_real()
                                            : 0;
  if (minutes > 0 && minutes <= kMostMinutes) return minutes;
  return std::unexpected(fmt::format("--minutes takes a number of minutes, not '{}'", text));
}

ExitCode run_all(const std::vector<const Workload*>& chosen, const BenchPlace& place, Call& call) {
  ExitCode code = ExitCode::ok;
  if (!place.json) call.out << table_head() << std::endl;
  for (const Workload* workload : chosen) {
    if (Interrupt::asked()) return ExitCode::failed;
    if (call.terminal && !call.flags.quiet) call.err << fmt::format("{}: {}\n", workload->name, workload->summary);
    const auto result = workload->run(place);
    if (!result) {
      report(call, fmt::format("{}: {}", workload->name, result.error()));
      code = ExitCode::failed;
      continue;
    }
    call.out << (place.json ? json_line(workload->name, *result) : table_row(workload->name, *result)) << std::endl;
    if (workload->must_meet && !result->met) code = ExitCode::failed;
  }
  return code;
}

// What each workload is, for the help.
std::string about_workloads() {
  std::string text = "what to measure; all but soak if none is named:";
  for (const Workload& workload : workloads()) text += fmt::format("\n    {:<15} {}", workload.name, workload.summary);
  return text;
}

ExitCode run_bench(const Command& command, Call& call) {
  BenchFlags flags;
  Options options(command);
  options.arguments("WORKLOAD", flags.names, about_workloads());
  options.option("--dir", "DIR", flags.directory,
                 "where temporary stores are made: on the disk to be measured; where the store is if left out");
  options.flag("--quick", flags.quick, "a tenth of the work, to see that it runs; the numbers say little");
  options.option("--minutes", "N", flags.minutes, "how long soak lasts; 10 if left out");
  options.option("--load", "DIR", flags.load, "run steps on a new store until killed, printing what was accepted");
  if (auto ended = options.parse(call)) return *ended;
  if (flags.load) {
    const auto loaded = load_until_killed(*flags.load);
    return loaded ? ExitCode::ok : refuse(call, loaded.error());
  }
  const auto chosen = choose(flags.names);
  if (!chosen) return refuse(call, chosen.error());
  const auto minutes = read_minutes(flags.minutes.value_or("10"));
  if (!minutes) return refuse(call, minutes.error());
  const auto parent = flags.directory ? *flags.directory : beside_store(call);
  if (!parent) return refuse(call, parent.error());
  const auto scratch = Scratch::make(*parent);
  if (!scratch) return refuse(call, scratch.error());
  const Interrupt interrupt;
  std::error_code unknown;
  return run_all(*chosen,
                 {.directory = scratch->path(),
                  .program = std::filesystem::read_symlink("/proc/self/exe", unknown).string(),
                  .quick = flags.quick,
                  .minutes = *minutes,
                  .line = [&call](std::string_view line) { call.out << line << std::endl; },
                  .json = call.flags.json},
                 call);
}

}  // namespace

const Command kBench = {"bench", "measure the engine on this machine, beside what the machine can do",
                        "stepwell bench sequence-64 signal --json", run_bench};

}  // namespace stepwell::cli
