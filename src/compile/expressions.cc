#include "stepwell/compile/expressions.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "stepwell/compile/scalars.h"
#include "stepwell/compile/state_alias.h"
#include "stepwell/expr/compiler.h"
#include "stepwell/expr/parser.h"
#include "stepwell/expr/secrets.h"
#include "stepwell/expr/tree_value.h"
#include "stepwell/value/json_write.h"

namespace stepwell {

std::optional<ReadExpression> ExpressionReader::checked(std::expected<Tree, ExprError> tree, const Yaml& node,
                                                        std::string_view what, Where where) {
  auto refuse = [&](const ExprError& error) {
    diagnostics_.error(node.is_text() ? node.mark_at(error.at) : node.mark, "expression",
                       fmt::format("{}: {}", what, error.summary()));
    return std::nullopt;
  };
  if (!tree) return refuse(tree.error());
  // Where neither of the two names can be read, the author's own is complained about.
  const Node* rebound = where == Where::start ? nullptr : lower_state_alias(tree->root);
  if (rebound != nullptr) {
    diagnostics_.error(node.mark_at(rebound->at), "name-reserved",
                       fmt::format("{}: a template cannot set '{}': expressions read the state by that name", what,
                                   rebound->value.as_text()),
                       "take another name");
    return std::nullopt;
  }
  auto program = compile(*tree);
  if (!program) return refuse(program.error());
  check_names(*program, node, what, where);
  check_secrets(*program, *tree, node, what, where);
  for (const PathPlan& path : program->paths) reads_.push_back(program->roots[path.root]);
  uses_.insert(uses_.end(), program->uses.begin(), program->uses.end());
  return ReadExpression{tree_to_value(*tree), std::move(*program)};
}

void ExpressionReader::check_secrets(const Program& program, const Tree& tree, const Yaml& node, std::string_view what,
                                     Where where) {
  if (where == Where::tool || !names_secrets(program)) return;
  diagnostics_.error(node.mark_at(first_secret(tree.root)->at), "expression-secret",
                     fmt::format("{} cannot name a secret: what it makes is kept and can be read", what),
                     "name it in a field of the tool that needs it");
}

void ExpressionReader::check_names(const Program& program, const Yaml& node, std::string_view what, Where where) {
  std::vector<std::string_view> complained;
  for (const PathPlan& path : program.paths) {
    const std::string& root = program.roots[path.root];
    auto refuse = [&](std::size_t part, std::string_view read, std::span<const std::string_view> known) {
      diagnostics_.error(node.is_text() ? node.mark_at(path.places[part]) : node.mark, "expression-name",
                         fmt::format("{} reads '{}', which does not exist there", what, read),
                         did_you_mean(part == 0 ? read : read.substr(root.size() + 1), known));
    };
    if (!is_readable(root, names_, where)) {
      const bool is_new = std::ranges::count(complained, root) == 0 && names_.all_named;
      if (is_new) refuse(0, root, readable_names(names_, where));
      complained.push_back(root);
    } else if (const std::span<const std::string_view> parts = parts_of(root);
               !parts.empty() && !path.keys.empty() && path.keys[0].is_text() &&
               std::ranges::count(parts, path.keys[0].as_text()) == 0) {
      refuse(1, fmt::format("{}.{}", root, path.keys[0].as_text()), parts);
    }
  }
}

// What a step's name has, or nothing if it is not one.
std::span<const std::string_view> ExpressionReader::parts_of(const std::string& name) const {
  static constexpr auto kParts = std::to_array<std::string_view>({"output", "status", "error", "attempts", "child"});
  const StepEntry* step = names_.find_step(name);
  if (step == nullptr || std::ranges::count(names_.labels, name) != 0) return {};
  const Yaml* type = step->node->find("type");
  const bool calls = type != nullptr && type->is_text() && type->text() == "call";
  return std::span(kParts).first(calls ? 5 : 4);
}

std::optional<ReadExpression> ExpressionReader::expression(const Yaml& node, std::string_view what, Where where) {
  switch (node.kind) {
    case Kind::text: return checked(parse_expression(node.scalar.as_text()), node, what, where);
    case Kind::boolean:
    case Kind::integer:
    case Kind::real: return checked(parse_expression(to_json(node.scalar)), node, what, where);
    case Kind::null:
    case Kind::list:
    case Kind::map: break;
  }
  wrong_kind(node, what, "an expression", diagnostics_);
  return std::nullopt;
}

std::optional<ReadExpression> ExpressionReader::condition(const Yaml& node, std::string_view what, Where where) {
  auto read = expression(node, what, where);
  if (read && read->program.constant() != nullptr) {
    diagnostics_.warning(node.mark, "guard-constant",
                         fmt::format("{} is always {}", what, to_json(*read->program.constant())));
  }
  return read;
}

namespace {

Value constant_mapping(Value value) { return Value::list({"value", std::move(value)}); }

// The value of a mapping without expressions, or nullptr.
const Value* constant_of(const Value& mapping) {
  return mapping.as_list()[0].as_text() == "value" ? &mapping.as_list()[1] : nullptr;
}

}  // namespace

Value ExpressionReader::mapping(const Yaml& node, std::string_view what, Where where) {
  if (node.kind == Kind::text && looks_like_template(node.scalar.as_text())) {
    auto read = checked(parse_template(node.scalar.as_text()), node, what, where);
    return read ? Value::list({"expr", std::move(read->tree)}) : constant_mapping({});
  }
  if (node.kind == Kind::list) {
    std::vector<Value> items;
    items.reserve(node.items.size());
    for (const Yaml& item : node.items) items.push_back(mapping(item, what, where));
    if (std::ranges::all_of(items, constant_of)) return constant_mapping(node.to_value());
    return Value::list({"list", Value::list(std::move(items))});
  }
  if (node.kind == Kind::map) {
    std::vector<Member> members;
    bool constant = true;
    for (const YamlMember& member : node.members) {
      members.push_back({Value(member.key), mapping(member.value, fmt::format("{}.{}", what, member.key), where)});
      constant = constant && constant_of(members.back().value) != nullptr;
    }
    if (constant) return constant_mapping(node.to_value());
    return Value::list({"map", Value::map(std::move(members))});
  }
  return constant_mapping(node.scalar);
}

Value ExpressionReader::map_mapping(const Yaml& node, std::string_view what, Where where) {
  if (node.kind != Kind::map) {
    wrong_kind(node, what, "a map", diagnostics_);
    return constant_mapping(Value::map({}));
  }
  return mapping(node, what, where);
}

std::vector<std::string> ExpressionReader::uses() const {
  std::vector<std::string> sorted = uses_;
  std::ranges::sort(sorted);
  const auto [first, last] = std::ranges::unique(sorted);
  sorted.erase(first, last);
  return sorted;
}

}  // namespace stepwell
