#include "stepwell/value/schema/pattern.h"

#include <re2/re2.h>

#include "stepwell/value/schema/ecma_regex.h"

namespace stepwell::schema {

struct Pattern::Compiled {
  Compiled(std::string_view as_written, const std::string& translated, const re2::RE2::Options& options)
      : source(as_written), automaton(translated, options) {}

  std::string source;
  re2::RE2 automaton;
};

std::expected<Pattern, std::string> Pattern::compile(std::string_view source) {
  const std::expected<std::string, std::string> translated = to_re2_syntax(source);
  if (!translated) return std::unexpected(translated.error());
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  auto compiled = std::make_shared<const Compiled>(source, *translated, options);
  if (!compiled->automaton.ok()) return std::unexpected(compiled->automaton.error());
  return Pattern(std::move(compiled));
}

bool Pattern::matches(std::string_view text) const {
  const re2::StringPiece piece(text.data(), text.size());
  return compiled_->automaton.Match(piece, 0, piece.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

std::string_view Pattern::source() const { return compiled_->source; }

}  // namespace stepwell::schema
