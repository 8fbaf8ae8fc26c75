#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>

#include "stepwell/cli/bench/child_program.h"
#include "stepwell/cli/bench/workloads.h"

// From the start of a process to the first event that it can tell of: what is told is durable.
namespace stepwell::cli {

namespace {

constexpr double kStartPatience = 60;
constexpr std::chrono::microseconds kStartLook(100);
constexpr int kWaiting = 4;  // the exit code of `run` for one that was left waiting

struct Began {
  double seconds = 0;
  double resident_mib = 0;  // when it has come to rest
};

std::expected<Began, std::string> start_once(const BenchPlace& place, const std::string& store, bool rest) {
  const std::string out = place.directory + "/events.jsonl";
  std::filesystem::remove(out);
  const Stopwatch watch;
  auto child = ChildProgram::start(
      place.program, {"run", place.directory + "/wait.yaml", "--wait", "--events", "-", "--store", store}, out);
  if (!child) return std::unexpected(child.error());
  Began began;
  std::error_code none;
  for (std::uintmax_t told = 0; told == 0; told = std::filesystem::file_size(out, none)) {
    if (none) told = 0;
    if (child->ended() || watch.seconds() > kStartPatience) return std::unexpected("'stepwell run' told of no start");
    std::this_thread::sleep_for(kStartLook);
    began.seconds = watch.seconds();
  }
  if (rest) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    began.resident_mib = static_cast<double>(memory_of(std::to_string(child->id())).resident_bytes) / kMebi;
  }
  child->signal(SIGTERM);
  if (const int code = child->wait(); code != kWaiting) {
    return std::unexpected(fmt::format("'stepwell run' exited with {} instead of {}", code, kWaiting));
  }
  return began;
}

std::expected<double, std::string> process_floor(const BenchPlace& place) {
  const Stopwatch watch;
  auto child = ChildProgram::start(place.program, {"--version"}, place.directory + "/version");
  if (!child) return std::unexpected(child.error());
  child->wait();
  return watch.seconds();
}

}  // namespace

Benched bench_start_up(const BenchPlace& place) {
  constexpr double kGoal = 0.050;
  constexpr double kMostMib = 25;
  std::ofstream(place.directory + "/wait.yaml") << "workflow:\n  - {step: go, type: wait, signal: go}\n";
  std::vector<double> floors, made, existing;
  double resident_mib = 0;
  const int times = place.quick ? 3 : 20;
  for (int i = 0; i < times; ++i) {
    const auto floor = process_floor(place);
    if (!floor) return std::unexpected(floor.error());
    floors.push_back(*floor);
    const std::string store = fmt::format("{}/start-{}", place.directory, i);
    for (std::vector<double>* into : {&made, &existing}) {
      const auto began = start_once(place, store, i == 0);
      if (!began) return std::unexpected(began.error());
      into->push_back(began->seconds);
      resident_mib = std::max(resident_mib, began->resident_mib);
    }
  }
  BenchResult result{.latency = Sorted(std::move(made))};
  result.reached = {result.latency.at(0.5), "s", "p50 to the first durable start on a new store"};
  result.floor = Figure{Sorted(std::move(floors)).at(0.5), "s", "stepwell --version"};
  result.ratio = result.reached.value / result.floor->value;
  result.goal = "<= 50 ms, 25 MiB idle";
  result.met = result.reached.value <= kGoal && resident_mib <= kMostMib;
  result.more = {{"existing_store_p50_ms", Value(Sorted(std::move(existing)).at(0.5) * kMilli)},
                 {"idle_mib", Value(resident_mib)}};
  return result;
}

}  // namespace stepwell::cli
