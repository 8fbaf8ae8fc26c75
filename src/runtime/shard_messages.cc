#include <fmt/format.h>

#include "stepwell/kernel/playbook/decide.h"
#include "stepwell/runtime/shard.h"
#include "stepwell/value/json_write.h"

// Messages between executions. Each stays in its sender's outbox until the receiver has it durably, which the command
// Delivered tells; a receiver knows one that it had before by its own means. A reply may come on the thread of another
// shard, so it uses nothing here but what any thread may use.
namespace stepwell {

namespace {

std::uint64_t number_in(const Value& content, std::string_view member) {
  const Value* found = content.find(member);
  return found == nullptr || !found->is_int() ? 0 : static_cast<std::uint64_t>(found->as_int());
}

std::string text_in(const Value& content, std::string_view member) {
  const Value* found = content.find(member);
  return found == nullptr || !found->is_text() ? std::string() : std::string(found->as_text());
}

Value value_in(const Value& content, std::string_view member) {
  const Value* found = content.find(member);
  return found == nullptr ? Value() : *found;
}

// Whether the receiver has the message now, or had it before.
bool has_it(const Answer& answer) {
  return answer.kind == Answer::Kind::accepted || answer.refusal.code == RefusalCode::repeated;
}

CommandBody child_ended(const Value& content) {
  const WaitingToken token{{number_in(content, "run")},
                           static_cast<std::uint32_t>(number_in(content, "attempt")),
                           static_cast<std::uint32_t>(number_in(content, "offer"))};
  return ReportChild{
      .waiting_token = token, .output = EncodedValue(value_in(content, "output")), .child = value_in(content, "child")};
}

}  // namespace

void Shard::confirm(std::string_view execution, MessageId message) {
  around_.send({.execution = std::string(execution), .command = {Delivered{message}}});
}

void Shard::deliver(Instance& instance, const DeliverMessage& message) {
  const std::string& from = instance.state.execution;
  Request request{.execution = message.to};
  switch (message.kind) {
    case MessageKind::start_child:
    case MessageKind::start_independent: return start_other(instance, message);
    // Nobody subscribes to domain events yet, so routing one is done when it is asked for.
    case MessageKind::emit: return confirm(from, message.message);
    case MessageKind::cancel_child: request.command.body = Cancel{"its caller does not want it any more"}; break;
    case MessageKind::child_ended: request.command.body = child_ended(message.content); break;
  }
  // Refused, too, it has arrived: the receiver has ended, or does not wait any more, or never was.
  request.reply = [this, from, id = message.message](const Answer& answer) {
    if (answer.kind != Answer::Kind::unknown) confirm(from, id);
  };
  around_.send(std::move(request));
}

void Shard::start_other(Instance& instance, const DeliverMessage& message) {
  const State& state = instance.state;
  const bool child = message.kind == MessageKind::start_child;
  std::optional<Caller> caller;
  if (child) {
    const OutboxItem* item = state.rarely == nullptr ? nullptr : state.rarely->outbox.find(message.message);
    const Run* run = item == nullptr ? nullptr : state.runs.find(item->run);
    // The call is over before its child was started. If an earlier delivery did start it, a cancellation follows.
    if (run == nullptr) return confirm(state.execution, message.message);
    caller = Caller{state.execution, run->waiting_token()};
  }
  const std::optional<WaitingToken> waiting = caller ? std::optional(caller->waiting_token) : std::nullopt;
  const Value version = value_in(message.content, "version");
  auto playbook = playbooks_.find(text_in(message.content, "playbook"),
                                  version.is_int() ? std::optional(version.as_int()) : std::nullopt);
  if (!playbook) return refuse_start(state.execution, message, waiting, playbook.error());
  if (!child && (*playbook)->definition.policy.callable_only) {
    return refuse_start(state.execution, message, waiting, "it may only be called (callable_only)");
  }
  around_.send({.execution = message.to,
                .command = {Start{.execution = message.to,
                                  .version = (*playbook)->version,
                                  .workload = value_in(message.content, "input"),
                                  .caller = caller,
                                  .depth = static_cast<std::uint32_t>(number_in(message.content, "depth")),
                                  .reference = value_in(message.content, "reference")}},
                .playbook = *playbook,
                .reply = [this, from = state.execution, message, waiting](const Answer& answer) {
                  if (answer.kind == Answer::Kind::unknown) return;
                  if (has_it(answer)) return confirm(from, message.message);
                  refuse_start(from, message, waiting, answer.refusal.message);
                }});
}

// A called playbook that cannot be started is a failure of the call; of another one only a letter tells.
void Shard::refuse_start(const std::string& from, const DeliverMessage& message, std::optional<WaitingToken> caller,
                         std::string_view why) {
  const std::string reason = fmt::format("'{}': {}", text_in(message.content, "playbook"), why);
  if (!caller) {
    Projection letter{.dead_letters = {{.at = clock_.now(),
                                        .from = from,
                                        .to = message.to,
                                        .kind = "start",
                                        .content = to_json(message.content),
                                        .reason = reason}}};
    // Not written, it stays in the outbox of its sender, and is told again after the next start.
    return around_.run([this, from, id = message.message, letter = std::move(letter)](Store& store) -> Continuation {
      return [this, from, id, written = store.project(letter)] {
        if (written) confirm(from, id);
      };
    });
  }
  const Value child = Value::map({{"execution", Value(message.to)},
                                  {"version", Value()},
                                  {"status", Value("refused")},
                                  {"reason", Value(reason)},
                                  {"terminated_by", Value()},
                                  {"error", Value()}});
  around_.send({.execution = from,
                .command = {ReportChild{.waiting_token = *caller, .child = child}},
                .reply = [this, from, id = message.message](const Answer& answer) {
                  if (answer.kind != Answer::Kind::unknown) confirm(from, id);
                }});
}

}  // namespace stepwell
