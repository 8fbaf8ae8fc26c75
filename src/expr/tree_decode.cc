#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <ranges>

#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/base/limits.h"
#include "stepwell/expr/lexer.h"
#include "stepwell/expr/tree_value.h"
#include "stepwell/expr/tree_words.h"
#include "stepwell/expr/unparse.h"

namespace stepwell {

namespace {

enum class Role : std::uint8_t { expression, part, parts, target };

std::string_view role_word(Role role) {
  switch (role) {
    case Role::expression: return "an expression";
    case Role::part: return "a part of a template";
    case Role::parts: return "'parts'";
    case Role::target: return "a name, a list of names or an attribute";
  }
  CHECK(false);
}

// What the operand `i` of a node must be.
Role role_of(const Node& node, std::size_t i) {
  const std::size_t count = node.children.size();
  switch (node.kind) {
    case NodeKind::sequence: return Role::part;
    case NodeKind::branch: return i % 2 == 1 || i + 1 == count ? Role::parts : Role::expression;
    case NodeKind::loop: return i == 0 ? Role::target : i < 3 ? Role::expression : Role::parts;
    case NodeKind::set: return i == 0 ? Role::target : Role::expression;
    case NodeKind::set_block: return i == 0 ? Role::target : i == 1 ? Role::parts : Role::expression;
    default: return Role::expression;
  }
}

bool plays(NodeKind kind, Role role) {
  switch (role) {
    case Role::expression: return kind <= NodeKind::method;
    case Role::part: return kind > NodeKind::sequence && kind != NodeKind::attribute;
    case Role::parts: return kind == NodeKind::sequence;
    case Role::target: return kind == NodeKind::name || kind == NodeKind::list || kind == NodeKind::attribute;
  }
  CHECK(false);
}

bool is_dotted_name(std::string_view text) {
  return std::ranges::all_of(std::views::split(text, '.'),
                             [](auto part) { return is_name(std::string_view(part.begin(), part.end())); });
}

// Runs the list like a stack machine: every element takes its operands from the stack and leaves one node.
class Decoder {
 public:
  std::expected<Node, std::string> run(const Value& value) {
    if (!value.is_list())
      return std::unexpected(fmt::format(": expected a list of nodes, found {}", kind_name(value.kind())));
    for (const Value& element : value.as_list()) {
      if (!read(element)) return std::unexpected(fmt::format("/{}{}: {}", index_, field_, problem_));
      ++index_;
    }
    if (stack_.size() != 1) {
      return std::unexpected(fmt::format(": expected nodes that make one tree, found {}", stack_.size()));
    }
    if (!plays(stack_[0].kind, Role::expression) && !plays(stack_[0].kind, Role::parts)) {
      return std::unexpected(std::string(": the last node must be an expression or 'parts'"));
    }
    return std::move(stack_[0]);
  }

 private:
  bool fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }
  bool fail_at(std::size_t field, std::string problem) {
    field_ = fmt::format("/{}", field);
    return fail(std::move(problem));
  }

  bool read(const Value& element) {
    if (element.is_text()) return word(element.as_text(), {});
    if (!element.is_list()) return constant(element);
    const std::span<const Value> fields = element.as_list();
    if (fields.empty() || !fields[0].is_text()) return fail("a node with fields must start with its word");
    if (fields.size() == 1) return fail("a node without fields is its word alone, not in a list");
    return word(fields[0].as_text(), fields);
  }

  // The parser reads a minus as an operator. Only the lowest integer, which is none without its minus, has one inside.
  bool constant(const Value& value) {
    constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
    const bool negative = (value.is_int() && value.as_int() < 0 && value.as_int() != kLowest) ||
                          (value.is_real() && std::signbit(value.as_real()));
    if (value.is_map()) return fail("expected a node, found a map");
    if (negative) return fail("a constant cannot be negative; write its absolute value and 'neg'");
    return push({.kind = NodeKind::constant, .value = value}, 0);
  }

  // `fields` has the word too, or is empty.
  bool word(std::string_view word, std::span<const Value> fields) {
    const NodeWord* row = find_node_word(word);
    if (row == nullptr) return fail(fmt::format("unknown word '{}'", word));
    Node node{.kind = row->kind};
    if (row->kind == NodeKind::arithmetic) node.op = row->op;
    switch (row->shape) {
      case NodeShape::plain:
        if (!fields.empty()) return fail(fmt::format("'{}' has no fields and stands without a list", word));
        return push(std::move(node), row->least);
      case NodeShape::counted: return counted(*row, std::move(node), fields);
      case NodeShape::named: return named(*row, std::move(node), fields);
      case NodeShape::called: return called(*row, std::move(node), fields);
      case NodeShape::attribute: return attribute(std::move(node), fields);
      case NodeShape::comparison: return comparison(*row, std::move(node), fields);
    }
    CHECK(false);
  }

  bool counted(const NodeWord& row, Node node, std::span<const Value> fields) {
    if (fields.size() != 2) return fail(fmt::format("'{}' has one field, how many operands it takes", row.word));
    const std::optional<std::size_t> count = count_at(fields, 1);
    if (!count) return false;
    if (*count < row.least || *count > row.most) {
      return fail_at(1, fmt::format("'{}' cannot take {} operands", row.word, *count));
    }
    if (row.kind == NodeKind::map && *count % 2 != 0) return fail_at(1, "'map' takes an even number of operands");
    return push(std::move(node), *count);
  }

  bool named(const NodeWord& row, Node node, std::span<const Value> fields) {
    if (fields.size() != 2) return fail(fmt::format("'{}' has one field, a text", row.word));
    if (!fields[1].is_text()) return fail_at(1, fmt::format("expected a text, found {}", kind_name(fields[1].kind())));
    const bool is_text = row.kind == NodeKind::constant || row.kind == NodeKind::text;
    const bool is_captured = row.kind == NodeKind::name && fields[1].as_text() == kCaptured;
    if (!is_text && !is_captured && !name_at(fields, 1)) return false;
    if (row.kind == NodeKind::text && fields[1].as_text().empty()) return fail_at(1, "the text must not be empty");
    node.value = fields[1];
    return push(std::move(node), row.least);
  }

  bool called(const NodeWord& row, Node node, std::span<const Value> fields) {
    if (fields.size() < 3) return fail(fmt::format("'{}' has a name and a number of arguments", row.word));
    const bool dotted = row.kind == NodeKind::filter || row.kind == NodeKind::test;
    if (!name_at(fields, 1, dotted)) return false;
    const std::optional<std::size_t> count = count_at(fields, 2);
    if (!count) return false;
    node.value = fields[1];
    for (std::size_t i = 3; i < fields.size(); ++i) {
      if (!name_at(fields, i)) return false;
      const std::string_view keyword = fields[i].as_text();
      if (std::ranges::count(node.keywords, keyword) != 0) {
        return fail_at(i, fmt::format("the argument '{}' is given twice", keyword));
      }
      node.keywords.emplace_back(keyword);
    }
    if (node.keywords.size() > *count) return fail_at(2, "there are more names than arguments");
    return push(std::move(node), row.least + *count);
  }

  bool attribute(Node node, std::span<const Value> fields) {
    if (fields.size() != 3) return fail("'attribute' has two fields, the names of a namespace and of a member");
    if (!name_at(fields, 1) || !name_at(fields, 2)) return false;
    node.value = fields[1];
    node.keywords.emplace_back(fields[2].as_text());
    return push(std::move(node), 0);
  }

  bool comparison(const NodeWord& row, Node node, std::span<const Value> fields) {
    node.comparisons.push_back(static_cast<Comparison>(row.op));
    for (std::size_t i = 1; i < fields.size(); ++i) {
      const NodeWord* next = fields[i].is_text() ? find_node_word(fields[i].as_text()) : nullptr;
      if (next == nullptr || next->kind != NodeKind::compare) return fail_at(i, "expected the word of a comparison");
      node.comparisons.push_back(static_cast<Comparison>(next->op));
    }
    const std::size_t operands = node.comparisons.size() + 1;
    return push(std::move(node), operands);
  }

  bool name_at(std::span<const Value> fields, std::size_t i, bool dotted = false) {
    if (!fields[i].is_text()) {
      return fail_at(i, fmt::format("expected a name, found {}", kind_name(fields[i].kind())));
    }
    const std::string_view text = fields[i].as_text();
    if (dotted ? is_dotted_name(text) : is_name(text)) return true;
    return fail_at(i, fmt::format("'{}' is not a name", text));
  }

  // As many operands as there can be are on the stack, so a count that is too large fails in `push`.
  std::optional<std::size_t> count_at(std::span<const Value> fields, std::size_t i) {
    if (fields[i].is_int() && fields[i].as_int() >= 0) return static_cast<std::size_t>(fields[i].as_int());
    fail_at(i, "expected a number of operands");
    return std::nullopt;
  }

  // Gives the node its operands, which are the last `count` on the stack.
  bool push(Node node, std::size_t count) {
    if (count > stack_.size()) {
      return fail(fmt::format("this takes {} operands, but only {} come before it", count, stack_.size()));
    }
    const auto first = stack_.end() - static_cast<std::ptrdiff_t>(count);
    node.children.assign(std::move_iterator(first), std::move_iterator(stack_.end()));
    stack_.erase(first, stack_.end());
    for (std::size_t i = 0; i < count; ++i) {
      const Node& child = node.children[i];
      if (const Role role = role_of(node, i); !plays(child.kind, role)) {
        return fail(fmt::format("operand {} of this must be {}", i + 1, role_word(role)));
      }
      node.depth = std::max(node.depth, child.depth + 1);
    }
    if (node.depth > limits::kExprTreeDepth) {
      return fail(fmt::format("the tree is more than {} deep", limits::kExprTreeDepth));
    }
    stack_.push_back(std::move(node));
    return true;
  }

  std::vector<Node> stack_;
  std::size_t index_ = 0;
  std::string field_;
  std::string problem_;
};

}  // namespace

// Whatever rule of the grammar the decoder does not know itself, the parser does: a tree is good if its text means it.
std::expected<Tree, std::string> tree_from_value(const Value& value) {
  auto root = Decoder().run(value);
  if (!root) return std::unexpected(std::move(root.error()));
  const bool is_template = root->kind == NodeKind::sequence;
  const Tree tree{.source = {}, .root = std::move(*root), .is_template = is_template};
  const std::string source = unparse(tree);
  auto read = parse_canonical(source, is_template);
  if (!read) return std::unexpected(fmt::format(": no text means this tree: {}", read.error().summary()));
  if (read->is_template != is_template || !same_tree(read->root, tree.root)) {
    return std::unexpected(fmt::format(": no text means this tree; '{}' means another", source));
  }
  return std::move(*read);
}

}  // namespace stepwell
