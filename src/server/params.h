#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/server/service.h"
#include "stepwell/value/value.h"

namespace stepwell {

// The parameters of a call, read by name. What is missing or of a wrong kind is remembered, and read as nothing; who
// has read all of them asks once whether all were right. Borrows the value.
class Params {
 public:
  explicit Params(const Value& params) : params_(params) {}

  std::string text(std::string_view name);
  std::string text_or(std::string_view name, std::string_view otherwise);
  std::uint64_t number(std::string_view name);
  std::optional<std::uint64_t> maybe_number(std::string_view name);
  bool flag(std::string_view name);
  Value value(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name);

  const std::optional<Problem>& problem() const { return problem_; }

 private:
  void wrong(std::string_view name, std::string_view expected);

  const Value& params_;
  std::optional<Problem> problem_;
};

}  // namespace stepwell
