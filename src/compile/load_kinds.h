#pragma once

#include "stepwell/compile/canon.h"
#include "stepwell/compile/fields.h"
#include "stepwell/model/diagnostic.h"

// What the kinds of documents other than playbooks have besides the head that all have. Each puts it into `out`,
// finishes `root`, and goes on after an error, so that all are found.
namespace stepwell {

void load_manifest(Fields& root, Canon& out, Diagnostics& diagnostics);
void load_schedule(Fields& root, Canon& out, Diagnostics& diagnostics);
void load_prompt(Fields& root, Canon& out, Diagnostics& diagnostics);
void load_model_profile(Fields& root, Canon& out, Diagnostics& diagnostics);
void load_artifact_type(Fields& root, Canon& out, Diagnostics& diagnostics);

}  // namespace stepwell
