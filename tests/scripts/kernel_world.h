#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "stepwell/kernel/playbook/decide.h"

#include "kernel_lookups.h"
#include "kernel_print.h"

namespace stepwell {

// What happens to the state after every command besides the silent checks.
enum class Rerun : std::uint8_t { plain, restart, snapshot };

// A command that was decided, and what it led to.
struct WitnessedDecision {
  const Command& command;
  const Stamp& stamp;
  const ScriptLookups& lookups;
  const std::vector<Event>& events;
  const Refusal* refusal;  // none: it was accepted
  const State& state;      // after it
};

// Somebody else who lives through the same, in another way.
class KernelWitness {
 public:
  // What follows is about an execution of this playbook.
  virtual void begin(const Definition& definition) = 0;
  // What was different; empty if all was the same.
  virtual std::string see(const WitnessedDecision& decision) = 0;

 protected:
  ~KernelWitness() = default;
};

// One execution with its journal and a clock of its own, and everything that must hold after each command.
class KernelWorld {
 public:
  // Borrows the witness, if there is one.
  explicit KernelWorld(Rerun rerun, KernelWitness* witness = nullptr) : rerun_(rerun), witness_(witness) {}

  void load(Definition definition);
  void unload() { definition_.reset(); }
  // Calls `hear` with every event that is decided from now on.
  void listen(std::function<void(const Event&)> hear) { hear_ = std::move(hear); }
  bool loaded() const { return definition_.has_value(); }
  // Whether only the first and last lines of each decision are shown.
  void set_brief(bool brief) { brief_ = brief; }

  // Decides a command: its events, effects and refusal as lines.
  std::string decide(const Command& command);
  // The same for all yields that follow.
  std::string decide_all(const Command& command);
  std::string advance(Duration by);
  // Only the journal survives.
  std::string crash();

  const Definition& definition() const { return *definition_; }
  const State& state() const { return state_; }
  KernelPrinter& printer() { return printer_; }
  ScriptLookups& lookups() { return lookups_; }
  // What was found wrong by the silent checks, if anything.
  const std::string& complaint() const { return complaint_; }

 private:
  struct Record {
    std::string command;  // bytes
    Stamp stamp;
    std::vector<std::string> events;  // bytes
  };

  Stamp next_stamp();
  void check(const Record& record, const std::string& before);
  void check_effects();
  void tell_witness(const WitnessedDecision& decision);
  State replayed() const;
  void complain(std::string what) { complaint_ += what + "\n"; }

  Rerun rerun_;
  KernelWitness* witness_;
  std::optional<Definition> definition_;
  State state_;
  KernelPrinter printer_;
  ScriptLookups lookups_;
  std::vector<Record> journal_;
  std::size_t events_ = 0;
  Instant now_;
  std::uint64_t stamps_ = 0;
  std::string complaint_;
  bool yields_ = false;
  bool brief_ = false;
  std::function<void(const Event&)> hear_;
};

}  // namespace stepwell
