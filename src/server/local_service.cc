#include "stepwell/server/local_service.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/server/local_methods.h"

namespace stepwell {

namespace {

struct Method {
  std::string_view name;
  Answered<> (*run)(const Backing&, const Value&);
};

// That it answers is the answer.
Answered<> ping(const Backing&, const Value&) { return Value(); }

constexpr Method kMethods[] = {
    {"ping", ping},
    {"playbooks.register", register_playbook},
    {"playbooks.list", list_playbooks},
    {"executions.start", start_execution},
    {"executions.list", list_executions},
    {"executions.get", get_execution},
    {"executions.events", list_events},
    {"executions.state", execution_state},
    {"executions.diff", execution_diff},
    {"executions.signal", signal_execution},
    {"executions.patch", patch_execution},
    {"executions.cancel", cancel_execution},
    {"executions.suspend", suspend_execution},
    {"executions.unsuspend", unsuspend_execution},
    {"executions.retry", retry_execution},
    {"executions.skip", skip_execution},
    {"store.verify", verify_store},
    {"store.replay", replay_store},
    {"store.gc", collect_garbage},
    {"store.backup", backup_store},
    {"store.usage", store_usage},
};

Problem unknown(std::string_view method) {
  return {"unknown_method",
          fmt::format("there is no method '{}' here: the holder of the store may be of another version", method)};
}

}  // namespace

Answered<> LocalService::call(std::string_view method, const Value& params) {
  const auto* found = std::ranges::find(kMethods, method, &Method::name);
  if (found == std::end(kMethods)) return std::unexpected(unknown(method));
  return found->run(backing_, params);
}

Answered<> LocalService::follow(std::string_view method, const Value& params, const Hear& hear) {
  if (method != "executions.events") return std::unexpected(unknown(method));
  return follow_events(backing_, params, hear, stopped_);
}

}  // namespace stepwell
