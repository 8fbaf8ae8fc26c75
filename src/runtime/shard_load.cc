#include <map>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/decide.h"
#include "stepwell/runtime/record_body.h"
#include "stepwell/runtime/shard.h"

// How executions come into memory.
namespace stepwell {

namespace {

constexpr std::uint32_t kAwakePage = 1'000;

StoreError corrupt(std::string_view execution, std::string_view why) {
  return {StoreError::Kind::corrupt, fmt::format("execution '{}': {}", execution, why)};
}

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

// A snapshot, if there is one, and its playbook: that of the row.
Stored<std::unique_ptr<Instance>> from_snapshot(Store& store, Playbooks& playbooks, const std::string& execution) {
  auto row = store.find_execution(execution);
  if (!row) return std::unexpected(row.error());
  auto snapshot = store.find_snapshot(execution);
  if (!snapshot) return std::unexpected(snapshot.error());
  auto instance = std::make_unique<Instance>();
  if (!*row) return instance;
  auto playbook = playbooks.find((*row)->playbook, (*row)->playbook_version);
  if (!playbook) return std::unexpected(corrupt(execution, playbook.error()));
  instance->playbook = std::move(*playbook);
  if ((*row)->ended_at) instance->last_time = *(*row)->ended_at;
  if (!*snapshot) return instance;
  if (auto restored = restore(*instance, **snapshot); !restored) {
    return std::unexpected(corrupt(execution, restored.error()));
  }
  return instance;
}

// Brings an instance on by a record, which may be its first.
std::expected<void, std::string> bring_on(Instance& instance, Playbooks& playbooks, const Record& record,
                                          const RecordHash& hash) {
  if (instance.playbook == nullptr) {
    auto playbook = playbook_of(playbooks, record);
    if (!playbook) return std::unexpected(std::move(playbook.error()));
    instance.playbook = std::move(*playbook);
  }
  return replay(instance, record, hash);
}

}  // namespace

Instance& Shard::add(const std::string& execution, std::unique_ptr<Instance> instance) {
  Instance& added = *instances_.emplace(execution, std::move(instance)).first->second;
  added.touched = last_time_;
  residents_.add(added);
  return added;
}

// Asks again for all that is open.
void Shard::resume(Instance& instance) {
  for (Effect& effect : open_effects(instance.state)) perform(instance, std::move(effect));
}

void Shard::load(const std::string& execution) {
  // What has left memory must be in the store before it is looked for there.
  flush_rows({});
  later([this, execution](Store& store) -> Continuation {
    auto found = std::make_shared<Loaded>(load_from(store, playbooks_, execution));
    return [this, execution, found] { loaded(execution, std::move(*found)); };
  });
}

Shard::Loaded Shard::load_from(Store& store, Playbooks& playbooks, const std::string& execution) {
  auto instance = from_snapshot(store, playbooks, execution);
  if (!instance) return {.problem = instance.error().message};
  std::string problem;
  const auto read =
      store.read_records(execution, (*instance)->state.version, [&](const Record& record, const RecordHash& hash) {
        if (!problem.empty()) return;
        if (auto done = bring_on(**instance, playbooks, record, hash); !done) problem = done.error();
      });
  if (!read) return {.problem = read.error().message};
  if (!problem.empty()) return {.problem = std::move(problem)};
  if ((*instance)->state.phase == Phase::none || (*instance)->state.phase == Phase::deleted) return {};
  (*instance)->wake_at = next_wake((*instance)->state);
  return {.instance = std::move(*instance)};
}

void Shard::loaded(const std::string& execution, Loaded found) {
  const auto waiting = loading_.extract(execution);
  std::vector<Request> requests = waiting ? std::move(waiting.mapped()) : std::vector<Request>();
  if (found.instance != nullptr) {
    Instance& instance = add(execution, std::move(found.instance));
    if (instance.wake_at) due_.push({*instance.wake_at, execution});
    if (is_awake(instance.state)) resume(instance);
    hand_over();
  }
  for (Request& request : requests) {
    Instance* instance = find(execution);
    const bool starts = std::holds_alternative<Start>(request.command.body);
    if (instance != nullptr) {
      decide_on(*instance, std::move(request));
    } else if (!found.problem.empty()) {
      answer_later(request, {.kind = Answer::Kind::refused, .refusal = {RefusalCode::not_allowed, found.problem}});
    } else if (starts) {
      start(std::move(request));
    } else {
      answer_later(request,
                   {.kind = Answer::Kind::refused,
                    .refusal = {RefusalCode::not_found, fmt::format("there is no execution '{}'", execution)}});
    }
  }
  if (Instance* instance = find(execution); instance != nullptr) leave_if_over(*instance);
}

Stored<> Shard::recover(Store& store) {
  const auto taken = store.take_over(number_);
  if (!taken) return std::unexpected(taken.error());
  epoch_ = taken->epoch;
  next_seq_ = taken->next_seq;
  sealed_seq_ = durable_seq_ = next_seq_ - 1;
  last_time_ = std::max(last_time_, clock_.now());
  polled_at_ = checkpointed_at_ = last_time_;
  if (auto read = read_tail(store); !read) return read;
  if (auto read = load_awake(store); !read) return read;
  // The rows of what was decided after the last projection.
  std::vector<std::string> over;
  for (auto& [execution, instance] : instances_) {
    row_may_differ(*instance);
    if (is_over(*instance)) over.push_back(execution);
  }
  for (const std::string& execution : over) leave_if_over(*find(execution));
  for (auto& [execution, instance] : instances_) resume(*instance);
  hand_over();
  return {};
}

Stored<> Shard::read_tail(Store& store) {
  Stored<> result;
  auto take = [&](const Record& record, const RecordHash& hash) {
    if (!result) return;
    const std::string execution(record.instance);
    Instance* instance = find(execution);
    if (instance == nullptr) {
      auto snapshot = from_snapshot(store, playbooks_, execution);
      if (!snapshot) return void(result = std::unexpected(snapshot.error()));
      instance = &add(execution, std::move(*snapshot));
    }
    instance->last_seq = durable_seq_;
    if (auto done = bring_on(*instance, playbooks_, record, hash); !done) {
      result = std::unexpected(corrupt(execution, done.error()));
    }
    last_time_ = std::max(last_time_, instance->last_time);
  };
  const auto read = store.read_tail(number_, [&](const Frame& frame) {
    if (!result) return;
    bytes_since_checkpoint_ += frame.payload.size();
    if (auto records = read_records(frame.payload, take); !records) {
      result = std::unexpected(StoreError{StoreError::Kind::corrupt, records.error()});
    }
  });
  return !read ? read : result;
}

Stored<> Shard::load_awake(Store& store) {
  for (std::string after;;) {
    const auto page = store.find_awake(number_, after, kAwakePage);
    if (!page) return std::unexpected(page.error());
    for (const ExecutionRow& row : *page) {
      if (find(row.id) != nullptr) continue;
      Loaded found = load_from(store, playbooks_, row.id);
      if (!found.problem.empty()) return std::unexpected(corrupt(row.id, found.problem));
      if (found.instance != nullptr) add(row.id, std::move(found.instance));
    }
    if (page->size() < kAwakePage) return {};
    after = page->back().id;
  }
}

}  // namespace stepwell
