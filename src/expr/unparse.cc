#include "stepwell/expr/unparse.h"

#include "stepwell/base/check.h"
#include "stepwell/expr/parser.h"
#include "stepwell/expr/source_writer.h"

namespace stepwell {

namespace {

// The canonical style escapes texts and puts brackets around lists and arguments that an author may have left bare: a
// character becomes up to four, and what nested once may nest twice.
constexpr ParseLimits kCanonicalLimits = {.source_bytes = 8 * limits::kExprSourceBytes,
                                          .nesting = 2 * limits::kExprNesting + 8};

// Statements and text around the expressions.
class TemplateWriter {
 public:
  void part(const Node& node) {
    switch (node.kind) {
      case NodeKind::sequence:
        for (const Node& child : node.children) part(child);
        return;
      case NodeKind::text: return text(node.value.as_text());
      case NodeKind::print:
        out_.append("{{ ");
        out_.expression(node.children[0]);
        out_.append(" }}");
        return;
      case NodeKind::branch: return branch(node);
      case NodeKind::loop: return loop(node);
      case NodeKind::set:
      case NodeKind::set_block: return set(node);
      default: break;
    }
    CHECK(false);
  }

  std::string take() { return out_.take(); }

 private:
  // As it is, unless something in it or at its end would open a tag. `endraw` is cut in two wherever it stands: what
  // makes it the end of a raw block is not worth deciding.
  void text(std::string_view text) {
    auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    if (!has("{{") && !has("{%") && !has("{#") && !text.ends_with('{')) return out_.append(text);
    constexpr std::string_view kEnd = "endraw";
    constexpr std::size_t kCut = 3;
    out_.append("{% raw %}");
    for (std::size_t end = text.find(kEnd); end != std::string_view::npos; end = text.find(kEnd)) {
      out_.append(text.substr(0, end + kCut));
      out_.append("{% endraw %}{% raw %}");
      text.remove_prefix(end + kCut);
    }
    out_.append(text);
    out_.append("{% endraw %}");
  }

  void branch(const Node& node) {
    const std::size_t count = node.children.size();
    for (std::size_t i = 0; i + 1 < count; i += 2) {
      out_.append(i == 0 ? "{% if " : "{% elif ");
      out_.expression(node.children[i], Binding::disjunction);
      out_.append(" %}");
      part(node.children[i + 1]);
    }
    if (count % 2 == 1) {
      out_.append("{% else %}");
      part(node.children[count - 1]);
    }
    out_.append("{% endif %}");
  }

  void loop(const Node& node) {
    out_.append("{% for ");
    out_.target(node.children[0]);
    out_.word("in");
    out_.expression(node.children[1], Binding::disjunction);
    if (const Node& condition = node.children[2];
        condition.kind != NodeKind::constant || condition.value != Value(true)) {
      out_.word("if");
      out_.expression(condition);
    }
    out_.append(" %}");
    part(node.children[3]);
    if (node.children.size() == 5) {
      out_.append("{% else %}");
      part(node.children[4]);
    }
    out_.append("{% endfor %}");
  }

  void set(const Node& node) {
    const bool is_block = node.kind == NodeKind::set_block;
    out_.append("{% set ");
    out_.target(node.children[0]);
    if (!is_block) {
      out_.append(" = ");
      out_.expression(node.children[1]);
    } else if (node.children.size() == 3) {
      out_.expression(node.children[2]);
    }
    out_.append(" %}");
    if (!is_block) return;
    part(node.children[1]);
    out_.append("{% endset %}");
  }

  SourceWriter out_;
};

}  // namespace

std::string unparse(const Tree& tree) {
  if (tree.is_template) {
    TemplateWriter writer;
    writer.part(tree.root);
    return writer.take();
  }
  SourceWriter writer;
  writer.expression(tree.root);
  return writer.take();
}

std::expected<Tree, ExprError> parse_canonical(std::string_view source, bool is_template) {
  return is_template ? parse_template(source, kCanonicalLimits) : parse_expression(source, kCanonicalLimits);
}

Tree with_canonical_source(const Tree& tree) {
  auto read = parse_canonical(unparse(tree), tree.is_template);
  CHECK(read && read->is_template == tree.is_template && same_tree(read->root, tree.root));
  return std::move(*read);
}

}  // namespace stepwell
