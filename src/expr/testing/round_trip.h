#pragma once

#include <algorithm>
#include <expected>
#include <string>

#include "stepwell/expr/compiler.h"
#include "stepwell/expr/evaluator.h"
#include "stepwell/expr/tree_value.h"
#include "stepwell/expr/unparse.h"
#include "stepwell/value/cbor_read.h"
#include "stepwell/value/cbor_write.h"

// What the canonical text and the value of a tree promise, for properties and fuzz targets.
namespace stepwell::testing {

inline bool same_places(const Node& a, const Node& b) {
  return a.span == b.span && a.at == b.at && a.depth == b.depth &&
         std::ranges::equal(a.children, b.children, same_places);
}

inline std::expected<Value, ExprError> result_of(const Tree& tree, const Value& context) {
  const auto program = compile(tree);
  if (!program) return std::unexpected(program.error());
  Ambient ambient;
  return evaluate(*program, inputs_from(*program, context), ambient, {.fuel = 20'000, .text_bytes = 100'000});
}

// The same value, or the same error in what may be another place.
inline bool same_result(const std::expected<Value, ExprError>& a, const std::expected<Value, ExprError>& b) {
  if (a.has_value() != b.has_value()) return false;
  return a ? *a == *b : a.error().code == b.error().code && a.error().message == b.error().message;
}

// What does not survive, or nothing.
inline std::string round_trip_problem(const Tree& tree, const Value& context) {
  const std::string text = unparse(tree);
  const auto read = parse_canonical(text, tree.is_template);
  if (!read) return "the canonical text is refused: " + read.error().describe();
  if (read->is_template != tree.is_template || !same_tree(read->root, tree.root)) {
    return "the canonical text means something else: " + text + "\n" + dump(*read) + "instead of\n" + dump(tree);
  }
  if (unparse(*read) != text) return "the canonical text is not canonical: " + text;

  const Value value = tree_to_value(tree);
  const auto decoded = decode_cbor(encode_cbor(value));
  if (!decoded || *decoded != value) return "the value does not survive its bytes: " + text;
  const auto back = tree_from_value(*decoded);
  if (!back) return "the value is refused: " + back.error();
  if (!same_tree(back->root, tree.root) || tree_to_value(*back) != value) return "the value is another tree's: " + text;
  if (back->source != text || !same_places(back->root, read->root)) return "the value has other places: " + text;

  const Tree canonical = with_canonical_source(tree);
  const auto from_text = result_of(canonical, context);
  const auto from_value = result_of(*back, context);
  if (!same_result(result_of(tree, context), from_text)) return "the canonical text evaluates otherwise: " + text;
  if (!same_result(from_text, from_value)) return "the value evaluates otherwise: " + text;
  if (!from_text && from_text.error().describe() != from_value.error().describe()) return "the errors differ: " + text;
  return "";
}

}  // namespace stepwell::testing
