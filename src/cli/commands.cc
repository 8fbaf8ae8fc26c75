#include "stepwell/cli/commands.h"

namespace stepwell::cli {

std::span<const Command* const> commands() {
  static constexpr const Command* kCommands[] = {
      &kRun,     &kResume,    &kLs,     &kShow,    &kEvents,    &kState,    &kDiff,     &kSignal,    &kPatch, &kCancel,
      &kSuspend, &kUnsuspend, &kRetry,  &kSkip,    &kPlaybooks, &kRegister, &kValidate, &kCanonical, &kGraph, &kEval,
      &kValue,   &kVerify,    &kReplay, &kRebuild, &kGc,        &kBackup,   &kDoctor,   &kBench,
  };
  return kCommands;
}

}  // namespace stepwell::cli
