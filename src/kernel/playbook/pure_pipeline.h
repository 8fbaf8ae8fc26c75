#pragma once

#include <cstdint>
#include <expected>

#include "stepwell/kernel/playbook/command.h"
#include "stepwell/kernel/playbook/scene.h"

namespace stepwell {

// Where a pipeline has got to without asking anything of the outside.
struct PipelinePause {
  enum class Kind : std::uint8_t { done, later, tool };
  Kind kind = Kind::done;
  EncodedValue output = {};  // done
  Patches patches = {};      // done
  Value cursor = {};         // later, tool: where it goes on; null if it has not moved
  Duration delay = {};       // later: after how long
};

// Runs a pipeline from a cursor (null: the beginning) as far as it asks nothing of the outside.
OrFailure<PipelinePause> run_pure_tasks(const Step& step, const Value& inputs, const Value& cursor, Ambient& ambient);

}  // namespace stepwell
