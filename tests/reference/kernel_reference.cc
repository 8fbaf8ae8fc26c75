// kernel_reference [--seed N] [--cases N] [--show]: holds the kernel against the reference interpreter on random
// playbooks and random commands. The case of a seed is always the same, case i of a run has the seed N + i; a failing
// one is made as small as it can be and printed with both traces. --show prints every case.
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
constexpr std::uint64_t kValidPercent = 70;

int run(std::uint64_t seed, std::uint64_t cases, bool show) {
  std::uint64_t valid = 0;
  std::uint64_t commands = 0;
  std::uint64_t ended = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Case example = make_case(seed + i);
    if (show) std::cout << fmt::format("# {}\n{}", seed + i, to_yaml(example.playbook)) << std::flush;
    const Outcome outcome = play(example);
    if (show) std::cout << outcome.story << "\n";
    if (outcome.verdict == Verdict::disagree) {
      const Case small = shrink(example);
      std::cout << fmt::format("kernel and reference disagree; again with --seed {} --cases 1\n{}\n{}", seed + i,
                               to_yaml(small.playbook), play(small).story);
      return 1;
    }
    valid += outcome.verdict == Verdict::agree ? 1 : 0;
    commands += outcome.commands;
    ended += outcome.ended ? 1 : 0;
  }
  std::cout << fmt::format("seed {}: {} cases, {} valid with {} commands, {} came to their end\n", seed, cases, valid,
                           commands, ended);
  if (valid * 100 >= cases * kValidPercent || cases < 100) return 0;
  std::cout << "too many of the playbooks are invalid\n";
  return 1;
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
