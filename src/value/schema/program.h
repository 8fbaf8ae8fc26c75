#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/value/schema.h"
#include "stepwell/value/schema/format.h"
#include "stepwell/value/schema/pattern.h"
#include "stepwell/value/value.h"

// The compiled form of a schema: a graph of nodes, one per (sub)schema, in which `$ref` is an edge like any other.
// What a node demands is grouped by the kind of instance it concerns, so that a check touches only what may apply.
namespace stepwell::schema {

using NodeId = std::uint32_t;

// The primitive types of JSON Schema, as bits. An integer is a number, too.
using TypeSet = std::uint8_t;
inline constexpr TypeSet kNull = 1, kBoolean = 2, kInteger = 4, kNumber = 8, kString = 16, kArray = 32, kObject = 64;
inline constexpr TypeSet kAnyType = 127;

struct NumberRules {
  std::optional<Value> minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of;
};

struct StringRules {
  std::optional<std::uint64_t> min_length, max_length;
  std::optional<Pattern> pattern;
  const Format* format = nullptr;
};

struct ArrayRules {
  std::optional<std::uint64_t> min_items, max_items;
  bool unique = false;
  std::vector<NodeId> tuple;   // `items` as a list: by position
  std::optional<NodeId> rest;  // `items` as one schema, or `additionalItems` after a tuple
  bool rest_is_items = false;  // which of the two
  std::optional<NodeId> contains;
};

struct NamedNode {
  Value name;
  NodeId node;
};

struct PatternNode {
  Pattern pattern;
  NodeId node;
};

struct Dependency {
  Value name;
  std::vector<Value> required;  // these as well, if `name` is there
  std::optional<NodeId> node;   // or: then this schema as well
};

struct ObjectRules {
  std::optional<std::uint64_t> min_properties, max_properties;
  std::vector<Value> required;
  std::vector<NamedNode> properties;  // in canonical key order
  std::vector<PatternNode> patterns;
  std::optional<NodeId> additional;
  std::optional<NodeId> names;
  std::vector<Dependency> dependencies;
};

// Schemas applied to the same instance.
struct Combination {
  std::vector<NodeId> all_of, any_of, one_of;
  std::optional<NodeId> none_of, condition, consequence, alternative;  // `not`, `if`, `then`, `else`
};

struct Node {
  std::string place;                // its JSON pointer, after a URI if it is the meta schema's
  std::optional<NodeId> reference;  // `$ref`; gone once the program is linked
  bool never = false;               // the schema `false`
  bool shared = false;              // several edges lead here, so one place may be asked about it twice
  TypeSet types = kAnyType;
  std::optional<Value> constant;
  std::optional<Value> choices;       // `enum` as written
  std::vector<Value> sorted_choices;  // in the order of compare_json
  std::optional<NumberRules> number;
  std::optional<StringRules> string;
  std::optional<ArrayRules> array;
  std::optional<ObjectRules> object;
  std::optional<Combination> combination;
};

// Calls visit(NodeId&, bool in_place) for every edge of the node but `reference`; in place are those that lead to a
// schema for the same instance.
template <typename Visit>
void for_each_edge(Node& node, Visit visit) {
  auto one = [&](std::optional<NodeId>& edge, bool in_place) {
    if (edge) visit(*edge, in_place);
  };
  auto many = [&](std::vector<NodeId>& edges, bool in_place) {
    for (NodeId& edge : edges) visit(edge, in_place);
  };
  if (node.array) {
    many(node.array->tuple, false);
    one(node.array->rest, false);
    one(node.array->contains, false);
  }
  if (node.object) {
    for (NamedNode& property : node.object->properties) visit(property.node, false);
    for (PatternNode& property : node.object->patterns) visit(property.node, false);
    one(node.object->additional, false);
    one(node.object->names, false);
    for (Dependency& dependency : node.object->dependencies) one(dependency.node, true);
  }
  if (node.combination) {
    many(node.combination->all_of, true);
    many(node.combination->any_of, true);
    many(node.combination->one_of, true);
    one(node.combination->none_of, true);
    one(node.combination->condition, true);
    one(node.combination->consequence, true);
    one(node.combination->alternative, true);
  }
}

}  // namespace stepwell::schema

namespace stepwell {

struct Schema::Program {
  std::vector<schema::Node> nodes;
  schema::NodeId root = 0;
};

}  // namespace stepwell
