#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "stepwell/base/instant.h"
#include "stepwell/kernel/playbook/event.h"
#include "stepwell/kernel/playbook/state.h"
#include "stepwell/runtime/playbooks.h"
#include "stepwell/store/record.h"
#include "stepwell/store/rows.h"

namespace stepwell {

// An execution in memory.
struct Instance {
  State state = {};
  PlaybookPtr playbook = {};
  RecordHash chain = {};            // of its last record
  std::uint64_t last_seq = 0;       // of its last record; 0: none since it was loaded
  std::uint64_t saved_version = 0;  // of the snapshot in the store
  std::uint64_t row_hash = 0;       // of the row that was projected last
  Instant last_time = {};           // of its last record
  Instant touched = {};
  std::optional<Instant> wake_at = {};
  std::uint32_t held = 0;     // decisions whose effects are not released yet: it must stay
  std::uint32_t row_due = 0;  // its place, from 1, among those whose row may have changed; 0: is not there
  bool snapshot_due = false;  // its playbook wants one, which is taken soon
  // Since a snapshot was last taken because there were enough of them, or since the one that it was loaded from.
  std::int64_t events = 0;
  std::size_t record_bytes = 0;
  std::size_t snapshot_bytes = 0;  // of that one

  // By when they were touched last.
  Instance* before = nullptr;
  Instance* after = nullptr;
};

// Has ended, and nobody waits for a message of it: it need not be in memory any more.
bool is_over(const Instance& instance);
// Has work that must be asked for again after a restart.
bool is_awake(const State& state);
// When its earliest timer is due.
std::optional<Instant> next_wake(const State& state);

// The execution as lists show it.
ExecutionRow row_of(const Instance& instance, std::uint32_t shard);
std::uint64_t hash_of(const ExecutionRow& row);

// A snapshot as it is stored: the hash of the last record, then the state.
SnapshotRow snapshot_of(const Instance& instance);
// Whether its playbook wants one now. What changes little of much is not saved more often than it is worth: there are
// at least as many bytes of records since the last one as it had.
bool wants_snapshot(const Instance& instance);
// Puts a snapshot into an instance that has its playbook.
std::expected<void, std::string> restore(Instance& instance, const SnapshotRow& snapshot);
// Applies a record, if it is the next one; one that the instance is past is left out. The first record of an execution
// names its playbook, which must be in the instance already. `before` is told of each event while the state is still
// the one that it was decided in; the time of the record is the instance's last already.
using BeforeEvent = std::function<void(const Event&)>;
std::expected<void, std::string> replay(Instance& instance, const Record& record, const RecordHash& hash,
                                        const BeforeEvent& before = {});

}  // namespace stepwell
