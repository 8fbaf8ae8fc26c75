#include "stepwell/expr/emitter.h"

#include <algorithm>

#include "stepwell/base/check.h"

namespace stepwell {

std::size_t Emitter::emit(Op op, const Node& origin, int effect, std::uint32_t a, std::uint32_t b) {
  program_.code.push_back({op, a, b});
  program_.origins.push_back({expression_, origin.at});
  height_ += effect;
  CHECK(given_up_ || height_ >= 0);
  program_.max_stack = std::max(program_.max_stack, static_cast<std::uint32_t>(std::max(height_, 0)));
  return program_.code.size() - 1;
}

std::uint32_t Emitter::add_constant(const Value& value) {
  program_.constants.push_back(value);
  return static_cast<std::uint32_t>(program_.constants.size() - 1);
}

std::uint32_t Emitter::add_root(std::string_view name) {
  const auto next = static_cast<std::uint32_t>(program_.roots.size());
  const auto [root, added] = roots_.try_emplace(std::string(name), next);
  if (added) program_.roots.emplace_back(name);
  return root->second;
}

std::uint32_t Emitter::add_path(PathPlan plan) {
  program_.paths.push_back(std::move(plan));
  return static_cast<std::uint32_t>(program_.paths.size() - 1);
}

std::uint32_t Emitter::add_call(CallPlan plan) {
  program_.calls.push_back(std::move(plan));
  return static_cast<std::uint32_t>(program_.calls.size() - 1);
}

Program Emitter::finish(bool makes_text, const Node& root) {
  emit(Op::done, root, makes_text ? 0 : -1);
  CHECK(height_ == 0);
  program_.makes_text = makes_text;
  std::ranges::sort(program_.reads);
  const auto [first, last] = std::ranges::unique(program_.reads);
  program_.reads.erase(first, last);
  return std::move(program_);
}

}  // namespace stepwell
