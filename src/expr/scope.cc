#include "stepwell/expr/scope.h"

#include <ranges>

namespace stepwell {

Local* Scopes::find_in(Scope& scope, std::string_view name) {
  const auto found = scope.locals.find(name);
  return found == scope.locals.end() ? nullptr : &found->second;
}

std::vector<Local*> Scopes::visible(std::string_view name) {
  std::vector<Local*> found;
  for (Scope& scope : scopes_ | std::views::reverse) {
    Local* local = find_in(scope, name);
    if (local == nullptr) continue;
    found.push_back(local);
    if (local->always_set) break;
  }
  return found;
}

void Scopes::assigned(Local& local, bool is_namespace) {
  if (scopes_.back().branches == 0) local.always_set = true;
  local.is_namespace = is_namespace;
}

Local& Scopes::add(std::string_view name, std::uint32_t slot) {
  return scopes_.back().locals.try_emplace(std::string(name), Local{.slot = slot}).first->second;
}

}  // namespace stepwell
