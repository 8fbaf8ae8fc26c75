#include <map>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/decide.h"
#include "stepwell/runtime/load_instance.h"
#include "stepwell/runtime/shard.h"

// How executions come into memory.
namespace stepwell {

namespace {

constexpr std::uint32_t kAwakePage = 1'000;

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
    auto found = load_instance(store, playbooks_, execution);
    return [this, execution, found = std::move(found)]() mutable { loaded(execution, std::move(found)); };
  });
}

void Shard::loaded(const std::string& execution, Stored<std::unique_ptr<Instance>> found) {
  const auto waiting = loading_.extract(execution);
  std::vector<Request> requests = waiting ? std::move(waiting.mapped()) : std::vector<Request>();
  if (found && *found != nullptr) {
    Instance& instance = add(execution, std::move(*found));
    if (instance.wake_at) due_.push({*instance.wake_at, execution});
    if (is_awake(instance.state)) resume(instance);
    hand_over();
  }
  for (Request& request : requests) {
    Instance* instance = find(execution);
    const bool starts = std::holds_alternative<Start>(request.command.body);
    if (instance != nullptr) {
      decide_on(*instance, request);
    } else if (!found) {
      answer_later(request,
                   {.kind = Answer::Kind::refused, .refusal = {RefusalCode::not_allowed, found.error().message}});
    } else if (starts) {
      start(request);
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
      auto before = load_before(store, playbooks_, record);
      if (!before) return void(result = std::unexpected(before.error()));
      if (*before == nullptr) return;
      instance = &add(execution, std::move(*before));
    }
    instance->last_seq = durable_seq_;
    if (auto done = bring_on(*instance, playbooks_, record, hash); !done) {
      result = std::unexpected(corrupt_execution(execution, done.error()));
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
      auto found = load_instance(store, playbooks_, row.id);
      if (!found) return std::unexpected(found.error());
      if (*found != nullptr) add(row.id, std::move(*found));
    }
    if (page->size() < kAwakePage) return {};
    after = page->back().id;
  }
}

}  // namespace stepwell
