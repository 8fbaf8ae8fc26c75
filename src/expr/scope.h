#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stepwell {

// A variable of a template.
struct Local {
  std::uint32_t slot = 0;
  bool always_set = false;    // whoever gets here has passed an assignment
  bool is_namespace = false;  // came from namespace(...): its members may be set
};

// The variables of a template while it is compiled: the template itself, and one scope for the body of each loop and
// of each set block. An assignment inside a loop is gone with the iteration; one inside an `if` stays, but may not have
// happened.
class Scopes {
 public:
  void open() { scopes_.push_back({}); }
  void close() { scopes_.pop_back(); }
  void open_branch() { ++scopes_.back().branches; }
  void close_branch() { --scopes_.back().branches; }

  // The variable of this name in the innermost scope, or nullptr.
  Local* own(std::string_view name) { return find_in(scopes_.back(), name); }
  // Every variable of this name, innermost first, up to and with the first that is always set.
  std::vector<Local*> visible(std::string_view name);
  // Notes an assignment to a variable of the innermost scope.
  void assigned(Local& local, bool is_namespace);
  Local& add(std::string_view name, std::uint32_t slot);

 private:
  struct Scope {
    std::map<std::string, Local, std::less<>> locals;  // by name
    int branches = 0;
  };
  static Local* find_in(Scope& scope, std::string_view name);

  std::vector<Scope> scopes_ = {Scope{}};
};

}  // namespace stepwell
