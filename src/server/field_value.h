#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepwell/base/few.h"
#include "stepwell/base/instant.h"
#include "stepwell/kernel/field.h"
#include "stepwell/kernel/ids.h"
#include "stepwell/kernel/playbook/event.h"
#include "stepwell/kernel/playbook/run_error.h"
#include "stepwell/kernel/playbook/words.h"
#include "stepwell/kernel/shared.h"
#include "stepwell/value/encoded_value.h"
#include "stepwell/value/path.h"
#include "stepwell/value/value.h"

// Fields of events as values that people and programs read: instants as RFC 3339, numbers of kinds as words.
namespace stepwell {

inline Value field_value(bool flag) { return flag; }
inline Value field_value(std::integral auto number) { return static_cast<std::int64_t>(number); }
inline Value field_value(const std::string& text) { return text; }
inline Value field_value(const Value& value) { return value; }
inline Value field_value(const EncodedValue& value) { return value.decode(); }
inline Value field_value(const Path& path) { return path.str(); }
inline Value field_value(Instant at) { return at.str(); }
inline Value field_value(const RunError& error) { return error.to_value(); }
inline Value field_value(EndStatus status) { return status_word(status); }
inline Value field_value(Settled how) { return settled_word(how); }
inline Value field_value(MessageKind kind) { return message_word(kind); }
template <typename Of>
Value field_value(Id<Of> id) {
  return static_cast<std::int64_t>(id.number);
}

template <typename T>
Value field_value(const std::optional<T>& maybe);
template <typename T>
Value field_value(const Shared<T>& shared);
template <typename T>
Value field_value(const std::vector<T>& all);
template <typename T>
Value field_value(const Few<T>& all);
template <HasFields T>
Value field_value(const T& parts);

template <typename T>
Value field_value(const std::optional<T>& maybe) {
  return maybe ? field_value(*maybe) : Value();
}

template <typename T>
Value field_value(const Shared<T>& shared) {
  return field_value(*shared);
}

Value list_value(const auto& all) {
  std::vector<Value> values;
  values.reserve(all.size());
  for (const auto& each : all) values.push_back(field_value(each));
  return Value::list(std::move(values));
}

template <typename T>
Value field_value(const std::vector<T>& all) {
  return list_value(all);
}

template <typename T>
Value field_value(const Few<T>& all) {
  return list_value(all);
}

template <HasFields T>
Value field_value(const T& parts) {
  std::vector<Member> members;
  T::each_field([&](std::string_view name, auto member) { members.push_back({name, field_value(parts.*member)}); });
  return Value::map(std::move(members));
}

}  // namespace stepwell
