#include "kernel_world.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/apply.h"
#include "stepwell/kernel/playbook/codec.h"
#include "stepwell/kernel/playbook/invariants.h"
#include "stepwell/kernel/playbook/misfit.h"
#include "stepwell/kernel/playbook/words.h"

namespace stepwell {

namespace {

constexpr std::size_t kBriefHead = 3;
constexpr std::size_t kBriefTail = 5;

std::string brief(const std::vector<std::string>& lines) {
  std::string out;
  const std::size_t tail = lines.size() > kBriefTail ? lines.size() - kBriefTail : 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i < kBriefHead || i >= tail) out += lines[i];
    if (i == kBriefHead && i < tail) out += fmt::format("  ... {} lines\n", tail - kBriefHead);
  }
  return out;
}

std::string bytes_of(const Event& event) {
  std::string out;
  append_event(out, event);
  return out;
}

}  // namespace

void KernelWorld::load(Definition definition) {
  definition_ = std::move(definition);
  lookups_.clear();
  state_ = {};
  printer_ = {};
  journal_.clear();
  events_ = 0;
  now_ = *Instant::parse("2026-01-01T00:00:00Z");
  printer_.set_definition(&*definition_);
  printer_.set_start(now_);
  if (witness_ != nullptr) witness_->begin(*definition_);
}

Stamp KernelWorld::next_stamp() {
  Stamp stamp{.time = now_};
  ++stamps_;
  for (std::size_t i = 0; i < 8; ++i) stamp.entropy[i] = static_cast<std::uint8_t>(stamps_ >> (8 * i));
  return stamp;
}

std::string KernelWorld::decide(const Command& command) {
  const std::string before = encode_state(state_);
  Record record{.command = {}, .stamp = next_stamp(), .events = {}};
  append_command(record.command, command);
  auto decision = stepwell::decide(*definition_, state_, command, record.stamp, lookups_);
  yields_ = false;
  if (!decision) {
    if (encode_state(state_) != before) complain("a refused command changed the state");
    const std::vector<Event> nothing;
    tell_witness({command, record.stamp, lookups_, nothing, &decision.error(), state_});
    return fmt::format("  x {}: {}\n", refusal_word(decision.error().code), decision.error().message);
  }
  std::vector<std::string> lines;
  lines.reserve(decision->events.size() + decision->effects.size());
  for (const Event& event : decision->events) {
    record.events.push_back(bytes_of(event));
    if (hear_) hear_(event);
    lines.push_back(fmt::format("{:>3} {}\n", ++events_, printer_.line(event)));
  }
  for (const Effect& effect : decision->effects) {
    if (std::holds_alternative<YieldAgain>(effect)) yields_ = true;
    lines.push_back(fmt::format("  ! {}\n", printer_.line(effect)));
  }
  check(record, before);
  tell_witness({command, record.stamp, lookups_, decision->events, nullptr, state_});
  journal_.push_back(std::move(record));
  if (rerun_ == Rerun::restart) state_ = replayed();
  if (rerun_ == Rerun::snapshot) state_ = *decode_state(*definition_, encode_state(state_));
  return brief_ ? brief(lines) : fmt::format("{}", fmt::join(lines, ""));
}

void KernelWorld::tell_witness(const WitnessedDecision& decision) {
  if (witness_ == nullptr) return;
  if (std::string different = witness_->see(decision); !different.empty()) complain(std::move(different));
}

std::string KernelWorld::decide_all(const Command& command) {
  std::string out = decide(command);
  while (yields_) out += decide({Yield{}});
  return out;
}

std::string KernelWorld::advance(Duration by) {
  now_ = *checked_add(now_, by);
  std::string out;
  // Timers that become due by what a timer leads to are due at once.
  for (;;) {
    const std::size_t before = events_;
    const std::string lines = decide_all({Wake{}});
    if (events_ == before) return out.empty() ? lines : out;
    out += lines;
  }
}

State KernelWorld::replayed() const {
  State state;
  for (const Record& record : journal_) {
    std::vector<Event> events;
    events.reserve(record.events.size());
    for (const std::string& bytes : record.events) events.push_back(*decode_event(bytes));
    replay(*definition_, state, events);
  }
  return state;
}

std::string KernelWorld::crash() {
  const std::string before = encode_state(state_);
  state_ = replayed();
  std::string out = fmt::format("replayed {} events, state {}\n", events_,
                                encode_state(state_) == before ? "identical" : "DIFFERENT");
  for (const Effect& effect : open_effects(state_)) out += fmt::format("  ! {}\n", printer_.line(effect));
  return out;
}

void KernelWorld::check(const Record& record, const std::string& before) {
  const std::string now = encode_state(state_);
  // Replay from the state before, and from zero.
  std::vector<Event> events;
  for (const std::string& bytes : record.events) {
    auto event = decode_event(bytes);
    if (!event) return complain("an event does not decode: " + event.error());
    if (bytes_of(*event) != bytes) complain("an event decodes to another one");
    events.push_back(std::move(*event));
  }
  State again = journal_.empty() ? State() : decode_state(*definition_, before).value();
  for (const Event& event : events) {
    if (auto problem = misfit(*definition_, again, event)) complain("an event: " + *problem);
    apply(*definition_, again, event);
  }
  end_commit(again);
  if (encode_state(again) != now) complain("applying the events gives another state");
  // A snapshot comes back as it was.
  auto restored = decode_state(*definition_, now);
  if (!restored) return complain("a snapshot does not decode: " + restored.error());
  if (encode_state(*restored) != now) complain("a snapshot decodes to another state");
  if (auto broken = check_invariants(*definition_, state_)) complain("invariant: " + *broken);
  if (auto broken = check_invariants(*definition_, again)) complain("invariant after replay: " + *broken);
  // Deciding again decides the same.
  auto command = decode_command(record.command);
  if (!command) return complain("a command does not decode: " + command.error());
  State decided = journal_.empty() ? State() : decode_state(*definition_, before).value();
  auto decision = stepwell::decide(*definition_, decided, *command, record.stamp, lookups_);
  if (!decision) return complain("deciding again refuses: " + decision.error().message);
  std::vector<std::string> bytes;
  for (const Event& event : decision->events) bytes.push_back(bytes_of(event));
  if (bytes != record.events) complain("deciding again decides something else");
}

}  // namespace stepwell
