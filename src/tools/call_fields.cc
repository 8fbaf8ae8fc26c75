#include "stepwell/tools/call_fields.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/tools/tool_error.h"
#include "stepwell/value/json_write.h"

namespace stepwell {

const Value* CallFields::find(std::string_view name) const {
  const Value* found = call_.fields.find(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

void CallFields::refuse(std::string_view name, std::string_view must) {
  if (!wrong_.empty()) return;
  const Value* found = find(name);
  wrong_ = fmt::format("'{}' of {} must be {}, not {}", name, call_.kind, must,
                       found == nullptr ? "null" : kind_name(found->kind()));
}

std::optional<TaskOutcome> CallFields::wrong() const {
  if (wrong_.empty()) return std::nullopt;
  return wrong_field(wrong_);
}

std::string_view CallFields::text(std::string_view name) {
  if (find(name) == nullptr) refuse(name, "text");
  return optional_text(name);
}

std::string_view CallFields::optional_text(std::string_view name) {
  const Value* found = find(name);
  if (found == nullptr) return {};
  if (found->is_text()) return found->as_text();
  refuse(name, "text");
  return {};
}

bool CallFields::boolean(std::string_view name, bool otherwise) {
  const Value* found = find(name);
  if (found == nullptr) return otherwise;
  if (found->is_bool()) return found->as_bool();
  refuse(name, "true or false");
  return otherwise;
}

std::optional<Duration> CallFields::duration(std::string_view name) {
  const Value* found = find(name);
  if (found == nullptr) return std::nullopt;
  std::optional<Duration> duration;
  if (found->is_int()) duration = Duration::seconds(found->as_int());
  if (found->is_real()) duration = Duration::seconds(found->as_real());
  if (found->is_text()) {
    if (auto parsed = Duration::parse(found->as_text())) duration = *parsed;
  }
  if (!duration || *duration <= Duration()) refuse(name, "a duration like 30s, more than none");
  return duration;
}

std::vector<std::pair<std::string, std::string>> CallFields::texts(std::string_view name) {
  std::vector<std::pair<std::string, std::string>> all;
  const Value members = map(name);
  all.reserve(members.as_map().size());
  for (const Member& member : members.as_map()) {
    const Value& value = member.value;
    if (value.is_null()) continue;
    if (value.is_list() || value.is_map()) refuse(name, fmt::format("a map of texts ('{}' is none)", member.key()));
    all.emplace_back(member.key(), value.is_text() ? std::string(value.as_text()) : to_json(value));
  }
  return all;
}

Value CallFields::map(std::string_view name) {
  const Value* found = find(name);
  if (found != nullptr && found->is_map()) return *found;
  if (found != nullptr) refuse(name, "a map");
  return Value::map({});
}

Value CallFields::list(std::string_view name) {
  const Value* found = find(name);
  if (found != nullptr && found->is_list()) return *found;
  if (found != nullptr) refuse(name, "a list");
  return Value::list({});
}

std::optional<ToolTime> deadline_of(const ToolCall& call, std::optional<Duration> timeout) {
  if (!timeout) return call.deadline;
  // Longer than anything waits, and far from where adding would overflow.
  constexpr std::int64_t kLongest = std::int64_t{365} * 24 * 3600 * 1'000'000;
  const ToolTime own =
      std::chrono::steady_clock::now() + std::chrono::microseconds(std::min(timeout->micros(), kLongest));
  return call.deadline ? std::min(*call.deadline, own) : own;
}

}  // namespace stepwell
