#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace stepwell::cli {

// Rows of text under a head, in columns as wide as they need to be.
class Table {
 public:
  explicit Table(std::vector<std::string> head) : rows_{std::move(head)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print(std::ostream& out) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace stepwell::cli
