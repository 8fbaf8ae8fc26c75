#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/compile/yaml.h"
#include "stepwell/model/diagnostic.h"

namespace stepwell {

// The members of one map of the source. Whoever reads the map asks for every key it knows; finish() then complains
// about all others, with the nearest of the known ones.
class Fields {
 public:
  // `what` names the map in messages: "step 'ship'". Complains if the node is not a map, and is empty then.
  Fields(const Yaml& node, std::string what, Diagnostics& diagnostics);

  // The value of a key, or nullptr if it is not there or could not be read.
  const Yaml* take(std::string_view key);
  // The same, but complains if it is not there.
  const Yaml* need(std::string_view key);
  // Where the key stands; where the map begins if there is no such key.
  Mark key_mark(std::string_view key) const;
  void finish() const;

  const std::string& what() const { return what_; }
  const Yaml& node() const { return node_; }
  Mark mark() const { return node_.mark; }
  bool has(std::string_view key) const { return node_.find(key) != nullptr; }

 private:
  const Yaml& node_;
  std::string what_;
  Diagnostics& diagnostics_;
  bool is_map_ = false;
  std::vector<std::string_view> known_;
};

}  // namespace stepwell
