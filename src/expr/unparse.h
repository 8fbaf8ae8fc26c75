#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "stepwell/expr/tree.h"

namespace stepwell {

// The tree as source text in the one canonical style (docs/formats/expression.md): it depends on what the tree means
// and not on how its author spaced, quoted or bracketed it. An expression comes without {{ }} around it.
std::string unparse(const Tree& tree);

// The same tree read from its canonical text: `source` is that text, and every place is the place in it. So messages
// are the same whether a tree came from its author or from canonical bytes. For trees that the parser made.
Tree with_canonical_source(const Tree& tree);

// Reads what `unparse` writes, also where the canonical style needs more than an author may write.
std::expected<Tree, ExprError> parse_canonical(std::string_view source, bool is_template);

}  // namespace stepwell
