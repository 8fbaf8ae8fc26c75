#include "stepwell/compile/yaml.h"

#include <algorithm>

#include "stepwell/base/utf8.h"

namespace stepwell {

const YamlMember* Yaml::member(std::string_view key) const {
  const auto found = std::ranges::find(members, key, &YamlMember::key);
  return found == members.end() ? nullptr : &*found;
}

const Yaml* Yaml::find(std::string_view key) const {
  const YamlMember* found = member(key);
  return found ? &found->value : nullptr;
}

Mark Yaml::mark_at(std::size_t offset) const {
  if (verbatim_after < 0) return mark;
  const std::size_t before = utf8::length(text().substr(0, offset)) + static_cast<std::size_t>(verbatim_after);
  return {mark.line, mark.column + static_cast<std::uint32_t>(before)};
}

Value Yaml::to_value() const {
  switch (kind) {
    case Kind::null:
    case Kind::boolean:
    case Kind::integer:
    case Kind::real:
    case Kind::text: return scalar;
    case Kind::list: {
      std::vector<Value> values;
      values.reserve(items.size());
      for (const Yaml& item : items) values.push_back(item.to_value());
      return Value::list(std::move(values));
    }
    case Kind::map: {
      std::vector<Member> values;
      values.reserve(members.size());
      for (const YamlMember& written : members) values.push_back({written.key, written.value.to_value()});
      return Value::map(std::move(values));
    }
  }
  CHECK(false);
}

}  // namespace stepwell
