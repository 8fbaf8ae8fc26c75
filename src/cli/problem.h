#pragma once

#include "stepwell/cli/command.h"
#include "stepwell/server/service.h"

namespace stepwell::cli {

// Prints why a call was not answered; the answer is what to exit with.
ExitCode report(Call& call, const Problem& problem);

}  // namespace stepwell::cli
