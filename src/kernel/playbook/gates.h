#pragma once

#include <map>
#include <memory>
#include <set>

#include "stepwell/base/check.h"
#include "stepwell/kernel/ids.h"
#include "stepwell/model/definition.h"

namespace stepwell {

// The gated tokens, by the scope whose ctx they see (their home) and by step, so that a change looks only at the guards
// that can see it.
class Gates {
 public:
  using Tokens = std::set<TokenId>;
  using Steps = std::map<StepIndex, Tokens>;
  using Homes = std::map<ScopeId, Steps>;

  void add(ScopeId home, StepIndex step, TokenId token) {
    if (homes_ == nullptr) homes_ = std::make_unique<Homes>();
    (*homes_)[home][step].insert(token);
    ++size_;
  }
  void remove(ScopeId home, StepIndex step, TokenId token) {
    const auto steps = homes_->find(home);
    const auto tokens = steps->second.find(step);
    size_ -= tokens->second.erase(token);
    if (tokens->second.empty()) steps->second.erase(tokens);
    if (steps->second.empty()) homes_->erase(steps);
  }
  void clear() {
    homes_.reset();
    size_ = 0;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // CHECKs that there are any.
  const Homes& homes() const {
    CHECK(homes_ != nullptr);
    return *homes_;
  }
  const Steps* at(ScopeId home) const {
    const auto found = homes().find(home);
    return found == homes().end() ? nullptr : &found->second;
  }

 private:
  std::unique_ptr<Homes> homes_;  // most executions never gate a token
  std::size_t size_ = 0;
};

}  // namespace stepwell
