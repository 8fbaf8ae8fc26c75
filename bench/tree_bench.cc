// Paths and merge patch on a ctx of five levels with 100 members each, beside hand-written code that does the same on
// the same value.

#include <string>

#include <benchmark/benchmark.h>

#include "stepwell/value/merge.h"
#include "stepwell/value/path.h"

#include "timing.h"

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
  static const Path path = [] {
    Path made;
    for (int level = 0; level < kLevels; ++level) made.push_back("child");
    return made;
  }();
  return path;
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
BENCHMARK(path_get)->UseManualTime();

void path_set(benchmark::State& state) {
  beside(
      state, [] { benchmark::DoNotOptimize(set(ctx(), innermost(), 2)); },
      [] { benchmark::DoNotOptimize(set_by_hand(ctx(), kLevels, 2)); });
}
BENCHMARK(path_set)->UseManualTime();

// A patch of one member at the bottom does what set() does, without knowing that it is only one.
void merge_patch_of_one_member(benchmark::State& state) {
  const Value patch = set(Value::map({}), innermost(), 2).value();
  beside(
      state, [&] { benchmark::DoNotOptimize(merge_patch(ctx(), patch)); },
      [] { benchmark::DoNotOptimize(set_by_hand(ctx(), kLevels, 2)); });
}
BENCHMARK(merge_patch_of_one_member)->UseManualTime();

}  // namespace
}  // namespace stepwell

BENCHMARK_MAIN();
