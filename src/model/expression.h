#pragma once

#include <cstdint>
#include <vector>

#include "stepwell/expr/program.h"

namespace stepwell {

// What a name in an expression stands for. Names are bound when a definition is read, so that nothing is looked up by
// its text when the expression is evaluated.
enum class NameKind : std::uint8_t {
  unknown,  // nothing has this name
  workload,
  ctx,
  args,
  vars,
  iter,
  branch,     // _branch
  item,       // the `as` name of a foreach or the iterator of a loop; the index is one of Definition::item_names
  step,       // the index is the step's
  task,       // the label of a task of the same pipeline; the index is its place there
  output,     //
  error,      //
  outcome,    //
  event,      //
  execution,  //
  run,        //
  signal,     //
  results,    // all tasks of the pipeline by label
  task_name,  // _task
  attempt,    // _attempt
  previous,   // _prev
};

struct Name {
  NameKind kind = NameKind::unknown;
  std::uint32_t index = 0;

  friend bool operator==(const Name&, const Name&) = default;
};

struct Expression {
  Program program;
  std::vector<Name> names = {};   // one for each of program.roots
  bool reads_last_error = false;  // ctx._last_error, which is not part of ctx itself
};

}  // namespace stepwell
