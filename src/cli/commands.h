#pragma once

#include <span>

#include "stepwell/cli/command.h"

namespace stepwell::cli {

extern const Command kRun;
extern const Command kResume;
extern const Command kLs;
extern const Command kShow;
extern const Command kEvents;
extern const Command kState;
extern const Command kDiff;
extern const Command kSignal;
extern const Command kPatch;
extern const Command kCancel;
extern const Command kSuspend;
extern const Command kUnsuspend;
extern const Command kRetry;
extern const Command kSkip;
extern const Command kPlaybooks;
extern const Command kRegister;
extern const Command kValidate;
extern const Command kCanonical;
extern const Command kGraph;
extern const Command kEval;
extern const Command kValue;
extern const Command kVerify;
extern const Command kReplay;
extern const Command kRebuild;
extern const Command kGc;
extern const Command kBackup;
extern const Command kDoctor;
extern const Command kBench;

// Every command, in the order in which help lists them.
std::span<const Command* const> commands();

}  // namespace stepwell::cli
