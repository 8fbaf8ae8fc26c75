#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "stepwell/runtime/clock.h"
#include "stepwell/runtime/playbooks.h"
#include "stepwell/runtime/shard.h"
#include "stepwell/store/store.h"

// A whole engine on one thread: shards, a store, workers and a clock whose every move is drawn from a seed. Frames are
// sealed, appended, lost and released one by one, answers come late or twice, and a crash leaves nothing but the store.
namespace stepwell {

class SimClock final : public Clock {
 public:
  Instant now() const override { return now_; }
  void advance_to(Instant at) { now_ = std::max(now_, at); }

 private:
  Instant now_ = *Instant::parse("2026-01-01T00:00:00Z");
};

class SimDice final : public Dice {
 public:
  explicit SimDice(std::uint64_t seed) : bits_(seed) {}
  Entropy roll() override;

 private:
  std::mt19937_64 bits_;
};

// What can go wrong, each in so many of a thousand moves.
struct SimFaults {
  unsigned crash = 0;
  unsigned lost_append = 0;     // nothing of it is stored
  unsigned unknown_append = 0;  // it is stored, but nobody is told
  unsigned repeated_report = 0;
};

class SimWorld {
 public:
  SimWorld(std::uint64_t seed, std::uint32_t shards, SimFaults faults);
  ~SimWorld();

  // Registers a playbook, from its YAML.
  void add_playbook(const std::string& name, const std::string& text);
  // How attempts of a step come out: called once for each attempt that a worker runs.
  void set_tool(std::function<ReportAttempt(const Offer&)> tool) { tool_ = std::move(tool); }

  // Sends a request until it is known what became of it: who is not told asks again.
  void submit(Request request);
  void start(const std::string& playbook, const std::string& execution, Value workload);

  // Draws moves, with faults, and then goes on without them until nothing moves any more.
  void run(std::size_t moves);

  Store& store() { return *store_; }
  Playbooks& playbooks();
  std::size_t crashes() const { return crashes_; }
  // How many answers came for each request that was submitted, by its command id or its execution.
  const std::map<std::string, Answer>& answers() const { return answers_; }

 private:
  struct Process;
  struct Lane;

  void boot();
  void move(bool faulty);
  bool chance(unsigned of_thousand);
  std::size_t draw(std::size_t below);
  void ask_again();
  void append(Lane& lane, bool faulty);
  void lose_all();
  void run_attempt(bool faulty);

  std::mt19937_64 bits_;
  SimClock clock_;
  SimDice dice_;
  SimFaults faults_;
  std::uint32_t shards_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Process> process_;
  std::function<ReportAttempt(const Offer&)> tool_;
  std::map<std::string, Request> unanswered_;
  std::map<std::string, Answer> answers_;
  std::size_t crashes_ = 0;
  std::size_t appends_ = 0;
};

}  // namespace stepwell
