#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "stepwell/value/value.h"

namespace stepwell {

// What a decision may ask of who runs it. Both are pure functions: the same question has the same answer for ever, so
// that deciding a command again decides the same.
class Lookups {
 public:
  // What a blob holds, by its reference ("sha256:..."); nothing if it is not at hand.
  virtual std::optional<Value> blob(std::string_view reference) const = 0;
  // The one value that a SELECT gives over tables filled with this ctx, or why it gives none.
  virtual std::expected<Value, std::string> query(std::string_view sql, const Value& ctx) const = 0;

 protected:
  ~Lookups() = default;
};

// For playbooks that ask neither: no blob is at hand, and no query can be asked.
class NoLookups final : public Lookups {
 public:
  std::optional<Value> blob(std::string_view) const override { return std::nullopt; }
  std::expected<Value, std::string> query(std::string_view, const Value&) const override {
    return std::unexpected("there is no database to ask");
  }
};
inline constexpr NoLookups kNoLookups;

}  // namespace stepwell
