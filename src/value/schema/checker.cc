#include "stepwell/value/schema/checker.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "stepwell/base/limits.h"
#include "stepwell/value/json_pointer.h"
#include "stepwell/value/schema/words.h"

namespace stepwell::schema {

namespace {

std::vector<std::size_t> path_of(const At& at) {
  std::vector<std::size_t> path;
  for (const At* step = &at; step->around; step = step->around) path.push_back(step->index);
  std::ranges::reverse(path);
  return path;
}

}  // namespace

std::string pointer_of(const At& at) {
  std::vector<const At*> steps;
  for (const At* step = &at; step->around; step = step->around) steps.push_back(step);
  std::string pointer;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if ((*step)->key) {
      append_pointer_token(pointer, (*step)->key->as_text());
    } else {
      append_pointer_token(pointer, (*step)->index);
    }
  }
  return pointer;
}

bool Checker::accepts_root(NodeId root, const Value& instance) { return accepts(root, At{instance}) && !gave_up_; }

std::vector<Violation> Checker::report_root(NodeId root, const Value& instance) {
  reporting_ = true;
  check(root, At{instance});
  std::ranges::sort(found_, {}, [](const Found& found) { return std::tie(found.path, found.number); });
  std::vector<Violation> violations;
  violations.reserve(found_.size() + 1);
  for (Found& found : found_) violations.push_back(std::move(found.violation));
  if (gave_up_) {
    violations.push_back({"", nodes_[root].place, "limit", fmt::format("the check was given up: {}", *gave_up_)});
  } else if (truncated_) {
    violations.push_back({"", nodes_[root].place, "limit",
                          fmt::format("there are more violations; only the first {} found are listed", found_.size())});
  }
  return violations;
}

bool Checker::check(NodeId id, const At& at) {
  if (gave_up_ || !spend(1)) return false;
  if (depth_ == limits::kSchemaDepth) return give_up("schemas apply one another too deeply");
  ++depth_;
  const Node& node = nodes_[id];
  const bool go_on = node.shared ? check_shared(id, at) : check_node(node, at);
  --depth_;
  return go_on;
}

bool Checker::check_shared(NodeId id, const At& at) {
  if (!reporting_) {
    const Pair pair{id, &at.value};
    if (const auto known = known_.find(pair); known != known_.end()) return known->second;
    const bool valid = check_node(nodes_[id], at);
    if (!gave_up_) known_.emplace(pair, valid);
    return valid;
  }
  if (accepts(id, at)) return true;
  if (gave_up_) return false;
  if (!explaining_ && !reported_.emplace(id, path_of(at)).second) return true;
  return check_node(nodes_[id], at);
}

bool Checker::check_node(const Node& node, const At& at) {
  if (node.never) return fail(node, "false", at, [] { return "is not allowed"; });
  if (!check_type(node, at) || !check_choices(node, at)) return false;
  switch (at.value.kind()) {
    case Kind::null:
    case Kind::boolean: break;
    case Kind::integer:
    case Kind::real:
      if (node.number && !check_number(node, *node.number, at)) return false;
      break;
    case Kind::text:
      if (node.string && !check_string(node, *node.string, at)) return false;
      break;
    case Kind::list:
      if (node.array && !check_array(node, *node.array, at)) return false;
      break;
    case Kind::map:
      if (node.object && !check_object(node, *node.object, at)) return false;
      break;
  }
  return !node.combination || check_combination(node, *node.combination, at);
}

bool Checker::accepts(NodeId id, const At& at) {
  const bool was_reporting = std::exchange(reporting_, false);
  const bool valid = check(id, at);
  reporting_ = was_reporting;
  return valid;
}

bool Checker::give_up(std::string_view reason) {
  if (!gave_up_) gave_up_ = reason;
  return false;
}

bool Checker::record(const Node& node, std::string_view rule, const At& at, std::string message) {
  if (!explaining_ && (found_.size() == bounds_.violations || report_bytes_ > limits::kSchemaReportBytes)) {
    truncated_ = true;
    return false;
  }
  const bool about_name = at.key == &at.value;
  if (about_name) message = fmt::format("the name {} {}", quoted(at.key->as_text()), message);
  std::string place = node.place;
  if (rule != "false") place.append("/").append(rule);
  Violation violation{pointer_of(at), std::move(place), std::string(rule), std::move(message)};
  if (!explaining_) report_bytes_ += violation.instance.size() + violation.schema.size() + violation.message.size();
  found_.push_back({path_of(at), found_.size(), std::move(violation)});
  return !explaining_;
}

}  // namespace stepwell::schema
