#pragma once

#include <variant>

#include "stepwell/kernel/playbook/events_execution.h"
#include "stepwell/kernel/playbook/events_run.h"
#include "stepwell/kernel/playbook/events_scope.h"
#include "stepwell/kernel/playbook/events_wait.h"

// The facts that the kernel decides. They are the only thing that changes state, and they are what the journal keeps,
// so every number in them is for ever: a tag that retires leaves a comment, and a field is only added by a new event.
// docs/formats/events.md says what each means.
namespace stepwell {

using Event =
    std::variant<WorkflowStarted, WorkflowEnded, WorkflowFailing, WorkflowSuspended, WorkflowUnsuspended,
                 WorkflowFinishing, WorkflowYielded, TokenCreated, TokenArgs, TokenGated, TokenDiscarded, TokenParked,
                 StepStarted, StepDone, StepFailed, StepCancelled, StepParked, StepRetryScheduled, AttemptStarted,
                 AttemptDeferred, AttemptReoffered, AttemptAdvanced, StepRetried, CtxSet, CtxPatched, IterSet,
                 ReferenceSet, NextSelected, FanOutOpened, LoopOpened, BranchOpened, BranchSettled, BranchDetached,
                 FanOutClosed, BlockOpened, BlockClosed, TimerStarted, SignalReceived, SignalAwaited, SignalTaken,
                 SignalMismatched, TaskCreated, TaskAssigned, TaskReleased, TaskCompleted, TaskExpired, TaskCancelled,
                 MessageSent, MessageDelivered, ChildEnded, BlobsAwaited, CommandAccepted, WorkflowDeleted>;

}  // namespace stepwell
