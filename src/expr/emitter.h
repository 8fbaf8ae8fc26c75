#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stepwell/expr/program.h"
#include "stepwell/expr/tree.h"

namespace stepwell {

// Writes instructions and keeps count of the stack. The compiler's other half knows what a node means; this one knows
// what an instruction does.
class Emitter {
 public:
  explicit Emitter(std::string_view source) { program_.source = source; }

  // All instructions from here on come from this expression.
  void enter(Span expression) { expression_ = expression; }

  // `effect` is by how much the stack grows.
  std::size_t emit(Op op, const Node& origin, int effect, std::uint32_t a = 0, std::uint32_t b = 0);
  void constant(const Value& value, const Node& origin) { emit(Op::constant, origin, 1, add_constant(value)); }
  std::uint32_t add_constant(const Value& value);
  std::uint32_t add_root(std::string_view name);
  std::uint32_t add_path(PathPlan plan);
  std::uint32_t add_call(CallPlan plan);
  std::uint32_t add_local() { return program_.locals++; }

  std::uint32_t local_count() const { return program_.locals; }

  std::uint32_t here() const { return static_cast<std::uint32_t>(program_.code.size()); }
  // Makes an earlier jump land here.
  void land(std::size_t jump) { program_.code[jump].b = here(); }
  void patch_b(std::size_t instruction, std::uint32_t b) { program_.code[instruction].b = b; }
  // Behind a jump the stack is as high as where the jump was taken.
  int height() const { return height_; }
  void set_height(int height) { height_ = height; }

  void read(Path path) { program_.reads.push_back(std::move(path)); }
  void not_pure() { program_.pure = false; }

  // After an error in the source the program is worthless, and what is still emitted need not balance.
  void give_up() { given_up_ = true; }

  Program finish(bool makes_text, const Node& root);

 private:
  Program program_;
  std::unordered_map<std::string, std::uint32_t> roots_;  // by name, where program_.roots has it
  Span expression_;
  int height_ = 0;
  bool given_up_ = false;
};

}  // namespace stepwell
