#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "stepwell/cli/bench/bench_engine.h"
#include "stepwell/cli/bench/child_program.h"
#include "stepwell/cli/interrupt.h"

namespace stepwell::cli {

namespace {

constexpr std::size_t kCrashInFlight = 1'024;
// A start, and a report for each step: an accepted result that was accepted again would make it more.
constexpr std::uint64_t kVersions = kSequenceSteps + 1;
constexpr std::uint32_t kPage = 1'000;
constexpr double kRecoveryPatience = 300;

// Waits until everything in the store has ended.
std::expected<void, std::string> wait_for_all(Engine& engine) {
  const Stopwatch watch;
  while (watch.seconds() < kRecoveryPatience && !Interrupt::asked()) {
    if (auto written = engine.runtime().catch_up(); !written) return std::unexpected(written.error().message);
    const auto open = engine.store().find_executions({.statuses = {"running", "waiting", "suspended"}, .limit = 1});
    if (!open) return std::unexpected(open.error().message);
    if (open->rows.empty()) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return std::unexpected("what the crash has left does not come to its end");
}

// Every execution that was accepted is there and complete, and no result was accepted twice. Answers how many.
std::expected<std::size_t, std::string> check_all(Store& store, const std::string& accepted) {
  std::map<std::string, ExecutionRow> rows;
  for (ExecutionQuery query{.limit = kPage};;) {
    auto page = store.find_executions(query);
    if (!page) return std::unexpected(page.error().message);
    for (ExecutionRow& row : page->rows) rows.emplace(row.id, std::move(row));
    if (page->next.empty()) break;
    query.after = page->next;
  }
  std::size_t count = 0;
  std::ifstream ids(accepted);
  for (std::string id; std::getline(ids, id); ++count) {
    // The last line may be torn: whoever wrote it was killed.
    if (ids.eof()) break;
    if (!rows.contains(id)) return std::unexpected(fmt::format("the execution {} was accepted and is lost", id));
  }
  for (const auto& [id, row] : rows) {
    if (row.status != "completed") return std::unexpected(fmt::format("the execution {} is {}", id, row.status));
    if (row.version != kVersions) {
      return std::unexpected(fmt::format("the execution {} took {} commands, not {}", id, row.version, kVersions));
    }
  }
  if (count == 0) return std::unexpected("nothing was accepted before the crash");
  return count;
}

}  // namespace

std::expected<void, std::string> load_until_killed(const std::string& store) {
  auto bench = BenchEngine::open({.store = store, .keep = true, .accepted = [](const std::string& id) {
                                    const std::string line = id + "\n";
                                    (void)!write(STDOUT_FILENO, line.data(), line.size());
                                  }});
  if (!bench) return std::unexpected(bench.error());
  const auto playbook = (*bench)->add("sequence", sequence_playbook());
  if (!playbook) return std::unexpected(playbook.error());
  constexpr std::size_t kForEver = 1'000'000'000;
  (*bench)->begin({{*playbook}, kForEver, kCrashInFlight});
  for (;;) {
    if (auto waited = (*bench)->wait(kRecoveryPatience); !waited) return waited;
  }
}

Benched bench_crash(const BenchPlace& place) {
  constexpr double kGoal = 1;
  const std::string store = place.directory + "/crash";
  const std::string accepted = place.directory + "/accepted";
  auto victim = ChildProgram::start(place.program, {"bench", "--load", store}, accepted);
  if (!victim) return std::unexpected(victim.error());
  std::this_thread::sleep_for(std::chrono::milliseconds(place.quick ? 700 : 5'000));
  victim->signal(SIGKILL);
  victim->wait();

  const double cpu = cpu_seconds();
  const Stopwatch watch;
  std::atomic<double> first_end = 0;
  auto bench = BenchEngine::open({.store = store, .create = false, .ended = [&](const State&) {
                                    double none = 0;
                                    first_end.compare_exchange_strong(none, watch.seconds());
                                  }});
  if (!bench) return std::unexpected(bench.error());
  const double recovered = watch.seconds();
  if (auto ended = wait_for_all((*bench)->engine()); !ended) return std::unexpected(ended.error());
  BenchResult result{.seconds = watch.seconds(), .cpu_seconds = cpu_seconds() - cpu};
  const auto count = check_all((*bench)->engine().store(), accepted);
  if (!count) return std::unexpected(count.error());
  result.reached = {first_end, "s", "to the first execution that ends after the restart"};
  result.ratio = result.reached.value / kGoal;
  result.goal = "<= 1 s, nothing lost";
  result.met = result.reached.value <= kGoal;
  result.more = {{"recovery_ms", Value(recovered * 1e3)}, {"accepted", Value(static_cast<std::int64_t>(*count))}};
  return result;
}

}  // namespace stepwell::cli
