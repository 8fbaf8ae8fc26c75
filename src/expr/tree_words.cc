#include "stepwell/expr/tree_words.h"

#include <algorithm>
#include <array>
#include <limits>

#include "stepwell/base/check.h"

namespace stepwell {

namespace {

constexpr std::uint32_t kAny = std::numeric_limits<std::uint32_t>::max();

constexpr NodeWord plain(std::string_view word, NodeKind kind, std::uint32_t operands) {
  return {word, kind, NodeShape::plain, 0, operands, operands};
}
constexpr NodeWord counted(std::string_view word, NodeKind kind, std::uint32_t least, std::uint32_t most = kAny) {
  return {word, kind, NodeShape::counted, 0, least, most};
}
constexpr NodeWord named(std::string_view word, NodeKind kind, std::uint32_t operands) {
  return {word, kind, NodeShape::named, 0, operands, operands};
}
constexpr NodeWord called(std::string_view word, NodeKind kind, std::uint32_t subjects) {
  return {word, kind, NodeShape::called, 0, subjects, kAny};
}
constexpr NodeWord operation(std::string_view word, Arithmetic op) {
  return {word, NodeKind::arithmetic, NodeShape::plain, static_cast<std::uint8_t>(op), 2, 2};
}
constexpr NodeWord comparison(std::string_view word, Comparison op) {
  return {word, NodeKind::compare, NodeShape::comparison, static_cast<std::uint8_t>(op), 2, kAny};
}

// On disk: a word keeps its meaning for ever, and one that is retired is never used again.
constexpr std::array kWords = {
    named("'", NodeKind::constant, 0),
    named("$", NodeKind::name, 0),
    named(".", NodeKind::member, 1),
    plain("[]", NodeKind::subscript, 2),
    plain("[:]", NodeKind::slice, 4),
    counted("list", NodeKind::list, 0),
    counted("map", NodeKind::map, 0),
    plain("neg", NodeKind::negate, 1),
    plain("pos", NodeKind::plus, 1),
    plain("not", NodeKind::invert, 1),
    operation("+", Arithmetic::add),
    operation("-", Arithmetic::subtract),
    operation("*", Arithmetic::multiply),
    operation("/", Arithmetic::divide),
    operation("//", Arithmetic::floor_divide),
    operation("%", Arithmetic::modulo),
    operation("**", Arithmetic::power),
    counted("~", NodeKind::concat, 2),
    comparison("==", Comparison::equal),
    comparison("!=", Comparison::not_equal),
    comparison("<", Comparison::less),
    comparison("<=", Comparison::less_equal),
    comparison(">", Comparison::greater),
    comparison(">=", Comparison::greater_equal),
    comparison("in", Comparison::in),
    comparison("not in", Comparison::not_in),
    counted("and", NodeKind::all, 2),
    counted("or", NodeKind::any, 2),
    counted("?", NodeKind::conditional, 2, 3),
    called("|", NodeKind::filter, 1),
    called("is", NodeKind::test, 1),
    called("call", NodeKind::call, 0),
    called("method", NodeKind::method, 1),
    counted("parts", NodeKind::sequence, 0),
    named("text", NodeKind::text, 0),
    plain("print", NodeKind::print, 1),
    counted("if", NodeKind::branch, 2),
    counted("for", NodeKind::loop, 4, 5),
    plain("set", NodeKind::set, 2),
    counted("capture", NodeKind::set_block, 2, 3),
    NodeWord{"attribute", NodeKind::attribute, NodeShape::attribute, 0, 0, 0},
};

}  // namespace

const NodeWord* find_node_word(std::string_view word) {
  const auto row = std::ranges::find(kWords, word, &NodeWord::word);
  return row == kWords.end() ? nullptr : &*row;
}

const NodeWord& node_word(NodeKind kind, std::uint8_t op) {
  const auto row =
      std::ranges::find_if(kWords, [&](const NodeWord& each) { return each.kind == kind && each.op == op; });
  CHECK(row != kWords.end());
  return *row;
}

}  // namespace stepwell
