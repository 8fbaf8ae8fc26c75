#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/expr/secrets.h"
#include "stepwell/model/pipeline.h"
#include "stepwell/value/value.h"

namespace stepwell {

// Tells secrets for one call of a tool and remembers them, so that they can be taken out of what the tool answers.
// Borrows where they come from. May be used by several threads.
class UsedSecrets final : public Secrets {
 public:
  explicit UsedSecrets(const Secrets& source) : source_(source) {}

  std::optional<std::string> find(std::string_view name) const override;
  // A text made of a secret, that would tell it as well: a password that stands in a connection string.
  void remember(std::string_view text) const;

  // The same with `***` in the place of every secret, also in its base 64 and as it is written in JSON. Keys of maps
  // are looked at, and numbers that are written like a secret.
  std::string redacted(std::string_view text) const;
  Value redacted(const Value& value) const;
  TaskOutcome redacted(TaskOutcome outcome) const;

 private:
  const Secrets& source_;
  mutable std::mutex mutex_;
  mutable std::vector<std::string> used_;  // longest first: one may be a part of another
};

}  // namespace stepwell
