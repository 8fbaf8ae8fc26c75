#include "stepwell/server/engine.h"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "stepwell/runtime/clock.h"
#include "stepwell/runtime/execution_id.h"
#include "stepwell/store/embedded/embedded_store.h"
#include "stepwell/store/memory_store.h"
#include "stepwell/tools/secret_sources.h"

namespace stepwell {

namespace {

constexpr std::string_view kBlobPrefix = "sha256:";
// A shard keeps a core busy, and its workers another.
constexpr unsigned kCoresOfShard = 2;

std::unique_ptr<Secrets> secrets_of(const EngineOptions& options) {
  std::vector<std::shared_ptr<const Secrets>> sources = {std::make_shared<EnvironmentSecrets>()};
  if (!options.secrets.empty()) sources.push_back(std::make_shared<DirectorySecrets>(options.secrets));
  return std::make_unique<SecretChain>(std::move(sources));
}

AttemptKey key_of(AttemptId id) {
  return {.epoch = id.epoch,
          .execution = std::move(id.execution),
          .run = id.waiting_token.run.number,
          .attempt = id.waiting_token.attempt,
          .offer = id.waiting_token.offer};
}

AttemptId id_of(AttemptKey key) {
  return {
      .epoch = key.epoch, .execution = std::move(key.execution), .waiting_token = {{key.run}, key.attempt, key.offer}};
}

ErrorClass class_of(const Value* word) {
  for (const ErrorClass each : {ErrorClass::expression, ErrorClass::transport, ErrorClass::timeout,
                                ErrorClass::authorization, ErrorClass::engine}) {
    if (word != nullptr && word->is_text() && word->as_text() == class_word(each)) return each;
  }
  return ErrorClass::transport;
}

std::string text_of(const Value* value) {
  return value != nullptr && value->is_text() ? std::string(value->as_text()) : "";
}

RunError error_of(const Value& error) {
  if (!error.is_map()) return {.error_class = ErrorClass::engine, .kind = "tool", .message = "no reason was given"};
  const Value* retryable = error.find("retryable");
  const Value* details = error.find("details");
  return {.error_class = class_of(error.find("class")),
          .kind = text_of(error.find("kind")),
          .message = text_of(error.find("message")),
          .retryable = retryable != nullptr && retryable->is_bool() && retryable->as_bool(),
          .details = details == nullptr ? Value() : *details};
}

Report report_of(AttemptReport report) {
  Report told{.id = id_of(std::move(report.key))};
  ReportAttempt& made = told.outcome;
  made.waiting_token = told.id.waiting_token;
  switch (report.outcome) {
    case AttemptReport::Outcome::done:
      made.outcome = Outcome::done;
      made.output = std::move(report.output);
      made.patches = {std::move(report.ctx), std::move(report.vars), std::move(report.iter), std::move(report.emitted)};
      break;
    case AttemptReport::Outcome::failed:
      made.outcome = Outcome::failed;
      made.error = Shared<RunError>(error_of(report.error));
      break;
    case AttemptReport::Outcome::deferred:
      made.outcome = Outcome::deferred;
      made.cursor = std::move(report.cursor);
      made.delay = report.delay;
      break;
  }
  return told;
}

Stored<std::unique_ptr<Store>> open_store(const EngineOptions& options) {
  if (options.store == "memory") return open_memory_store();
  return open_embedded_store(options.store, {.create = options.create});
}

}  // namespace

// The store as workers see it.
class Engine::StoreBlobs final : public Blobs {
 public:
  explicit StoreBlobs(Store& store) : store_(store) {}

  std::expected<std::string, std::string> load(std::string_view name) override {
    if (!name.starts_with(kBlobPrefix)) return std::unexpected(fmt::format("'{}' names no blob", name));
    auto found = store_.find_blob(name.substr(kBlobPrefix.size()));
    if (!found) return std::unexpected(found.error().message);
    if (!*found) return std::unexpected(fmt::format("the blob {} is not in the store", name));
    return std::move(**found);
  }
  std::expected<void, std::string> put(std::span<const Blob> blobs) override {
    std::vector<std::string_view> contents;
    contents.reserve(blobs.size());
    for (const Blob& blob : blobs) contents.push_back(blob.bytes);
    const Stored<> put = store_.put_blobs(contents, system_clock().now());
    if (!put) return std::unexpected(put.error().message);
    return {};
  }

 private:
  Store& store_;
};

Engine::Engine(EngineOptions options, std::unique_ptr<Store> store)
    : options_(std::move(options)),
      store_(std::move(store)),
      blobs_(std::make_unique<StoreBlobs>(*store_)),
      artifacts_(std::make_shared<StoreArtifacts>(*store_)),
      secrets_(secrets_of(options_)) {
  if (options_.tools.artifacts == nullptr) options_.tools.artifacts = artifacts_;
  add_builtin_tools(tools_, options_.tools);
  if (options_.add_tools) options_.add_tools(tools_);
  worker_ = std::make_unique<Worker>(
      WorkerPorts{.tools = tools_,
                  .secrets = *secrets_,
                  .blobs = *blobs_,
                  .now = [] { return system_clock().now(); },
                  .report = [this](std::vector<AttemptReport> reports) { report(std::move(reports)); },
                  .progress = options_.progress},
      options_.worker);
}

Stored<std::unique_ptr<Engine>> Engine::open(EngineOptions options) {
  options.runtime.new_shards = std::max(1U, std::thread::hardware_concurrency() / kCoresOfShard);
  auto store = open_store(options);
  if (!store) return std::unexpected(store.error());
  std::unique_ptr<Engine> engine(new Engine(std::move(options), std::move(*store)));
  auto runtime = Runtime::open(*engine->store_, *engine, system_clock(), system_dice(), engine->options_.runtime);
  if (!runtime) return std::unexpected(runtime.error());
  engine->runtime_ = std::move(*runtime);
  return engine;
}

Engine::~Engine() { stop(); }

void Engine::stop() {
  if (runtime_ != nullptr) runtime_->stop();
  worker_.reset();
}

std::expected<Started, Refusal> Engine::start(StartRequest request) {
  auto playbook = playbooks().find(request.playbook, request.version);
  if (!playbook) return std::unexpected(Refusal{RefusalCode::not_found, std::move(playbook.error())});
  const Policy& policy = (*playbook)->definition.policy;
  if (policy.callable_only) {
    return std::unexpected(
        Refusal{RefusalCode::not_allowed,
                fmt::format("'{}' may only be called by a playbook (callable_only)", request.playbook)});
  }
  auto input = put_away(request.input.is_null() ? Value::map({}) : request.input, policy.inline_max);
  if (!input) return std::unexpected(Refusal{RefusalCode::invalid, std::move(input.error())});
  const bool fresh = request.id.empty();
  const std::string id = fresh ? fresh_execution_id(system_clock().now(), system_dice().roll()) : request.id;
  const Answer answer = runtime_->ask(
      {.execution = id,
       .command = {Start{.execution = id, .version = (*playbook)->version, .workload = std::move(*input)}},
       .playbook = *playbook,
       .fresh = fresh});
  if (answer.kind == Answer::Kind::accepted) return Started{.execution = id};
  if (answer.kind == Answer::Kind::unknown) {
    return std::unexpected(Refusal{RefusalCode::not_allowed,
                                   "the store failed, so it is not known whether it was started: start it again with "
                                   "the same id"});
  }
  if (answer.refusal.code == RefusalCode::repeated) return Started{.execution = id, .before = true};
  return std::unexpected(answer.refusal);
}

std::expected<Value, std::string> Engine::put_away(const Value& value, std::int64_t inline_max) {
  return put_large_parts(value, static_cast<std::size_t>(inline_max), *blobs_);
}

void Engine::attach(Runtime& runtime) {
  reports_to_ = &runtime;
  artifacts_->attach(runtime.playbooks());
}

void Engine::offer(std::vector<Offer> offers) {
  if (!options_.drive) return;
  const Instant now = system_clock().now();
  std::vector<AttemptOffer> made;
  made.reserve(offers.size());
  for (Offer& offer : offers) {
    const Definition* definition = &offer.playbook->definition;
    made.push_back({.key = key_of(std::move(offer.id)),
                    .definition = std::shared_ptr<const Definition>(std::move(offer.playbook), definition),
                    .step = offer.attempt.step,
                    .ordinal = offer.attempt.ordinal,
                    .inputs = std::move(offer.attempt.inputs),
                    .cursor = std::move(offer.attempt.cursor),
                    .stamp = {.time = now, .entropy = system_dice().roll()},
                    .deadline = offer.attempt.deadline});
  }
  worker_->offer(std::move(made));
}

void Engine::cancel(std::vector<AttemptId> attempts) {
  if (!options_.drive) return;
  for (const AttemptId& id : attempts) worker_->cancel(key_of(id));
}

void Engine::report(std::vector<AttemptReport> reports) {
  std::vector<Report> made;
  made.reserve(reports.size());
  for (AttemptReport& report : reports) made.push_back(report_of(std::move(report)));
  reports_to_->report(std::move(made));
}

}  // namespace stepwell
