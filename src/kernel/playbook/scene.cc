#include "stepwell/kernel/playbook/scene.h"

#include <algorithm>
#include <array>
#include <forward_list>
#include <ranges>

#include <fmt/format.h>

#include "stepwell/base/limits.h"
#include "stepwell/kernel/playbook/results.h"
#include "stepwell/model/render_mapping.h"
#include "stepwell/value/path.h"

namespace stepwell {

namespace {

// How many enclosing branches or iterations `parent` shows: values cannot nest without end.
constexpr int kParents = 16;

Value text_or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

// A name that means a value which is there as it is: nothing has to be made for it. Whether it is one.
bool find_at_hand(const Scene& scene, Name name, bool last_error, Input& found) {
  auto borrow = [&](const Value* value) {
    found = value == nullptr ? Input() : Input(*value);
    return true;
  };
  switch (name.kind) {
    case NameKind::workload: return borrow(&scene.state.workload);
    case NameKind::ctx:
      if (last_error) return false;
      if (scene.ctx != nullptr) return borrow(scene.ctx);
      return scene.state.scopes.at(scene.scope).home == kRootScope && borrow(&scene.state.ctx);
    case NameKind::args: {
      // A token without args has none to read, but has args.
      static const Value kNone = Value::map({});
      return borrow(scene.args != nullptr && scene.args->is_null() ? &kNone : scene.args);
    }
    case NameKind::vars: return borrow(scene.vars);
    case NameKind::signal: return borrow(scene.signal);
    case NameKind::output: found = scene.ended == nullptr ? Input() : Input(scene.ended->output.view()); return true;
    default: return false;
  }
}

// Few expressions read more names.
constexpr std::size_t kFewNames = 4;

// What the names of an expression mean, if all of them are at hand: so most are asked, with nothing to be made or
// freed.
std::optional<std::span<const Input>> bind_at_hand(const Scene& scene, const Expression& expression,
                                                   std::array<Input, kFewNames>& room) {
  const std::vector<Name>& names = expression.names;
  if (names.size() > kFewNames) return std::nullopt;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!find_at_hand(scene, names[i], expression.reads_last_error, room[i])) return std::nullopt;
  }
  return std::span<const Input>(room.data(), names.size());
}

// The values that a program's inputs borrow while it runs.
class Inputs {
 public:
  explicit Inputs(const Scene& scene) : scene_(scene) {}

  // What the names of an expression mean, or nothing if that cannot be said: then `failure` says why.
  std::optional<std::span<const Input>> bind(const Expression& expression) {
    for (const Name name : expression.names) inputs_.push_back(find(name, expression.reads_last_error));
    if (failure_) return std::nullopt;
    return std::span<const Input>(inputs_.data(), inputs_.size());
  }
  SceneError failure() && { return std::move(*failure_); }

  // Nothing, if it is not there or cannot be said.
  Input find(Name name, bool last_error) {
    Input found;
    if (find_at_hand(scene_, name, last_error, found)) return found;
    switch (name.kind) {
      case NameKind::ctx: return ctx(last_error);
      case NameKind::iter: return around(ScopeKind::iteration);
      case NameKind::branch: return around(ScopeKind::branch);
      case NameKind::item: return item(scene_.definition.item_names[name.index]);
      case NameKind::step: return step(name.index);
      case NameKind::error: return scene_.ended == nullptr ? Input() : made(error());
      case NameKind::outcome: return scene_.ended == nullptr ? Input() : made(outcome());
      case NameKind::event: return scene_.ended == nullptr ? Input() : made(event());
      case NameKind::execution: return made(execution());
      case NameKind::run: return scene_.run == nullptr ? Input() : made(run());
      case NameKind::workload:
      case NameKind::args:
      case NameKind::vars:
      case NameKind::output:
      case NameKind::signal:
      case NameKind::unknown:
      case NameKind::task:
      case NameKind::results:
      case NameKind::task_name:
      case NameKind::attempt:
      case NameKind::previous: return Input();
    }
    return Input();
  }

 private:
  static Input borrowed(const Value* value) { return value == nullptr ? Input() : Input(*value); }
  // The first failure is the one that counts.
  [[gnu::cold]] Input failed(RunError error) {
    if (!failure_) failure_.emplace(SceneError{std::move(error), std::nullopt});
    return {};
  }
  Input made(Value value) { return Input(made_.emplace_front(std::move(value))); }

  Value error() const { return scene_.ended->failed() ? scene_.ended->error->to_value() : Value(); }
  Value outcome() const {
    return Value::map({{"status", scene_.ended->failed() ? "error" : "ok"},
                       {"result", scene_.ended->output.decode()},
                       {"error", error()}});
  }
  Value event() const {
    return Value::map({{"name", scene_.ended->failed() ? "step.failed" : "step.done"},
                       {"step", Value(scene_.definition.steps[scene_.ended->step].name)},
                       {"run", scene_.run == nullptr ? Value() : Value(run_name(scene_.definition, *scene_.run))}});
  }

  // As it is seen from a branch, or with the last error in it.
  Input ctx(bool last_error) {
    auto seen = scene_.ctx != nullptr ? *scene_.ctx : visible_ctx(scene_.state, scene_.scope);
    if (!seen) return failed(std::move(*seen.error()));
    if (!last_error) return made(std::move(*seen));
    const auto whole = set(*seen, Path{"_last_error"}, last_error_value());
    return made(whole ? *whole : *seen);
  }

  Value last_error_value() const {
    if (scene_.ended != nullptr && scene_.ended->failed()) return error();
    for (ScopeId at = scene_.scope; at; at = scene_.state.scopes.at(at).parent) {
      const Scope& scope = scene_.state.scopes.at(at);
      if (scope.last_error != nullptr) return scope.last_error->to_value();
    }
    return {};
  }

  // The nearest branch or iteration as a map, with those around it as `parent`.
  Input around(ScopeKind kind) {
    std::vector<const Scope*> nested;
    for (ScopeId at = scene_.scope; at && nested.size() < kParents; at = scene_.state.scopes.at(at).parent) {
      const Scope& scope = scene_.state.scopes.at(at);
      if (scope.kind == kind || scope.detached) nested.push_back(&scope);
    }
    const bool opening = kind == ScopeKind::branch && scene_.opening != nullptr;
    if (nested.empty() && !opening) return {};
    Value parent;
    // A detached branch knows what is around it only by what it kept.
    if (!nested.empty() && nested.back()->detached) {
      const Scope& left = *nested.back();
      const Value* kept = left.inner->frozen.find(kind == ScopeKind::branch ? "_branch" : "iter");
      parent = kept == nullptr ? Value() : *kept;
      // It goes on writing to its overlay.
      if (kind == ScopeKind::branch && parent.is_map() && left.wrote)
        parent = parent.with("output", overlay_tree(left));
      nested.pop_back();
    }
    for (const Scope* scope : nested | std::views::reverse) {
      // Branches of branches that were left behind keep ever more around them.
      if (parent.depth() > limits::kParentDepth) parent = {};
      parent = as_map(*scope, std::move(parent));
    }
    if (opening) parent = opening_map(std::move(parent));
    return parent.is_null() ? Input() : made(std::move(parent));
  }

  Value opening_map(Value parent) const {
    return Value::map({{"index", static_cast<std::int64_t>(scene_.opening->index)},
                       {"total", static_cast<std::int64_t>(scene_.opening->total)},
                       {"fan_out_step", Value(scene_.definition.steps[scene_.opening->step].name)},
                       {"item", scene_.opening->item},
                       {"output", Value()},
                       {"parent", std::move(parent)}});
  }

  ScopeId innermost_iteration() const {
    ScopeId at = scene_.scope;
    while (at && scene_.state.scopes.at(at).kind != ScopeKind::iteration) at = scene_.state.scopes.at(at).parent;
    return at;
  }

  Value as_map(const Scope& scope, Value parent) const {
    const FanOut* fan_out = scene_.state.fan_outs->find(scope.fan_out);
    std::vector<Member> members = {{"index", static_cast<std::int64_t>(scope.index)}, {"parent", std::move(parent)}};
    if (fan_out != nullptr) members.push_back({"total", static_cast<std::int64_t>(fan_out->total)});
    if (scope.kind == ScopeKind::iteration) {
      if (fan_out != nullptr) {
        members.push_back({Value(scene_.definition.steps[fan_out->step].loop->iterator), scope.inner->item});
      }
      const bool innermost = scope.id == innermost_iteration();
      for (const Value* written : {&scope.inner->iter, innermost ? scene_.iter : nullptr}) {
        if (written == nullptr || !written->is_map()) continue;
        members.insert(members.end(), written->as_map().begin(), written->as_map().end());
      }
      return Value::map(std::move(members));
    }
    if (fan_out != nullptr) members.push_back({"fan_out_step", Value(scene_.definition.steps[fan_out->step].name)});
    members.push_back({"item", scope.inner->item});
    members.push_back({"output", scope.wrote ? overlay_tree(scope) : Value()});
    return Value::map(std::move(members));
  }

  Input item(const std::string& name) const {
    if (scene_.opening != nullptr && scene_.opening->as == name) return scene_.opening->item;
    for (ScopeId at = scene_.scope; at; at = scene_.state.scopes.at(at).parent) {
      const Scope& scope = scene_.state.scopes.at(at);
      if (scope.detached) return borrowed(scope.inner->frozen.find(name));
      const FanOut* fan_out = scene_.state.fan_outs->find(scope.fan_out);
      if (fan_out == nullptr) continue;
      const Step& step = scene_.definition.steps[fan_out->step];
      const bool named = fan_out->is_loop ? step.loop->iterator == name
                                          : step.arcs[fan_out->legs[scope.inner->leg].arc].foreach &&
                                                step.arcs[fan_out->legs[scope.inner->leg].arc].foreach->as == name;
      if (named) return scope.inner->item;
    }
    return {};
  }

  Input step(StepIndex index) {
    if (scene_.ended != nullptr && scene_.ended->step == index) {
      return made(result_value(scene_.definition, *scene_.ended));
    }
    const StepResult* result = find_result(scene_.state, scene_.scope, index);
    if (result == nullptr) return Input();
    if (result->several) {
      return failed({.error_class = ErrorClass::expression,
                     .kind = "several",
                     .message = explain_several(scene_.definition, index, *result->several)});
    }
    return made(result_value(scene_.definition, *result));
  }

  Value execution() const {
    const State& state = scene_.state;
    const bool called = state.rarely != nullptr && state.rarely->caller;
    return Value::map({{"id", Value(state.execution)},
                       {"playbook", Value(state.playbook)},
                       {"version", state.playbook_version},
                       {"reference", state.reference},
                       {"started_at", Value(state.started_at.str())},
                       {"parent", called ? text_or_null(state.rarely->caller->execution) : Value()},
                       {"state_version", static_cast<std::int64_t>(state.version)}});
  }

  Value run() const {
    const std::string name = run_name(scene_.definition, *scene_.run);
    return Value::map({{"id", Value(name)},
                       {"attempt", static_cast<std::int64_t>(scene_.run->attempt)},
                       {"idempotency_key", Value(fmt::format("{}/{}", scene_.state.execution, name))}});
  }

  const Scene& scene_;
  std::optional<SceneError> failure_;
  std::forward_list<Value> made_;  // inputs borrow from it, so nothing in it moves
  std::vector<Input> inputs_;
};

}  // namespace

RunError too_deep(std::string_view what, std::size_t most) {
  return {.error_class = ErrorClass::expression,
          .kind = std::string(fault_word(FaultCode::depth)),
          .message = fmt::format("{} nests deeper than {} levels", what, most)};
}

RunError expression_error(const ExprError& error) {
  return {.error_class = ErrorClass::expression,
          .kind = std::string(fault_word(error.code)),
          .message = error.summary(),
          .details = error.detail.empty() ? Value() : Value(error.detail)};
}

namespace {

// What `how`, which is evaluate or ask, gives for an expression with any names.
template <typename T>
[[gnu::noinline]] std::expected<T, Boxed<SceneError>> with_all_names(
    const Scene& scene, const Expression& expression, Ambient& ambient,
    std::expected<T, ExprError> (*how)(const Program&, std::span<const Input>, Ambient&, const EvalLimits&)) {
  Inputs inputs(scene);
  const auto bound = inputs.bind(expression);
  if (!bound) return std::unexpected(std::move(inputs).failure());
  auto value = how(expression.program, *bound, ambient, {});
  if (value) return std::move(*value);
  return std::unexpected(SceneError{expression_error(value.error()), value.error().path});
}

}  // namespace

Evaluated evaluate(const Scene& scene, const Expression& expression, Ambient& ambient) {
  std::array<Input, kFewNames> room;
  if (const auto bound = bind_at_hand(scene, expression, room)) {
    if (auto value = evaluate_at_once(expression.program, *bound, ambient)) return std::move(*value);
  }
  return with_all_names<Value>(scene, expression, ambient, evaluate);
}

std::expected<bool, Boxed<SceneError>> ask(const Scene& scene, const Expression& condition, Ambient& ambient) {
  std::array<Input, kFewNames> room;
  if (const auto bound = bind_at_hand(scene, condition, room)) {
    if (const auto answer = ask_at_once(condition.program, *bound, ambient)) return *answer;
  }
  return with_all_names<bool>(scene, condition, ambient, ask);
}

Evaluated render(const Scene& scene, const Mapping& mapping, Ambient& ambient) {
  auto each = [&](const Expression& expression) { return evaluate(scene, expression, ambient); };
  auto rendered = render_mapping(mapping, each);
  if (!rendered || rendered->depth() <= limits::kDataDepth) return rendered;
  return std::unexpected(SceneError{too_deep("what this gives", limits::kDataDepth), std::nullopt});
}

std::vector<GuardRead> guard_reads(const Scene& scene, const Expression& guard, std::string_view missing) {
  const Program& program = guard.program;
  std::vector<GuardRead> reads;
  // The one that most guards read needs no second look.
  if (!missing.empty() && program.reads.size() == 1) return reads;
  Inputs inputs(scene);
  const auto bound = inputs.bind(guard);
  if (!bound) return reads;
  reads.reserve(std::min(program.reads.size(), limits::kGuardReads));
  for (const Path& path : program.reads | std::views::take(limits::kGuardReads)) {
    std::string text = path.str();
    if (text == missing) continue;
    const auto root = std::ranges::find(program.roots, path[0].key());
    const Value* whole = (*bound)[static_cast<std::size_t>(root - program.roots.begin())].value();
    const Value* value = whole == nullptr ? nullptr : get(*whole, path.without_first(1));
    GuardRead& read = reads.emplace_back();
    read.path = std::move(text);
    if (value != nullptr && value->weight() <= limits::kGuardValue) read.value = *value;
  }
  return reads;
}

Value attempt_inputs(const Scene& scene, const Step& step) {
  if (step.attempt_reads.empty()) return {};
  std::vector<Member> members;
  for (const AttemptRead& read : step.attempt_reads) {
    Inputs inputs(scene);
    const Input input = inputs.find(read.name, read.last_error);
    // What is not there, or not one value, is an error only if the pipeline gets to read it.
    if (input.value() != nullptr) members.push_back({Value(read.text), *input.value()});
    if (input.bytes()) members.push_back({Value(read.text), input.bytes()->decode()});
  }
  return Value::map(std::move(members));
}

OrFailure<Value> visible_ctx(const State& state, ScopeId scope) {
  std::vector<const Scope*> homes;
  for (ScopeId at = state.scopes.at(scope).home; at != kRootScope;) {
    const Scope& home = state.scopes.at(at);
    homes.push_back(&home);
    at = state.scopes.at(home.parent).home;
  }
  Value ctx = state.ctx;
  for (const Scope* home : homes | std::views::reverse) {
    for (const Write& write : home->inner->overlay) {
      auto written = set(ctx, write.path, write.value);
      if (!written) {
        return std::unexpected(RunError{.error_class = ErrorClass::expression,
                                        .kind = "type",
                                        .message = fmt::format("what this branch wrote to ctx.{} no longer fits: {}",
                                                               write.path.str(), written.error().message)});
      }
      ctx = std::move(*written);
    }
  }
  return ctx;
}

Value overlay_tree(const Scope& scope) {
  Value tree = Value::map({});
  for (const Write& write : scope.inner->overlay) {
    if (auto written = set(tree, write.path, write.value)) tree = std::move(*written);
  }
  return tree;
}

EncodedValue scope_output(const Scope& scope) {
  if (scope.wrote) return EncodedValue(scope.kind == ScopeKind::iteration ? scope.inner->iter : overlay_tree(scope));
  if (scope.last_order != 0) return scope.last;
  return EncodedValue(scope.inner->item);
}

Value names_around(const Definition& definition, const State& state, ScopeId scope) {
  const Scene scene{.definition = definition, .state = state, .scope = scope};
  std::vector<Member> members;
  auto keep = [&](std::string_view text, Name name) {
    Inputs inputs(scene);
    const Input input = inputs.find(name, false);
    if (input.value() != nullptr) members.push_back({Value(text), *input.value()});
  };
  keep("_branch", {NameKind::branch, 0});
  keep("iter", {NameKind::iter, 0});
  for (std::uint32_t i = 0; i < definition.item_names.size(); ++i) keep(definition.item_names[i], {NameKind::item, i});
  return Value::map(std::move(members));
}

std::string run_name(const Definition& definition, const Run& run) {
  return fmt::format("{}#{}", definition.steps[run.step].name, run.ordinal);
}

}  // namespace stepwell
