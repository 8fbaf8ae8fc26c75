#pragma once

#include <expected>
#include <string>
#include <vector>

namespace stepwell::cli {

// A process of this program, or of another. It does not outlive the object.
class ChildProgram {
 public:
  // Its standard output goes into the file `out`, which is made; the rest of what it says goes nowhere.
  static std::expected<ChildProgram, std::string> start(const std::string& program, std::vector<std::string> arguments,
                                                        const std::string& out);
  ChildProgram(ChildProgram&& other) noexcept;
  ChildProgram& operator=(ChildProgram&&) = delete;
  ~ChildProgram();

  int id() const { return id_; }
  bool ended();
  // Waits for its end; its exit code, or -1 if it was killed.
  int wait();
  void signal(int number) const;

 private:
  explicit ChildProgram(int id) : id_(id) {}
  int id_ = -1;
  int status_ = 0;
};

}  // namespace stepwell::cli
