#include "stepwell/runtime/load_instance.h"

#include <limits>

#include <fmt/format.h>

#include "stepwell/runtime/record_body.h"

namespace stepwell {

namespace {

// The playbook that the first record of an execution starts.
std::expected<PlaybookPtr, std::string> playbook_of(Playbooks& playbooks, const Record& first) {
  const auto parts = split_body(first.body);
  if (!parts) return std::unexpected(parts.error());
  const auto events = decode_events(*parts);
  if (!events) return std::unexpected(events.error());
  const auto* started = events->empty() ? nullptr : std::get_if<WorkflowStarted>(&events->front());
  if (started == nullptr) return std::unexpected("its first record is not a start");
  return playbooks.find(started->playbook, started->version);
}

// Brings an instance on by what is stored of it, up to a version that is left out. False: nothing after it is stored.
Stored<bool> read_on(Store& store, Playbooks& playbooks, const std::string& execution, Instance& instance,
                     std::uint64_t until) {
  bool there = false;
  std::string problem;
  const auto read =
      store.read_records(execution, instance.state.version, [&](const Record& record, const RecordHash& hash) {
        there = true;
        if (record.version >= until || !problem.empty()) return;
        if (auto done = bring_on(instance, playbooks, record, hash); !done) problem = done.error();
      });
  if (!read) return std::unexpected(read.error());
  if (!problem.empty()) return std::unexpected(corrupt_execution(execution, problem));
  return there;
}

}  // namespace

Stored<std::unique_ptr<Instance>> load_snapshot(Store& store, Playbooks& playbooks, const std::string& execution) {
  auto row = store.find_execution(execution);
  if (!row) return std::unexpected(row.error());
  auto snapshot = store.find_snapshot(execution);
  if (!snapshot) return std::unexpected(snapshot.error());
  auto instance = std::make_unique<Instance>();
  if (!*row) return instance;
  auto playbook = playbooks.find((*row)->playbook, (*row)->playbook_version);
  if (!playbook) return std::unexpected(corrupt_execution(execution, playbook.error()));
  instance->playbook = std::move(*playbook);
  if ((*row)->ended_at) instance->last_time = *(*row)->ended_at;
  if (!*snapshot) return instance;
  if (auto restored = restore(*instance, **snapshot); !restored) {
    return std::unexpected(corrupt_execution(execution, restored.error()));
  }
  return instance;
}

Stored<std::unique_ptr<Instance>> load_before(Store& store, Playbooks& playbooks, const Record& record) {
  const std::string execution(record.instance);
  auto loaded = load_snapshot(store, playbooks, execution);
  if (!loaded) return loaded;
  Instance& instance = **loaded;
  if (instance.state.version + 1 >= record.version) return loaded;
  const auto there = read_on(store, playbooks, execution, instance, record.version);
  if (!there) return std::unexpected(there.error());
  if (!*there) return nullptr;
  return loaded;
}

StoreError corrupt_execution(std::string_view execution, std::string_view why) {
  return {StoreError::Kind::corrupt, fmt::format("execution '{}': {}", execution, why)};
}

std::expected<void, std::string> bring_on(Instance& instance, Playbooks& playbooks, const Record& record,
                                          const RecordHash& hash, const BeforeEvent& before) {
  if (instance.playbook == nullptr) {
    auto playbook = playbook_of(playbooks, record);
    if (!playbook) return std::unexpected(std::move(playbook.error()));
    instance.playbook = std::move(*playbook);
  }
  return replay(instance, record, hash, before);
}

Stored<std::unique_ptr<Instance>> load_instance(Store& store, Playbooks& playbooks, const std::string& execution) {
  auto loaded = load_snapshot(store, playbooks, execution);
  if (!loaded) return loaded;
  Instance& instance = **loaded;
  const auto read = read_on(store, playbooks, execution, instance, std::numeric_limits<std::uint64_t>::max());
  if (!read) return std::unexpected(read.error());
  if (instance.state.phase == Phase::none || instance.state.phase == Phase::deleted) return nullptr;
  instance.wake_at = next_wake(instance.state);
  return loaded;
}

}  // namespace stepwell
