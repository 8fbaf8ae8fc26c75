#include <array>

#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/expr/compiler_impl.h"

namespace stepwell {

namespace {

struct FieldName {
  std::string_view name;
  LoopField field;
};

constexpr std::array kLoopFields = {
    FieldName{"index", LoopField::index},       FieldName{"index0", LoopField::index0},
    FieldName{"revindex", LoopField::revindex}, FieldName{"revindex0", LoopField::revindex0},
    FieldName{"first", LoopField::first},       FieldName{"last", LoopField::last},
    FieldName{"length", LoopField::length},     FieldName{"previtem", LoopField::previtem},
    FieldName{"nextitem", LoopField::nextitem}, FieldName{"depth", LoopField::depth},
    FieldName{"depth0", LoopField::depth0},
};

bool is_namespace_call(const Node& node) { return node.kind == NodeKind::call && node.value.as_text() == "namespace"; }

bool is_constant_true(const Node& node) {
  return node.kind == NodeKind::constant && node.value.is_bool() && node.value.as_bool();
}

}  // namespace

void Compiler::part(const Node& node) {
  switch (node.kind) {
    case NodeKind::sequence:
      for (const Node& child : node.children) part(child);
      return;
    case NodeKind::text: emit_.emit(Op::text, node, 0, emit_.add_constant(node.value)); return;
    case NodeKind::print:
      expression_ = node.children[0].span;
      emit_.enter(expression_);
      expression(node.children[0]);
      emit_.emit(Op::print, node.children[0], -1);
      return;
    case NodeKind::branch: return branch(node);
    case NodeKind::loop: return loop(node);
    case NodeKind::set:
      expression_ = node.children[1].span;
      emit_.enter(expression_);
      expression(node.children[1]);
      return assign(node.children[0], is_namespace_call(node.children[1]));
    case NodeKind::set_block:
      emit_.emit(Op::capture, node, 0);
      scopes_.open();
      part(node.children[1]);
      scopes_.close();
      emit_.emit(Op::captured, node, 1);
      if (node.children.size() == 3) filtered(node);
      return assign(node.children[0], false);
    default: break;
  }
  CHECK(false);
}

// The text that a set block captured is on the stack: hands it to the block's filters by a name nobody can write.
void Compiler::filtered(const Node& node) {
  Local* local = scopes_.own(kCaptured);
  if (local == nullptr) local = &scopes_.add(kCaptured, emit_.add_local());
  local->always_set = true;
  emit_.emit(Op::store, node, -1, local->slot);
  expression(node.children[2]);
}

void Compiler::branch(const Node& node) {
  std::vector<std::size_t> to_end;
  std::size_t i = 0;
  scopes_.open_branch();
  for (; i + 1 < node.children.size(); i += 2) {
    expression_ = node.children[i].span;
    emit_.enter(expression_);
    expression(node.children[i]);
    const std::size_t to_next = emit_.emit(Op::jump_if_not, node.children[i], -1);
    part(node.children[i + 1]);
    to_end.push_back(emit_.emit(Op::jump, node, 0));
    emit_.land(to_next);
  }
  if (i < node.children.size()) part(node.children[i]);
  scopes_.close_branch();
  for (const std::size_t jump : to_end) emit_.land(jump);
}

// for target in iterable if condition: the items that pass are collected first, because loop.length and loop.last are
// about those.
void Compiler::loop(const Node& node) {
  expression_ = node.children[1].span;
  emit_.enter(expression_);
  expression(node.children[1]);
  if (!is_constant_true(node.children[2])) keep_items(node);

  emit_.emit(Op::loop_begin, node.children[1], -1);
  const std::uint32_t next = emit_.here();
  const std::size_t exit = emit_.emit(Op::loop_next, node, 1);
  scopes_.open();
  ++loops_;
  // What the body of the last iteration set is gone. How many variables there are is known behind the body.
  const std::uint32_t first_local = emit_.local_count();
  const std::size_t clear = emit_.emit(Op::clear, node, 0, first_local);
  assign(node.children[0], false);
  part(node.children[3]);
  emit_.patch_b(clear, emit_.local_count() - first_local);
  --loops_;
  scopes_.close();
  emit_.emit(Op::jump, node, 0, 0, next);
  emit_.land(exit);
  const std::size_t over_else = emit_.emit(Op::loop_end, node, 0);
  if (node.children.size() == 5) {
    scopes_.open_branch();
    part(node.children[4]);
    scopes_.close_branch();
  }
  emit_.land(over_else);
}

// Replaces the collection on the stack by the list of those items for which the loop's condition holds. `loop` means
// the loop around, as this one has not begun.
void Compiler::keep_items(const Node& node) {
  expression_ = node.children[2].span;
  emit_.emit(Op::loop_begin, node.children[1], -1);
  emit_.enter(expression_);
  const std::uint32_t next = emit_.here();
  const std::size_t exit = emit_.emit(Op::loop_next, node, 1);
  scopes_.open();
  keeping_ = true;
  assign(node.children[0], false);
  expression(node.children[2]);
  keeping_ = false;
  scopes_.close();
  emit_.emit(Op::jump_if_not, node.children[2], -1, 0, next);
  emit_.emit(Op::loop_keep, node, 0);
  emit_.emit(Op::jump, node, 0, 0, next);
  emit_.land(exit);
  emit_.emit(Op::loop_kept, node, 1);
}

// Pops the value into a name, into several, or into a member of a namespace.
void Compiler::assign(const Node& target, bool is_namespace) {
  if (target.kind == NodeKind::attribute) {
    const std::vector<Local*> locals = scopes_.visible(target.value.as_text());
    if (locals.empty() || !locals[0]->is_namespace) {
      return fail(
          target, FaultCode::type,
          fmt::format("'{0}' is not a namespace; write {{% set {0} = namespace() %}} first", target.value.as_text()));
    }
    emit_.emit(Op::store_member, target, -1, locals[0]->slot, emit_.add_constant(Value(target.keywords[0])));
    return;
  }
  if (target.kind == NodeKind::list) {
    const auto count = static_cast<std::uint32_t>(target.children.size());
    emit_.emit(Op::unpack, target, static_cast<int>(count) - 1, count);
    for (const Node& child : target.children) assign(child, false);
    return;
  }
  Local* local = scopes_.own(target.value.as_text());
  if (local == nullptr) local = &scopes_.add(target.value.as_text(), emit_.add_local());
  scopes_.assigned(*local, is_namespace);
  emit_.emit(Op::store, target, -1, local->slot);
}

bool Compiler::loop_field(const Node& subject, std::string_view key, const Node& origin) {
  if (!is_loop(subject)) return false;
  for (const FieldName& known : kLoopFields) {
    if (known.name != key) continue;
    emit_.emit(Op::loop_field, origin, 1, keeping_ ? 1 : 0, static_cast<std::uint32_t>(known.field));
    return true;
  }
  fail(origin, FaultCode::undefined, fmt::format("'loop' has no member '{}'", key));
  return true;
}

}  // namespace stepwell
