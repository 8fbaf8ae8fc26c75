#pragma once

#include <expected>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "stepwell/cli/bench/bench_result.h"

// The workloads of the benchmark. Each measures the engine, and its floor before and after, in the same directory. What
// is lost or fails is an error, never a number.
namespace stepwell::cli {

struct BenchPlace {
  std::string directory = {};                       // exists, is empty, and is removed by who made it
  std::string program = {};                         // this one, for workloads that start or kill processes
  bool quick = false;                               // a tenth of the work, to see that it runs: the numbers say little
  double minutes = 10;                              // of a soak
  std::function<void(std::string_view)> line = {};  // takes what a long workload tells on its way
  bool json = false;                                // as JSON
};

using Benched = std::expected<BenchResult, std::string>;

struct Workload {
  std::string_view name;
  std::string_view summary;
  Benched (*run)(const BenchPlace&);
  bool in_all = true;      // is run when none is named
  bool must_meet = false;  // a goal that is missed is a failure on any machine
};

std::span<const Workload> workloads();

// workload_sequence.cc: ten durable task steps in a row
std::string sequence_playbook();
inline constexpr std::uint64_t kSequenceSteps = 10;
Benched bench_sequence_1(const BenchPlace& place);
Benched bench_sequence_64(const BenchPlace& place);
Benched bench_sequence_1024(const BenchPlace& place);
Benched bench_bytes(const BenchPlace& place);
// workload_fan_out.cc
std::string fan_out_playbook(std::size_t branches);
Benched bench_fan_out_1000(const BenchPlace& place);
Benched bench_fan_out_100000(const BenchPlace& place);
// workload_waits.cc
std::string nap_playbook(std::string_view duration);
Benched bench_timers(const BenchPlace& place);
Benched bench_sleepers(const BenchPlace& place);
Benched bench_signal(const BenchPlace& place);
// workload_start_up.cc
Benched bench_start_up(const BenchPlace& place);
// workload_crash.cc
Benched bench_crash(const BenchPlace& place);
// Runs sequences on a new store until the process is killed, and prints the id of each that was accepted: the victim.
std::expected<void, std::string> load_until_killed(const std::string& store);
// soak.cc
Benched bench_soak(const BenchPlace& place);

}  // namespace stepwell::cli
