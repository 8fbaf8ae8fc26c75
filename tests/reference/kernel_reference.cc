// kernel_reference [--seed N] [--cases N] [--show]: holds the kernel against the reference interpreter on that many
// random playbooks that load, each with random commands. The case of a seed is always the same, and the seeds of a run
// begin at N; a failing case is made as small as it can be and printed with both traces. --show prints every case.
#include <cstdint>
#include <iostream>
#include <random>
#include <string>

#include <fmt/format.h>

#include "case.h"
#include "maker.h"
#include "shrink.h"

namespace stepwell::reference {
namespace {

// Playbooks that the loader refuses say nothing; there may be some, but not many.
constexpr std::uint64_t kValidPercent = 50;

int run(std::uint64_t seed, std::uint64_t cases, bool show) {
  std::uint64_t valid = 0;
  std::uint64_t commands = 0;
  std::uint64_t ended = 0;
  std::uint64_t tried = 0;
  for (; valid < cases; ++tried) {
    if (tried >= 100 && valid * 100 < tried * kValidPercent) {
      std::cout << fmt::format("only {} of {} playbooks load\n", valid, tried);
      return 1;
    }
    const Case example = make_case(seed + tried);
    if (show) std::cout << fmt::format("# {}\n{}", seed + tried, to_yaml(example.playbook)) << std::flush;
    const Outcome outcome = play(example);
    if (show) std::cout << outcome.story << "\n";
    if (outcome.verdict == Verdict::disagree) {
      const Case small = shrink(example);
      std::cout << fmt::format("kernel and reference disagree; again with --seed {} --cases 1\n{}\n{}", seed + tried,
                               to_yaml(small.playbook), play(small).story);
      return 1;
    }
    valid += outcome.verdict == Verdict::agree ? 1 : 0;
    commands += outcome.commands;
    ended += outcome.ended ? 1 : 0;
  }
  std::cout << fmt::format("seed {}: {} cases of {} made, {} commands, {} came to their end\n", seed, cases, tried,
                           commands, ended);
  return 0;
}

}  // namespace
}  // namespace stepwell::reference

int main(int count, char** arguments) {
  std::uint64_t seed = std::random_device()();
  std::uint64_t cases = 1'000;
  bool show = false;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "--seed" && i + 1 < count) {
      seed = std::stoull(arguments[++i]);
    } else if (argument == "--cases" && i + 1 < count) {
      cases = std::stoull(arguments[++i]);
    } else if (argument == "--show") {
      show = true;
    } else {
      std::cerr << "kernel_reference [--seed N] [--cases N] [--show]\n";
      return 2;
    }
  }
  return stepwell::reference::run(seed, cases, show);
}
