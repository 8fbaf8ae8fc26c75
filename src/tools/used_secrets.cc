#include "stepwell/tools/used_secrets.h"

#include <algorithm>

#include "stepwell/base/base64.h"
#include "stepwell/value/json_write.h"

namespace stepwell {
namespace {

constexpr std::string_view kInstead = "***";

void replace_all(std::string& text, std::string_view what) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + kInstead.size())) {
    text.replace(at, what.size(), kInstead);
  }
}

}  // namespace

std::optional<std::string> UsedSecrets::find(std::string_view name) const {
  std::optional<std::string> secret = source_.find(name);
  if (secret) remember(*secret);
  return secret;
}

void UsedSecrets::remember(std::string_view text) const {
  if (text.empty()) return;
  std::string in_json;
  append_json_text(in_json, text);
  const std::lock_guard lock(mutex_);
  for (std::string form : {std::string(text), to_base64(text), in_json.substr(1, in_json.size() - 2)}) {
    if (std::ranges::count(used_, form) == 0) used_.push_back(std::move(form));
  }
  std::ranges::sort(used_,
                    [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() > b.size() : a < b; });
}

std::string UsedSecrets::redacted(std::string_view text) const {
  std::string clean(text);
  const std::lock_guard lock(mutex_);
  for (const std::string& secret : used_) replace_all(clean, secret);
  return clean;
}

Value UsedSecrets::redacted(const Value& value) const {
  switch (value.kind()) {
    case Kind::null:
    case Kind::boolean: return value;
    case Kind::integer:
    case Kind::real: {
      const std::string text = to_json(value);
      const std::lock_guard lock(mutex_);
      return std::ranges::count(used_, text) == 0 ? value : Value(kInstead);
    }
    case Kind::text: return Value(redacted(value.as_text()));
    case Kind::list: {
      std::vector<Value> items;
      items.reserve(value.as_list().size());
      for (const Value& item : value.as_list()) items.push_back(redacted(item));
      return Value::list(std::move(items));
    }
    case Kind::map: break;
  }
  std::vector<Member> members;
  members.reserve(value.as_map().size());
  for (const Member& member : value.as_map()) {
    members.push_back({Value(redacted(member.key())), redacted(member.value)});
  }
  return Value::map(std::move(members));
}

TaskOutcome UsedSecrets::redacted(TaskOutcome outcome) const {
  {
    const std::lock_guard lock(mutex_);
    if (used_.empty()) return outcome;
  }
  for (Value* part : {&outcome.result, &outcome.error, &outcome.http, &outcome.exit}) *part = redacted(*part);
  return outcome;
}

}  // namespace stepwell
