#include "shrink.h"

#include <functional>

namespace stepwell::reference {

namespace {

bool still_fails(const Case& example) { return play(example).verdict == Verdict::disagree; }

// Every value that `value` becomes by leaving out one member or item anywhere, the larger parts first. `keep` is told
// each; what it takes is gone on with.
bool leave_out_one(const Value& value, const std::function<bool(const Value&)>& keep) {
  if (value.is_list()) {
    const std::vector<Value> items(value.as_list().begin(), value.as_list().end());
    for (std::size_t i = 0; i < items.size(); ++i) {
      std::vector<Value> fewer = items;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (keep(Value::list(std::move(fewer)))) return true;
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      const bool kept = leave_out_one(items[i], [&](const Value& smaller) {
        std::vector<Value> changed = items;
        changed[i] = smaller;
        return keep(Value::list(std::move(changed)));
      });
      if (kept) return true;
    }
  }
  if (value.is_map()) {
    const std::vector<Member> members(value.as_map().begin(), value.as_map().end());
    for (std::size_t i = 0; i < members.size(); ++i) {
      std::vector<Member> fewer = members;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (keep(Value::map(std::move(fewer)))) return true;
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      const bool kept = leave_out_one(members[i].value, [&](const Value& smaller) {
        std::vector<Member> changed = members;
        changed[i].value = smaller;
        return keep(Value::map(std::move(changed)));
      });
      if (kept) return true;
    }
  }
  return false;
}

bool shrink_choices(Case& failing) {
  bool any = false;
  for (std::size_t i = failing.choices.size(); i-- > 0;) {
    Case fewer = failing;
    fewer.choices.erase(fewer.choices.begin() + static_cast<std::ptrdiff_t>(i));
    if (!still_fails(fewer)) continue;
    failing = std::move(fewer);
    any = true;
  }
  return any;
}

bool shrink_playbook(Case& failing) {
  return leave_out_one(failing.playbook, [&](const Value& smaller) {
    Case candidate{.playbook = smaller, .choices = failing.choices};
    if (!still_fails(candidate)) return false;
    failing = std::move(candidate);
    return true;
  });
}

}  // namespace

Case shrink(Case failing) {
  while (shrink_choices(failing) || shrink_playbook(failing)) {
  }
  return failing;
}

}  // namespace stepwell::reference
