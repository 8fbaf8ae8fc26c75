#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stepwell/value/value.h"

namespace stepwell::reference {

// What comes next from outside. Which command that is depends on how things stand: numbers pick among what is there, so
// that a choice still means something when others before it are left out.
struct Choice {
  std::uint32_t what = 0;
  std::uint32_t which = 0;
  std::uint32_t how = 0;
};

struct Case {
  Value playbook;
  std::vector<Choice> choices;
};

// The playbook as YAML: a line for each step.
std::string to_yaml(const Value& playbook);

enum class Verdict : std::uint8_t { invalid, agree, disagree };

struct Outcome {
  Verdict verdict = Verdict::agree;
  std::string story = {};    // disagree: all commands, and both traces of the last
  std::size_t commands = 0;  // that were played
  bool ended = false;
};

// Plays a case to the kernel and to the reference interpreter until they say different things.
Outcome play(const Case& example);

}  // namespace stepwell::reference
