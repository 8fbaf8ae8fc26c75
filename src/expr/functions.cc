#include "stepwell/expr/functions.h"

#include <array>

#include <fmt/format.h>

#include "stepwell/expr/arguments.h"
#include "stepwell/expr/operators.h"
#include "stepwell/expr/secrets.h"

namespace stepwell {
namespace {

// How many numbers there are from start to stop, without overflow.
std::uint64_t steps_between(std::int64_t start, std::int64_t stop, std::int64_t step) {
  const bool upwards = step > 0;
  if (upwards ? start >= stop : start <= stop) return 0;
  const auto from = static_cast<std::uint64_t>(start);
  const auto to = static_cast<std::uint64_t>(stop);
  const std::uint64_t distance = upwards ? to - from : from - to;
  const std::uint64_t stride = upwards ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  return (distance - 1) / stride + 1;
}

OrFault<void> add_pairs(std::vector<Member>& members, const Value& pairs, Budget& budget) {
  const auto items = Items::of(pairs, budget);
  if (!items) return std::unexpected(items.error());
  for (const Value& item : *items) {
    const auto pair = Items::of(item, budget);
    if (!pair) return std::unexpected(pair.error());
    if (pair->size() != 2) return wrong_kind("an item of dict", "a pair of key and value", item);
    if (!pair->view()[0].is_text()) return wrong_kind("a key", "text", pair->view()[0]);
    members.push_back({pair->view()[0], pair->view()[1]});
  }
  return {};
}

}  // namespace

OrFault<Value> function_dict(Call& call) {
  if (call.args.size() > 1) return fault(FaultCode::type, "function 'dict' takes one map or list of pairs, and names");
  std::vector<Member> members;
  if (!call.args.empty() && call[0].is_map()) {
    if (auto allowed = call.budget.spend_items(call[0].as_map().size()); !allowed)
      return std::unexpected(allowed.error());
    members.assign(call[0].as_map().begin(), call[0].as_map().end());
  } else if (!call.args.empty()) {
    if (auto done = add_pairs(members, call[0], call.budget); !done) return std::unexpected(done.error());
  }
  for (const KeywordArgument& keyword : call.keywords) members.push_back({keyword.name, keyword.value});
  return map_value(std::move(members));
}

OrFault<Value> function_now(Call& call) { return Value(call.ambient.stamp.time.str()); }

OrFault<Value> function_random(Call& call) { return random_unit(call.ambient.stamp.entropy, call.ambient.draws++); }

OrFault<Value> function_range(Call& call) {
  if (call.args.empty() || call.args.size() > 3 || !call.keywords.empty())
    return fault(FaultCode::type, "function 'range' takes stop; or start, stop; or start, stop, step");
  std::array<std::int64_t, 3> numbers = {0, 0, 1};
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const auto number = whole_number(call[i], "an argument of range");
    if (!number) return std::unexpected(number.error());
    numbers[call.args.size() == 1 ? 1 : i] = *number;
  }
  const auto [start, stop, step] = numbers;
  if (step == 0) return fault(FaultCode::value, "the step of range must not be 0");
  const std::uint64_t count = steps_between(start, stop, step);
  if (auto allowed = call.budget.spend_items(count); !allowed) return std::unexpected(allowed.error());
  std::vector<Value> items;
  items.reserve(count);
  // Unsigned, because i * step may wrap round although the sum fits.
  for (std::uint64_t i = 0; i < count; ++i)
    items.emplace_back(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(start) + i * static_cast<std::uint64_t>(step)));
  return Value::list(std::move(items));
}

OrFault<Value> function_secret(Call& call) {
  const auto name = text_only(call[0], "the name of a secret");
  if (!name) return std::unexpected(name.error());
  if (call.ambient.secrets == nullptr)
    return fault(FaultCode::secret, fmt::format("the secret '{}' is not known here: only tools are told", *name));
  const std::optional<std::string> secret = call.ambient.secrets->find(*name);
  if (!secret) return fault(FaultCode::secret, fmt::format("there is no secret '{}'", *name));
  return Value(*secret);
}

OrFault<Value> function_uuid(Call& call) { return Value(uuid_from(call.ambient.stamp.entropy, call.ambient.draws++)); }

}  // namespace stepwell
