#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "stepwell/compile/loader.h"
#include "stepwell/compile/scalars.h"
#include "stepwell/compile/state_alias.h"
#include "stepwell/expr/parser.h"
#include "stepwell/value/path.h"

namespace stepwell {

namespace {

constexpr auto kTypes =
    std::to_array<std::string_view>({"task", "human", "wait", "call", "continue_with", "block", "terminate"});

// Which of the shared fields a type does not take; what is not listed it takes.
struct Refused {
  std::string_view field;
  std::string_view types;  // those that refuse it, each with spaces around
};

constexpr Refused kRefused[] = {
    {"loop", " terminate "},
    {"join", " terminate "},
    {"retry", " human wait continue_with block terminate "},
    {"timeout", " continue_with terminate "},
    {"output", " human wait continue_with terminate "},
    {"set", " terminate "},
    {"next", " terminate "},
    {"spec", " terminate "},
};

// The fields that only one type has.
struct Own {
  std::string_view type;
  std::string_view fields;
};

constexpr Own kOwn[] = {
    {"task", " tool "},
    {"human", " title roles assignee payload form options on_timeout "},
    {"wait", " for until signal match schema on_timeout "},
    {"call", " playbook version input on_failure on_terminate inherit_artifacts "},
    {"continue_with", " playbook version input "},
    {"block", " workflow "},
    {"terminate", " status reason output_template "},
};

bool lists(std::string_view words, std::string_view word) {
  return words.find(fmt::format(" {} ", word)) != std::string_view::npos;
}

std::string_view instead_of_output(std::string_view type) {
  return type == "human"  ? "describe the answer with 'form'"
         : type == "wait" ? "describe the signal with 'schema'"
                          : "";
}

}  // namespace

Value Loader::step(std::size_t index) {
  const Yaml& node = *names_.steps[index].node;
  const std::string& name = names_.steps[index].name;
  names_.enter(index);
  ReadStep& read = steps_[index];
  read.mark = node.mark;
  Canon out;
  Fields fields(node, name.empty() ? "a step" : fmt::format("step '{}'", name), diagnostics_);
  if (const Yaml* given = fields.need("step")) check_step_name(*given, index);
  out.put("name", name);
  out.put("list", static_cast<std::int64_t>(names_.steps[index].list));
  bool type_known = true;
  if (const Yaml* type = fields.take("type")) {
    const auto word = word_of(*type, "type", kTypes, diagnostics_);
    type_known = word.has_value();
    read.type = word.value_or("task");
  }
  out.put("type", read.type);
  if (type_known) refuse_shared_fields(fields, read.type);
  if (const Yaml* desc = fields.take("desc")) out.put_if("description", text_of(*desc, "desc", diagnostics_));
  if (const Yaml* when = fields.take("when")) guard(*when, index, out);
  if (const Yaml* args = fields.take("args")) out.put("args", expressions_.map_mapping(*args, "args", Where::guard));

  loop(fields, index, out);
  join(fields, index, out);
  if (const Yaml* given = fields.take("retry")) retry(*given, "retry", out);
  if (const Yaml* timeout = fields.take("timeout")) {
    if (const auto duration = duration_of(*timeout, "timeout", diagnostics_)) out.put("timeout", duration->micros());
  }
  if (const Yaml* output = fields.take("output")) out.put_if("output", schema_of(*output, "output"));
  set(fields, index, out);
  spec(fields, index, out);
  arcs(fields, index, out);
  // Of which type the other fields were meant to be, nobody can say.
  if (!type_known) {
    fields.finish_open();
    return out.finish();
  }
  own_fields(fields, read.type, index, out);
  refuse_foreign_fields(fields, read.type);
  fields.finish();
  return out.finish();
}

void Loader::check_step_name(const Yaml& node, std::size_t index) {
  const auto name = name_of(node, "the name of a step", diagnostics_);
  if (name && is_reserved(*name)) {
    diagnostics_.error(
        node.mark, "name-reserved",
        fmt::format("a step cannot be called '{}': expressions read something else by that name", *name));
  }
  if (name && names_.index_of(*name) != static_cast<std::int64_t>(index)) {
    diagnostics_.error(node.mark, "name-twice", fmt::format("there are two steps '{}'", *name),
                       fmt::format("the other is at line {}", names_.find_step(*name)->node->mark.line));
  }
}

void Loader::guard(const Yaml& node, std::size_t index, Canon& out) {
  ReadStep& read = steps_[index];
  read.has_guard = true;
  read.gated = true;
  if (node.is_map()) {
    Fields fields(node, "when", diagnostics_);
    if (const Yaml* sql = fields.need("sql")) out.put_if("when_sql", text_of(*sql, "when.sql", diagnostics_));
    fields.finish();
  } else if (auto guard = expressions_.condition(node, "when", Where::guard)) {
    note_guard(node, guard->program, index);
    read.gated = !guard->always();
    if (read.gated) out.put("when", std::move(guard->tree));
  }
}

void Loader::spec(Fields& fields, std::size_t index, Canon& out) {
  static constexpr auto kModes = std::to_array<std::string_view>({"exclusive", "inclusive"});
  static constexpr auto kFanOut = std::to_array<std::string_view>({"first_match", "all"});
  std::string mode = "exclusive";
  if (const Yaml* node = fields.take("spec")) {
    Fields inner(*node, "spec", diagnostics_);
    const Yaml* next_mode = inner.take("next_mode");
    const Yaml* fan_out = inner.take("fan_out");
    if (next_mode != nullptr) mode = word_of(*next_mode, "next_mode", kModes, diagnostics_).value_or(mode);
    if (fan_out != nullptr) {
      const bool all = word_of(*fan_out, "fan_out", kFanOut, diagnostics_).value_or("first_match") == "all";
      if (next_mode != nullptr) {
        diagnostics_.error(fan_out->mark, "spec-twice", "'fan_out' and 'next_mode' say the same; keep one of them");
      }
      mode = all ? "inclusive" : "exclusive";
    }
    if (const Yaml* pool = inner.take("pool")) out.put_if("pool", text_of(*pool, "pool", diagnostics_));
    inner.finish();
  }
  steps_[index].inclusive = mode == "inclusive";
  out.put("next_mode", mode);
}

void Loader::own_fields(Fields& fields, const std::string& type, std::size_t index, Canon& out) {
  ReadStep& read = steps_[index];
  read.waits = type == "human" || type == "wait" || type == "call";
  if (type == "task") return pipeline(fields, index, out);
  if (type == "human") return human(fields, out);
  if (type == "wait") return wait(fields, index, out);
  if (type == "call") return call(fields, out);
  if (type == "continue_with") return continue_with(fields, out);
  if (type == "terminate") return terminate(fields, out);
  const Yaml* inner = fields.need("workflow");
  if (inner == nullptr) return;
  if (inner->kind != Kind::list || inner->items.empty()) {
    diagnostics_.error(inner->mark, "workflow-empty", "the workflow of a block must be a list with at least one step");
    return;
  }
  const auto list = std::ranges::find(names_.owners, static_cast<std::int64_t>(index));
  out.put("block", list - names_.owners.begin());
}

// Shared fields that this type has no use for are refused by name. What they hold does not matter then; only where
// arcs were meant to lead does, or others would seem out of reach.
void Loader::refuse_shared_fields(Fields& fields, const std::string& type) {
  for (const Refused& refused : kRefused) {
    if (!lists(refused.types, type) || !fields.has(refused.field)) continue;
    diagnostics_.error(fields.key_mark(refused.field), "field-type",
                       fmt::format("a step of type {} takes no '{}'", type, refused.field),
                       refused.field == "output" ? std::string(instead_of_output(type)) : "");
    if (refused.field != "next") fields.drop(refused.field);
  }
}

// So are fields of other types.
void Loader::refuse_foreign_fields(Fields& fields, const std::string& type) {
  const std::string_view mine = std::ranges::find(kOwn, std::string_view(type), &Own::type)->fields;
  for (const YamlMember& member : fields.node().members) {
    std::vector<std::string_view> owners;
    for (const Own& own : kOwn) {
      if (lists(own.fields, member.key)) owners.push_back(own.type);
    }
    if (owners.empty() || lists(mine, member.key)) continue;
    fields.drop(member.key);
    diagnostics_.error(member.key_mark, "field-type", fmt::format("a step of type {} takes no '{}'", type, member.key),
                       fmt::format("steps of type {} do", fmt::join(owners, " and ")));
  }
}

void Loader::note_guard(const Yaml& node, const Program& program, std::size_t index) {
  for (const Path& path : program.reads) {
    const bool in_ctx = path.size() >= 2 && path[0] == Segment("ctx") && path[1] != Segment("_last_error");
    if (in_ctx) steps_[index].guard_reads.push_back({node.mark, path});
  }
}

void Loader::set(Fields& fields, std::size_t index, Canon& out) {
  const Yaml* node = fields.take("set");
  if (node == nullptr) return;
  if (node->kind != Kind::map) return wrong_kind(*node, "set", "a map", diagnostics_);
  std::vector<Value> assignments;
  std::vector<std::string> targets;
  for (const YamlMember& member : node->members) {
    auto path = Path::parse(member.key);
    if (path) path = lower_state_alias(*path);
    const bool is_ctx = path && is_ctx_target(*path);
    const bool is_iter = path && path->size() == 2 && (*path)[0] == Segment("iter") && (*path)[1].is_key();
    const bool is_view = path && path->lies_under({"ctx", "_last_error"});
    if (!is_ctx && !is_iter && member.key != "reference") {
      diagnostics_.error(
          member.key_mark, "set-target", fmt::format("set cannot write to '{}'", member.key),
          is_view ? "it is a view of the last failure" : "it writes ctx.<path>, iter.<name> or reference");
    }
    if (is_ctx) steps_[index].ctx_writes.push_back({member.key_mark, *path});
    if (is_iter) steps_[index].iter_sets.push_back(member.key_mark);
    const std::string target = path ? path->str() : member.key;
    if (std::ranges::count(targets, target) != 0) {
      diagnostics_.error(member.key_mark, "set-twice", fmt::format("set writes to '{}' twice", target));
    }
    targets.push_back(target);
    Canon assignment;
    assignment.put("target", target);
    assignment.put("value", expressions_.mapping(member.value, fmt::format("set {}", member.key), Where::end));
    assignments.push_back(assignment.finish());
  }
  // Applied together, so the order of the source means nothing.
  std::ranges::sort(assignments, [](const Value& a, const Value& b) {
    return canonical_key_less(a.find("target")->as_text(), b.find("target")->as_text());
  });
  out.put("set", Value::list(std::move(assignments)));
}

void Loader::loop(Fields& fields, std::size_t index, Canon& out) {
  const Yaml* node = fields.take("loop");
  if (node == nullptr) return;
  Fields loop(*node, "loop", diagnostics_);
  Canon canon;
  steps_[index].looped = true;
  if (const Yaml* in = loop.need("in")) canon.put("in", collection(*in, "loop.in", Where::guard));
  if (const Yaml* iterator = loop.need("iterator")) {
    const auto name = bound_name(*iterator, "the iterator");
    if (name == "index" || name == "total" || name == "parent") {
      diagnostics_.error(iterator->mark, "name-reserved",
                         fmt::format("the iterator cannot be called '{0}': iter.{0} is something else", *name));
    }
    canon.put_if("iterator", name);
  }
  static constexpr auto kModes = std::to_array<std::string_view>({"sequential", "parallel"});
  static constexpr auto kPolicies = std::to_array<std::string_view>({"fail_fast", "continue"});
  std::string mode = "sequential";
  if (const Yaml* given = loop.take("mode")) mode = word_of(*given, "loop.mode", kModes, diagnostics_).value_or(mode);
  std::int64_t in_flight = mode == "parallel" ? 16 : 1;
  if (const Yaml* given = loop.take("max_in_flight")) {
    in_flight = integer_of(*given, "loop.max_in_flight", 1, 1'000'000, diagnostics_).value_or(in_flight);
    if (mode == "sequential" && in_flight > 1 && loop.has("mode")) {
      diagnostics_.error(given->mark, "loop-mode",
                         "a sequential loop has one iteration in flight; write mode: parallel");
    }
  }
  canon.put("max_in_flight", in_flight);
  steps_[index].parallel_loop = in_flight > 1;
  std::string policy = "fail_fast";
  if (const Yaml* given = loop.take("on_failure")) {
    policy = word_of(*given, "loop.on_failure", kPolicies, diagnostics_).value_or(policy);
  }
  canon.put("on_failure", policy);
  loop.finish();
  out.put("loop", canon.finish());
}

// What to go through: written out, or computed.
Value Loader::collection(const Yaml& node, std::string_view what, Where where) {
  const bool computed = node.is_text() && looks_like_template(node.text());
  if (!node.is_list() && !node.is_map() && !computed) {
    diagnostics_.error(
        node.mark, "value-kind", fmt::format("{} must be a list or a map, not {}", what, kind_name(node.kind)),
        node.is_text() ? fmt::format("if it is an expression, write \"{{{{ {} }}}}\"", node.text()) : "");
  }
  return expressions_.mapping(node, what, where);
}

// A name that is bound bare, so it must not hide anything.
std::optional<std::string> Loader::bound_name(const Yaml& node, std::string_view what) {
  const auto name = name_of(node, what, diagnostics_);
  if (name && is_reserved(*name)) {
    diagnostics_.error(
        node.mark, "name-reserved",
        fmt::format("{} cannot be called '{}': expressions read something else by that name", what, *name));
  }
  if (name && names_.find_step(*name) != nullptr) {
    diagnostics_.error(node.mark, "name-twice", fmt::format("{} cannot be called '{}': a step is", what, *name));
  }
  return name;
}

void Loader::retry(const Yaml& node, const std::string& what, Canon& out) {
  Fields fields(node, what, diagnostics_);
  Canon canon;
  const Yaml* attempts = fields.take("max_attempts");
  canon.put("max_attempts", attempts == nullptr
                                ? std::int64_t{3}
                                : integer_of(*attempts, "max_attempts", 1, 1'000'000, diagnostics_).value_or(3));
  backoff(fields, canon);
  if (const Yaml* on = fields.take("on")) {
    if (on->kind != Kind::list) wrong_kind(*on, "retry.on", "a list of error classes and kinds", diagnostics_);
    std::vector<std::string> words;
    for (const Yaml& word : on->items) {
      if (const auto text = name_of(word, "an error class or kind", diagnostics_)) words.push_back(*text);
    }
    canon.put("on", set_of(std::move(words)));
  }
  fields.finish();
  out.put("retry", canon.finish());
}

// How long to wait before the next try: shared by a step's retry and a rule's.
void Loader::backoff(Fields& fields, Canon& out) {
  static constexpr auto kShapes = std::to_array<std::string_view>({"fixed", "none", "linear", "exponential"});
  std::string shape = "fixed";
  if (const Yaml* given = fields.take("backoff"))
    shape = word_of(*given, "backoff", kShapes, diagnostics_).value_or(shape);
  out.put("backoff", shape);
  Duration delay = *Duration::seconds(std::int64_t{1});
  if (const Yaml* given = fields.take("delay")) delay = duration_of(*given, "delay", diagnostics_).value_or(delay);
  out.put("delay", delay.micros());
  if (const Yaml* given = fields.take("max_delay")) {
    if (const auto longest = duration_of(*given, "max_delay", diagnostics_)) out.put("max_delay", longest->micros());
  }
  double jitter = 0;
  if (const Yaml* given = fields.take("jitter")) jitter = real_of(*given, "jitter", 0, 1, diagnostics_).value_or(0);
  out.put("jitter", jitter);
}

}  // namespace stepwell
