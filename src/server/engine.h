#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/runtime/runtime.h"
#include "stepwell/server/store_artifacts.h"
#include "stepwell/store/store.h"
#include "stepwell/tools/builtin_tools.h"
#include "stepwell/worker/worker.h"

namespace stepwell {

struct EngineOptions {
  std::string store = "memory";                  // or a directory
  bool create = true;                            // make the store if there is none
  bool drive = true;                             // run attempts; otherwise they are left to the next one who does
  std::string secrets = {};                      // a directory with a file for each secret, asked after the environment
  BuiltinOptions tools = {};                     // without artifacts of its own: they are kept in the store
  std::function<void(Toolbox&)> add_tools = {};  // kinds of the embedding program
  WorkerOptions worker = {};
  RuntimeOptions runtime = {};  // a new store gets a shard for every two cores, unless it says how many
  // Takes lines that a running tool has put out, from any thread.
  std::function<void(const AttemptKey&, std::string_view label, std::string_view lines)> progress = {};
};

struct StartRequest {
  std::string playbook = {};
  std::optional<std::int64_t> version = {};  // none: the latest
  Value input = {};                          // a map, or null
  std::string id = {};                       // of the execution; empty: one is drawn
};

struct Started {
  std::string execution = {};
  bool before = false;  // the same start was accepted before
};

// A store, a runtime and a worker in one process. Safe for any thread.
class Engine final : private Workers {
 public:
  // Recovers the store and goes on with all that is open in it.
  static Stored<std::unique_ptr<Engine>> open(EngineOptions options);
  ~Engine();

  Runtime& runtime() { return *runtime_; }
  Store& store() { return *store_; }
  Playbooks& playbooks() { return runtime_->playbooks(); }

  std::expected<Started, Refusal> start(StartRequest request);
  // Puts the large parts of a value that comes from outside into blobs, so that what is journalled is small.
  std::expected<Value, std::string> put_away(const Value& value, std::int64_t inline_max);

  // Ends in order: what was decided is durable, running tools are stopped, open work is left for the next one.
  void stop();

 private:
  class StoreBlobs;

  Engine(EngineOptions options, std::unique_ptr<Store> store);

  // Workers
  void attach(Runtime& runtime) override;
  void offer(std::vector<Offer> offers) override;
  void cancel(std::vector<AttemptId> attempts) override;
  void report(std::vector<AttemptReport> reports);

  EngineOptions options_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<StoreBlobs> blobs_;
  std::shared_ptr<StoreArtifacts> artifacts_;
  std::unique_ptr<Secrets> secrets_;
  Toolbox tools_;
  Runtime* reports_to_ = nullptr;
  std::unique_ptr<Worker> worker_;
  std::unique_ptr<Runtime> runtime_;
};

}  // namespace stepwell
