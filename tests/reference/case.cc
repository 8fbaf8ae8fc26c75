#include "case.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "stepwell/compile/load.h"
#include "stepwell/value/json_write.h"

#include "interpreter.h"
#include "kernel_trace.h"
#include "kernel_world.h"
#include "plain.h"

namespace stepwell::reference {

namespace {

using Lines = std::vector<std::string>;

constexpr std::int64_t kMostStepRuns = 1'000;

std::optional<Definition> load(const std::string& text) {
  Diagnostics diagnostics("");
  auto loaded = load_document(text, "random", diagnostics);
  if (!loaded) return std::nullopt;
  auto definition = read_definition(loaded->definition);
  if (!definition) return std::nullopt;
  return std::move(*definition);
}

// In which order things are cancelled is nobody's business.
Lines with_cancellations_last(const Lines& lines) {
  Lines in_order;
  Lines cancelled;
  for (const std::string& each : lines) (each.starts_with("cancelled ") ? cancelled : in_order).push_back(each);
  std::ranges::sort(cancelled);
  in_order.insert(in_order.end(), cancelled.begin(), cancelled.end());
  return in_order;
}

std::string side_by_side(const Lines& left, const Lines& right) {
  std::string out;
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    const std::string a = i < left.size() ? left[i] : "";
    const std::string b = i < right.size() ? right[i] : "";
    out += fmt::format("  {} {:<60} | {}\n", a == b ? ' ' : '!', a, b);
  }
  return out;
}

const Value& output_for(std::uint32_t how) {
  static const std::array<Value, 9> kOutputs = {Value(),
                                                Value(true),
                                                Value(false),
                                                Value(3),
                                                Value::map({{"n", 1}}),
                                                Value::map({{"n", 2}, {"ok", true}}),
                                                Value::map({{"n", 0}, {"items", Value::list({1, 2})}}),
                                                Value::list({"p", "q", "r"}),
                                                Value::list({})};
  return kOutputs[how % kOutputs.size()];
}

RunError error_for(std::uint32_t how) {
  static const std::array<RunError, 4> kErrors = {
      RunError{.error_class = ErrorClass::transport, .kind = "tool"},
      RunError{.error_class = ErrorClass::transport, .kind = "http_503", .retryable = true},
      RunError{.error_class = ErrorClass::authorization, .kind = "http_403"},
      RunError{.error_class = ErrorClass::timeout, .kind = "attempt", .retryable = true},
  };
  return kErrors[how % kErrors.size()];
}

const Value& patch_for(std::uint32_t how) {
  static const std::array<Value, 5> kPatches = {
      Value::map({{"f0", true}}), Value::map({{"f1", 2}}), Value::map({{"f2", true}, {"f0", false}}),
      Value::map({{"f1", Value()}}), Value::map({{"f3", Value::map({{"n", 1}})}})};
  return kPatches[how % kPatches.size()];
}

// Both, with one clock.
class Duel {
 public:
  explicit Duel(Definition definition)
      : kernel_(Rerun::plain),
        reference_((kernel_.load(std::move(definition)), kernel_.definition())),
        trace_(kernel_.definition()) {
    kernel_.listen([this](const Event& event) { trace_.hear(event); });
  }

  bool start() {
    return both("start", {Start{.execution = "e1", .version = 1}},
                [&] { return reference_.start(now_, Value::map({})); });
  }

  bool choose(const Choice& choice);

  const std::string& story() const { return story_; }
  std::size_t commands() const { return commands_; }
  bool ended() const { return reference_.world().ended; }

 private:
  using Tell = std::function<Lines()>;

  bool both(const std::string& command, const stepwell::Command& body, const Tell& reference);
  bool agree(const std::string& command, const std::string& said, Lines told);
  bool advance();
  bool report(const Run& run, const Choice& choice, bool stale);
  bool move_on(const Run& run, const Choice& choice);
  bool child_ends(const Run& run, const Choice& choice);
  bool signal(const Choice& choice);
  bool something_else(const Choice& choice);
  RunId id(const std::string& run) { return kernel_.printer().find_run(run); }
  WaitingToken waiting_token(const std::string& run, int attempt);

  KernelWorld kernel_;
  Interpreter reference_;
  KernelTrace trace_;
  Instant now_ = *Instant::parse("2026-01-01T00:00:00Z");
  std::string story_;
  std::size_t commands_ = 0;
  std::string last_signal_;  // its id
};

bool Duel::both(const std::string& command, const stepwell::Command& body, const Tell& reference) {
  const std::string said = kernel_.decide_all(body);
  return agree(command, said, reference());
}

bool Duel::agree(const std::string& command, const std::string& said, Lines told) {
  ++commands_;
  story_ += command + "\n";
  Lines heard = with_cancellations_last(trace_.take());
  if (said.starts_with("  x ")) heard = {said.substr(2, said.find(':') - 2)};
  told = with_cancellations_last(told);
  const Lines kernel_stands = trace_.standing(kernel_.state());
  const Lines reference_stands = reference_.standing();
  if (!kernel_.complaint().empty()) {
    story_ += "  the kernel is broken: " + kernel_.complaint();
    return false;
  }
  if (heard == told && kernel_stands == reference_stands) return true;
  story_ += "  the kernel, and the reference:\n" + side_by_side(heard, told);
  story_ += "  and then:\n" + side_by_side(kernel_stands, reference_stands);
  return false;
}

WaitingToken Duel::waiting_token(const std::string& run, int attempt) {
  const auto* open = kernel_.state().runs.find(id(run));
  WaitingToken token = open == nullptr ? WaitingToken{id(run), 1, 1} : open->waiting_token();
  token.attempt = static_cast<std::uint32_t>(attempt);
  return token;
}

bool Duel::advance() {
  const auto next = reference_.next_timer();
  if (!next) return true;
  const Duration by = std::max(*next - now_, Duration());
  now_ = *checked_add(now_, by);
  const std::string said = kernel_.advance(by);
  return agree("advance " + by.str(), said, reference_.wake(now_));
}

bool Duel::report(const Run& run, const Choice& choice, bool stale) {
  const std::string name = reference_.name(run);
  const int attempt = stale ? run.attempt + 1 : run.attempt;
  const WaitingToken token = waiting_token(name, attempt);
  if (choice.how % 3 == 0) {
    const RunError error = error_for(choice.how / 3);
    const Error same{
        .error_class = std::string(class_word(error.error_class)), .kind = error.kind, .retryable = error.retryable};
    return both(fmt::format("fail {}.{} {}{}", name, attempt, same.text(), same.retryable ? " retryable" : ""),
                {ReportAttempt{.waiting_token = token, .outcome = stepwell::Outcome::failed, .error = error}},
                [&] { return reference_.report(now_, name, attempt, {.error = same}); });
  }
  const Value& output = output_for(choice.how / 3);
  return both(fmt::format("done {}.{} {}", name, attempt, to_json(output)),
              {ReportAttempt{.waiting_token = token, .output = EncodedValue(output)}},
              [&] { return reference_.report(now_, name, attempt, {.output = output}); });
}

// Something happens to what is open.
bool Duel::move_on(const Run& run, const Choice& choice) {
  const std::string name = reference_.name(run);
  switch (run.work) {
    case Work::attempt: return report(run, choice, false);
    case Work::parked:
      if (choice.how % 2 == 0 && !run.failed_join) {
        return both("retry " + name, {RetryRun{id(name)}}, [&] { return reference_.retry(now_, name); });
      }
      return both(fmt::format("skip {} {}", name, to_json(output_for(choice.how / 2))),
                  {SkipRun{.run = id(name), .output = EncodedValue(output_for(choice.how / 2))}},
                  [&] { return reference_.skip(now_, name, output_for(choice.how / 2)); });
    case Work::task: {
      const CompleteTask complete{.waiting_token = waiting_token(name, run.attempt),
                                  .answer = output_for(choice.how),
                                  .person = {.name = "ann"}};
      return both(fmt::format("complete {} {}", name, to_json(complete.answer)), {complete},
                  [&] { return reference_.complete(now_, name, run.attempt, complete.answer); });
    }
    case Work::call: return child_ends(run, choice);
    case Work::signal: return signal(choice);
    default: return advance();
  }
}

bool Duel::child_ends(const Run& run, const Choice& choice) {
  static const std::array<const char*, 5> kStatuses = {"completed", "failed", "completed", "cancelled", "refused"};
  const std::string name = reference_.name(run);
  const std::string status = kStatuses[choice.how % kStatuses.size()];
  const bool terminated = status != "refused" && choice.which % 4 == 0;
  const ReportChild report{.waiting_token = waiting_token(name, run.attempt),
                           .output = EncodedValue(output_for(choice.how / 5)),
                           .child = Value::map({{"execution", "child"},
                                                {"version", 1},
                                                {"status", Value(status)},
                                                {"reason", Value()},
                                                {"terminated_by", terminated ? Value("stop") : Value()},
                                                {"error", Value()}})};
  return both(fmt::format("child {} {}{} {}", name, status, terminated ? " terminated_by=stop" : "",
                          to_json(report.output.decode())),
              {report},
              [&] { return reference_.child(now_, name, run.attempt, report.output.decode(), report.child); });
}

bool Duel::signal(const Choice& choice) {
  const std::string name = choice.how % 3 == 0 ? "ping" : "pong";
  const Value& payload = output_for(choice.how / 3);
  // Now and then the id of the last one comes again: from who did not hear that it was taken.
  if (last_signal_.empty() || choice.which % 5 != 0) last_signal_ = fmt::format("g{}", commands_);
  const std::string& signal_id = last_signal_;
  return both(fmt::format("signal {} {} id={}", name, to_json(payload), signal_id),
              {.body = Signal{.name = name, .payload = EncodedValue(payload)}, .id = signal_id},
              [&] { return reference_.signal(now_, signal_id, name, payload); });
}

bool Duel::something_else(const Choice& choice) {
  switch (choice.which % 12) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      return both("patch " + to_json(patch_for(choice.how)), {PatchCtx{patch_for(choice.how)}},
                  [&] { return reference_.patch(now_, patch_for(choice.how)); });
    case 5:
    case 6:
      if (reference_.world().suspended) {
        return both("unsuspend", {Unsuspend{}}, [&] { return reference_.unsuspend(now_); });
      }
      return both("suspend", {Suspend{}}, [&] { return reference_.suspend(now_); });
    case 7:
      if (choice.how % 4 != 0) return true;
      return both("cancel", {Cancel{}}, [&] { return reference_.cancel(now_); });
    case 8:
      story_ += "crash\n";
      kernel_.crash();
      return true;
    case 10: return signal(choice);
    case 9: {
      const auto& runs = reference_.world().runs;
      return runs.empty() || report(std::next(runs.begin(), choice.how % runs.size())->second, choice, true);
    }
    default: return advance();
  }
}

bool Duel::choose(const Choice& choice) {
  const auto& runs = reference_.world().runs;
  if (choice.what % 4 == 0 || runs.empty()) return something_else(choice);
  const Run run = std::next(runs.begin(), choice.which % runs.size())->second;
  return move_on(run, choice);
}

}  // namespace

std::string to_yaml(const Value& playbook) {
  std::string out;
  for (const Member& member : playbook.as_map()) {
    if (member.key() != "workflow") {
      out += fmt::format("{}: {}\n", member.key(), to_json(member.value));
      continue;
    }
    out += "workflow:\n";
    for (const Value& step : member.value.as_list()) out += fmt::format("  - {}\n", to_json(step));
  }
  return out;
}

Outcome play(const Case& example) {
  if (!example.playbook.is_map()) return {.verdict = Verdict::invalid};
  auto definition = load(to_yaml(example.playbook));
  // Left without a bound, a cycle would never end.
  if (!definition || definition->policy.max_step_runs > kMostStepRuns) return {.verdict = Verdict::invalid};
  Duel duel(std::move(*definition));
  bool agree = duel.start();
  for (const Choice& choice : example.choices) agree = agree && duel.choose(choice);
  return {.verdict = agree ? Verdict::agree : Verdict::disagree,
          .story = duel.story(),
          .commands = duel.commands(),
          .ended = duel.ended()};
}

}  // namespace stepwell::reference
