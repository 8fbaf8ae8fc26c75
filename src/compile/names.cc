#include "stepwell/compile/names.h"

#include <algorithm>
#include <array>

namespace stepwell {
namespace {

constexpr auto kReserved = std::to_array<std::string_view>(
    {"False",   "None",   "True",      "_attempt", "_branch", "_prev", "_task", "and",  "args",    "ctx", "else",
     "error",   "event",  "execution", "false",    "if",      "in",    "is",    "iter", "none",    "not", "or",
     "outcome", "output", "results",   "run",      "signal",  "state", "true",  "vars", "workload"});

void collect_bound(const Yaml& step, Names& names) {
  const Yaml* next = step.find("next");
  if (next == nullptr || next->kind != Kind::list) return;
  for (const Yaml& arc : next->items) {
    const Yaml* foreach = arc.find("foreach");
    const Yaml* as = foreach != nullptr ? foreach->find("as") : nullptr;
    if (as != nullptr && as->kind == Kind::text) names.bound.emplace_back(as->scalar.as_text());
  }
}

void collect_list(const Yaml& workflow, std::int64_t owner, Names& names) {
  if (workflow.kind != Kind::list) return;
  const auto list = static_cast<std::uint32_t>(names.lists.size());
  names.lists.emplace_back();
  names.owners.push_back(owner);
  std::vector<std::uint32_t> mine;
  for (const Yaml& step : workflow.items) {
    const Yaml* name = step.find("step");
    const bool named = name != nullptr && name->kind == Kind::text;
    names.all_named = names.all_named && named;
    mine.push_back(static_cast<std::uint32_t>(names.steps.size()));
    names.by_name.emplace(named ? name->text() : "", names.steps.size());
    names.steps.push_back({named ? std::string(name->scalar.as_text()) : "", &step, list});
    collect_bound(step, names);
  }
  names.lists[list] = mine;
  for (const std::uint32_t index : mine) {
    const Yaml* inner = names.steps[index].node->find("workflow");
    if (inner != nullptr) collect_list(*inner, index, names);
  }
}

}  // namespace

void Names::enter(std::size_t index) {
  auto iterator_of = [&](std::size_t step) -> std::optional<std::string> {
    const Yaml* loop = steps[step].node->find("loop");
    const Yaml* iterator = loop != nullptr ? loop->find("iterator") : nullptr;
    if (iterator == nullptr || !iterator->is_text()) return std::nullopt;
    return std::string(iterator->text());
  };
  own_iterator = iterator_of(index);
  own_loop = steps[index].node->find("loop") != nullptr;
  iterators.clear();
  in_loop = false;
  for (std::int64_t owner = owners[steps[index].list]; owner >= 0; owner = owners[steps[owner].list]) {
    in_loop = in_loop || steps[owner].node->find("loop") != nullptr;
    if (auto name = iterator_of(static_cast<std::size_t>(owner))) iterators.push_back(*std::move(name));
  }
}

const StepEntry* Names::find_step(std::string_view name) const {
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : &steps[found->second];
}

std::int64_t Names::index_of(std::string_view name) const {
  const StepEntry* entry = find_step(name);
  return entry == nullptr ? -1 : entry - steps.data();
}

Names collect_names(const Yaml& workflow) {
  Names names;
  collect_list(workflow, -1, names);
  return names;
}

namespace {

bool reads_steps(Where where) { return where != Where::start; }

// What can be read besides steps.
std::vector<std::string_view> readable_words(const Names& names, Where where) {
  if (where == Where::given) return {names.given.begin(), names.given.end()};
  std::vector<std::string_view> all = {"workload", "execution"};
  if (where == Where::start) return all;
  all.insert(all.end(), {"ctx", "state"});
  if (where == Where::output) return all;
  all.insert(all.end(), {"args", "_branch", "run"});
  for (const std::string& name : names.bound) all.push_back(name);
  for (const std::string& name : names.iterators) all.push_back(name);
  const bool in_pipeline = where == Where::tool || where == Where::record || where == Where::rule;
  const bool in_iteration = where == Where::inputs || where == Where::match || in_pipeline;
  if (names.in_loop || (names.own_loop && in_iteration)) all.push_back("iter");
  if (names.own_iterator && in_iteration) all.push_back(*names.own_iterator);
  if (where == Where::match) all.push_back("signal");
  if (where == Where::end) all.insert(all.end(), {"vars", "output", "error", "outcome", "event"});
  if (in_pipeline) {
    all.insert(all.end(), {"vars", "results", "_task", "_attempt", "_prev"});
    for (const std::string& label : names.labels) all.push_back(label);
  }
  if (where == Where::rule) all.push_back("outcome");
  return all;
}

}  // namespace

bool is_readable(std::string_view name, const Names& names, Where where) {
  if (reads_steps(where) && names.find_step(name) != nullptr) return true;
  return std::ranges::count(readable_words(names, where), name) != 0;
}

std::vector<std::string_view> readable_names(const Names& names, Where where) {
  std::vector<std::string_view> all = readable_words(names, where);
  if (!reads_steps(where)) return all;
  for (const StepEntry& step : names.steps) all.push_back(step.name);
  return all;
}

bool is_reserved(std::string_view name) { return std::ranges::count(kReserved, name) != 0; }

}  // namespace stepwell
