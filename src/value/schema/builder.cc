#include "stepwell/value/schema/builder.h"

#include <fmt/format.h>

#include "stepwell/base/limits.h"
#include "stepwell/base/nearest.h"
#include "stepwell/value/json_pointer.h"
#include "stepwell/value/schema/link.h"
#include "stepwell/value/schema/meta_schema.h"
#include "stepwell/value/schema/uri.h"
#include "stepwell/value/schema/words.h"

namespace stepwell::schema {

namespace {

// The `$id` of a schema, if it counts: beside `$ref` it does not.
const Value* own_id(const Value& schema) {
  const Value* id = schema.find("$id");
  return id && id->is_text() && !schema.find("$ref") ? id : nullptr;
}

bool is_anchor(std::string_view id) { return id.starts_with('#') && id.size() > 1; }

std::vector<std::string_view> keys_of(const Value& value) {
  std::vector<std::string_view> keys;
  if (!value.is_map()) return keys;
  for (const Member& member : value.as_map()) keys.push_back(member.key());
  return keys;
}

const Value* step_into(const Value& value, std::string_view token) {
  if (!value.is_list()) return value.find(token);
  const std::optional<std::size_t> index = pointer_index(token);
  return index && *index < value.as_list().size() ? &value.as_list()[*index] : nullptr;
}

}  // namespace

Place Place::operator/(std::string_view token) const {
  Place below = *this;
  append_pointer_token(below.pointer, token);
  return below;
}

Place Place::operator/(std::size_t index) const {
  Place below = *this;
  append_pointer_token(below.pointer, index);
  return below;
}

std::string Place::str() const { return std::string(document) + pointer; }

std::shared_ptr<const std::string> base_inside(const Place& place, const Value& schema) {
  const Value* id = own_id(schema);
  if (!id || is_anchor(id->as_text())) return place.base;
  return std::make_shared<const std::string>(resolve_uri(*place.base, id->as_text()));
}

Builder::Builder(const Value& schema) : root_(schema) {}

Schema::Program Builder::build() {
  const Place start{.document = "", .pointer = "", .base = std::make_shared<const std::string>()};
  // The document answers to the empty URI as well as to its own `$id`.
  resources_.emplace("", Resource{start, &root_});
  program_.root = node(start, root_);
  while (!unresolved_.empty() && !gave_up()) {
    const Reference reference = std::move(unresolved_.front());
    unresolved_.pop_front();
    resolve(reference);
  }
  link(program_, diagnostics_);
  return std::move(program_);
}

void Builder::complain(const Place& place, std::string message, std::string hint) {
  if (silent_) return;
  if (diagnostics_.size() == limits::kSchemaViolations || diagnostic_bytes_ > limits::kSchemaReportBytes) {
    message = fmt::format("there is more to complain about; the problems before are the first {}", diagnostics_.size());
    hint.clear();
    silent_ = true;
  }
  diagnostics_.push_back({place.str(), std::move(message), std::move(hint)});
  diagnostic_bytes_ += diagnostics_.back().pointer.size() + diagnostics_.back().message.size();
}

// Pointers and URIs can be far longer together than the schema they point into, so they count as well.
bool Builder::may_grow(const Place& place) {
  text_bytes_ += place.pointer.size() + place.base->size();
  if (program_.nodes.size() < limits::kSchemaNodes && text_bytes_ < limits::kSchemaPlaceBytes) return true;
  if (!too_large_) {
    complain(place, fmt::format("is too much: a schema may have {} subschemas", limits::kSchemaNodes),
             "split the schema, or refer to repeated parts with $ref");
  }
  too_large_ = true;
  return false;
}

NodeId Builder::node(const Place& place, const Value& schema) {
  const std::string key = place.str();
  if (const auto known = ids_.find(key); known != ids_.end()) return known->second;
  if (!may_grow(place)) return 0;
  const auto id = static_cast<NodeId>(program_.nodes.size());
  ids_.emplace(key, id);
  program_.nodes.emplace_back().place = key;
  fill(id, place, schema);
  return id;
}

void Builder::fill(NodeId id, Place place, const Value& schema) {
  if (schema.is_bool()) {
    program_.nodes[id].never = !schema.as_bool();
    return;
  }
  if (!schema.is_map()) {
    return complain(place, "must be a schema, that is an object or a boolean, is " + shown_with_type(schema));
  }
  adopt_id(place, schema);
  if (const Value* target = schema.find("$ref")) {
    if (target->is_text()) {
      unresolved_.push_back({id, place / "$ref", target->as_text()});
    } else {
      complain(place / "$ref", "must be a string, is " + shown_with_type(*target));
    }
  }
  // Nodes move while others are made, so this one is finished before it is put in its place.
  Node node;
  node.place = program_.nodes[id].place;
  read_keywords(*this, place, schema, node);
  program_.nodes[id] = std::move(node);
}

void Builder::adopt_id(Place& place, const Value& schema) {
  const Value* id = own_id(schema);
  if (!id) return;
  const Place outside = place;
  place.base = base_inside(place, schema);
  std::string uri = is_anchor(id->as_text()) ? *place.base + std::string(id->as_text()) : *place.base;
  const auto [known, added] = resources_.emplace(std::move(uri), Resource{outside, &schema});
  if (!added && known->second.schema != &schema) {
    complain(outside / "$id",
             fmt::format("{} is taken by the schema at {}", quoted(id->as_text()), quoted(known->second.place.str())));
  }
}

const Builder::Resource* Builder::find_resource(const std::string& uri) {
  if (const auto found = resources_.find(uri); found != resources_.end()) return &found->second;
  if (uri != kMetaSchemaUri) return nullptr;
  const Place place{kMetaSchemaPrefix, "", std::make_shared<const std::string>(kMetaSchemaUri)};
  return &resources_.emplace(uri, Resource{place, &meta_schema()}).first->second;
}

void Builder::resolve(const Reference& reference) {
  const std::string uri = resolve_uri(*reference.place.base, reference.target);
  const std::optional<std::string> fragment = percent_decoded(split_uri(reference.target).fragment.value_or(""));
  if (!fragment) return complain(reference.place, quoted(reference.target) + " has a % without two hexadecimal digits");
  const bool anchor = !fragment->empty() && !fragment->starts_with('/');
  const Resource* resource = find_resource(anchor ? uri + "#" + *fragment : uri);
  if (!resource && anchor && find_resource(uri)) {
    return complain(reference.place, fmt::format("no schema has the $id {}", quoted("#" + *fragment)),
                    "a JSON pointer starts with a slash: #/definitions/name");
  }
  if (!resource) {
    return complain(reference.place, fmt::format("leads to {}, which is not in this schema", quoted(uri)),
                    "other documents are never fetched: copy it under definitions and give it that $id");
  }
  const std::optional<Resource> target = walk(*resource, anchor ? "" : *fragment, reference);
  if (!target || !may_grow(target->place)) return;
  const NodeId to = node(target->place, *target->schema);
  program_.nodes[reference.from].reference = to;
}

std::optional<Builder::Resource> Builder::walk(Resource from, std::string_view fragment, const Reference& reference) {
  const std::optional<std::vector<std::string>> tokens = pointer_tokens(fragment);
  if (!tokens) {
    complain(reference.place, quoted(reference.target) + " is no JSON pointer", "in one, ~ is written ~0 and / is ~1");
    return std::nullopt;
  }
  for (const std::string& token : *tokens) {
    const Value* below = step_into(*from.schema, token);
    if (!below) {
      const std::vector<std::string_view> keys = keys_of(*from.schema);
      const auto meant = nearest(token, keys);
      complain(reference.place,
               fmt::format("leads nowhere: there is no {} in {}", quoted(token),
                           from.place.str().empty() ? "the schema" : quoted(from.place.str())),
               meant ? fmt::format("did you mean {}?", quoted(*meant)) : "");
      return std::nullopt;
    }
    from.place.base = base_inside(from.place, *from.schema);
    append_pointer_token(from.place.pointer, token);
    from.schema = below;
  }
  return from;
}

}  // namespace stepwell::schema
