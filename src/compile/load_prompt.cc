#include <algorithm>

#include <fmt/format.h>

#include "stepwell/compile/expressions.h"
#include "stepwell/compile/load_kinds.h"
#include "stepwell/compile/scalars.h"
#include "stepwell/compile/schemas.h"
#include "stepwell/expr/compiler.h"
#include "stepwell/expr/parser.h"

namespace stepwell {
namespace {

struct Input {
  std::string name;
  Mark mark;
  Value schema;
};

// Words of the language, such as `not` and `none`, cannot be read by name.
bool is_readable(const std::string& name) {
  const auto tree = parse_expression(name);
  const auto program = tree ? compile(*tree) : std::unexpected(tree.error());
  return program && program->constant() == nullptr;
}

class PromptLoader {
 public:
  explicit PromptLoader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void load(Fields& root, Canon& out) {
    if (const Yaml* given = root.take("inputs")) inputs(*given);
    Canon all;
    for (const Input& input : inputs_) all.put(input.name, input.schema);
    out.put("inputs", all.finish());
    const Yaml* given = root.need("template");
    if (given != nullptr && inputs_known_) text(*given, out);
    if (const Yaml* output = root.take("output")) out.put_if("output", schema_of(*output, "output", diagnostics_));
    root.finish();
  }

 private:
  // A list of names, or a map from names to schemas.
  void inputs(const Yaml& node) {
    for (const Yaml& name : node.items) {
      if (const auto text = name_of(name, "an input", diagnostics_)) add(*text, name.mark, true);
    }
    for (const YamlMember& member : node.members) {
      if (!is_plain_name(member.key)) {
        diagnostics_.error(member.key_mark, "name-form", fmt::format("an input cannot be called '{}'", member.key),
                           "a name is letters, digits and '_', and does not start with a digit");
        continue;
      }
      const auto schema = schema_of(member.value, fmt::format("inputs.{}", member.key), diagnostics_);
      add(member.key, member.key_mark, schema.value_or(true));
    }
    inputs_known_ = node.is_list() || node.is_map();
    if (!inputs_known_) {
      wrong_kind(node, "inputs", "a list of names, or a map from names to JSON Schemas", diagnostics_);
    }
  }

  void add(const std::string& name, Mark mark, Value schema) {
    if (!is_readable(name)) {
      diagnostics_.error(mark, "name-reserved",
                         fmt::format("an input cannot be called '{}': that is a word of expressions", name));
    } else if (std::ranges::count(inputs_, name, &Input::name) != 0) {
      diagnostics_.error(mark, "name-twice", fmt::format("there are two inputs '{}'", name));
    } else {
      inputs_.push_back({name, mark, std::move(schema)});
    }
  }

  void text(const Yaml& node, Canon& out) {
    if (!text_of(node, "template", diagnostics_)) return;
    Names names;
    for (const Input& input : inputs_) names.given.push_back(input.name);
    ExpressionReader expressions(names, diagnostics_);
    const Value mapping = expressions.mapping(node, "template", Where::given);
    out.put("template", mapping);
    const bool unreadable = mapping.as_list()[1].is_null();
    if (unreadable) return;
    for (const Input& input : inputs_) {
      if (std::ranges::count(expressions.reads(), input.name) != 0) continue;
      diagnostics_.warning(input.mark, "input-unused", fmt::format("the template does not read '{}'", input.name));
    }
  }

  Diagnostics& diagnostics_;
  std::vector<Input> inputs_;
  bool inputs_known_ = true;
};

}  // namespace

void load_prompt(Fields& root, Canon& out, Diagnostics& diagnostics) { PromptLoader(diagnostics).load(root, out); }

}  // namespace stepwell
