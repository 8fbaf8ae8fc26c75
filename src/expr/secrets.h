#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stepwell/expr/error.h"
#include "stepwell/expr/program.h"
#include "stepwell/expr/tree.h"

// `secret('api_key')`: a text that only the place where a tool runs knows. It is asked for at the last moment, is never
// part of a program, and no error shows it.
namespace stepwell {

// Handed to an evaluation in its Ambient, by who may know secrets. Answers nothing for a name it does not know.
class Secrets {
 public:
  Secrets() = default;
  Secrets(const Secrets&) = delete;
  Secrets& operator=(const Secrets&) = delete;
  virtual ~Secrets() = default;

  virtual std::optional<std::string> find(std::string_view name) const = 0;
};

bool names_secrets(const Program& program);

// The first call of secret() in source order, or nullptr.
const Node* first_secret(const Node& root);

// What is wrong with the calls of secret() in a tree: each takes one name, written out, so that a definition tells
// which secrets it needs.
std::optional<ExprError> check_secrets(const Tree& tree);

// Takes from an error all that may show a value; its kind and its place stay.
void hide_values(ExprError& error);

}  // namespace stepwell
