#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "stepwell/model/definition.h"

#include "world.h"

// A second opinion on what running means: page 2 of the specification, read word by word and written down without a
// thought for speed. Tests hold it against the kernel; it shares nothing with it but values, expressions and the model.
namespace stepwell::reference {

// What expressions see besides what they find through a scope.
struct Extras {
  Value args = {};
  std::map<NameKind, Value> names = {};     // output, error, outcome, event, vars, run, signal
  std::map<std::string, Value> items = {};  // the item of a foreach whose branches are not there yet
};

// How an attempt came out.
struct Report {
  Value output = {};
  std::optional<Error> error = {};
};

inline constexpr int kRoot = 1;  // the scope

class Interpreter {
 public:
  explicit Interpreter(const Definition& definition) : definition_(definition) {}

  // Commands. Each answers what has happened, as lines, or a refusal: "x stale".
  std::vector<std::string> start(Instant now, const Value& workload);
  std::vector<std::string> report(Instant now, const std::string& run, int attempt, const Report& report);
  std::vector<std::string> wake(Instant now);
  std::vector<std::string> patch(Instant now, const Value& patch);
  std::vector<std::string> cancel(Instant now);
  std::vector<std::string> suspend(Instant now);
  std::vector<std::string> unsuspend(Instant now);
  std::vector<std::string> retry(Instant now, const std::string& run);
  std::vector<std::string> skip(Instant now, const std::string& run, const Value& output);
  std::vector<std::string> signal(Instant now, const std::string& id, const std::string& name, const Value& payload);
  std::vector<std::string> complete(Instant now, const std::string& run, int attempt, const Value& answer);
  std::vector<std::string> child(Instant now, const std::string& run, int attempt, const Value& output,
                                 const Value& child);

  const World& world() const { return world_; }
  // What is open, gated and parked now, and what the business state is.
  std::vector<std::string> standing() const;
  std::string name(const Run& run) const;
  std::optional<Instant> next_timer() const;

 private:
  using Result = std::expected<Value, Error>;

  // Names and expressions.
  Value ctx_in(int scope) const;
  Value last_error_in(int scope) const;
  Value branch_in(int scope) const;
  Value iter_in(int scope) const;
  std::optional<Value> item_in(int scope, const std::string& name) const;
  struct Found {
    const Ended* latest = nullptr;
    bool several = false;
  };
  Found closed_into(int scope, StepIndex step) const;
  Found find_step(int scope, StepIndex step) const;
  Value step_value(const Ended& ended) const;
  std::expected<std::optional<Value>, Error> name_in(int scope, Name name, const std::string& text, bool last_error,
                                                     const Extras& extras) const;
  Result evaluate(const Expression& expression, int scope, const Extras& extras, std::string* missing = nullptr) const;
  Result render(const Mapping& mapping, int scope, const Extras& extras) const;
  std::expected<std::vector<Value>, Error> items_of(const Mapping& mapping, int scope, const Extras& extras) const;
  static Error expression_error(std::string kind) { return {.error_class = "expression", .kind = std::move(kind)}; }
  Extras extras_of(const Token& token) const { return {.args = token.args, .names = {}, .items = {}}; }
  Value scope_output(const Scope& scope) const;
  const Ended* last_ended(int scope) const;
  std::optional<Value> last_output(int scope) const;

  // Firing.
  void drive();
  Token* next_token();
  void fire(Token& token);
  enum class AtJoin { ordinary, parks, overlaps, too_late };
  AtJoin at_join(const Token& token) const;
  bool ask_guard(Token& token);
  Token& new_token(StepIndex step, int scope, Value args);
  Run* start_run(Token& token);
  void perform(Run& run);
  void attempt(Run& run);
  void await_signal(Run& run);
  void terminate(Run& run);
  bool open_branch();
  bool stall();

  // How runs end.
  void record(const Run& run, const Value& output, const std::optional<Error>& error);
  void done(int run, const Value& output);
  std::optional<Error> route(const Run& run, const Token& token, const Value& output,
                             const std::optional<Error>& failure);
  std::optional<Error> write(const Step& step, int scope, const Extras& extras);
  bool write_ctx(int scope, const Path& path, const Value& value);
  std::expected<std::vector<Leg>, Error> taken_legs(const Step& step, int scope, const Extras& extras,
                                                    const std::optional<Error>& failure) const;
  Value opening_branch(const Step& step, int scope, int index, int total, const Value& item) const;
  bool fans_out(const Step& step, const std::vector<Leg>& legs) const;
  void emit(StepIndex step, int scope, std::vector<Leg> legs, bool ended_done);
  void attempt_failed(int run, Error error);
  void fail(int run, Error error);
  void complete_error(Error& error, const Run& run) const;
  bool fail_moving(int run, Error& error);
  bool move_outward(int scope, Error error);
  bool iteration_failed(const Scope& scope, Error error);
  bool reach_execution(const Error& error);

  // Scopes.
  bool is_in(int scope, int around) const;
  bool in_detached(int scope) const;
  int enclosing(int scope, ScopeKind kind) const;
  bool counts_as_path(int scope) const;
  bool is_quiescent(int scope) const;
  bool holds_parked(int scope) const;
  void changed();
  void close(int scope);
  void settle_up(int scope);
  void cancel_in(int scope);
  bool examine_join(int fan_out, bool moving);
  std::vector<int> close_fan_out(int fan_out, bool abandon);
  Token& join_token(const FanOut& fan_out, const std::vector<int>& left);
  bool fail_join(int fan_out, Error error, bool moving);
  void fire_join(int fan_out);
  std::expected<std::vector<Write>, Error> merged(const FanOut& fan_out, const Join& join) const;
  void open_loop(Run& run);
  void loop_goes_on(int fan_out);

  // The end.
  void complete_if_quiescent();
  void finish();
  void end(const std::string& status, const std::optional<Error>& error, const Value& output);
  void end_directly(const Error& error);
  std::expected<Value, Error> render_output() const;
  Value summary() const;

  // Commands.
  void go_on_after_last_parked();
  bool matches(const Run& run, const BufferedSignal& signal) const;
  void time_is_up(Instant at);
  void timed_out(Run& run);
  Run* find_open(const std::string& name, int attempt, Work work);
  std::vector<std::string> answer();
  std::vector<std::string> refused(const char* code) const { return {std::string("x ") + code}; }
  const Step& step_of(StepIndex index) const { return definition_.steps[index]; }
  std::string path(int scope) const;
  std::string time(Instant at) const;
  void line(std::string text) { world_.lines.push_back(std::move(text)); }
  Run* find(const std::string& name);

  const Definition& definition_;
  World world_;
  Instant now_;
  Instant started_at_;
};

}  // namespace stepwell::reference
