#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "stepwell/base/check.h"
#include "stepwell/base/nearest.h"
#include "stepwell/expr/builtin.h"
#include "stepwell/expr/compiler_impl.h"

namespace stepwell {

namespace {

std::string_view kind_label(CallKind kind) {
  switch (kind) {
    case CallKind::filter: return "filter";
    case CallKind::test: return "test";
    case CallKind::function: return "function";
    case CallKind::method: return "method";
  }
  CHECK(false);
}

const Builtin* find(CallKind kind, std::string_view name) {
  switch (kind) {
    case CallKind::filter: return find_filter(name);
    case CallKind::test: return find_test(name);
    case CallKind::function: return find_function(name);
    case CallKind::method: return find_method(name);
  }
  CHECK(false);
}

std::span<const Builtin> table(CallKind kind) {
  switch (kind) {
    case CallKind::filter: return all_filters();
    case CallKind::test: return all_tests();
    case CallKind::function: return all_functions();
    case CallKind::method: return all_methods();
  }
  CHECK(false);
}

std::string unknown(CallKind kind, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Builtin& row : table(kind)) names.push_back(row.name);
  const std::optional<std::string_view> close = nearest(name, names);
  const std::string hint = close ? fmt::format("; did you mean '{}'?", *close) : "";
  return fmt::format("unknown {} '{}'{}", kind_label(kind), name, hint);
}

bool has_subject(CallKind kind) { return kind != CallKind::function; }

}  // namespace

void Compiler::call(const Node& node, CallKind kind) {
  if (kind == CallKind::method && loop_method(node)) return;
  if (kind == CallKind::test && defined_test(node)) return;
  const std::string_view name = node.value.as_text();
  const Builtin* builtin = find(kind, name);
  if (builtin == nullptr) return fail(node, FaultCode::syntax, unknown(kind, name));
  if (!builtin->pure) emit_.not_pure();
  if (kind == CallKind::filter && (name == "default" || name == "d")) return use_default(node, *builtin);
  if (builtin->free_form) return bind_free_form(node, kind, *builtin);
  bind(node, kind, *builtin);
}

std::optional<std::vector<const Node*>> Compiler::arguments(const Node& node, CallKind kind, const Builtin& builtin) {
  const std::size_t first = has_subject(kind) ? 1 : 0;
  const std::size_t positional = node.children.size() - first - node.keywords.size();
  std::vector<const Node*> given(builtin.parameters.size(), nullptr);
  const std::string what = fmt::format("{} '{}'", kind_label(kind), builtin.name);
  if (positional > given.size()) {
    fail(node, FaultCode::type, fmt::format("{} takes at most {} arguments, not {}", what, given.size(), positional));
    return std::nullopt;
  }
  for (std::size_t i = 0; i < positional; ++i) given[i] = &node.children[first + i];
  for (std::size_t k = 0; k < node.keywords.size(); ++k) {
    const Node& value = node.children[first + positional + k];
    const auto parameter = std::ranges::find(builtin.parameters, node.keywords[k]);
    if (parameter == builtin.parameters.end()) {
      fail(value, FaultCode::type,
           given.empty() ? fmt::format("{} takes no arguments", what)
                         : fmt::format("{} has no argument '{}'; it takes {}", what, node.keywords[k],
                                       fmt::join(builtin.parameters, ", ")));
      return std::nullopt;
    }
    const Node*& place = given[static_cast<std::size_t>(parameter - builtin.parameters.begin())];
    if (place != nullptr) {
      fail(value, FaultCode::type, fmt::format("{} is given the argument '{}' twice", what, node.keywords[k]));
      return std::nullopt;
    }
    place = &value;
  }
  for (std::size_t i = 0; i < builtin.required; ++i) {
    if (given[i] != nullptr) continue;
    fail(node, FaultCode::type, fmt::format("{} needs the argument '{}'", what, builtin.parameters[i]));
    return std::nullopt;
  }
  return given;
}

void Compiler::bind(const Node& node, CallKind kind, const Builtin& builtin) {
  const auto given = arguments(node, kind, builtin);
  if (!given) return;
  CallPlan plan{.builtin = &builtin, .kind = kind};
  auto add = [&](const Node* argument) {
    if (argument != nullptr) plan.present |= 1u << plan.count;
    ++plan.count;
    argument != nullptr ? expression(*argument) : emit_.constant(Value(), node);
  };
  if (has_subject(kind)) add(&node.children[0]);
  const auto last = std::find_if(given->rbegin(), given->rend(), [](const Node* each) { return each != nullptr; });
  std::for_each(given->begin(), last.base(), add);
  const int effect = 1 - static_cast<int>(plan.count);
  emit_.emit(Op::call, node, effect, emit_.add_call(std::move(plan)));
}

void Compiler::bind_free_form(const Node& node, CallKind kind, const Builtin& builtin) {
  all_children(node);
  CallPlan plan{.builtin = &builtin,
                .kind = kind,
                .count = static_cast<std::uint32_t>(node.children.size()),
                .present = ~0u,
                .undefined_is_none = builtin.name == "coalesce",
                .keywords = node.keywords};
  const int effect = 1 - static_cast<int>(plan.count);
  emit_.emit(Op::call, node, effect, emit_.add_call(std::move(plan)));
}

// `x | default(fallback, boolean)`: the one filter that an undefined subject may reach.
void Compiler::use_default(const Node& node, const Builtin& builtin) {
  const auto given = arguments(node, CallKind::filter, builtin);
  if (!given) return;
  expression(node.children[0]);
  (*given)[0] != nullptr ? expression(*(*given)[0]) : emit_.constant("", node);
  (*given)[1] != nullptr ? expression(*(*given)[1]) : emit_.constant(false, node);
  emit_.emit(Op::use_default, node, -2);
}

bool Compiler::defined_test(const Node& node) {
  const std::string_view name = node.value.as_text();
  if (name != "defined" && name != "undefined") return false;
  if (node.children.size() != 1) {
    fail(node, FaultCode::type, fmt::format("test '{}' takes no arguments", name));
    return true;
  }
  expression(node.children[0]);
  emit_.emit(Op::is_defined, node, 0);
  if (name == "undefined") emit_.emit(Op::invert, node, 0);
  return true;
}

bool Compiler::loop_method(const Node& node) {
  if (!is_loop(node.children[0])) return false;
  const std::string_view name = node.value.as_text();
  if ((name != "cycle" && name != "changed") || !node.keywords.empty()) {
    fail(node, FaultCode::type, fmt::format("'loop' has no method '{}'; it has cycle and changed", name));
    return true;
  }
  const auto count = static_cast<std::uint32_t>(node.children.size() - 1);
  if (name == "cycle" && count == 0) fail(node, FaultCode::type, "loop.cycle needs at least one value");
  for (std::size_t i = 1; i < node.children.size(); ++i) expression(node.children[i]);
  emit_.emit(name == "cycle" ? Op::loop_cycle : Op::loop_changed, node, 1 - static_cast<int>(count), keeping_ ? 1 : 0,
             count);
  return true;
}

}  // namespace stepwell
