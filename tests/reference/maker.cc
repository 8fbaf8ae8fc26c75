#include "maker.h"

#include <algorithm>
#include <string>
#include <utility>

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
  bool terminates = false;
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
    final_ = dice_.one_in(8);
    if (final_) spec.add("final_step", "fin");
    if (final_ && dice_.flip()) spec.add("on_final_failure", "partial");
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
    switch (dice_.below(9)) {
      case 0: return true;
      case 1: return false;
      case 2: return "{{ output }}";
      case 3: return "{{ (ctx.f1 | default(0)) ~ 'x' }}";
      case 4: return "{{ _branch.index if _branch is defined else 9 }}";
      case 5: return "{{ args }}";
      case 6: return Value(fmt::format("{{{{ {}.output }}}}", step()));
      case 7: return Value::map({{"n", count(4)}});
      default: return count(4);
    }
  }

  Value flag() { return Value(fmt::format("ctx.f{}", dice_.below(4))); }

  Value output() {
    return Value::map(
        {{"a", Value(fmt::format("{{{{ {}.output }}}}", step()))}, {"f", "{{ ctx.f0 | default(none) }}"}});
  }

  Value tool() {
    static const std::vector<std::string> kReads = {"{{ args }}", "{{ ctx }}", "{{ _branch }}", "{{ workload.n }}",
                                                    "{{ iter }}"};
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

  void body(Draft& draft, std::size_t depth) {
    Fields& fields = draft.fields;
    switch (dice_.below(12)) {
      case 0: return wait(fields);
      case 1: return signal_wait(fields);
      case 2: return human(fields);
      case 3: return call(fields);
      case 4:
        if (depth < 2) return block(fields, depth);
        break;
      case 5:
        if (dice_.one_in(3) && !draft.joins) return terminate(draft);
        break;
      case 6:
      case 7: return;
      default: break;
    }
    fields.add("tool", tool());
    if (dice_.one_in(5)) fields.add("retry", retry());
    if (dice_.one_in(6)) fields.add("timeout", duration());
    if (dice_.one_in(5)) fields.add("loop", loop(dice_.flip()));
  }

  Value loop(bool parallel) {
    Fields loop;
    loop.add("in", collection());
    loop.add("iterator", "it");
    if (parallel) loop.add("mode", "parallel");
    if (parallel && dice_.flip()) loop.add("max_in_flight", 1 + count(3));
    if (dice_.flip()) loop.add("on_failure", "continue");
    return loop.map();
  }

  Value collection() {
    switch (dice_.below(5)) {
      case 0: return Value::list({"x", "y"});
      case 1: return Value::map({{"k", 1}, {"l", 2}});
      case 2: return "{{ ctx.f1 }}";
      default: return "{{ workload.items }}";
    }
  }

  void wait(Fields& fields) {
    fields.add("type", "wait");
    fields.add("for", duration());
  }

  void signal_wait(Fields& fields) {
    fields.add("type", "wait");
    fields.add("signal", Value(dice_.word({"ping", "pong"})));
    if (dice_.one_in(3)) fields.add("match", Value(dice_.word({"signal.payload", "signal.payload.n > 0", "ctx.f0"})));
    if (dice_.one_in(3)) fields.add("timeout", duration());
    if (dice_.one_in(3)) fields.add("on_timeout", "continue");
  }

  void human(Fields& fields) {
    fields.add("type", "human");
    fields.add("title", "{{ workload.n }}");
    if (dice_.one_in(3)) fields.add("payload", "{{ args }}");
    if (dice_.one_in(3)) fields.add("timeout", duration());
    if (dice_.one_in(6)) fields.add("on_timeout", "continue");
  }

  void call(Fields& fields) {
    fields.add("type", "call");
    fields.add("playbook", "child");
    if (dice_.one_in(3)) fields.add("input", Value::map({{"x", value_before()}}));
    if (dice_.one_in(3)) fields.add("on_failure", "catch");
    if (dice_.one_in(3)) fields.add("on_terminate", "fail");
    if (dice_.one_in(4)) fields.add("retry", retry());
    if (dice_.one_in(4)) fields.add("timeout", duration());
  }

  void block(Fields& fields, std::size_t depth) {
    fields.add("type", "block");
    const bool loops = dice_.one_in(3);
    const bool parallel = loops && dice_.flip();
    if (loops) fields.add("loop", loop(parallel));
    if (dice_.one_in(5)) fields.add("timeout", duration());
    const bool wrote = std::exchange(writes_ctx_, writes_ctx_ && !parallel);
    fields.add("workflow", list(depth + 1));
    writes_ctx_ = wrote;
  }

  void terminate(Draft& draft) {
    draft.terminates = true;
    draft.fields.add("type", "terminate");
    draft.fields.add("status", Value(dice_.word({"success", "failed"})));
    draft.fields.add("reason", "enough");
    if (dice_.one_in(3)) draft.fields.add("output_template", Value::map({{"got", value_before()}}));
  }

  void common(Draft& draft) {
    Fields& fields = draft.fields;
    if (dice_.one_in(6)) fields.add("when", Value(guard()));
    if (dice_.one_in(6)) fields.add("args", Value::map({{"a", count(3)}, {"b", value_before()}}));
    if (draft.terminates || !writes_ctx_ || !dice_.one_in(3)) return;
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
    draft.inclusive = draft.fans_out = dice_.one_in(3);
    for (std::size_t n = 1 + dice_.below(3); n > 0; --n) {
      const std::size_t target =
          last || dice_.one_in(10) ? dice_.below(all.size()) : i + 1 + dice_.below(all.size() - i - 1);
      Fields arc;
      if (dice_.one_in(3)) arc.add("when", Value(arc_guard()));
      if (dice_.one_in(5)) arc.add("on", Value(dice_.word({"failed", "any", "done", "timeout"})));
      if (dice_.one_in(4)) {
        arc.add("foreach", each());
        draft.fans_out = true;
      }
      draft.targets.push_back(target);
      draft.arcs.push_back(std::move(arc));
    }
  }

  Value each() {
    Fields each;
    each.add("in", collection());
    if (!dice_.one_in(3)) each.add("as", "item");
    if (dice_.one_in(3)) each.add("max_in_flight", 1 + count(2));
    return each.map();
  }

  // Gives some of the fan-outs a join, and most of what lies between the two an arc to it.
  void joins(std::vector<Draft>& all) {
    for (std::size_t from = 0; from + 1 < all.size(); ++from) {
      const std::size_t at = from + 1 + dice_.below(all.size() - from - 1);
      if (!all[from].fans_out || all[at].joins || dice_.one_in(4)) continue;
      all[at].joins = true;
      all[at].fields.add("join", join(all[from].name));
      for (std::size_t between = from + 1; between < at; ++between) {
        if (dice_.one_in(4)) continue;
        if (dice_.flip() && !all[between].fans_out) {
          all[between].targets.clear();
          all[between].arcs.clear();
        }
        all[between].targets.push_back(at);
        all[between].arcs.emplace_back();
      }
    }
  }

  Value join(const std::string& from) {
    Fields join;
    join.add("from", Value(from));
    if (dice_.one_in(4))
      join.add("mode", "any");
    else if (dice_.one_in(4))
      join.add("mode", Value::map({{"m_of_n", 1 + count(3)}}));
    if (dice_.one_in(3))
      join.add("allow", Value::list({Value(dice_.word({"ended", "failed"}))}));
    else if (dice_.one_in(3))
      join.add("allow", Value::list({"ended", "failed"}));
    if (dice_.one_in(4)) join.add("timeout", duration());
    if (dice_.one_in(4)) join.add("on_timeout", "proceed");
    if (dice_.flip()) join.add("merge", merge());
    return join.map();
  }

  Value merge() {
    Fields merge;
    const std::string strategy = dice_.word({"append", "merge_object", "keyed_by_branch", "last_wins"});
    merge.add("strategy", Value(strategy));
    merge.add("target", flag());
    if (dice_.flip()) merge.add("source", Value(dice_.word({"f0", "f1", "f3.n"})));
    if (strategy == "keyed_by_branch" && dice_.flip()) merge.add("key", "{{ _branch.index * 2 }}");
    return merge.map();
  }

  Value list(std::size_t depth) {
    std::vector<Draft> all(2 + dice_.below(depth == 0 ? 6 : 3));
    for (Draft& draft : all) draft.name = fmt::format("s{}", names_++);
    for (std::size_t i = 0; i < all.size(); ++i) arcs(all, i);
    joins(all);
    for (Draft& draft : all) {
      body(draft, depth);
      common(draft);
    }
    std::vector<Value> steps;
    for (Draft& draft : all) steps.push_back(finished(draft, all));
    if (depth == 0 && final_)
      steps.push_back(
          Value::map({{"step", "fin"}, {"set", Value::map({{"ctx.fin", "{{ [args.status, args.counts] }}"}})}}));
    return Value::list(std::move(steps));
  }

  Value finished(Draft& draft, const std::vector<Draft>& all) {
    Fields& fields = draft.fields;
    fields.add("step", Value(draft.name));
    if (draft.terminates) return fields.map();
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
  bool writes_ctx_ = true;  // not in the body of a parallel loop
  bool final_ = false;
};

}  // namespace

Case make_case(std::uint64_t seed) { return Maker(seed).make(); }

}  // namespace stepwell::reference
