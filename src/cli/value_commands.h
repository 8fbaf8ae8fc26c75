#pragma once

#include "stepwell/cli/command.h"

// The commands of `stepwell value`.
namespace stepwell::cli {

extern const Command kValueEncode;
extern const Command kValueDecode;
extern const Command kValueHash;
extern const Command kValueCheck;

}  // namespace stepwell::cli
