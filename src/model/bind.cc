#include "stepwell/model/bind.h"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>

namespace stepwell {

namespace {

struct FixedName {
  std::string_view text;
  NameKind kind;
};
constexpr std::array kFixedNames = {
    FixedName{"_branch", NameKind::branch},   FixedName{"args", NameKind::args},
    FixedName{"ctx", NameKind::ctx},          FixedName{"error", NameKind::error},
    FixedName{"event", NameKind::event},      FixedName{"execution", NameKind::execution},
    FixedName{"iter", NameKind::iter},        FixedName{"outcome", NameKind::outcome},
    FixedName{"output", NameKind::output},    FixedName{"run", NameKind::run},
    FixedName{"signal", NameKind::signal},    FixedName{"state", NameKind::ctx},
    FixedName{"vars", NameKind::vars},        FixedName{"workload", NameKind::workload},
    FixedName{"_attempt", NameKind::attempt}, FixedName{"_prev", NameKind::previous},
    FixedName{"_task", NameKind::task_name},  FixedName{"results", NameKind::results},
};
constexpr std::size_t kOutsidePipelines = 14;  // the last four mean something only inside

using EachExpression = std::function<void(Expression&)>;

void each_in(Mapping& mapping, const EachExpression& visit) {
  if (auto* expression = std::get_if<Expression>(&mapping.shape)) visit(*expression);
  if (auto* items = std::get_if<Mapping::List>(&mapping.shape)) {
    for (Mapping& item : *items) each_in(item, visit);
  }
  if (auto* members = std::get_if<Mapping::Map>(&mapping.shape)) {
    for (auto& [key, member] : *members) each_in(member, visit);
  }
}

void each_in(std::optional<Mapping>& mapping, const EachExpression& visit) {
  if (mapping) each_in(*mapping, visit);
}

void each_in(std::optional<Expression>& expression, const EachExpression& visit) {
  if (expression) visit(*expression);
}

void each_in_pipeline(Step& step, const EachExpression& visit) {
  for (Task& task : step.pipeline) {
    for (auto& [name, field] : task.fields) each_in(field, visit);
    each_in(task.args, visit);
    for (Rule& rule : task.rules) {
      each_in(rule.when, visit);
      each_in(rule.set_ctx, visit);
      each_in(rule.set_vars, visit);
      each_in(rule.set_iter, visit);
    }
  }
}

void each_in_own(Step& step, const EachExpression& visit) {
  if (step.human) {
    each_in(step.human->title, visit);
    each_in(step.human->assignee, visit);
    each_in(step.human->payload, visit);
  }
  if (step.wait) {
    each_in(step.wait->until, visit);
    each_in(step.wait->match, visit);
  }
  if (step.callee) each_in(step.callee->input, visit);
  if (step.terminate) {
    each_in(step.terminate->reason, visit);
    each_in(step.terminate->output, visit);
  }
}

// All but those of the pipeline.
void each_in_step(Step& step, const EachExpression& visit) {
  each_in(step.when, visit);
  each_in(step.args, visit);
  if (step.loop) each_in(step.loop->in, visit);
  if (step.join && step.join->merge) each_in(step.join->merge->key, visit);
  for (Assignment& assignment : step.set) each_in(assignment.value, visit);
  for (Arc& arc : step.arcs) {
    each_in(arc.when, visit);
    each_in(arc.args, visit);
    if (arc.foreach) each_in(arc.foreach->in, visit);
  }
  each_in_own(step, visit);
}

bool reads_last_error(const Program& program) {
  return std::ranges::any_of(program.reads, [](const Path& path) {
    return path.lies_under({"ctx", "_last_error"}) || path.lies_under({"state", "_last_error"});
  });
}

class Binder {
 public:
  explicit Binder(Definition& definition) {
    for (std::uint32_t i = 0; i < definition.item_names.size(); ++i) {
      names_.emplace(definition.item_names[i], Name{NameKind::item, i});
    }
    for (std::uint32_t i = 0; i < definition.steps.size(); ++i) {
      names_.emplace(definition.steps[i].name, Name{NameKind::step, i});
    }
  }

  void bind(Expression& expression) const {
    expression.reads_last_error = reads_last_error(expression.program);
    for (const std::string& root : expression.program.roots) {
      expression.names.push_back(find(root, std::span(kFixedNames).first(kOutsidePipelines)));
    }
  }

  void bind_in_pipeline(Expression& expression, const std::vector<Task>& pipeline) const {
    expression.reads_last_error = reads_last_error(expression.program);
    for (const std::string& root : expression.program.roots) {
      const auto task = std::ranges::find(pipeline, root, &Task::label);
      expression.names.push_back(task == pipeline.end()
                                     ? find(root, kFixedNames)
                                     : Name{NameKind::task, static_cast<std::uint32_t>(task - pipeline.begin())});
    }
  }

 private:
  Name find(const std::string& root, std::span<const FixedName> fixed) const {
    const auto known = std::ranges::find(fixed, root, &FixedName::text);
    if (known != fixed.end()) return {known->kind, 0};
    const auto named = names_.find(root);
    return named == names_.end() ? Name{} : named->second;
  }

  std::unordered_map<std::string, Name> names_;
};

// What a worker is told of the execution: the rest of the names live inside the attempt.
bool is_of_execution(NameKind kind) {
  switch (kind) {
    case NameKind::workload:
    case NameKind::ctx:
    case NameKind::args:
    case NameKind::iter:
    case NameKind::branch:
    case NameKind::item:
    case NameKind::step:
    case NameKind::execution:
    case NameKind::run: return true;
    case NameKind::unknown:
    case NameKind::vars:
    case NameKind::task:
    case NameKind::output:
    case NameKind::error:
    case NameKind::outcome:
    case NameKind::event:
    case NameKind::signal:
    case NameKind::results:
    case NameKind::task_name:
    case NameKind::attempt:
    case NameKind::previous: return false;
  }
  return false;
}

void collect_reads(const Expression& expression, std::vector<AttemptRead>& reads) {
  for (std::size_t i = 0; i < expression.names.size(); ++i) {
    const Name name = expression.names[i];
    if (!is_of_execution(name.kind)) continue;
    auto known = std::ranges::find(reads, name, &AttemptRead::name);
    if (known == reads.end()) known = reads.insert(known, {.name = name, .text = expression.program.roots[i]});
    known->last_error = known->last_error || (name.kind == NameKind::ctx && expression.reads_last_error);
  }
}

void collect_item_names(Definition& definition) {
  auto add = [&](const std::string& name) {
    if (!name.empty() && std::ranges::count(definition.item_names, name) == 0) definition.item_names.push_back(name);
  };
  for (const Step& step : definition.steps) {
    if (step.loop) add(step.loop->iterator);
    for (const Arc& arc : step.arcs) {
      if (arc.foreach) add(arc.foreach->as);
    }
  }
}

}  // namespace

void bind_names(Definition& definition) {
  collect_item_names(definition);
  const Binder binder(definition);
  auto note_steps = [&](const Expression& expression) {
    for (const Name name : expression.names) {
      if (name.kind == NameKind::step) definition.steps[name.index].named = true;
    }
  };
  const EachExpression bind = [&](Expression& expression) {
    binder.bind(expression);
    note_steps(expression);
  };
  each_in(definition.reference, bind);
  each_in(definition.output, bind);
  for (Step& step : definition.steps) {
    each_in_step(step, bind);
    each_in_pipeline(step, [&](Expression& expression) {
      binder.bind_in_pipeline(expression, step.pipeline);
      note_steps(expression);
      collect_reads(expression, step.attempt_reads);
    });
  }
}

}  // namespace stepwell
