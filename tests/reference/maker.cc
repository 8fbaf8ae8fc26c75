#include "maker.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "stepwell/compile/testing/dice.h"

namespace stepwell::reference {

namespace {

using testing::Dice;

class Fields {
 public:
  void add(const char* key, Value value) { members_.push_back({key, std::move(value)}); }
  Value map() const { return Value::map(members_); }

 private:
  std::vector<Member> members_;
};

struct Draft {
  std::string name;
  Fields fields;
  std::vector<Fields> arcs;
  std::vector<std::size_t> targets;  // of arcs, in the same list
  bool inclusive = false;
  bool fans_out = false;
  bool joins = false;
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : dice_(seed) {}

  Case make() {
    Fields playbook;
    playbook.add("executor", Value::map({{"spec", spec()}}));
    playbook.add("workload", Value::map({{"items", items()}, {"go", dice_.flip()}, {"n", count(5)}}));
    playbook.add("workflow", list(0));
    if (dice_.one_in(3)) playbook.add("output", output());
    std::vector<Choice> choices;
    const std::size_t commands = 4 + dice_.below(24);
    for (std::size_t i = 0; i < commands; ++i) choices.push_back({number(), number(), number()});
    return {.playbook = playbook.map(), .choices = std::move(choices)};
  }

 private:
  static constexpr std::size_t kNames = 12;

  std::uint32_t number() { return static_cast<std::uint32_t>(dice_.below(1'000'000)); }
  std::int64_t count(std::size_t below) { return static_cast<std::int64_t>(dice_.below(below)); }
  // No two alike, so that hardly anything falls due together that need not.
  Value duration() { return Value(fmt::format("{}ms", 1'000 + dice_.below(1'000'000))); }

  Value items() {
    std::vector<Value> all;
    for (std::size_t i = dice_.below(5); i > 0; --i) all.push_back(count(4));
    return Value::list(std::move(all));
  }

  Value spec() {
    Fields spec;
    spec.add("kinds", Value::list({"work"}));
    spec.add("max_step_runs", 60);
    if (dice_.flip()) spec.add("on_failure", Value(dice_.word({"fail_any", "fail_fast", "partial", "suspend"})));
    if (dice_.one_in(4)) spec.add("when_false", "discard");
    if (dice_.flip()) spec.add("on_stall", Value(dice_.word({"wait", "complete", "fail"})));
    if (dice_.one_in(10)) spec.add("no_next_is_error", true);
    if (dice_.one_in(10)) spec.add("failed_arcs", "all");
    if (dice_.one_in(12)) spec.add("timeout", duration());
    return spec.map();
  }

  // A name that a step has, or may have: what the loader does not know it refuses.
  std::string step() { return fmt::format("s{}", dice_.below(std::max<std::size_t>(names_, 1))); }

  std::string guard() {
    switch (dice_.below(9)) {
      case 0: return "ctx.f0";
      case 1: return "ctx.f1 | default(false)";
      case 2: return "ctx.f2 == true";
      case 3: return "workload.go";
      case 4: return step() + " is defined";
      case 5: return "_branch is defined and _branch.index > 0";
      case 6: return "not (ctx.f0 | default(false))";
      case 7: return "args.a is defined";
      default: return fmt::format("({0} is defined) and {0}.status == 'done'", step());
    }
  }

  std::string arc_guard() {
    switch (dice_.below(6)) {
      case 0: return "output";
      case 1: return "output.n > 1";
      case 2: return "error";
      case 3: return "error and error.class == 'transport'";
      default: return guard();
    }
  }

  Value value() {
    switch (dice_.below(8)) {
      case 0: return true;
      case 1: return false;
      case 2: return "{{ output }}";
      case 3: return "{{ (ctx.f1 | default(0)) ~ 'x' }}";
      case 4: return "{{ _branch.index if _branch is defined else 9 }}";
      case 5: return "{{ args }}";
      case 6: return Value(fmt::format("{{{{ {}.output }}}}", step()));
      default: return count(4);
    }
  }

  Value flag() { return Value(fmt::format("ctx.f{}", dice_.below(4))); }

  Value output() {
    return Value::map(
        {{"a", Value(fmt::format("{{{{ {}.output }}}}", step()))}, {"f", "{{ ctx.f0 | default(none) }}"}});
  }

  Value tool() {
    static const std::vector<std::string> kReads = {"{{ args }}", "{{ ctx }}", "{{ _branch }}", "{{ workload.n }}"};
    Fields tool;
    tool.add("kind", "work");
    if (dice_.flip()) tool.add("with", Value(dice_.of(kReads)));
    if (dice_.one_in(3)) tool.add("of", Value(fmt::format("{{{{ {} }}}}", step())));
    return tool.map();
  }

  Value retry() {
    Fields retry;
    retry.add("max_attempts", 1 + count(3));
    retry.add("backoff", Value(dice_.word({"none", "fixed", "linear", "exponential"})));
    retry.add("delay", duration());
    if (dice_.one_in(3)) retry.add("max_delay", duration());
    if (dice_.one_in(3)) retry.add("on", Value::list({Value(dice_.word({"transport", "timeout", "http_403"}))}));
    return retry.map();
  }

  void body(Draft& draft) {
    Fields& fields = draft.fields;
    if (dice_.one_in(3)) return;
    fields.add("tool", tool());
    if (dice_.one_in(5)) fields.add("retry", retry());
    if (dice_.one_in(6)) fields.add("timeout", duration());
  }

  void common(Draft& draft) {
    Fields& fields = draft.fields;
    if (dice_.one_in(6)) fields.add("when", Value(guard()));
    if (dice_.one_in(6)) fields.add("args", Value::map({{"a", count(3)}, {"b", value_before()}}));
    if (!dice_.one_in(3)) return;
    std::vector<Member> set;
    for (std::size_t i = 1 + dice_.below(2); i > 0; --i) set.push_back({flag(), value()});
    fields.add("set", Value::map(std::move(set)));
  }

  // One that is known before the run.
  Value value_before() { return dice_.flip() ? Value("{{ ctx.f0 | default(none) }}") : Value(count(9)); }

  void arcs(std::vector<Draft>& all, std::size_t i) {
    Draft& draft = all[i];
    const bool last = i + 1 == all.size();
    if (last ? !dice_.one_in(6) : dice_.one_in(6)) return;
    draft.inclusive = dice_.one_in(3);
    for (std::size_t n = 1 + dice_.below(3); n > 0; --n) {
      const std::size_t target =
          last || dice_.one_in(10) ? dice_.below(all.size()) : i + 1 + dice_.below(all.size() - i - 1);
      Fields arc;
      if (dice_.one_in(3)) arc.add("when", Value(arc_guard()));
      if (dice_.one_in(5)) arc.add("on", Value(dice_.word({"failed", "any", "done", "timeout"})));
      draft.targets.push_back(target);
      draft.arcs.push_back(std::move(arc));
    }
  }

  Value list(std::size_t depth) {
    std::vector<Draft> all(2 + dice_.below(depth == 0 ? 6 : 3));
    for (Draft& draft : all) draft.name = fmt::format("s{}", names_++);
    for (std::size_t i = 0; i < all.size(); ++i) arcs(all, i);
    for (Draft& draft : all) {
      body(draft);
      common(draft);
    }
    std::vector<Value> steps;
    for (Draft& draft : all) steps.push_back(finished(draft, all));
    return Value::list(std::move(steps));
  }

  Value finished(Draft& draft, const std::vector<Draft>& all) {
    Fields& fields = draft.fields;
    fields.add("step", Value(draft.name));
    if (draft.inclusive) fields.add("spec", Value::map({{"next_mode", "inclusive"}}));
    std::vector<Value> next;
    for (std::size_t i = 0; i < draft.arcs.size(); ++i) {
      Fields arc = draft.arcs[i];
      const Draft& target = all[draft.targets[i]];
      arc.add("step", Value(target.name));
      if (!target.joins && dice_.one_in(4)) arc.add("args", Value::map({{"a", value()}}));
      next.push_back(arc.map());
    }
    if (!next.empty()) fields.add("next", Value::list(std::move(next)));
    return fields.map();
  }

  Dice dice_;
  std::size_t names_ = 0;
};

}  // namespace

Case make_case(std::uint64_t seed) { return Maker(seed).make(); }

}  // namespace stepwell::reference
