#include "stepwell/expr/source_writer.h"

#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/expr/operators.h"
#include "stepwell/value/number_text.h"

namespace stepwell {

namespace {

bool is_negated_test(const Node& node) {
  return node.kind == NodeKind::invert && node.children[0].kind == NodeKind::test;
}

Binding binding(Arithmetic op) {
  switch (op) {
    case Arithmetic::add:
    case Arithmetic::subtract: return Binding::sum;
    case Arithmetic::multiply:
    case Arithmetic::divide:
    case Arithmetic::floor_divide:
    case Arithmetic::modulo: return Binding::product;
    case Arithmetic::power: return Binding::power;
  }
  CHECK(false);
}

Binding binding(const Node& node) {
  switch (node.kind) {
    case NodeKind::conditional: return Binding::conditional;
    case NodeKind::any: return Binding::disjunction;
    case NodeKind::all: return Binding::conjunction;
    case NodeKind::invert: return is_negated_test(node) ? Binding::filtered : Binding::negation;
    case NodeKind::compare: return Binding::comparison;
    case NodeKind::arithmetic: return binding(static_cast<Arithmetic>(node.op));
    case NodeKind::concat: return Binding::concatenation;
    case NodeKind::filter:
    case NodeKind::test: return Binding::filtered;
    case NodeKind::negate:
    case NodeKind::plus: return Binding::sign;
    case NodeKind::constant:
    case NodeKind::name:
    case NodeKind::member:
    case NodeKind::subscript:
    case NodeKind::slice:
    case NodeKind::list:
    case NodeKind::map:
    case NodeKind::call:
    case NodeKind::method:
    case NodeKind::sequence:
    case NodeKind::text:
    case NodeKind::print:
    case NodeKind::branch:
    case NodeKind::loop:
    case NodeKind::set:
    case NodeKind::set_block:
    case NodeKind::attribute: return Binding::primary;
  }
  CHECK(false);
}

Binding tighter(Binding than) { return static_cast<Binding>(static_cast<std::uint8_t>(than) + 1); }

}  // namespace

// Behind the bare name of a test the grammar takes most words for its argument: `x is odd in xs` is no comparison.
void SourceWriter::word(std::string_view text) {
  const bool ends_test = text == "and" || text == "or" || text == "else";
  if (out_.size() == bare_test_ && !ends_test) out_ += "()";
  out_ += fmt::format(" {} ", text);
}

void SourceWriter::expression(const Node& node, Binding at_least) {
  if (binding(node) >= at_least) return bare(node);
  out_ += '(';
  bare(node);
  out_ += ')';
}

void SourceWriter::bare(const Node& node) {
  switch (node.kind) {
    case NodeKind::constant: return constant(node.value);
    case NodeKind::name:
      // Where the filters of a set block begin, the text they filter is not written.
      if (node.value.as_text() != kCaptured) out_ += node.value.as_text();
      return;
    case NodeKind::member:
      expression(node.children[0], Binding::primary);
      out_ += fmt::format(".{}", node.value.as_text());
      return;
    case NodeKind::subscript:
      expression(node.children[0], Binding::primary);
      out_ += '[';
      expression(node.children[1]);
      out_ += ']';
      return;
    case NodeKind::slice: return slice(node);
    case NodeKind::list:
      out_ += '[';
      items(node, 0);
      out_ += ']';
      return;
    case NodeKind::map: return map(node);
    case NodeKind::negate: return prefixed("-", node, Binding::sign);
    case NodeKind::plus: return prefixed("+", node, Binding::sign);
    case NodeKind::invert: return invert(node);
    case NodeKind::arithmetic: return arithmetic(node);
    case NodeKind::concat: return chained(node, "~", Binding::product);
    case NodeKind::compare: return compare(node);
    case NodeKind::all: return chained(node, "and", Binding::negation);
    case NodeKind::any: return chained(node, "or", Binding::conjunction);
    case NodeKind::conditional: return conditional(node);
    case NodeKind::filter: return filter(node);
    case NodeKind::test: return test(node, "is");
    case NodeKind::call: out_ += node.value.as_text(); return arguments(node, 0);
    case NodeKind::method: return method(node);
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

void SourceWriter::constant(const Value& value) {
  switch (value.kind()) {
    case Kind::null: out_ += "none"; return;
    case Kind::boolean: out_ += value.as_bool() ? "true" : "false"; return;
    case Kind::integer: return append_int(out_, value.as_int());
    case Kind::real: return append_real(out_, value.as_real());
    case Kind::text: return text(value.as_text());
    case Kind::list:
    case Kind::map: break;
  }
  CHECK(false);
}

// Control characters are escaped, so that an expression is one line.
void SourceWriter::text(std::string_view text) {
  out_ += '\'';
  for (const char c : text) {
    switch (c) {
      case '\'': out_ += "\\'"; break;
      case '\\': out_ += "\\\\"; break;
      case '\n': out_ += "\\n"; break;
      case '\r': out_ += "\\r"; break;
      case '\t': out_ += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
          out_ += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
          out_ += c;
        }
    }
  }
  out_ += '\'';
}

void SourceWriter::slice(const Node& node) {
  auto bound = [&](const Node& child) {
    const bool absent = child.kind == NodeKind::constant && child.value.is_null();
    if (!absent) expression(child);
    return !absent;
  };
  expression(node.children[0], Binding::primary);
  out_ += '[';
  bound(node.children[1]);
  out_ += ':';
  bound(node.children[2]);
  out_ += ':';
  if (!bound(node.children[3])) out_.pop_back();
  out_ += ']';
}

void SourceWriter::items(const Node& node, std::size_t first) {
  const std::size_t positional = node.children.size() - node.keywords.size();
  for (std::size_t i = first; i < node.children.size(); ++i) {
    if (i > first) out_ += ", ";
    if (i >= positional) out_ += fmt::format("{}=", node.keywords[i - positional]);
    expression(node.children[i]);
  }
}

void SourceWriter::arguments(const Node& node, std::size_t first) {
  out_ += '(';
  items(node, first);
  out_ += ')';
}

void SourceWriter::map(const Node& node) {
  out_ += '{';
  for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
    if (i > 0) out_ += ", ";
    expression(node.children[i]);
    out_ += ": ";
    expression(node.children[i + 1]);
  }
  out_ += '}';
}

void SourceWriter::prefixed(std::string_view prefix, const Node& node, Binding operand) {
  out_ += prefix;
  expression(node.children[0], operand);
}

void SourceWriter::invert(const Node& node) {
  if (is_negated_test(node)) return test(node.children[0], "is not");
  prefixed("not ", node, Binding::negation);
}

// All of these bind to the left, the power too.
void SourceWriter::arithmetic(const Node& node) {
  const Binding own = binding(node);
  expression(node.children[0], own);
  word(symbol(static_cast<Arithmetic>(node.op)));
  expression(node.children[1], tighter(own));
}

void SourceWriter::chained(const Node& node, std::string_view op, Binding operand) {
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (i > 0) word(op);
    expression(node.children[i], operand);
  }
}

void SourceWriter::compare(const Node& node) {
  expression(node.children[0], Binding::sum);
  for (std::size_t i = 0; i < node.comparisons.size(); ++i) {
    word(symbol(node.comparisons[i]));
    expression(node.children[i + 1], Binding::sum);
  }
}

// `a if b if c` is (a if b) if c; only an else before the second if would take it.
void SourceWriter::conditional(const Node& node) {
  const Node& then = node.children[1];
  const bool chain = then.kind == NodeKind::conditional && then.children.size() == 2;
  expression(then, chain ? Binding::conditional : Binding::disjunction);
  word("if");
  expression(node.children[0], Binding::disjunction);
  if (node.children.size() < 3) return;
  word("else");
  expression(node.children[2]);
}

void SourceWriter::filter(const Node& node) {
  expression(node.children[0], Binding::filtered);
  out_ += fmt::format(" | {}", node.value.as_text());
  if (node.children.size() > 1) arguments(node, 1);
}

void SourceWriter::test(const Node& node, std::string_view is) {
  expression(node.children[0], Binding::filtered);
  word(is);
  out_ += node.value.as_text();
  if (node.children.size() > 1) return arguments(node, 1);
  bare_test_ = out_.size();
}

void SourceWriter::method(const Node& node) {
  expression(node.children[0], Binding::primary);
  out_ += fmt::format(".{}", node.value.as_text());
  arguments(node, 1);
}

void SourceWriter::target(const Node& node) {
  if (node.kind == NodeKind::attribute) {
    out_ += fmt::format("{}.{}", node.value.as_text(), node.keywords[0]);
  } else if (node.kind == NodeKind::list && node.children.size() > 1) {
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      if (i > 0) out_ += ", ";
      nested_target(node.children[i]);
    }
  } else {
    nested_target(node);
  }
}

void SourceWriter::nested_target(const Node& node) {
  if (node.kind != NodeKind::list) return expression(node);
  out_ += '(';
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (i > 0) out_ += ", ";
    nested_target(node.children[i]);
  }
  out_ += node.children.size() == 1 ? ",)" : ")";
}

}  // namespace stepwell
