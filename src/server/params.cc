#include "stepwell/server/params.h"

#include <fmt/format.h>

namespace stepwell {

void Params::wrong(std::string_view name, std::string_view expected) {
  if (!problem_) problem_ = Problem{"invalid", fmt::format("the parameter '{}' must be {}", name, expected)};
}

std::string Params::text(std::string_view name) {
  const Value* found = params_.find(name);
  if (found != nullptr && found->is_text()) return std::string(found->as_text());
  wrong(name, "a text");
  return {};
}

std::string Params::text_or(std::string_view name, std::string_view otherwise) {
  const Value* found = params_.find(name);
  return found == nullptr || found->is_null() ? std::string(otherwise) : text(name);
}

std::uint64_t Params::number(std::string_view name) {
  const Value* found = params_.find(name);
  if (found != nullptr && found->is_int() && found->as_int() >= 0) return static_cast<std::uint64_t>(found->as_int());
  wrong(name, "a whole number, not below 0");
  return 0;
}

std::optional<std::uint64_t> Params::maybe_number(std::string_view name) {
  const Value* found = params_.find(name);
  if (found == nullptr || found->is_null()) return std::nullopt;
  return number(name);
}

bool Params::flag(std::string_view name) {
  const Value* found = params_.find(name);
  if (found == nullptr || found->is_null()) return false;
  if (found->is_bool()) return found->as_bool();
  wrong(name, "true or false");
  return false;
}

Value Params::value(std::string_view name) const {
  const Value* found = params_.find(name);
  return found == nullptr ? Value() : *found;
}

std::vector<std::string> Params::texts(std::string_view name) {
  const Value* found = params_.find(name);
  if (found == nullptr || found->is_null()) return {};
  std::vector<std::string> all;
  if (found->is_list()) {
    for (const Value& each : found->as_list()) {
      if (!each.is_text()) break;
      all.emplace_back(each.as_text());
    }
    if (all.size() == found->as_list().size()) return all;
  }
  wrong(name, "a list of texts");
  return {};
}

}  // namespace stepwell
