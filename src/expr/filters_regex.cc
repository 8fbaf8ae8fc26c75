#include "stepwell/expr/filters_regex.h"

#include <array>
#include <memory>

#include <fmt/format.h>
#include <re2/re2.h>

#include "stepwell/base/limits.h"
#include "stepwell/expr/arguments.h"
#include "stepwell/expr/code_points.h"
#include "stepwell/expr/operators.h"

namespace stepwell {
namespace {

constexpr std::uint64_t kCompileCost = 100;
constexpr std::size_t kBytesPerSearch = 1024;
constexpr int kGroups = 10;  // \0 to \9
using Groups = std::array<re2::StringPiece, kGroups>;

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }
std::string_view view(re2::StringPiece text) { return {text.data(), text.size()}; }

OrFault<std::unique_ptr<RE2>> compiled(const Value& pattern, Budget& budget) {
  const auto text = text_only(pattern, "pattern");
  if (!text) return std::unexpected(text.error());
  if (text->size() > limits::kExprPatternBytes)
    return fault(FaultCode::size,
                 fmt::format("a pattern of {} bytes; at most {} are allowed", text->size(), limits::kExprPatternBytes));
  if (!budget.spend(kCompileCost + text->size())) return Budget::out_of_fuel();
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(limits::kExprPatternMemory);
  auto regex = std::make_unique<RE2>(piece(*text), options);
  if (!regex->ok())
    return fault(FaultCode::value, fmt::format("{} is not a pattern: {}", shown(pattern), regex->error()));
  return regex;
}

// Puts together what a match is replaced by: \1 is a group, \\ a backslash.
OrFault<void> append_replacement(std::string& out, std::string_view replacement, const Groups& groups, Budget& budget) {
  for (std::size_t at = 0; at < replacement.size();) {
    const std::size_t slash = std::min(replacement.find('\\', at), replacement.size());
    std::string_view part = replacement.substr(at, slash - at);
    if (part.empty()) {
      const char c = replacement[slash + 1];
      part = c == '\\' ? "\\" : view(groups[static_cast<std::size_t>(c - '0')]);
    }
    at = slash == at ? slash + 2 : slash;
    if (auto allowed = budget.spend_append(out.size(), part.size()); !allowed) return allowed;
    out += part;
  }
  return {};
}

OrFault<std::string> replace_all(const RE2& regex, std::string_view text, std::string_view replacement,
                                 Budget& budget) {
  std::string out;
  std::size_t at = 0;      // everything before it is in `out`
  std::size_t search = 0;  // where the next match may start
  Groups groups;
  while (search <= text.size()) {
    // Finding one match may look at all that is left.
    if (!budget.spend((text.size() - search) / kBytesPerSearch)) return Budget::out_of_fuel();
    if (!regex.Match(piece(text), search, text.size(), RE2::UNANCHORED, groups.data(), kGroups)) break;
    const auto start = static_cast<std::size_t>(groups[0].data() - text.data());
    const std::size_t end = start + groups[0].size();
    if (auto allowed = budget.spend_append(out.size(), start - at); !allowed) return std::unexpected(allowed.error());
    out += text.substr(at, start - at);
    if (auto done = append_replacement(out, replacement, groups, budget); !done) return std::unexpected(done.error());
    at = end;
    search = end;
    // An empty match is followed by the character after it, or there would be no end.
    if (start == end && search < text.size()) next_code_point(text, search);
    if (start == end && end == text.size()) ++search;
  }
  if (auto allowed = budget.spend_append(out.size(), text.size() - at); !allowed)
    return std::unexpected(allowed.error());
  return out += text.substr(at);
}

}  // namespace

OrFault<Value> filter_regex_match(Call& call) {
  const auto text = text_only(call[0], "the subject of regex_match");
  if (!text) return std::unexpected(text.error());
  const auto regex = compiled(call[1], call.budget);
  if (!regex) return std::unexpected(regex.error());
  if (auto allowed = call.budget.spend_text(text->size()); !allowed) return std::unexpected(allowed.error());
  return RE2::PartialMatch(piece(*text), **regex);
}

OrFault<Value> filter_regex_replace(Call& call) {
  const auto text = text_only(call[0], "the subject of regex_replace");
  if (!text) return std::unexpected(text.error());
  const auto replacement = text_only(call[2], "replacement");
  if (!replacement) return std::unexpected(replacement.error());
  const auto regex = compiled(call[1], call.budget);
  if (!regex) return std::unexpected(regex.error());
  std::string error;
  if (!(*regex)->CheckRewriteString(piece(*replacement), &error))
    return fault(FaultCode::value, fmt::format("{} is not a replacement: {}", shown(call[2]), error));
  if (auto allowed = call.budget.spend_text(text->size()); !allowed) return std::unexpected(allowed.error());
  const auto out = replace_all(**regex, *text, *replacement, call.budget);
  if (!out) return std::unexpected(out.error());
  return Value(*out);
}

}  // namespace stepwell
