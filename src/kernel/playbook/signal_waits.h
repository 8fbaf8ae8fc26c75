#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "stepwell/kernel/ids.h"

namespace stepwell {

// The runs that wait for a signal, by its name and in token order, so that a signal asks only those it may be for.
class SignalWaits {
 public:
  using Waits = std::set<std::pair<TokenId, RunId>>;

  void add(const std::string& name, TokenId token, RunId run) { names_[name].emplace(token, run); }
  void remove(const std::string& name, TokenId token, RunId run) {
    const auto waits = names_.find(name);
    waits->second.erase({token, run});
    if (waits->second.empty()) names_.erase(waits);
  }
  void clear() { names_.clear(); }

  const Waits& of(std::string_view name) const {
    static const Waits kNone;
    const auto found = names_.find(name);
    return found == names_.end() ? kNone : found->second;
  }

  friend bool operator==(const SignalWaits&, const SignalWaits&) = default;

 private:
  std::map<std::string, Waits, std::less<>> names_;
};

}  // namespace stepwell
