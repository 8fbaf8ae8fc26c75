#include "stepwell/cli/bench/workloads.h"

namespace stepwell::cli {

std::span<const Workload> workloads() {
  static constexpr Workload kWorkloads[] = {
      {"sequence-1", "ten durable task steps, one execution at a time", bench_sequence_1},
      {"sequence-64", "the same, 64 at once", bench_sequence_64},
      {"sequence-1024", "the same, 1024 at once", bench_sequence_1024},
      {"bytes", "bytes written per step, 1024 at once, until all is in history", bench_bytes},
      {"fan-out-1000", "1000 branches and their join", bench_fan_out_1000},
      {"fan-out-100000", "100000 branches and their join", bench_fan_out_100000},
      {"timers", "10000 timers of two seconds: how late they fire", bench_timers},
      {"sleepers", "memory of a million executions that sleep", bench_sleepers},
      {"signal", "a signal until what it moves is durable", bench_signal},
      {"start-up", "this program, from nothing to the first durable start on a new store", bench_start_up},
      {"crash", "kill -9 at full load, restart, nothing lost", bench_crash},
      {"soak", "minutes at load: memory, descriptors and latency stay flat", bench_soak, false, true},
  };
  return kWorkloads;
}

}  // namespace stepwell::cli
