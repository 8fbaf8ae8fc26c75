#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "stepwell/compile/loader.h"
#include "stepwell/compile/scalars.h"
#include "stepwell/expr/parser.h"
#include "stepwell/model/tool_kinds.h"

namespace stepwell {

namespace {

constexpr auto kActions = std::to_array<std::string_view>({"continue", "retry", "jump", "break", "fail"});

// The fields that only one action takes.
constexpr std::pair<std::string_view, std::string_view> kActionFields[] = {
    {"attempts", "retry"},  {"backoff", "retry"}, {"delay", "retry"},
    {"max_delay", "retry"}, {"jitter", "retry"},  {"to", "jump"},
};

bool is_computed(const Yaml& node) { return node.is_text() && looks_like_template(node.text()); }

bool fits(const Yaml& node, FieldShape shape) {
  switch (shape) {
    case FieldShape::any: return true;
    case FieldShape::text:
    case FieldShape::word: return node.kind == Kind::text;
    case FieldShape::command: return node.kind == Kind::text || node.kind == Kind::list;
    case FieldShape::schema: return node.kind == Kind::map || node.kind == Kind::boolean;
    case FieldShape::map: return node.kind == Kind::map;
    case FieldShape::list: return node.kind == Kind::list;
    case FieldShape::boolean: return node.kind == Kind::boolean;
    case FieldShape::duration: return node.kind == Kind::text || node.kind == Kind::integer || node.kind == Kind::real;
  }
  CHECK(false);
}

std::string_view shape_words(FieldShape shape) {
  switch (shape) {
    case FieldShape::any: return "anything";
    case FieldShape::text:
    case FieldShape::word: return "text";
    case FieldShape::command: return "text or a list";
    case FieldShape::schema: return "a JSON Schema";
    case FieldShape::map: return "a map";
    case FieldShape::list: return "a list";
    case FieldShape::boolean: return "true or false";
    case FieldShape::duration: return "a duration";
  }
  CHECK(false);
}

// `- fetch: {kind: http, ...}`: a map of one member that is a map itself.
bool is_labelled(const Yaml& node) {
  return node.is_map() && node.members.size() == 1 && node.members[0].key != "kind" && node.members[0].value.is_map();
}

bool is_bare_noop(const Yaml& node) {
  if (node.is_list()) return node.items.size() == 1 && is_bare_noop(node.items[0]);
  const Yaml* kind = node.find("kind");
  return node.members.size() == 1 && kind != nullptr && kind->is_text() && kind->text() == "noop";
}

}  // namespace

void Loader::pipeline(Fields& fields, std::size_t index, Canon& out) {
  const Yaml* tool = fields.take("tool");
  names_.labels.clear();
  // A tool without any rule that does nothing is as good as none.
  const bool nothing = tool == nullptr || is_bare_noop(*tool);
  std::vector<std::pair<std::string, const Yaml*>> entries;
  if (!nothing && tool->is_map()) entries.emplace_back("task1", tool);
  if (!nothing && tool->is_list()) entries = labelled_tasks(*tool);
  if (!nothing && !tool->is_map() && !tool->is_list()) {
    wrong_kind(*tool, "tool", "a map with 'kind', or a list of them", diagnostics_);
  }
  for (const auto& [label, node] : entries) names_.labels.push_back(label);
  std::vector<Value> tasks;
  tasks.reserve(entries.size());
  for (const auto& [label, node] : entries) tasks.push_back(task(*node, label, index, false));
  names_.labels.clear();
  out.put("pipeline", Value::list(std::move(tasks)));
}

// The tasks of a pipeline with their labels; those that have none are counted.
std::vector<std::pair<std::string, const Yaml*>> Loader::labelled_tasks(const Yaml& list) {
  std::vector<std::pair<std::string, const Yaml*>> entries;
  for (const Yaml& entry : list.items) {
    const bool labelled = is_labelled(entry);
    std::string label = labelled ? entry.members[0].key : fmt::format("task{}", entries.size() + 1);
    const Mark mark = labelled ? entry.members[0].key_mark : entry.mark;
    if (labelled && (!is_plain_name(label) || is_reserved(label))) {
      diagnostics_.error(mark, "label-form", fmt::format("a task cannot be called '{}'", label));
    }
    if (std::ranges::count(entries, label, [](const auto& each) { return each.first; }) != 0) {
      diagnostics_.error(mark, "label-twice", fmt::format("there are two tasks '{}'", label));
    }
    entries.emplace_back(std::move(label), labelled ? &entry.members[0].value : &entry);
  }
  if (entries.empty()) diagnostics_.error(list.mark, "pipeline-empty", "a pipeline needs at least one task");
  return entries;
}

Value Loader::task(const Yaml& node, const std::string& label, std::size_t index, bool in_workbook) {
  Canon out;
  Fields fields(node, in_workbook ? fmt::format("entry '{}'", label) : "the tool", diagnostics_);
  out.put("label", label);
  const Yaml* kind_node = fields.need("kind");
  const auto kind = kind_node == nullptr ? std::nullopt : text_of(*kind_node, "kind", diagnostics_);
  if (kind == "workbook" && !in_workbook) {
    const Yaml* name_node = fields.need("name");
    const auto name = name_node == nullptr ? std::nullopt : text_of(*name_node, "name", diagnostics_);
    const auto entry = std::ranges::find(workbook_, name.value_or(""), [](const auto& each) { return each.first; });
    if (name && entry == workbook_.end()) {
      std::vector<std::string_view> known;
      known.reserve(workbook_.size());
      for (const auto& each : workbook_) known.push_back(each.first);
      diagnostics_.error(name_node->mark, "workbook-name", fmt::format("the workbook has no '{}'", *name),
                         did_you_mean(*name, known));
    }
    if (const Yaml* args = fields.take("args")) {
      out.put("args", expressions_.map_mapping(*args, "args", Where::record));
    }
    if (entry != workbook_.end()) {
      used_entries_.push_back(*name);
      out.put("tool", task(*entry->second, *name, index, true));
    }
  } else if (kind == "workbook") {
    diagnostics_.error(kind_node->mark, "workbook-nested", "an entry of the workbook cannot use the workbook");
    return out.finish();
  } else if (kind) {
    tool_fields(fields, *kind, out);
    if (find_tool_kind(*kind) == nullptr && std::ranges::count(kinds_, *kind) == 0) {
      std::vector<std::string_view> known(kinds_.begin(), kinds_.end());
      for (const ToolKind& each : all_tool_kinds()) known.push_back(each.name);
      const std::string near = did_you_mean(*kind, known);
      diagnostics_.error(kind_node->mark, "tool-kind", fmt::format("there is no tool kind '{}'", *kind),
                         near.empty() ? "list kinds of your own in executor.spec.kinds" : near);
    }
    used_kinds_.push_back(*kind);
  }
  if (kind) out.put("kind", *kind);
  if (const Yaml* rules = fields.take("eval")) {
    if (!rules->is_list()) wrong_kind(*rules, "eval", "a list of rules", diagnostics_);
    std::vector<Value> all;
    bool matched = false;  // by a rule without a condition
    for (const Yaml& each : rules->items) {
      if (matched) {
        diagnostics_.warning(each.mark, "rule-unreachable",
                             "this rule is never tried: the one before it always matches");
      }
      all.push_back(rule(each, "a rule", index));
      matched = matched || (each.is_map() && each.find("when") == nullptr && each.find("expr") == nullptr);
    }
    out.put("eval", Value::list(std::move(all)));
  }
  const bool closed = kind && find_tool_kind(*kind) != nullptr;
  closed ? fields.finish() : fields.finish_open();
  return out.finish();
}

void Loader::check_tool_field(const Yaml& node, const ToolField& field, std::string_view kind) {
  if (is_computed(node)) return;
  if (!fits(node, field.shape)) {
    diagnostics_.error(
        node.mark, "tool-field",
        fmt::format("'{}' of {} must be {}, not {}", field.name, kind, shape_words(field.shape), kind_name(node.kind)));
    return;
  }
  if (field.shape == FieldShape::duration) duration_of(node, field.name, diagnostics_);
  if (field.shape == FieldShape::schema) schema_of(node, field.name);
  if (field.shape == FieldShape::word) word_of(node, field.name, field.words, diagnostics_);
}

void Loader::tool_fields(Fields& fields, std::string_view kind, Canon& out) {
  Canon canon;
  const ToolKind* known = find_tool_kind(kind);
  auto take = [&](const ToolField& field) {
    const Yaml* given = field.required ? fields.need(field.name) : fields.take(field.name);
    if (given == nullptr) return;
    check_tool_field(*given, field, kind);
    const bool recorded = known != nullptr && known->recorded;
    canon.put(field.name, expressions_.mapping(*given, field.name, recorded ? Where::record : Where::tool));
  };
  if (known != nullptr) {
    for (const ToolField& field : known->fields) take(field);
    const int given = fields.has(known->either) + fields.has(known->other);
    if (!known->either.empty() && (given == 2 || (given == 0 && known->one_needed))) {
      diagnostics_.error(fields.mark(), "tool-field",
                         fmt::format("{} takes either '{}' or '{}'", kind, known->either, known->other));
    }
  } else {
    for (const YamlMember& member : fields.node().members) {
      if (member.key != "kind" && member.key != "eval") take({member.key, FieldShape::any});
    }
  }
  out.put("fields", canon.finish());
}

Value Loader::rule(const Yaml& node, const std::string& what, std::size_t index) {
  Canon out;
  Fields fields(node, what, diagnostics_);
  const Yaml* when = fields.take("when");
  const Yaml* expr = fields.take("expr");
  if (when != nullptr && expr != nullptr) {
    diagnostics_.error(expr->mark, "rule-twice", "'expr' and 'when' say the same; keep one of them");
  }
  const Yaml* condition = when != nullptr ? when : expr;
  if (condition != nullptr) {
    if (auto guard = expressions_.condition(*condition, "when", Where::rule)) out.put("when", std::move(guard->tree));
  }
  const Yaml* given_action = fields.take("do");
  const auto word = given_action == nullptr ? "continue" : word_of(*given_action, "do", kActions, diagnostics_);
  const std::string action = word.value_or("continue");
  out.put("do", action);
  for (const auto& [key, owner] : kActionFields) {
    if (action == owner || !fields.has(key)) continue;
    fields.take(key);
    if (word)
      diagnostics_.error(fields.key_mark(key), "rule-field",
                         fmt::format("only a rule with 'do: {}' takes '{}'", owner, key));
  }
  if (action == "retry") {
    const Yaml* attempts = fields.take("attempts");
    out.put("attempts", attempts == nullptr
                            ? std::int64_t{3}
                            : integer_of(*attempts, "attempts", 1, 1'000'000, diagnostics_).value_or(3));
    backoff(fields, out);
  }
  if (action == "jump") {
    const Yaml* to = fields.need("to");
    const auto label = to == nullptr ? std::nullopt : text_of(*to, "to", diagnostics_);
    if (label && std::ranges::count(names_.labels, *label) == 0) {
      const std::vector<std::string_view> known(names_.labels.begin(), names_.labels.end());
      diagnostics_.error(to->mark, "jump-target", fmt::format("there is no task '{}' to jump to", *label),
                         did_you_mean(*label, known));
    }
    out.put_if("to", label);
  }
  for (const std::string_view key : {"set_ctx", "set_vars", "set_iter"}) {
    const Yaml* given = fields.take(key);
    if (given == nullptr) continue;
    if (key == "set_ctx") {
      steps_[index].body_writes.push_back(given->mark);
      note_patch(*given, steps_[index]);
    }
    if (key == "set_iter") steps_[index].iter_patches.push_back(given->mark);
    out.put(key, expressions_.map_mapping(*given, key, Where::rule));
  }
  fields.finish();
  return out.finish();
}

// A patch writes a path of ctx for each of its members.
void Loader::note_patch(const Yaml& patch, ReadStep& read) {
  for (const YamlMember& member : patch.members) {
    const auto below = Path::parse(member.key);
    Path path = {"ctx"};
    if (below) {
      for (const Segment& segment : *below) path.push_back(segment);
    } else {
      path.push_back(member.key);
    }
    read.ctx_writes.push_back({patch.mark, std::move(path)});
  }
}

void Loader::workbook(Fields& root) {
  const Yaml* node = root.take("workbook");
  if (node == nullptr) return;
  if (!node->is_list()) return wrong_kind(*node, "workbook", "a list of {name, tool}", diagnostics_);
  for (const Yaml& entry : node->items) {
    Fields fields(entry, "an entry of the workbook", diagnostics_);
    const Yaml* name = fields.need("name");
    const Yaml* tool = fields.need("tool");
    fields.finish();
    const auto text = name == nullptr ? std::nullopt : name_of(*name, "the name of an entry", diagnostics_);
    if (!text || tool == nullptr) continue;
    const auto same = [&](const auto& each) { return each.first == *text; };
    if (std::ranges::any_of(workbook_, same)) {
      diagnostics_.error(name->mark, "name-twice", fmt::format("the workbook has two entries '{}'", *text));
      continue;
    }
    workbook_.emplace_back(*text, tool);
  }
}

// An entry that nobody uses is checked all the same; it has no part in the definition.
void Loader::check_unused_entries() {
  steps_.emplace_back();
  names_.own_iterator.reset();
  names_.iterators.clear();
  names_.in_loop = true;  // whoever uses it may loop
  for (const auto& [name, tool] : workbook_) {
    if (std::ranges::count(used_entries_, name) == 0) task(*tool, name, steps_.size() - 1, true);
  }
  steps_.pop_back();
}

}  // namespace stepwell
