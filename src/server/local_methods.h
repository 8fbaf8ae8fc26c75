#pragma once

#include <atomic>

#include "stepwell/server/backing.h"
#include "stepwell/server/service.h"
#include "stepwell/value/value.h"

// The methods of the local service, one file for each family; docs/reference/service.md says what each takes.
namespace stepwell {

// playbook_methods.cc
Answered<> register_playbook(const Backing& backing, const Value& params);
Answered<> list_playbooks(const Backing& backing, const Value& params);

// execution_commands.cc
Answered<> start_execution(const Backing& backing, const Value& params);
Answered<> signal_execution(const Backing& backing, const Value& params);
Answered<> patch_execution(const Backing& backing, const Value& params);
Answered<> cancel_execution(const Backing& backing, const Value& params);
Answered<> suspend_execution(const Backing& backing, const Value& params);
Answered<> unsuspend_execution(const Backing& backing, const Value& params);
Answered<> retry_execution(const Backing& backing, const Value& params);
Answered<> skip_execution(const Backing& backing, const Value& params);

// execution_reads.cc
Answered<> list_executions(const Backing& backing, const Value& params);
Answered<> get_execution(const Backing& backing, const Value& params);
Answered<> list_events(const Backing& backing, const Value& params);
Answered<> execution_state(const Backing& backing, const Value& params);
Answered<> execution_diff(const Backing& backing, const Value& params);
// Whether it can move on without anybody outside, by itself or by those that it has called.
Answered<bool> can_move(const Backing& backing, const State& state);

// follow_events.cc
Answered<> follow_events(const Backing& backing, const Value& params, const Hear& hear,
                         const std::atomic<bool>& stopped);

// store_methods.cc
Answered<> verify_store(const Backing& backing, const Value& params);
Answered<> replay_store(const Backing& backing, const Value& params);
Answered<> collect_garbage(const Backing& backing, const Value& params);
Answered<> backup_store(const Backing& backing, const Value& params);
Answered<> store_usage(const Backing& backing, const Value& params);

}  // namespace stepwell
