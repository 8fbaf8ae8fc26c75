#include "store_witness.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/codec.h"
#include "stepwell/runtime/load_instance.h"
#include "stepwell/runtime/record_body.h"
#include "stepwell/store/embedded/embedded_store.h"

namespace stepwell {

namespace {

namespace fs = std::filesystem;

// Every third time the records are in the history and the state in a snapshot, before it begins anew; every other time
// it is killed rather than closed.
constexpr std::size_t kCheckpointEvery = 3;
constexpr std::size_t kCrashEvery = 2;

// Small segments, so that a copy of a store is soon made and some of them get full.
const EmbeddedOptions kSmall{
    .journal = {
        .segments = {.segment_bytes = std::size_t{64} << 10, .first_segment_bytes = std::size_t{32} << 10, .spares = 1},
        .direct = false}};

template <typename T>
T must(Stored<T> stored) {
  if (!stored) throw std::runtime_error(stored.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*stored);
}

std::string body_of(const WitnessedDecision& decision) {
  std::string body;
  append_body(body, decision.stamp, decision.command, decision.events);
  return body;
}

std::string text_of(const OfferAttempt& offer) {
  return fmt::format("run {} attempt {} offer {} of step {} (run {} of it), deadline {}",
                     offer.waiting_token.run.number, offer.waiting_token.attempt, offer.waiting_token.offer, offer.step,
                     offer.ordinal, offer.deadline ? offer.deadline->micros() : 0);
}

}  // namespace

// All that a crash destroys.
struct StoreWitness::Process {
  Process(std::unique_ptr<Store> opened, StoreWitness& around)
      : store(std::move(opened)), playbooks(*store), shard(0, playbooks, around, around, around, {}) {
    must(playbooks.load());
  }

  std::unique_ptr<Store> store;
  Playbooks playbooks;
  Shard shard;
};

StoreWitness::StoreWitness() = default;
StoreWitness::~StoreWitness() = default;

void StoreWitness::begin(const Definition& definition) {
  process_.reset();
  jobs_.clear();
  if (!path_.empty()) fs::remove_all(path_);
  path_ = fmt::format("{}/{}", directory_.path(), ++stores_);
  execution_.clear();
  stamp_ = {};
  boot();
  playbook_ = definition.name;
  must(process_->playbooks.add(document_of(DocumentKind::playbook, 1, definition.canonical), "", stamp_.time));
}

void StoreWitness::boot() {
  process_ = std::make_unique<Process>(must(open_embedded_store(path_, kSmall)), *this);
  must(process_->shard.recover(*process_->store));
  settle();
}

// What a process that is killed leaves are its files as they are at that moment, so a copy of them is opened.
void StoreWitness::restart() {
  const std::string before = path_;
  const bool crash = restarts_++ % kCrashEvery == 0;
  if (crash) {
    path_ = fmt::format("{}/{}", directory_.path(), ++stores_);
    fs::copy(before, path_, fs::copy_options::recursive);
    fs::remove(path_ + "/stepwell.db-shm");
  }
  process_.reset();
  jobs_.clear();
  offers_.clear();
  if (crash) fs::remove_all(before);
  boot();
}

// Does what a lane, the committer and the keeper do, until there is nothing left to do.
void StoreWitness::settle() {
  Shard& shard = process_->shard;
  while (!jobs_.empty() || shard.open_bytes() != 0) {
    if (shard.open_bytes() != 0) {
      Sealed sealed = shard.seal();
      if (!sealed.frame.payload.empty()) must(process_->store->append({&sealed.frame, 1}));
      shard.release(std::move(sealed));
    }
    if (jobs_.empty()) continue;
    StoreJob job = std::move(jobs_.front());
    jobs_.pop_front();
    job (*process_->store)();
  }
}

void StoreWitness::offer(std::vector<Offer> offers) {
  for (Offer& offer : offers) offers_.push_back(std::move(offer));
}

Request StoreWitness::request_of(const WitnessedDecision& decision) {
  Request request{.execution = execution_, .command = decision.command};
  if (std::holds_alternative<Start>(decision.command.body)) {
    request.playbook = *process_->playbooks.find(playbook_, 1);
  } else if (std::holds_alternative<BlobsLoaded>(decision.command.body)) {
    for (const auto& [reference, value] : decision.lookups.blobs()) request.blobs.emplace_back(reference, value);
  } else if (const auto* report = std::get_if<ReportAttempt>(&decision.command.body)) {
    const auto offered = std::ranges::find(offers_, report->waiting_token,
                                           [](const Offer& offer) { return offer.attempt.waiting_token; });
    if (offered != offers_.end()) request.epoch = offered->id.epoch;
  }
  return request;
}

void StoreWitness::admit(Request request) {
  answer_.reset();
  request.reply = [this](const Answer& answer) { answer_ = answer; };
  process_->shard.admit(std::move(request));
  settle();
}

void StoreWitness::checkpoint() {
  Stored<> written = std::unexpected(StoreError{StoreError::Kind::failed, "the checkpoint was not answered"});
  process_->shard.checkpoint([&](const Stored<>& result) { written = result; });
  settle();
  must(written);
}

std::string StoreWitness::see(const WitnessedDecision& decision) {
  if (const auto* start = std::get_if<Start>(&decision.command.body); start != nullptr && execution_.empty()) {
    execution_ = start->execution;
  }
  // An execution that was deleted is gone, and one that was never started is not there.
  const bool gone = decision.refusal != nullptr && decision.state.phase == Phase::deleted;
  if (execution_.empty() || gone) return "";
  stamp_ = decision.stamp;
  admit(request_of(decision));
  if (!answer_) return "the shard does not answer";
  const bool accepted = answer_->kind == Answer::Kind::accepted;
  if (decision.refusal != nullptr) {
    if (accepted) return "the shard accepts what the kernel refuses";
    if (answer_->refusal.code != decision.refusal->code) return "the shard refuses it as " + answer_->refusal.message;
  } else if (!accepted) {
    return "the shard refuses what the kernel accepts: " + answer_->refusal.message;
  }
  if (restarts_ % kCheckpointEvery == 0) checkpoint();
  restart();
  std::string different = stored_otherwise(decision);
  return different.empty() ? offered_otherwise(decision.state) : different;
}

std::string StoreWitness::stored_otherwise(const WitnessedDecision& decision) {
  const auto instance = must(load_instance(*process_->store, process_->playbooks, execution_));
  const bool there = decision.state.phase != Phase::none && decision.state.phase != Phase::deleted;
  if ((instance != nullptr) != there) return there ? "it is not in the store" : "it is still in the store";
  if (!there) return "";
  if (encode_state(instance->state) != encode_state(decision.state)) return "the store has another state of it";
  if (decision.refusal != nullptr) return "";
  std::string last;
  must(process_->store->read_records(execution_, instance->state.version - 1,
                                     [&](const Record& record, const RecordHash&) { last = record.body; }));
  return last == body_of(decision) ? "" : "the store has another record of it";
}

// After a restart exactly the attempts that are open are offered again.
std::string StoreWitness::offered_otherwise(const State& state) const {
  std::vector<std::string> open;
  for (const Effect& effect : open_effects(state)) {
    if (const auto* attempt = std::get_if<OfferAttempt>(&effect)) open.push_back(text_of(*attempt));
  }
  std::vector<std::string> offered;
  offered.reserve(offers_.size());
  for (const Offer& offer : offers_) offered.push_back(text_of(offer.attempt));
  std::ranges::sort(open);
  std::ranges::sort(offered);
  if (open == offered) return "";
  return fmt::format("after a restart these are offered: [{}] instead of [{}]", fmt::join(offered, "; "),
                     fmt::join(open, "; "));
}

}  // namespace stepwell
