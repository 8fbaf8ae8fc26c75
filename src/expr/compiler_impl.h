#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/expr/emitter.h"
#include "stepwell/expr/scope.h"
#include "stepwell/expr/tree.h"

namespace stepwell {

// One compilation. Expressions leave one operand on the stack, template parts none. Goes on after an error, and
// reports the first.
class Compiler {
 public:
  explicit Compiler(const Tree& tree) : tree_(tree), emit_(tree.source) {}

  std::expected<Program, ExprError> run();

 private:
  // Expressions, in compiler.cc.
  void expression(const Node& node);
  void name(const Node& node);
  bool path(const Node& node);
  void member(const Node& node);
  void subscript(const Node& node);
  void all_children(const Node& node);
  void compare(const Node& node);
  void chained(const Node& node, Op op);
  void conditional(const Node& node);

  // Calls, in compile_calls.cc.
  void call(const Node& node, CallKind kind);
  void bind(const Node& node, CallKind kind, const Builtin& builtin);
  void bind_free_form(const Node& node, CallKind kind, const Builtin& builtin);
  void use_default(const Node& node, const Builtin& builtin);
  bool defined_test(const Node& node);
  bool loop_method(const Node& node);
  // The argument for each parameter, nullptr where none was given; nullopt after an error.
  std::optional<std::vector<const Node*>> arguments(const Node& node, CallKind kind, const Builtin& builtin);

  // Template parts, in compile_template.cc.
  void part(const Node& node);
  void branch(const Node& node);
  void loop(const Node& node);
  void filtered(const Node& node);
  void keep_items(const Node& node);
  void assign(const Node& target, bool is_namespace);
  bool loop_field(const Node& subject, std::string_view key, const Node& origin);
  // Whether `loop` means the innermost loop here.
  bool is_loop(const Node& node) const {
    return loops_ > 0 && node.kind == NodeKind::name && node.value.as_text() == "loop";
  }

  void fail(const Node& node, FaultCode code, std::string message);

  const Tree& tree_;
  Emitter emit_;
  Scopes scopes_;
  Span expression_;
  std::uint32_t loops_ = 0;  // open loops around
  bool keeping_ = false;     // inside the condition of a `for ... if`: one more loop is open, which is not `loop`
  std::optional<ExprError> error_;
};

}  // namespace stepwell
