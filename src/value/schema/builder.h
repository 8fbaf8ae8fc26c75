#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stepwell/value/schema/program.h"
#include "stepwell/value/value.h"

namespace stepwell::schema {

// Where a schema, or a keyword of one, stands.
struct Place {
  std::string_view document;                // "" for the schema that is compiled, else the URI before the pointer
  std::string pointer;                      // inside that document
  std::shared_ptr<const std::string> base;  // the URI that references are relative to

  Place operator/(std::string_view token) const;
  Place operator/(std::size_t index) const;
  // As diagnostics and violations name it.
  std::string str() const;
};

// Turns schemas into nodes: one per place, made when it is first asked for. Collects what is wrong on the way and goes
// on, so that an author sees everything at once.
class Builder {
 public:
  explicit Builder(const Value& schema);

  // Makes a node of the whole schema and of everything it refers to, then links them (link.h).
  Schema::Program build();
  std::vector<SchemaDiagnostic>& diagnostics() { return diagnostics_; }

  // The node of the schema at this place. `schema` must live as long as the builder.
  NodeId node(const Place& place, const Value& schema);
  void complain(const Place& place, std::string message, std::string hint = "");
  // Nothing more is learnt from going on: the schema is too large, or enough is wrong with it.
  bool gave_up() const { return too_large_ || silent_; }

 private:
  // A URI leads here; `schema` is what stands there.
  struct Resource {
    Place place;
    const Value* schema;
  };
  struct Reference {
    NodeId from;
    Place place;  // of the keyword
    std::string_view target;
  };

  bool may_grow(const Place& place);
  void fill(NodeId id, Place place, const Value& schema);
  void adopt_id(Place& place, const Value& schema);
  void resolve(const Reference& reference);
  const Resource* find_resource(const std::string& uri);
  // Follows a JSON pointer from the resource; complains and gives none where it leads nowhere.
  std::optional<Resource> walk(Resource from, std::string_view fragment, const Reference& reference);

  const Value& root_;
  Schema::Program program_;
  std::vector<SchemaDiagnostic> diagnostics_;
  std::unordered_map<std::string, NodeId> ids_;  // by Place::str()
  std::map<std::string, Resource> resources_;    // by absolute URI, with the fragment of an anchor
  std::deque<Reference> unresolved_;
  std::size_t text_bytes_ = 0;  // of all places and base URIs
  std::size_t diagnostic_bytes_ = 0;
  bool too_large_ = false;
  bool silent_ = false;  // there are as many diagnostics as are listed
};

// Reads the keywords of one schema into its node (keywords.cc).
void read_keywords(Builder& builder, const Place& place, const Value& schema, Node& node);

// The base URI inside a schema: that of its surroundings, or what its `$id` makes of it.
std::shared_ptr<const std::string> base_inside(const Place& place, const Value& schema);

}  // namespace stepwell::schema
