#include "stepwell/kernel/playbook/decide.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/base/limits.h"
#include "stepwell/kernel/depth.h"
#include "stepwell/kernel/playbook/apply.h"
#include "stepwell/kernel/playbook/decider.h"
#include "stepwell/value/merge.h"

namespace stepwell {

namespace {

bool is_report(const CommandBody& body) {
  return std::holds_alternative<ReportAttempt>(body) || std::holds_alternative<ReportChild>(body) ||
         std::holds_alternative<Wake>(body) || std::holds_alternative<Yield>(body) ||
         std::holds_alternative<Reoffer>(body) || std::holds_alternative<Delivered>(body) ||
         std::holds_alternative<Signal>(body) || std::holds_alternative<CompleteTask>(body) ||
         std::holds_alternative<BlobsLoaded>(body);
}

// A start under an id that is taken: the same one again is harmless.
Refusal refuse_again(const Definition& definition, const State& state, const Start& start) {
  const Value workload =
      start.workload.is_map() ? deep_merge(definition.workload, start.workload) : definition.workload;
  if (state.playbook == definition.name && state.playbook_version == start.version && state.workload == workload) {
    return {RefusalCode::repeated, fmt::format("'{}' was started before, with the same workload", start.execution)};
  }
  return {RefusalCode::id_conflict, fmt::format("'{}' was started before, as something else", start.execution)};
}

// What every command must pass before it is looked at.
Refused refuse_early(const Definition& definition, const State& state, const Command& command) {
  const bool starts = std::holds_alternative<Start>(command.body);
  if (starts && state.phase != Phase::none) return refuse_again(definition, state, std::get<Start>(command.body));
  if (!starts && (state.phase == Phase::none || state.phase == Phase::deleted))
    return Refusal{RefusalCode::not_found, "there is no such execution"};
  if (!command.id.empty() && state.rarely != nullptr &&
      std::ranges::count(state.rarely->accepted, command.id, &AcceptedCommand::id) != 0) {
    return Refusal{RefusalCode::repeated, fmt::format("the command '{}' was accepted before", command.id)};
  }
  if (command.expected_version && *command.expected_version != state.version) {
    return Refusal{RefusalCode::version_conflict,
                   fmt::format("the version is {}, not {}", state.version, *command.expected_version)};
  }
  const bool after_end =
      std::holds_alternative<Delete>(command.body) || std::holds_alternative<Delivered>(command.body);
  if (state.phase >= Phase::ended && !after_end) {
    return is_report(command.body) ? Refusal{RefusalCode::stale, "the execution has ended"}
                                   : Refusal{RefusalCode::ended, "the execution has ended"};
  }
  // A report is never refused for what it brings: who waits for it would wait for ever.
  if (std::holds_alternative<ReportAttempt>(command.body)) return std::nullopt;
  const std::size_t depth = std::visit([](const auto& body) { return depth_of(body); }, command.body);
  if (depth > limits::kDataDepth) {
    return Refusal{RefusalCode::invalid,
                   fmt::format("this nests {} levels deep; more than {} are not taken", depth, limits::kDataDepth)};
  }
  return std::nullopt;
}

// What the decision wants delivered, and when it wants to be woken.
void ask_around(const Decision& decision, Outbox& outbox, std::optional<Instant> woken_before) {
  for (const Event& event : decision.events) {
    if (!outbox.sent_any()) break;
    if (const auto* sent = std::get_if<MessageSent>(&event)) {
      outbox.ask(DeliverMessage{sent->message, sent->kind, sent->to, sent->content});
    }
  }
  const Timer* next = outbox.earliest_timer();
  const std::optional<Instant> wake = next == nullptr ? std::nullopt : std::optional(next->at);
  if (wake != woken_before) outbox.ask(WakeAt{wake});
}

}  // namespace

std::expected<Decision, Refusal> decide(const Definition& definition, State& state, const Command& command,
                                        const Stamp& stamp, const Lookups& lookups) {
  Decision decision;
  auto decided = decide(definition, state, command, stamp, lookups, decision);
  if (!decided) return std::unexpected(std::move(decided.error()));
  return decision;
}

std::expected<void, Refusal> decide(const Definition& definition, State& state, const Command& command,
                                    const Stamp& stamp, const Lookups& lookups, Decision& decision) {
  decision.events.clear();
  decision.effects.clear();
  if (auto refused = refuse_early(definition, state, command)) [[unlikely]]
    return std::unexpected(std::move(*refused));
  Outbox outbox(definition, state, decision);
  const Timer* timer = outbox.earliest_timer();
  const std::optional<Instant> wake = timer == nullptr ? std::nullopt : std::optional(timer->at);
  Decider decider(definition, outbox, stamp, lookups);
  decider.set_command_id(command.id);
  if (auto refused = std::visit(decider, command.body)) [[unlikely]]
    return std::unexpected(std::move(*refused));
  decider.run_to_rest();
  if (!command.id.empty()) outbox.emit(CommandAccepted{command.id});
  end_commit(state);
  ask_around(decision, outbox, wake);
  return {};
}

void replay(const Definition& definition, State& state, const std::vector<Event>& events) {
  for (const Event& event : events) apply(definition, state, event);
  end_commit(state);
}

std::vector<Effect> open_effects(const State& state) {
  std::vector<Effect> effects;
  state.runs.each([&](const Run& run) {
    if (std::holds_alternative<OpenBlobs>(run.work)) effects.push_back(load_blobs(run));
    const auto* attempt = std::get_if<OpenAttempt>(&run.work);
    if (attempt == nullptr) return;
    effects.push_back(OfferAttempt{.waiting_token = run.waiting_token(),
                                   .step = run.step,
                                   .ordinal = run.ordinal,
                                   .inputs = attempt->inputs,
                                   .cursor = attempt->cursor,
                                   .deadline = run.deadline});
  });
  if (state.rarely != nullptr) {
    state.rarely->outbox.each(
        [&](const OutboxItem& item) { effects.push_back(DeliverMessage{item.id, item.kind, item.to, item.content}); });
  }
  const Timer* next = state.watched->timers.earliest_if([&](const Timer& timer) { return stands(state, timer); });
  if (next != nullptr) effects.push_back(WakeAt{next->at});
  if (state.yielded()) effects.push_back(YieldAgain{});
  return effects;
}

}  // namespace stepwell
