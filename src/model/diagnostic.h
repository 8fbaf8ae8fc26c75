#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/model/diagnostic_codes.h"
#include "stepwell/value/value.h"

namespace stepwell {

// Where something stands in a text, for people: from 1, columns in code points.
struct Mark {
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  friend auto operator<=>(const Mark&, const Mark&) = default;
};

enum class Severity : std::uint8_t { error, warning };
std::string_view severity_name(Severity severity);

// What is wrong with an authored text, where, and what to do about it.
struct Diagnostic {
  std::string file;
  Mark mark;
  Severity severity = Severity::error;
  DiagnosticCode code;
  std::string message;  // what: "step 'ship' routes to 'charg'"
  std::string hint;     // what to do: "did you mean 'charge'?"; may be empty

  // One line: "order.yaml:14:9: error: step 'ship' routes to 'charg'; did you mean 'charge'? [arc-target]"
  std::string to_string() const;
  // {file, line, column, severity, code, message, hint}; the hint is null if there is none.
  Value to_value() const;

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

// "did you mean 'charge'?", or nothing if no candidate is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

// Collects what is found in one file, in any order: the first limits::kDiagnostics, and the number of the others.
class Diagnostics {
 public:
  explicit Diagnostics(std::string file) : file_(std::move(file)) {}

  void error(Mark mark, DiagnosticCode code, std::string message, std::string hint = {});
  void warning(Mark mark, DiagnosticCode code, std::string message, std::string hint = {});

  // Takes over what was found elsewhere in the same file.
  void add(const Diagnostics& others);

  const std::string& file() const { return file_; }
  bool empty() const { return found_.empty(); }
  bool has_errors() const { return errors_ > 0; }

  // In source order, those of one place in the order they were reported; the same one said twice is there once.
  std::vector<Diagnostic> sorted() const;
  // How many are not listed.
  std::size_t left_out() const { return left_out_; }
  // sorted() as text, each on a line that ends with a newline; then how many were left out, if any.
  std::string to_string() const;

 private:
  void add(Diagnostic diagnostic);

  std::string file_;
  std::vector<Diagnostic> found_;
  std::size_t errors_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace stepwell
