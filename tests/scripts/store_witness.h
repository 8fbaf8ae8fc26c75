#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stepwell/runtime/shard.h"
#include "stepwell/store/testing/temporary_directory.h"

#include "kernel_world.h"

namespace stepwell {

// Lives through the same as the kernel of a script, as a shard of the runtime over an embedded store, and begins anew
// from the store's files after every command: of what they were when it was closed, or of what a crash would leave.
class StoreWitness final : public KernelWitness, private Surroundings, private Clock, private Dice {
 public:
  StoreWitness();
  ~StoreWitness();

  void begin(const Definition& definition) override;
  std::string see(const WitnessedDecision& decision) override;
  // How often it began anew.
  std::size_t restarts() const { return restarts_; }

 private:
  struct Process;

  void offer(std::vector<Offer> offers) override;
  void cancel(std::vector<AttemptId>) override {}
  void ended(const State&) override {}
  // Scripts are about one execution: what others would answer stands in them.
  void send(Request) override {}
  void run(StoreJob job) override { jobs_.push_back(std::move(job)); }
  Instant now() const override { return stamp_.time; }
  Entropy roll() override { return stamp_.entropy; }

  Request request_of(const WitnessedDecision& decision);
  void admit(Request request);
  void checkpoint();
  void settle();
  void boot();
  void restart();
  std::string stored_otherwise(const WitnessedDecision& decision);
  std::string offered_otherwise(const State& state) const;

  TemporaryDirectory directory_;
  std::size_t stores_ = 0;
  std::string path_;
  std::unique_ptr<Process> process_;
  std::deque<StoreJob> jobs_;
  std::vector<Offer> offers_;  // since the last restart
  Stamp stamp_;
  std::string playbook_;
  std::string execution_;  // empty: none was started
  std::optional<Answer> answer_;
  std::size_t restarts_ = 0;
};

}  // namespace stepwell
