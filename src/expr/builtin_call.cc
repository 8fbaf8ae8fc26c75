#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "stepwell/base/check.h"
#include "stepwell/expr/builtin.h"

namespace stepwell {
namespace {

bool is_row_of(std::span<const Builtin> table, const Builtin& builtin) {
  return std::less_equal<>()(table.data(), &builtin) && std::less<>()(&builtin, table.data() + table.size());
}

// "filter 'round'"
std::string label(const Builtin& builtin) {
  std::string_view kind = "method";
  if (is_row_of(all_filters(), builtin)) kind = "filter";
  if (is_row_of(all_tests(), builtin)) kind = "test";
  if (is_row_of(all_functions(), builtin)) kind = "function";
  return fmt::format("{} '{}'", kind, builtin.name);
}

std::unexpected<Fault> no_argument(const Builtin& builtin, std::string_view name) {
  if (builtin.parameters.empty()) return fault(FaultCode::type, fmt::format("{} takes no arguments", label(builtin)));
  return fault(FaultCode::type, fmt::format("{} has no argument '{}'; it takes {}", label(builtin), name,
                                            fmt::join(builtin.parameters, ", ")));
}

// Arguments in the order of the parameters, and which of them are there.
struct Bound {
  std::vector<Value> args;
  std::uint32_t present = 0;
};

OrFault<Bound> bind(const Builtin& builtin, std::span<const Value> args, std::span<const KeywordArgument> keywords) {
  const std::size_t first = is_row_of(all_functions(), builtin) ? 0 : 1;
  const std::size_t most = first + builtin.parameters.size();
  if (args.size() > most)
    return fault(FaultCode::type, fmt::format("{} takes at most {} arguments, not {}", label(builtin),
                                              builtin.parameters.size(), args.size() - first));
  Bound bound{{args.begin(), args.end()}, (1u << args.size()) - 1};
  bound.args.resize(most);
  for (const KeywordArgument& keyword : keywords) {
    const auto parameter = std::ranges::find(builtin.parameters, keyword.name);
    if (parameter == builtin.parameters.end()) return no_argument(builtin, keyword.name);
    const std::size_t at = first + static_cast<std::size_t>(parameter - builtin.parameters.begin());
    if ((bound.present >> at & 1u) != 0)
      return fault(FaultCode::type, fmt::format("{} is given the argument '{}' twice", label(builtin), keyword.name));
    bound.args[at] = keyword.value;
    bound.present |= 1u << at;
  }
  for (std::size_t i = 0; i < builtin.required; ++i)
    if ((bound.present >> (first + i) & 1u) == 0)
      return fault(FaultCode::type, fmt::format("{} needs the argument '{}'", label(builtin), builtin.parameters[i]));
  return bound;
}

}  // namespace

OrFault<Value> call_builtin(const Builtin& builtin, std::span<const Value> args,
                            std::span<const KeywordArgument> keywords, Budget& budget, Ambient& ambient) {
  for (const Value& argument : args) {
    if (!argument.is_text()) continue;
    if (auto paid = budget.spend_reading(argument.as_text().size()); !paid) return std::unexpected(paid.error());
  }
  if (builtin.free_form) {
    Call call{.args = args, .keywords = keywords, .budget = budget, .ambient = ambient};
    return builtin.function(call);
  }
  const auto bound = bind(builtin, args, keywords);
  if (!bound) return std::unexpected(bound.error());
  Call call{.args = bound->args, .present = bound->present, .keywords = {}, .budget = budget, .ambient = ambient};
  return builtin.function(call);
}

}  // namespace stepwell
