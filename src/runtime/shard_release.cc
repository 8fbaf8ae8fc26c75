#include <algorithm>

#include "stepwell/kernel/playbook/decide.h"
#include "stepwell/runtime/shard.h"
#include "stepwell/value/cbor_read.h"

// What a shard does when a frame has become durable, or has not.
namespace stepwell {

void Shard::release(Sealed sealed) {
  durable_seq_ = sealed.frame.last_seq;
  if (!watchers_.empty()) tell_watchers(sealed.frame);
  for (Held& held : sealed.held) {
    if (held.reply) held.reply(held.answer);
    if (held.instance == nullptr) continue;
    for (Effect& effect : held.effects) perform(*held.instance, std::move(effect));
    Instance& instance = *held.instance;
    if (--instance.held != 0 || !is_over(instance)) continue;
    if (instance.state.phase == Phase::ended) around_.ended(instance.state);
    leave_if_over(instance);
  }
  hand_over();
  while (!on_durable_.empty() && on_durable_.front().first <= durable_seq_) {
    Continuation action = std::move(on_durable_.front().second);
    on_durable_.pop_front();
    action();
  }
}

void Shard::lose(Sealed sealed) {
  const Answer unknown{.kind = Answer::Kind::unknown};
  auto answer = [&](std::vector<Held>& all) {
    for (Held& held : all) {
      if (held.reply) held.reply(unknown);
    }
    all.clear();
  };
  answer(sealed.held);
  answer(open_.held);
  for (auto& [execution, requests] : loading_) {
    for (Request& request : requests) {
      if (request.reply) request.reply(unknown);
    }
  }
  ++generation_;
  open_ = {};
  loading_.clear();
  residents_.clear();
  instances_.clear();
  on_durable_.clear();
  offers_.clear();
  cancels_.clear();
  due_ = {};
  yields_.clear();
  rows_due_.clear();
  finished_ = {};
  snapshots_due_.clear();
  polling_ = false;
  over_meanwhile_.clear();
  evicting_ = false;
  if (checkpoint_) end_checkpoint(std::unexpected(StoreError{StoreError::Kind::unknown, "the store failed"}));
}

void Shard::tell_watchers(const Frame& frame) {
  const auto read = read_records(frame.payload, [&](const Record& record, const RecordHash& hash) {
    const auto found = watchers_.find(record.instance);
    if (found == watchers_.end()) return;
    for (const auto& [id, watcher] : found->second) watcher(record, hash);
  });
  CHECK(read.has_value());
}

void Shard::perform(Instance& instance, Effect effect) {
  if (auto* attempt = std::get_if<OfferAttempt>(&effect)) return offer(instance, std::move(*attempt));
  if (const auto* cancel = std::get_if<CancelAttempt>(&effect)) {
    cancels_.push_back({epoch_, instance.state.execution, cancel->waiting_token});
  } else if (const auto* message = std::get_if<DeliverMessage>(&effect)) {
    deliver(instance, *message);
  } else if (const auto* load = std::get_if<LoadBlobs>(&effect)) {
    load_blobs(instance, *load);
  } else if (const auto* wake = std::get_if<WakeAt>(&effect)) {
    set_wake(instance, wake->at);
  } else {
    yields_.push_back(instance.state.execution);
  }
}

// A later decision may have cancelled it before it was ever offered.
void Shard::offer(Instance& instance, OfferAttempt attempt) {
  const Run* run = instance.state.runs.find(attempt.waiting_token.run);
  if (run == nullptr || run->waiting_token() != attempt.waiting_token ||
      !std::holds_alternative<OpenAttempt>(run->work)) {
    return;
  }
  offers_.push_back({.id = {epoch_, instance.state.execution, attempt.waiting_token},
                     .playbook = instance.playbook,
                     .attempt = std::move(attempt)});
}

void Shard::hand_over() {
  if (!cancels_.empty()) around_.cancel(std::exchange(cancels_, {}));
  if (!offers_.empty()) around_.offer(std::exchange(offers_, {}));
}

// A blob holds the canonical bytes of the value that it stands for. One that is not there is asked for again by the
// next restart; until then its run waits, visibly.
void Shard::load_blobs(Instance& instance, const LoadBlobs& load) {
  later([this, execution = instance.state.execution, load](Store& store) -> Continuation {
    Request request{.execution = execution, .command = {BlobsLoaded{load.waiting_token}}};
    for (const std::string& reference : load.blobs) {
      const auto bytes = store.find_blob(std::string_view(reference).substr(std::string_view("sha256:").size()));
      if (!bytes || !*bytes) return [] {};
      auto value = decode_cbor(**bytes);
      if (!value) return [] {};
      request.blobs.emplace_back(reference, std::move(*value));
    }
    return [this, request = std::move(request)]() mutable { admit(std::move(request)); };
  });
}

void Shard::leave_if_over(Instance& instance) {
  if (instance.held != 0 || !is_over(instance)) return;
  if (!rows_wait()) rows_since_ = instance.touched;
  if (instance.state.phase == Phase::deleted) {
    finished_.deleted.push_back(instance.state.execution);
  } else {
    finished_.executions.push_back(row_of(instance, number_));
  }
  if (polling_) over_meanwhile_.insert(instance.state.execution);
  forget(instance.state.execution);
}

void Shard::forget(std::string_view execution) {
  const auto found = instances_.find(execution);
  Instance* instance = found->second.get();
  if (instance->row_due != 0) rows_due_[instance->row_due - 1] = nullptr;
  residents_.remove(*instance);
  instances_.erase(found);
}

}  // namespace stepwell
