#pragma once

#include <expected>

#include "stepwell/kernel/playbook/command.h"
#include "stepwell/kernel/playbook/scene.h"

namespace stepwell {

// Where a pipeline has got to: its end, or a place where it waits.
struct PipelineEnd {
  EncodedValue output = {};
  Patches patches = {};
  Value cursor = {};    // waits: where it goes on ...
  Duration delay = {};  // ... and after how long
};

// Runs a pipeline that asks nothing of the outside, from a cursor (null: the beginning).
std::expected<PipelineEnd, RunError> run_pure_pipeline(const Scene& scene, const Step& step, const Value& cursor,
                                                       Ambient& ambient);

}  // namespace stepwell
