#include "stepwell/model/diagnostic.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "stepwell/base/limits.h"
#include "stepwell/base/nearest.h"

namespace stepwell {

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
  }
  CHECK(false);
}

std::string Diagnostic::to_string() const {
  return fmt::format("{}:{}:{}: {}: {}{}{} [{}]", file, mark.line, mark.column, severity_name(severity), message,
                     hint.empty() ? "" : "; ", hint, code.word());
}

Value Diagnostic::to_value() const {
  return Value::map({{"file", file},
                     {"line", std::int64_t{mark.line}},
                     {"column", std::int64_t{mark.column}},
                     {"severity", severity_name(severity)},
                     {"code", code.word()},
                     {"message", message},
                     {"hint", hint.empty() ? Value() : Value(hint)}});
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const auto meant = nearest(word, candidates);
  return meant ? fmt::format("did you mean '{}'?", *meant) : "";
}

void Diagnostics::error(Mark mark, DiagnosticCode code, std::string message, std::string hint) {
  add({file_, mark, Severity::error, code, std::move(message), std::move(hint)});
}

void Diagnostics::warning(Mark mark, DiagnosticCode code, std::string message, std::string hint) {
  add({file_, mark, Severity::warning, code, std::move(message), std::move(hint)});
}

void Diagnostics::add(const Diagnostics& others) {
  const std::size_t errors = errors_ + others.errors_;
  for (const Diagnostic& diagnostic : others.found_) add(diagnostic);
  errors_ = errors;
  left_out_ += others.left_out_;
}

void Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::error) ++errors_;
  if (found_.size() < limits::kDiagnostics) {
    found_.push_back(std::move(diagnostic));
  } else {
    ++left_out_;
  }
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> all = found_;
  std::ranges::stable_sort(all, {}, &Diagnostic::mark);
  std::vector<Diagnostic> once;
  std::size_t first = 0;  // of those at the current place
  for (Diagnostic& found : all) {
    if (!once.empty() && once.back().mark != found.mark) first = once.size();
    const auto same_place = std::span(once).subspan(first);
    if (std::ranges::find(same_place, found) == same_place.end()) once.push_back(std::move(found));
  }
  return once;
}

std::string Diagnostics::to_string() const {
  std::string out;
  for (const Diagnostic& diagnostic : sorted()) out += diagnostic.to_string() + '\n';
  if (left_out_ > 0) out += fmt::format("{}: {} more\n", file_, left_out_);
  return out;
}

}  // namespace stepwell
