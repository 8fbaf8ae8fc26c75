#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/compile/yaml.h"

namespace stepwell {

// Where an expression stands decides which names it can read.
enum class Where : std::uint8_t {
  start,   // reference: before anything ran
  guard,   // step.when, args and loop.in: before a loop opens
  inputs,  // the own fields of a step
  match,   // a wait's match: the signal too
  end,     // set and arcs: the run that just ended too
  tool,    // fields of a tool: secrets too
  record,  // fields of a tool whose values are kept: no secrets
  rule,    // eval rules of a tool: its outcome too
  output,  // the playbook's output
  given,   // in a document of another kind: what it gives
};

// One step of the source, with its place in the definition.
struct StepEntry {
  std::string name;
  const Yaml* node = nullptr;
  std::uint32_t list = 0;
};

// Every name that a document introduces, found before anything is read in detail, so that order does not matter.
struct Names {
  std::vector<std::string> given;                 // to the expressions of a document that is no playbook
  std::vector<StepEntry> steps;                   // in the order of the definition
  bool all_named = true;                          // else any name may be meant for a step whose own was not read
  std::vector<std::string> bound;                 // `as` names
  std::vector<std::string> iterators;             // of the blocks around the step being read
  std::optional<std::string> own_iterator;        // of that step itself
  bool in_loop = false;                           // whether one of these blocks loops
  bool own_loop = false;                          // and that step
  std::vector<std::string> labels;                // of the pipeline being read
  std::vector<std::vector<std::uint32_t>> lists;  // the steps of each list; the root's is the first
  std::vector<std::int64_t> owners;               // the block step that holds each list; -1 for the root

  // Where each step is; of two with one name, the first.
  std::map<std::string, std::size_t, std::less<>> by_name;

  // What follows is about this step.
  void enter(std::size_t index);

  const StepEntry* find_step(std::string_view name) const;
  std::int64_t index_of(std::string_view name) const;  // -1 if there is none
};

Names collect_names(const Yaml& workflow);

// Whether an expression may start with this name in this place.
bool is_readable(std::string_view name, const Names& names, Where where);

// All names with which it may.
std::vector<std::string_view> readable_names(const Names& names, Where where);

// Whether a step must not be called so, because expressions read something else by that name.
bool is_reserved(std::string_view name);

}  // namespace stepwell
