#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "stepwell/value/schema/fuel.h"
#include "stepwell/value/schema/program.h"

namespace stepwell::schema {

// An instance, and the way to it from the outermost one. Lives on the stack of the walk.
struct At {
  const Value& value;
  const At* around = nullptr;  // the container
  std::size_t index = 0;       // of the item or member in it
  const Value* key = nullptr;  // of the member; `value` may be this key itself (propertyNames)
};

std::string pointer_of(const At& at);

// One validation. Walks schema and instance together in one of two modes, with the same code:
//   quiet      stops at the first violation; check() says whether the instance is valid
//   reporting  writes violations down; check() says whether to go on
// So in both modes `false` means: return at once.
//
// The result of a node that several edges lead to is remembered per instance. Every other node is reached from one
// place only, so no pair of node and instance is worked on more than once per mode: this is what keeps nested
// references from multiplying.
class Checker {
 public:
  Checker(const Schema::Program& program, const ValidationBounds& bounds)
      : nodes_(program.nodes), bounds_(bounds), fuel_(bounds.steps) {}

  bool accepts_root(NodeId root, const Value& instance);
  std::vector<Violation> report_root(NodeId root, const Value& instance);

 private:
  // A violation, where it stands in the order of the instance, and when it was found.
  struct Found {
    std::vector<std::size_t> path;
    std::size_t number;
    Violation violation;
  };
  struct Pair {
    NodeId node;
    const Value* instance;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  struct PairHash {
    std::size_t operator()(const Pair& pair) const {
      return std::hash<const void*>()(pair.instance) * 31 + pair.node * std::size_t{0x9e3779b97f4a7c15};
    }
  };

  bool check(NodeId id, const At& at);
  bool check_shared(NodeId id, const At& at);
  bool check_node(const Node& node, const At& at);
  bool check_type(const Node& node, const At& at);
  bool check_choices(const Node& node, const At& at);
  bool check_number(const Node& node, const NumberRules& rules, const At& at);
  bool check_string(const Node& node, const StringRules& rules, const At& at);
  bool check_array(const Node& node, const ArrayRules& rules, const At& at);
  bool check_items(const Node& node, const ArrayRules& rules, const At& at);
  bool check_contains(const Node& node, const ArrayRules& rules, const At& at);
  bool check_object(const Node& node, const ObjectRules& rules, const At& at);
  bool check_members(const Node& node, const ObjectRules& rules, const At& at);
  bool check_dependencies(const Node& node, const ObjectRules& rules, const At& at);
  bool check_combination(const Node& node, const Combination& rules, const At& at);
  bool check_any_of(const Node& node, const Combination& rules, const At& at);
  bool check_one_of(const Node& node, const Combination& rules, const At& at);

  // Whether the node accepts the instance, in any mode. Meaningless once the walk was given up.
  bool accepts(NodeId id, const At& at);
  // For a message: which of the alternatives, none of which fits, comes closest, and why it does not fit.
  std::string closest(std::span<const NodeId> alternatives, const At& at);
  std::optional<Found> first_violation(NodeId id, const At& at);

  // Takes steps from the budget; gives up if there are not enough.
  bool spend(std::uint64_t steps) { return fuel_.burn(steps) || give_up("it takes too many steps"); }
  bool give_up(std::string_view reason);

  // Here a rule is broken. The message is made only if it will be read.
  template <typename MakeMessage>
  bool fail(const Node& node, std::string_view rule, const At& at, MakeMessage message) {
    return reporting_ && !gave_up_ && record(node, rule, at, message());
  }
  bool record(const Node& node, std::string_view rule, const At& at, std::string message);

  const std::vector<Node>& nodes_;
  const ValidationBounds& bounds_;
  Fuel fuel_;
  std::size_t depth_ = 0;
  bool reporting_ = false;
  bool explaining_ = false;  // reporting a single violation, for a message
  bool truncated_ = false;   // there are more violations than may be listed
  std::optional<std::string_view> gave_up_;
  std::unordered_map<Pair, bool, PairHash> known_;
  std::set<std::pair<NodeId, std::vector<std::size_t>>> reported_;
  std::vector<Found> found_;
  std::size_t report_bytes_ = 0;
};

}  // namespace stepwell::schema
