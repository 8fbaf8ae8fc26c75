#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/compile/yaml.h"
#include "stepwell/model/diagnostic.h"

namespace stepwell {

// The members of one map of the source. Whoever reads the map asks for every key it knows, and finishes.
class Fields {
 public:
  // `what` names the map in messages: "step 'ship'". Complains if the node is not a map, and is empty then.
  Fields(const Yaml& node, std::string what, Diagnostics& diagnostics);

  // The value of a key, or nullptr if it is not there or could not be read.
  const Yaml* take(std::string_view key);
  // The same, but finish() complains if it is not there.
  const Yaml* need(std::string_view key);
  // From here on the key counts as known, and its value as one that could not be read.
  void drop(std::string_view key) { dropped_.push_back(key); }
  // Where the key stands; where the map begins if there is no such key.
  Mark key_mark(std::string_view key) const;
  // Complains about what is missing, and about keys that nobody asked for: a misspelt one counts as what it was meant
  // to be, which then is not missing.
  void finish() const;
  // Only about what is missing, where nobody can say which other keys are meant.
  void finish_open() const;

  const std::string& what() const { return what_; }
  const Yaml& node() const { return node_; }
  Mark mark() const { return node_.mark; }
  bool has(std::string_view key) const { return node_.find(key) != nullptr; }

 private:
  bool is_known(const YamlMember& member) const;
  void complain_unknown(const YamlMember& member, std::span<const std::string_view> known) const;
  void complain_missing(std::string_view key) const;

  const Yaml& node_;
  std::string what_;
  Diagnostics& diagnostics_;
  bool is_map_ = false;
  std::vector<std::string_view> known_;
  std::vector<std::string_view> missing_;
  std::vector<std::string_view> dropped_;
};

}  // namespace stepwell
