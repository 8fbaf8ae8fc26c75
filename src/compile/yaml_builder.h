#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepwell/compile/text_places.h"
#include "stepwell/compile/yaml.h"
#include "stepwell/model/diagnostic.h"

namespace stepwell {

// Builds the tree of one document from its parts in source order, and says what is wrong with them: what a scalar
// means, keys, tags, aliases and limits are decided here. `at` is a byte offset in the text; `tag` is "?" for a plain
// scalar or a collection without one, "!" for a quoted scalar, else the whole tag; `anchor` is 0 for none, or counts up
// from 1.
//
// Each answers false when reading must stop: the error is reported and there will be no tree. The text and the places
// outlive this.
class YamlBuilder {
 public:
  YamlBuilder(std::string_view text, const TextPlaces& places, Diagnostics& diagnostics)
      : text_(text), places_(places), diagnostics_(diagnostics) {}

  [[nodiscard]] bool null(std::size_t at, std::size_t anchor);
  [[nodiscard]] bool scalar(std::size_t at, std::string_view tag, std::size_t anchor, std::string_view written);
  [[nodiscard]] bool alias(std::size_t at, std::size_t anchor);
  [[nodiscard]] bool open(Kind collection, bool flow, std::size_t at, std::string_view tag, std::size_t anchor);
  [[nodiscard]] bool close();

  // Where the innermost list or map begins whose end has not come.
  std::optional<Mark> innermost() const;
  // The document; to be asked once, after its last part.
  Yaml take_root() { return std::move(root_); }

 private:
  // What a node and all it contains come to, with aliases expanded.
  struct Weight {
    std::size_t nodes = 0;
    std::size_t text_bytes = 0;
    std::size_t depth = 0;  // a scalar has none
  };
  struct Anchored {
    Yaml node;
    Weight weight;
  };
  struct Key {
    Mark mark;
    std::optional<std::string> text;  // none if it was refused; then its value is dropped
  };
  // A list or map whose end has not come.
  struct Open {
    Yaml node;
    std::size_t at = 0;
    bool flow = false;  // in brackets
    std::size_t anchor = 0;
    Weight weight;
    std::optional<Key> key;  // of a map, between a key and its value
  };

  Mark mark_of_null(std::size_t at);
  Yaml resolve(std::size_t at, std::string_view tag, std::string_view written);
  void check_collection_tag(Kind collection, Mark mark, std::string_view tag);
  // Counts what is about to be built, or reports that it is too much.
  bool spend(Mark mark, const Weight& weight);
  // A finished node finds its place: as a key, a value, an item or the root.
  bool add(Yaml node, std::size_t at, const Weight& weight, std::size_t anchor);
  bool keep_for_aliases(const Yaml& node, const Weight& weight, std::size_t anchor);
  Key key_of(const Yaml& node, std::size_t at);
  void refuse_collection_as_key(const Yaml& node, std::size_t at);
  void drop_duplicates(Yaml& map);

  std::string_view text_;
  const TextPlaces& places_;
  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  std::vector<std::optional<Anchored>> anchors_;
  Yaml root_;
  std::size_t nodes_ = 0;       // built so far, copies kept for aliases included
  std::size_t text_bytes_ = 0;  // in them
};

}  // namespace stepwell
