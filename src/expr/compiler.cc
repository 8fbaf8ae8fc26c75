#include "stepwell/expr/compiler.h"

#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/expr/compiler_impl.h"
#include "stepwell/expr/fold.h"
#include "stepwell/expr/parser.h"
#include "stepwell/expr/secrets.h"
#include "stepwell/expr/uses.h"

namespace stepwell {

std::expected<Program, ExprError> Compiler::run() {
  if (tree_.is_template) {
    part(tree_.root);
  } else {
    emit_.enter(tree_.root.span);
    expression_ = tree_.root.span;
    expression(tree_.root);
  }
  if (error_) return std::unexpected(std::move(*error_));
  return emit_.finish(tree_.is_template, tree_.root);
}

void Compiler::fail(const Node& node, FaultCode code, std::string message) {
  if (error_) return;
  emit_.give_up();
  error_ = ExprError{.code = code,
                     .message = std::move(message),
                     .detail = {},
                     .source = tree_.source,
                     .expression = expression_,
                     .at = node.at,
                     .path = std::nullopt};
}

void Compiler::expression(const Node& node) {
  const auto count = static_cast<std::uint32_t>(node.children.size());
  switch (node.kind) {
    case NodeKind::constant: return emit_.constant(node.value, node);
    case NodeKind::name: return name(node);
    case NodeKind::member: return member(node);
    case NodeKind::subscript: return subscript(node);
    case NodeKind::slice:
      all_children(node);
      emit_.emit(Op::slice, node, -3);
      return;
    case NodeKind::list:
      all_children(node);
      emit_.emit(Op::list, node, 1 - static_cast<int>(count), count);
      return;
    case NodeKind::map:
      all_children(node);
      emit_.emit(Op::map, node, 1 - static_cast<int>(count), count / 2);
      return;
    case NodeKind::negate:
      all_children(node);
      emit_.emit(Op::negate, node, 0);
      return;
    case NodeKind::plus:
      all_children(node);
      emit_.emit(Op::plus, node, 0);
      return;
    case NodeKind::invert:
      all_children(node);
      emit_.emit(Op::invert, node, 0);
      return;
    case NodeKind::arithmetic:
      all_children(node);
      emit_.emit(Op::arithmetic, node, -1, node.op);
      return;
    case NodeKind::concat:
      all_children(node);
      emit_.emit(Op::concat, node, 1 - static_cast<int>(count), count);
      return;
    case NodeKind::compare: return compare(node);
    case NodeKind::all: return chained(node, Op::and_jump);
    case NodeKind::any: return chained(node, Op::or_jump);
    case NodeKind::conditional: return conditional(node);
    case NodeKind::filter: return call(node, CallKind::filter);
    case NodeKind::test: return call(node, CallKind::test);
    case NodeKind::call: return call(node, CallKind::function);
    case NodeKind::method: return call(node, CallKind::method);
    case NodeKind::sequence:
    case NodeKind::text:
    case NodeKind::print:
    case NodeKind::branch:
    case NodeKind::loop:
    case NodeKind::set:
    case NodeKind::set_block:
    case NodeKind::attribute: break;
  }
  CHECK(false);
}

void Compiler::all_children(const Node& node) {
  for (const Node& child : node.children) expression(child);
}

// A variable of the template if there is one, else an input. Where an assignment may not have happened, what the name
// meant outside of it still counts.
void Compiler::name(const Node& node) {
  if (is_loop(node)) {
    return fail(node, FaultCode::unsupported, "'loop' has no value of its own; use a member, as in loop.index");
  }
  const std::string_view word = node.value.as_text();
  const std::vector<Local*> locals = scopes_.visible(word);
  std::vector<std::size_t> jumps;
  const int height = emit_.height();
  for (const Local* local : locals) {
    if (local->always_set) {
      emit_.emit(Op::local, node, 1, local->slot);
      for (const std::size_t jump : jumps) emit_.land(jump);
      return;
    }
    jumps.push_back(emit_.emit(Op::local_or, node, 0, local->slot));
  }
  emit_.set_height(height);
  path(node);
  for (const std::size_t jump : jumps) emit_.land(jump);
}

// A chain of members and subscripts that starts at an input becomes one instruction, which can say the whole path when
// something on it is not there.
bool Compiler::path(const Node& node) {
  std::vector<const Node*> chain;
  const Node* at = &node;
  while (at->kind == NodeKind::member || at->kind == NodeKind::subscript) {
    chain.push_back(at);
    at = &at->children[0];
  }
  if (at->kind != NodeKind::name || is_loop(*at)) return false;
  const std::string_view word = at->value.as_text();
  // `name` asks for the input itself when no variable of that name is surely set; a longer chain wants none at all.
  if (!chain.empty() && !scopes_.visible(word).empty()) return false;

  PathPlan plan{.root = emit_.add_root(word), .places = {at->at}};
  Path constant_part{Segment(word)};
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    const Node& step = **link;
    plan.places.push_back(step.at);
    const Node* key = step.kind == NodeKind::subscript ? &step.children[1] : nullptr;
    const Value constant = key == nullptr ? step.value : key->kind == NodeKind::constant ? key->value : Value();
    if (constant.is_text() || constant.is_int()) {
      plan.keys.push_back(constant);
      if (plan.from_stack == 0) {
        constant_part.push_back(constant.is_text() ? Segment(constant.as_text()) : Segment(constant.as_int()));
      }
      continue;
    }
    expression(*key);
    plan.keys.emplace_back();
    ++plan.from_stack;
  }
  emit_.read(std::move(constant_part));
  const int effect = 1 - static_cast<int>(plan.from_stack);
  emit_.emit(Op::path, node, effect, emit_.add_path(std::move(plan)));
  return true;
}

void Compiler::member(const Node& node) {
  if (loop_field(node.children[0], node.value.as_text(), node) || path(node)) return;
  expression(node.children[0]);
  emit_.emit(Op::member, node, 0, emit_.add_constant(node.value));
}

void Compiler::subscript(const Node& node) {
  const Node& key = node.children[1];
  if (key.kind == NodeKind::constant && key.value.is_text() &&
      loop_field(node.children[0], key.value.as_text(), node)) {
    return;
  }
  if (path(node)) return;
  expression(node.children[0]);
  expression(key);
  emit_.emit(Op::item, node, -1);
}

void Compiler::compare(const Node& node) {
  std::vector<std::size_t> jumps;
  expression(node.children[0]);
  for (std::size_t i = 0; i < node.comparisons.size(); ++i) {
    expression(node.children[i + 1]);
    const auto op = static_cast<std::uint32_t>(node.comparisons[i]);
    const bool last = i + 1 == node.comparisons.size();
    const std::size_t at = emit_.emit(last ? Op::compare : Op::compare_chain, node, -1, op);
    if (!last) jumps.push_back(at);
  }
  for (const std::size_t jump : jumps) emit_.land(jump);
}

void Compiler::chained(const Node& node, Op op) {
  std::vector<std::size_t> jumps;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    expression(node.children[i]);
    if (i + 1 < node.children.size()) jumps.push_back(emit_.emit(op, node.children[i], -1));
  }
  for (const std::size_t jump : jumps) emit_.land(jump);
}

void Compiler::conditional(const Node& node) {
  expression(node.children[0]);
  const std::size_t to_else = emit_.emit(Op::jump_if_not, node.children[0], -1);
  const int height = emit_.height();
  expression(node.children[1]);
  const std::size_t to_end = emit_.emit(Op::jump, node, 0);
  emit_.land(to_else);
  emit_.set_height(height);
  if (node.children.size() == 3) {
    expression(node.children[2]);
  } else {
    emit_.emit(Op::nothing, node, 1);
  }
  emit_.land(to_end);
}

std::expected<Program, ExprError> compile(const Tree& tree) {
  const Tree folded = fold_constants(tree);
  auto program = Compiler(folded).run();
  if (!program) return program;
  program->uses = uses_of(tree.root);
  if (!names_secrets(*program)) return program;
  if (auto problem = check_secrets(tree)) return std::unexpected(*std::move(problem));
  return program;
}

namespace {

std::expected<Program, ExprError> compiled(std::expected<Tree, ExprError> tree) {
  if (!tree) return std::unexpected(std::move(tree.error()));
  return compile(*tree);
}

}  // namespace

std::expected<Program, ExprError> compile_expression(std::string_view source) {
  return compiled(parse_expression(source));
}

std::expected<Program, ExprError> compile_template(std::string_view source) { return compiled(parse_template(source)); }

}  // namespace stepwell
