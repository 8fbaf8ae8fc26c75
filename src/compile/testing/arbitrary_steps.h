#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "stepwell/compile/canon.h"
#include "stepwell/compile/testing/arbitrary_tools.h"

namespace stepwell::testing {

// What a step stands in.
struct Around {
  bool parallel = false;               // iterations of a loop around it run at once
  bool iterates = false;               // there is a loop around it
  int depth = 0;                       // how many blocks
  std::vector<std::string> iterators;  // of these loops
};

// A step while its list is put together: fields but no arcs yet.
struct StepDraft {
  std::string name;
  std::string type = "task";
  bool joins = false;
  bool inclusive = false;
  Canon fields = {};
  std::vector<std::string> paths = {};  // what its arcs may read
  std::vector<Value> arcs = {};
};

// Random lists of steps that obey every rule of the loader.
class ArbitrarySteps {
 public:
  explicit ArbitrarySteps(Dice& dice) : dice_(dice) {}

  // At least one step.
  Value list(std::size_t size, const Around& around) {
    std::vector<StepDraft> drafts;
    do {
      if (dice_.one_in(4)) {
        fan_out(around, drafts);
      } else {
        connect(drafts);
        drafts.push_back(
            step(around, dice_.word({"task", "task", "human", "wait", "call", "continue_with", "block", "terminate"})));
      }
    } while (drafts.size() < size);
    return finished(drafts);
  }

  // A task that can be the final step.
  Value lone_task(const std::string& name) {
    StepDraft draft = {.name = name};
    draft.fields.put("step", name);
    draft.fields.put("tool", arbitrary_tool(dice_, paths({}), {}));
    return draft.fields.finish();
  }

 private:
  std::vector<std::string> paths(const Around& around) {
    std::vector<std::string> all = {"ctx.total", "ctx['a b'].c", "state.x", "workload.limit", "args.n", "execution.id"};
    for (const std::string& name : names_) all.push_back(name + ".output.data");
    for (const std::string& name : around.iterators) all.push_back(name);
    if (around.iterates) all.push_back("iter.index");
    return all;
  }

  StepDraft step(const Around& around, const std::string& type) {
    StepDraft draft = {.name = fmt::format("s{}", names_.size() + 1), .type = type};
    Around inside = around;
    draft.fields.put("step", draft.name);
    if (type != "task") draft.fields.put("type", type);
    ArbitraryExpressions expressions(dice_, paths(around));
    if (dice_.one_in(4)) draft.fields.put("desc", dice_.word({"What it does", "yes: no", "two\nlines"}));
    if (dice_.one_in(4)) draft.fields.put("when", expressions.condition());
    if (dice_.one_in(4)) draft.fields.put("args", arbitrary_map_mapping(dice_, expressions));
    if (type != "terminate") shared_fields(around, draft, inside);
    names_.push_back(draft.name);
    own_fields(draft, inside);
    draft.paths = paths(around);
    return draft;
  }

  void shared_fields(const Around& around, StepDraft& draft, Around& inside) {
    const std::string& type = draft.type;
    if (dice_.one_in(3)) draft.fields.put("loop", loop(around, draft.name, inside));
    if ((type == "task" || type == "call") && dice_.one_in(3)) draft.fields.put("retry", retry());
    if (type != "wait" && type != "continue_with" && dice_.one_in(4)) {
      draft.fields.put("timeout", arbitrary_duration(dice_));
    }
    if ((type == "task" || type == "call" || type == "block") && dice_.one_in(4)) {
      draft.fields.put("output", arbitrary_schema(dice_));
    }
    if (dice_.one_in(3)) set(around, draft);
    draft.inclusive = draft.inclusive || dice_.one_in(4);
    if (draft.inclusive) {
      Canon spec;
      spec.put("next_mode", "inclusive");
      draft.fields.put("spec", spec.finish());
    }
  }

  Value loop(const Around& around, const std::string& name, Around& inside) {
    ArbitraryExpressions expressions(dice_, paths(around));
    Canon loop;
    loop.put("in", dice_.flip() ? Value(fmt::format("{{{{ {} }}}}", expressions.path())) : Value::list({1, "x"}));
    const std::string iterator = "each_" + name;
    loop.put("iterator", iterator);
    const bool parallel = dice_.flip();
    if (parallel) loop.put("mode", "parallel");
    if (parallel && dice_.flip()) loop.put("max_in_flight", static_cast<std::int64_t>(2 + dice_.below(9)));
    if (dice_.flip()) loop.put("on_failure", dice_.word({"fail_fast", "continue"}));
    inside.iterates = true;
    inside.parallel = inside.parallel || parallel;
    inside.iterators.push_back(iterator);
    return loop.finish();
  }

  Value retry() {
    Canon retry;
    if (dice_.flip()) retry.put("max_attempts", static_cast<std::int64_t>(1 + dice_.below(9)));
    put_backoff(dice_, retry);
    if (dice_.flip()) retry.put("on", Value::list({"transport", "timeout", "http_503"}));
    return retry.finish();
  }

  void set(const Around& around, StepDraft& draft) {
    std::vector<std::string> readable = paths(around);
    readable.insert(readable.end(), {"output.data", "vars.n"});
    ArbitraryExpressions expressions(dice_, std::move(readable));
    Canon set;
    if (!around.parallel) set.put("ctx.total", arbitrary_mapping(dice_, expressions));
    if (!around.parallel && dice_.flip()) set.put("ctx.lines[0].price", arbitrary_mapping(dice_, expressions));
    if (around.iterates && dice_.flip()) set.put("iter.sum", arbitrary_mapping(dice_, expressions));
    if (dice_.one_in(3)) set.put("reference", expressions.computed());
    draft.fields.put("set", set.finish());
  }

  void own_fields(StepDraft& draft, const Around& inside) {
    if (draft.type == "task") return tool(draft, inside);
    if (draft.type == "block") {
      Around inner = inside;
      ++inner.depth;
      draft.fields.put("workflow", list(inner.depth > 2 ? 1 : 1 + dice_.below(3), inner));
      return;
    }
    ArbitraryExpressions expressions(dice_, paths(inside));
    if (draft.type == "human") return human(draft, expressions);
    if (draft.type == "wait") return wait(draft, expressions);
    if (draft.type == "terminate") {
      draft.fields.put("status", dice_.word({"success", "failed"}));
      draft.fields.put("reason", dice_.flip() ? expressions.computed() : "Because");
      if (dice_.flip()) draft.fields.put("output_template", arbitrary_map_mapping(dice_, expressions));
      return;
    }
    draft.fields.put("playbook", "billing/approve");
    if (dice_.flip()) draft.fields.put("version", static_cast<std::int64_t>(1 + dice_.below(5)));
    if (dice_.flip()) draft.fields.put("input", arbitrary_map_mapping(dice_, expressions));
    if (draft.type == "call" && dice_.flip()) draft.fields.put("on_failure", dice_.word({"propagate", "catch"}));
    if (draft.type == "call" && dice_.flip()) draft.fields.put("on_terminate", dice_.word({"continue", "fail"}));
  }

  void tool(StepDraft& draft, const Around& inside) {
    std::vector<std::string> readable = paths(inside);
    readable.insert(readable.end(), {"vars.n", "_prev.data", "_task"});
    const RuleBounds bounds = {.may_write_ctx = !inside.parallel, .may_write_iter = inside.iterates, .labels = {}};
    if (dice_.one_in(3)) {
      draft.fields.put("tool", arbitrary_pipeline(dice_, readable, bounds));
    } else if (dice_.flip()) {
      draft.fields.put("tool", arbitrary_tool(dice_, readable, bounds));
    }
  }

  void human(StepDraft& draft, ArbitraryExpressions& expressions) {
    if (dice_.flip()) draft.fields.put("title", expressions.computed());
    if (dice_.flip()) draft.fields.put("payload", arbitrary_mapping(dice_, expressions));
    if (dice_.flip()) draft.fields.put("roles", Value::list({"clerk", "boss"}));
    if (dice_.flip()) draft.fields.put("form", arbitrary_schema(dice_));
    if (dice_.flip()) {
      Canon yes;
      yes.put("value", "yes");
      yes.put("label", "Yes: do it");
      Canon no;
      no.put("value", false);
      draft.fields.put("options", Value::list({yes.finish(), no.finish()}));
    }
    if (dice_.flip()) draft.fields.put("on_timeout", dice_.word({"fail", "continue"}));
  }

  void wait(StepDraft& draft, ArbitraryExpressions& expressions) {
    const std::size_t kind = dice_.below(3);
    if (kind == 0) draft.fields.put("for", arbitrary_duration(dice_));
    if (kind == 1) draft.fields.put("until", expressions.condition());
    if (kind != 2) return;
    draft.fields.put("signal", "signal_" + draft.name);
    if (dice_.flip()) draft.fields.put("match", "signal.payload.id == " + expressions.path());
    if (dice_.flip()) draft.fields.put("schema", arbitrary_schema(dice_));
    if (dice_.flip()) draft.fields.put("timeout", arbitrary_duration(dice_));
  }

  // A step with branches, and the step that joins them.
  void fan_out(const Around& around, std::vector<StepDraft>& drafts) {
    connect(drafts);
    StepDraft split = {.name = fmt::format("s{}", names_.size() + 1), .inclusive = true};
    names_.push_back(split.name);
    split.fields.put("step", split.name);
    Canon spec;
    spec.put("next_mode", "inclusive");
    split.fields.put("spec", spec.finish());
    split.paths = paths(around);
    std::vector<StepDraft> branches;
    for (std::size_t i = 1 + dice_.below(3); i > 0; --i) {
      branches.push_back(step(around, dice_.word({"task", "human", "call", "wait"})));
    }
    for (const StepDraft& branch : branches) split.arcs.push_back(arc(split, branch));
    StepDraft join = step(around, "task");
    join.joins = true;
    join.fields.put("join", this->join(around, split.name));
    for (StepDraft& branch : branches) branch.arcs.push_back(arc(branch, join));
    drafts.push_back(std::move(split));
    for (StepDraft& branch : branches) drafts.push_back(std::move(branch));
    drafts.push_back(std::move(join));
  }

  Value join(const Around& around, const std::string& from) {
    Canon join;
    join.put("from", from);
    if (dice_.one_in(3)) {
      Canon mode;
      mode.put("m_of_n", 1);
      join.put("mode", mode.finish());
    } else if (dice_.flip()) {
      join.put("mode", dice_.word({"all", "any"}));
    }
    if (dice_.flip()) join.put("allow", Value::list({"ended", "failed"}));
    if (dice_.flip()) join.put("on_early_complete", dice_.word({"cancel", "abandon"}));
    if (dice_.flip()) join.put("timeout", arbitrary_duration(dice_));
    if (dice_.flip()) join.put("on_timeout", dice_.word({"fail", "proceed"}));
    if (!around.parallel && dice_.flip()) {
      Canon merge;
      const std::string strategy = dice_.word({"append", "merge_object", "keyed_by_branch", "last_wins"});
      merge.put("strategy", strategy);
      merge.put("target", "ctx.votes");
      if (dice_.flip()) merge.put("source", "vote.value");
      if (strategy == "keyed_by_branch" && dice_.flip()) merge.put("key", "{{ ctx.total ~ '' }}");
      join.put("merge", merge.finish());
    }
    return join.finish();
  }

  // The last step so far leads to the one that comes now, whatever that is.
  void connect(std::vector<StepDraft>& drafts) {
    if (drafts.empty() || drafts.back().type == "terminate") return;
    const StepDraft next = {.name = fmt::format("s{}", names_.size() + 1)};
    drafts.back().arcs.push_back(arc(drafts.back(), next));
  }

  Value arc(const StepDraft& from, const StepDraft& to) {
    Canon arc;
    arc.put("step", to.name);
    std::vector<std::string> readable = from.paths;
    readable.insert(readable.end(), {"output.data", "error.class", "event.name", "vars.n", from.name + ".status"});
    ArbitraryExpressions expressions(dice_, std::move(readable));
    if (dice_.flip()) arc.put("when", expressions.condition());
    if (dice_.one_in(4)) arc.put("on", dice_.word({"done", "failed", "timeout", "any"}));
    if (!to.joins && dice_.one_in(3)) arc.put("args", arbitrary_map_mapping(dice_, expressions));
    if (dice_.one_in(4)) {
      Canon each;
      each.put("in", fmt::format("{{{{ {} }}}}", expressions.expression(1)));
      if (dice_.flip()) each.put("as", "one_for_" + to.name);
      if (dice_.flip()) each.put("max_in_flight", static_cast<std::int64_t>(1 + dice_.below(9)));
      arc.put("foreach", each.finish());
    }
    return arc.finish();
  }

  // With some arcs more, to anywhere in the list.
  Value finished(std::vector<StepDraft>& drafts) {
    std::vector<Value> steps;
    for (StepDraft& draft : drafts) {
      if (draft.type != "terminate" && dice_.one_in(3)) draft.arcs.push_back(arc(draft, dice_.of(drafts)));
      if (!draft.arcs.empty()) draft.fields.put("next", Value::list(std::move(draft.arcs)));
      steps.push_back(draft.fields.finish());
    }
    return Value::list(std::move(steps));
  }

  Dice& dice_;
  std::vector<std::string> names_;
};

}  // namespace stepwell::testing
