#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "stepwell/cli/bench/bench_result.h"
#include "stepwell/cli/bench/workloads.h"
#include "stepwell/server/engine.h"

namespace stepwell::cli {

struct BenchEngineOptions {
  std::string store = {};  // a directory
  bool create = true;
  bool keep = false;  // the store is not removed in the end
  // Both are called on the thread of the engine that knows it.
  std::function<void(const std::string& execution)> accepted = {};
  std::function<void(const State&)> ended = {};
};

// Executions to be run, so many at once: one that has ended makes room for the next.
struct Load {
  std::vector<PlaybookPtr> playbooks = {};  // in turn
  std::size_t executions = 0;
  std::size_t in_flight = 1;
  // What is measured of one that has ended, in seconds; if it is empty, the time since it was submitted.
  std::function<double(const State&)> measure = {};
};

// The whole engine on a store of its own. Its worker has the tool `echo`, which answers at once, on the worker's
// thread: what is measured is the engine.
class BenchEngine {
 public:
  static std::expected<std::unique_ptr<BenchEngine>, std::string> open(BenchEngineOptions options);
  // On a new store, which is removed in the end.
  static std::expected<std::unique_ptr<BenchEngine>, std::string> open_new(const BenchPlace& place);
  ~BenchEngine();

  Engine& engine() { return *engine_; }
  std::expected<PlaybookPtr, std::string> add(const std::string& name, const std::string& text);

  // Runs a load to its end; what was measured of each. Says so if one of them failed or the user interrupts it.
  std::expected<Sorted, std::string> run(Load load);
  // The same, in parts: one load at a time.
  void begin(Load load);
  std::expected<void, std::string> wait(double seconds);  // or until all have ended
  Sorted take_measured();                                 // since it was asked last
  std::expected<void, std::string> finish();              // begins no more, and waits for those that run

  std::uint64_t written_bytes();

 private:
  using SteadyClock = std::chrono::steady_clock;

  explicit BenchEngine(BenchEngineOptions options) : options_(std::move(options)) {}
  void start_next();
  void ended(const State& state);
  void fail(std::string why);

  const BenchEngineOptions options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Load load_;
  std::size_t begun_ = 0;
  std::unordered_map<std::string, SteadyClock::time_point> open_;  // since when
  std::vector<double> measured_;
  std::string failure_;
  std::unique_ptr<Engine> engine_;
};

// What the engine uses while it is measured.
class Meter {
 public:
  explicit Meter(BenchEngine& bench) : bench_(bench), written_(bench.written_bytes()) {}
  // Fills in what was used since.
  void read(BenchResult& result) const {
    result.seconds = watch_.seconds();
    result.cpu_seconds = cpu_seconds() - cpu_;
    result.written_bytes = bench_.written_bytes() - written_;
  }

 private:
  BenchEngine& bench_;
  const std::uint64_t written_;
  const double cpu_ = cpu_seconds();
  const Stopwatch watch_;
};

}  // namespace stepwell::cli
