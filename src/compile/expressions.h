#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/compile/names.h"
#include "stepwell/compile/yaml.h"
#include "stepwell/expr/operators.h"
#include "stepwell/expr/program.h"
#include "stepwell/expr/tree.h"
#include "stepwell/model/diagnostic.h"

namespace stepwell {

// An expression of the source: its tree as the definition keeps it, and what it compiles to, for further checks.
struct ReadExpression {
  Value tree;
  Program program;

  // Whether it is a constant that counts as true, or as false.
  bool always() const { return program.constant() != nullptr && truthy(*program.constant()); }
  bool never() const { return program.constant() != nullptr && !truthy(*program.constant()); }
};

// Reads expressions and mappings, checks them, and remembers which built-ins they use.
class ExpressionReader {
 public:
  ExpressionReader(Names& names, Diagnostics& diagnostics) : names_(names), diagnostics_(diagnostics) {}

  // A bare expression, a `{{ }}` one, or a plain true, false or number.
  std::optional<ReadExpression> expression(const Yaml& node, std::string_view what, Where where);
  // The same for a condition: warns when it is always the same.
  std::optional<ReadExpression> condition(const Yaml& node, std::string_view what, Where where);
  // Any value whose texts may be templates: ["value", v], ["expr", tree], ["list", [...]] or ["map", {...}].
  Value mapping(const Yaml& node, std::string_view what, Where where);
  // The same, but must be a map.
  Value map_mapping(const Yaml& node, std::string_view what, Where where);

  // Every name that an expression starts with, as often as it does.
  const std::vector<std::string>& reads() const { return reads_; }
  // Every built-in that was used, sorted.
  std::vector<std::string> uses() const;

 private:
  std::optional<ReadExpression> checked(std::expected<Tree, ExprError> tree, const Yaml& node, std::string_view what,
                                        Where where);
  std::span<const std::string_view> parts_of(const std::string& name) const;
  void check_secrets(const Program& program, const Tree& tree, const Yaml& node, std::string_view what, Where where);
  void check_names(const Program& program, const Yaml& node, std::string_view what, Where where);

  Names& names_;
  Diagnostics& diagnostics_;
  std::vector<std::string> reads_;
  std::vector<std::string> uses_;
};

}  // namespace stepwell
