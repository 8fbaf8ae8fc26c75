#include "plain.h"

#include "stepwell/value/json_write.h"

namespace stepwell::reference {

namespace {

Value without_words(const Value& value) {
  if (value.is_list()) {
    std::vector<Value> items;
    for (const Value& item : value.as_list()) items.push_back(without_words(item));
    return Value::list(std::move(items));
  }
  if (!value.is_map()) return value;
  const bool is_error = value.find("class") != nullptr && value.find("kind") != nullptr;
  std::vector<Member> members;
  for (const Member& member : value.as_map()) {
    if (is_error && (member.key() == "message" || member.key() == "details")) continue;
    members.push_back({member.name, without_words(member.value)});
  }
  return Value::map(std::move(members));
}

}  // namespace

std::string plain(const Value& value) { return to_json(without_words(value)); }

}  // namespace stepwell::reference
