// Paths and merge patch on a ctx of five levels with 100 members each, beside hand-written code that does the same on
// the same value. `ratio` is ours over by hand.

#include <ctime>
#include <string>

#include <benchmark/benchmark.h>

#include "stepwell/value/merge.h"
#include "stepwell/value/path.h"

namespace stepwell {
namespace {

constexpr int kLevels = 5;
constexpr int kMembers = 100;

const Value& ctx() {
  static const Value made = [] {
    Value inner = 1;
    for (int level = 0; level < kLevels; ++level) {
      std::vector<Member> members = {{"child", inner}};
      while (members.size() < kMembers) members.push_back({"member_" + std::to_string(members.size()), level});
      inner = Value::map(std::move(members));
    }
    return inner;
  }();
  return made;
}

const Path& innermost() {
  static const Path path(std::vector<Segment>(kLevels, "child"));
  return path;
}

// Of the processor, not of the clock on the wall: what else the machine does must not show in a ratio.
double nanoseconds_now() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

double nanoseconds_of(std::int64_t times, auto work) {
  const double start = nanoseconds_now();
  for (std::int64_t i = 0; i < times; ++i) work();
  return (nanoseconds_now() - start) / static_cast<double>(times);
}

void beside(benchmark::State& state, auto ours, auto by_hand) {
  for (auto _ : state) ours();
  // Both once more in the same way, outside the loop of the library.
  const std::int64_t times = state.iterations();
  const double ours_ns = nanoseconds_of(times, ours);
  const double by_hand_ns = nanoseconds_of(times, by_hand);
  state.counters["ours_ns"] = ours_ns;
  state.counters["by_hand_ns"] = by_hand_ns;
  state.counters["ratio"] = ours_ns / by_hand_ns;
}

const Value* find_by_hand(const Value& root) {
  return root.find("child")->find("child")->find("child")->find("child")->find("child");
}

Value set_by_hand(const Value& old, int levels, const Value& value) {
  if (levels == 0) return value;
  std::vector<Member> members(old.as_map().begin(), old.as_map().end());
  for (Member& member : members) {
    if (member.key() != "child") continue;
    member.value = set_by_hand(member.value, levels - 1, value);
    break;
  }
  return Value::map(std::move(members));
}

void path_get(benchmark::State& state) {
  beside(
      state, [] { benchmark::DoNotOptimize(get(ctx(), innermost())); },
      [] { benchmark::DoNotOptimize(find_by_hand(ctx())); });
}
BENCHMARK(path_get);

void path_set(benchmark::State& state) {
  beside(
      state, [] { benchmark::DoNotOptimize(set(ctx(), innermost(), 2)); },
      [] { benchmark::DoNotOptimize(set_by_hand(ctx(), kLevels, 2)); });
}
BENCHMARK(path_set);

// A patch of one member at the bottom does what set() does, without knowing that it is only one.
void merge_patch_of_one_member(benchmark::State& state) {
  const Value patch = set(Value::map({}), innermost(), 2).value();
  beside(
      state, [&] { benchmark::DoNotOptimize(merge_patch(ctx(), patch)); },
      [] { benchmark::DoNotOptimize(set_by_hand(ctx(), kLevels, 2)); });
}
BENCHMARK(merge_patch_of_one_member);

}  // namespace
}  // namespace stepwell

BENCHMARK_MAIN();
