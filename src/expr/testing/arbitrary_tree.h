#pragma once

#include <cmath>
#include <limits>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "stepwell/expr/tree.h"
#include "stepwell/expr/unparse.h"
#include "stepwell/value/testing/arbitrary_value.h"

// Random trees for property tests: any that the parser could make, without their places.
namespace stepwell::testing {

inline Node node_of(NodeKind kind, std::vector<Node> children = {}, Value value = {}) {
  Node node{.kind = kind, .value = std::move(value)};
  for (const Node& child : children) node.depth = std::max(node.depth, child.depth + 1);
  node.children = std::move(children);
  return node;
}

inline Value arbitrary_word(const std::vector<std::string>& words) { return *rc::gen::elementOf(words); }

// Behind a dot or a bar even keywords are names.
inline Value arbitrary_name() { return arbitrary_word({"a", "b", "c", "l", "s", "n", "loop", "_x1", "été", "raw"}); }
inline Value arbitrary_member() { return arbitrary_word({"d", "e", "items", "index", "if", "true", "not"}); }
inline Value arbitrary_filter() { return arbitrary_word({"upper", "default", "length", "round", "in", "if", "x.y"}); }
inline Value arbitrary_test() { return arbitrary_word({"odd", "defined", "divisibleby", "in", "and", "is", "x.y"}); }
inline Value arbitrary_function() { return arbitrary_word({"range", "now", "dict", "namespace", "unknown"}); }
inline Value arbitrary_method() { return arbitrary_word({"get", "split", "cycle", "else"}); }

// The minus is an operator, but for the lowest integer.
inline Value arbitrary_constant() {
  switch (*rc::gen::element(Kind::null, Kind::boolean, Kind::integer, Kind::real, Kind::text)) {
    case Kind::boolean: return *rc::gen::arbitrary<bool>();
    case Kind::integer: {
      const std::int64_t integer = *arbitrary_integer();
      return integer == std::numeric_limits<std::int64_t>::min() ? integer : std::abs(integer);
    }
    case Kind::real: return std::fabs(*arbitrary_real());
    case Kind::text: return *arbitrary_text();
    default: return nullptr;
  }
}

inline Node arbitrary_expression(int levels);

inline std::vector<Node> arbitrary_expressions(int levels, std::size_t least, std::size_t most) {
  std::vector<Node> all(*rc::gen::elementOf(*rc::gen::just([&] {
    std::vector<std::size_t> sizes;
    for (std::size_t size = least; size <= most; ++size) sizes.push_back(size);
    return sizes;
  }())));
  for (Node& each : all) each = arbitrary_expression(levels);
  return all;
}

// A call with `subjects` nodes before its arguments, the last of which may have names.
inline Node arbitrary_call(int levels, NodeKind kind, Value name, std::size_t subjects) {
  Node node = node_of(kind, arbitrary_expressions(levels, subjects, subjects + 3), std::move(name));
  const std::size_t arguments = node.children.size() - subjects;
  const std::vector<std::string> keywords = {"value", "boolean", "if"};
  const auto named = *rc::gen::element<std::size_t>(0, 0, 1, 2, 3);
  node.keywords.assign(keywords.begin(), keywords.begin() + static_cast<std::ptrdiff_t>(std::min(named, arguments)));
  return node;
}

inline Node arbitrary_compare(int levels) {
  Node node = node_of(NodeKind::compare, arbitrary_expressions(levels, 2, 4));
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    node.comparisons.push_back(static_cast<Comparison>(*rc::gen::elementOf(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7})));
  }
  return node;
}

inline Node arbitrary_slice(int levels) {
  std::vector<Node> children = {arbitrary_expression(levels)};
  for (int i = 0; i < 3; ++i) {
    children.push_back(*rc::gen::arbitrary<bool>() ? arbitrary_expression(levels) : node_of(NodeKind::constant));
  }
  return node_of(NodeKind::slice, std::move(children));
}

inline Node arbitrary_map_node(int levels) {
  std::vector<Node> children = arbitrary_expressions(levels, 0, 4);
  if (children.size() % 2 == 1) children.pop_back();
  return node_of(NodeKind::map, std::move(children));
}

// `levels` bounds how deep it nests.
inline Node arbitrary_expression(int levels) {
  using enum NodeKind;
  if (levels == 0) {
    return *rc::gen::arbitrary<bool>() ? node_of(constant, {}, arbitrary_constant())
                                       : node_of(name, {}, arbitrary_name());
  }
  const int below = levels - 1;
  const NodeKind kind = *rc::gen::element(constant, name, member, subscript, slice, list, map, negate, plus, invert,
                                          invert, arithmetic, arithmetic, concat, compare, compare, all, any,
                                          conditional, conditional, filter, filter, test, test, test, call, method);
  switch (kind) {
    case constant: return node_of(constant, {}, arbitrary_constant());
    case member: return node_of(member, arbitrary_expressions(below, 1, 1), arbitrary_member());
    case subscript: return node_of(subscript, arbitrary_expressions(below, 2, 2));
    case slice: return arbitrary_slice(below);
    case list: return node_of(list, arbitrary_expressions(below, 0, 3));
    case map: return arbitrary_map_node(below);
    case negate:
    case plus:
    case invert: return node_of(kind, arbitrary_expressions(below, 1, 1));
    case arithmetic: {
      Node node = node_of(arithmetic, arbitrary_expressions(below, 2, 2));
      node.op = *rc::gen::elementOf(std::vector<std::uint8_t>{0, 1, 2, 3, 4, 5, 6});
      return node;
    }
    case concat:
    case all:
    case any: return node_of(kind, arbitrary_expressions(below, 2, 3));
    case compare: return arbitrary_compare(below);
    case conditional: return node_of(conditional, arbitrary_expressions(below, 2, 3));
    case filter: return arbitrary_call(below, filter, arbitrary_filter(), 1);
    case test: return arbitrary_call(below, test, arbitrary_test(), 1);
    case call: return arbitrary_call(below, call, arbitrary_function(), 0);
    case method: return arbitrary_call(below, method, arbitrary_method(), 1);
    default: return node_of(name, {}, arbitrary_name());
  }
}

inline Node arbitrary_target(int levels) {
  if (levels == 0 || *rc::gen::arbitrary<bool>()) return node_of(NodeKind::name, {}, arbitrary_word({"a", "x", "y"}));
  std::vector<Node> names(*rc::gen::element<std::size_t>(1, 2, 3));
  for (Node& each : names) each = arbitrary_target(levels - 1);
  return node_of(NodeKind::list, std::move(names));
}

inline Node arbitrary_set_target() {
  if (*rc::gen::element(true, true, false)) return arbitrary_target(2);
  Node node = node_of(NodeKind::attribute, {}, "x");
  node.keywords = {"y"};
  return node;
}

// Data never has a carriage return: the lexer makes it a line feed.
inline std::string arbitrary_data() {
  const std::vector<std::string> pieces = {"a",  " ",  "\n",           "{",   "}}", "{{", "{%",
                                           "{#", "%}", "{% endraw %}", "raw", "-"};
  std::string data = *rc::gen::elementOf(pieces);
  for (const auto count = *rc::gen::inRange(0, 5); static_cast<int>(data.size()) < count;) {
    data += *rc::gen::oneOf(rc::gen::elementOf(pieces), arbitrary_text());
  }
  std::ranges::replace(data, '\r', '\n');
  return data;
}

// What the filters of a set block make of its text.
inline Node arbitrary_filtered(int levels) {
  Node node = node_of(NodeKind::name, {}, kCaptured);
  const auto count = *rc::gen::element(1, 2, 3);
  for (int i = 0; i < count; ++i) {
    const bool is_test = i > 0 && *rc::gen::element(true, false, false);
    Node next = is_test ? arbitrary_call(levels, NodeKind::test, arbitrary_test(), 1)
                        : arbitrary_call(levels, NodeKind::filter, arbitrary_filter(), 1);
    next.children[0] = std::move(node);
    node = is_test && *rc::gen::arbitrary<bool>() ? node_of(NodeKind::invert, {std::move(next)}) : std::move(next);
  }
  return node;
}

inline Node arbitrary_parts(int levels);

inline Node arbitrary_statement(int levels) {
  using enum NodeKind;
  auto maybe = [](std::vector<Node>& children, auto make) {
    if (*rc::gen::arbitrary<bool>()) children.push_back(make());
  };
  std::vector<Node> children;
  switch (*rc::gen::element(print, branch, loop, set, set_block)) {
    case branch: {
      const auto count = *rc::gen::element(1, 2);
      for (int i = 0; i < count; ++i) {
        children.push_back(arbitrary_expression(levels));
        children.push_back(arbitrary_parts(levels - 1));
      }
      maybe(children, [&] { return arbitrary_parts(levels - 1); });
      return node_of(branch, std::move(children));
    }
    case loop:
      children = {arbitrary_target(2), arbitrary_expression(levels), node_of(constant, {}, true)};
      if (*rc::gen::arbitrary<bool>()) children[2] = arbitrary_expression(levels);
      children.push_back(arbitrary_parts(levels - 1));
      maybe(children, [&] { return arbitrary_parts(levels - 1); });
      return node_of(loop, std::move(children));
    case set: return node_of(set, {arbitrary_set_target(), arbitrary_expression(levels)});
    case set_block:
      children = {arbitrary_set_target(), arbitrary_parts(levels - 1)};
      maybe(children, [&] { return arbitrary_filtered(levels); });
      return node_of(set_block, std::move(children));
    default: return node_of(print, {arbitrary_expression(levels)});
  }
}

// No text follows a text: it would be one.
inline Node arbitrary_parts(int levels) {
  std::vector<Node> parts;
  const auto count = levels == 0 ? 1 : *rc::gen::element(0, 1, 2, 3);
  for (int i = 0; i < count; ++i) {
    const bool after_text = !parts.empty() && parts.back().kind == NodeKind::text;
    const bool is_text = !after_text && (levels == 0 || *rc::gen::arbitrary<bool>());
    parts.push_back(is_text ? node_of(NodeKind::text, {}, arbitrary_data()) : arbitrary_statement(std::max(levels, 1)));
  }
  return node_of(NodeKind::sequence, std::move(parts));
}

inline rc::Gen<Tree> arbitrary_expression_tree() {
  return rc::gen::exec([] {
    return Tree{.source = {}, .root = arbitrary_expression(*rc::gen::element(1, 2, 3)), .is_template = false};
  });
}

// Never a single print, which would be an expression.
inline rc::Gen<Tree> arbitrary_template_tree() {
  return rc::gen::exec([] {
    Node root = arbitrary_parts(2);
    const Node target = node_of(NodeKind::name, {}, "x");
    root.children.push_back(node_of(NodeKind::set, {target, node_of(NodeKind::constant, {}, 1)}));
    return Tree{.source = {}, .root = node_of(NodeKind::sequence, std::move(root.children)), .is_template = true};
  });
}

}  // namespace stepwell::testing

namespace stepwell {

// How RapidCheck shows a counterexample.
inline void showValue(const Tree& tree, std::ostream& out) { out << unparse(tree) << '\n' << dump(tree); }

}  // namespace stepwell
