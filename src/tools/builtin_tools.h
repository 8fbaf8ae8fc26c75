#pragma once

#include <memory>

#include "stepwell/tools/artifact.h"
#include "stepwell/tools/http.h"
#include "stepwell/tools/toolbox.h"

namespace stepwell {

struct BuiltinOptions {
  HttpOptions http = {};
  std::shared_ptr<Artifacts> artifacts = {};  // none: there is no tool 'artifact'
};

// Adds a tool for every built-in kind that a worker serves. (noop and emit run inside the pipeline itself, and workbook
// entries were expanded at load.)
void add_builtin_tools(Toolbox& tools, const BuiltinOptions& options = {});

}  // namespace stepwell
