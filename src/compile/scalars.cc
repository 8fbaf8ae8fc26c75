#include "stepwell/compile/scalars.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "stepwell/base/byte_size.h"

namespace stepwell {

void wrong_kind(const Yaml& node, std::string_view what, std::string_view wanted, Diagnostics& diagnostics) {
  if (node.faulty) return;  // said already
  diagnostics.error(node.mark, "value-kind", fmt::format("{} must be {}, not {}", what, wanted, kind_name(node.kind)));
}

std::optional<std::string> text_of(const Yaml& node, std::string_view what, Diagnostics& diagnostics) {
  if (node.kind == Kind::text) return std::string(node.scalar.as_text());
  const bool scalar = node.kind == Kind::integer || node.kind == Kind::real || node.kind == Kind::boolean;
  if (node.faulty) return std::nullopt;
  diagnostics.error(node.mark, "value-kind", fmt::format("{} must be text, not {}", what, kind_name(node.kind)),
                    scalar ? "put it in quotes" : "");
  return std::nullopt;
}

std::optional<bool> boolean_of(const Yaml& node, std::string_view what, Diagnostics& diagnostics) {
  if (node.kind == Kind::boolean) return node.scalar.as_bool();
  wrong_kind(node, what, "true or false", diagnostics);
  return std::nullopt;
}

std::optional<std::int64_t> integer_of(const Yaml& node, std::string_view what, std::int64_t low, std::int64_t high,
                                       Diagnostics& diagnostics) {
  if (node.kind != Kind::integer) {
    wrong_kind(node, what, "an integer", diagnostics);
    return std::nullopt;
  }
  const std::int64_t integer = node.scalar.as_int();
  if (integer >= low && integer <= high) return integer;
  const bool open = high == std::numeric_limits<std::int64_t>::max();
  diagnostics.error(node.mark, "value-range",
                    open ? fmt::format("{} must be at least {}, not {}", what, low, integer)
                         : fmt::format("{} must be from {} to {}, not {}", what, low, high, integer));
  return std::nullopt;
}

std::optional<double> real_of(const Yaml& node, std::string_view what, double low, double high,
                              Diagnostics& diagnostics) {
  if (node.kind != Kind::integer && node.kind != Kind::real) {
    wrong_kind(node, what, "a number", diagnostics);
    return std::nullopt;
  }
  const double real = node.kind == Kind::real ? node.scalar.as_real() : static_cast<double>(node.scalar.as_int());
  if (real >= low && real <= high) return real;
  diagnostics.error(node.mark, "value-range", fmt::format("{} must be from {} to {}, not {}", what, low, high, real));
  return std::nullopt;
}

std::optional<std::string> word_of(const Yaml& node, std::string_view what, std::span<const std::string_view> words,
                                   Diagnostics& diagnostics) {
  std::optional<std::string> text = text_of(node, what, diagnostics);
  if (!text) return std::nullopt;
  if (std::ranges::count(words, *text) != 0) return text;
  const std::string near = did_you_mean(*text, words);
  diagnostics.error(node.mark, "value-word", fmt::format("{} cannot be '{}'", what, *text),
                    near.empty() ? fmt::format("it is one of {}", fmt::join(words, ", ")) : near);
  return std::nullopt;
}

std::optional<Duration> duration_of(const Yaml& node, std::string_view what, Diagnostics& diagnostics) {
  std::optional<Duration> duration;
  std::string problem = "is not a duration";
  if (node.kind == Kind::integer) duration = Duration::seconds(node.scalar.as_int());
  if (node.kind == Kind::real) duration = Duration::seconds(node.scalar.as_real());
  if (node.kind == Kind::text) {
    const auto parsed = Duration::parse(node.scalar.as_text());
    if (parsed) duration = *parsed;
    if (!parsed) problem = fmt::format("is not a duration: '{}'", node.text());
  }
  if (duration && *duration >= Duration()) return duration;
  if (duration) problem = "must not be negative";
  diagnostics.error(node.mark, "value-duration", fmt::format("{} {}", what, problem), "write it as 30s, 5m or 1h30m");
  return std::nullopt;
}

std::optional<std::int64_t> bytes_of(const Yaml& node, std::string_view what, Diagnostics& diagnostics) {
  if (node.kind == Kind::integer && node.scalar.as_int() >= 0) return node.scalar.as_int();
  if (node.kind == Kind::text) {
    const auto size = parse_byte_size(node.scalar.as_text());
    if (size) return *size;
  }
  diagnostics.error(node.mark, "value-size", fmt::format("{} is not a size", what), "write it as 512, 64KiB or 1MiB");
  return std::nullopt;
}

bool is_catalog_name(std::string_view name) {
  auto is_segment = [](std::string_view segment) {
    auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    return !segment.empty() && segment[0] >= 'a' && segment[0] <= 'z' && std::ranges::all_of(segment, fits);
  };
  while (true) {
    const std::size_t slash = name.find('/');
    if (!is_segment(name.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    name.remove_prefix(slash + 1);
  }
}

std::optional<std::string> catalog_name_of(const Yaml& node, std::string_view what, Diagnostics& diagnostics) {
  std::optional<std::string> text = text_of(node, what, diagnostics);
  if (!text || is_catalog_name(*text)) return text;
  diagnostics.error(node.mark, "name-form", fmt::format("{} cannot be '{}'", what, *text),
                    "names are like billing/approve_invoice: lower case, digits, '_', segments joined by '/'");
  return std::nullopt;
}

bool is_plain_name(std::string_view text) {
  auto starts = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  auto continues = [&](char c) { return starts(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && starts(text.front()) && std::ranges::all_of(text, continues);
}

std::optional<std::string> name_of(const Yaml& node, std::string_view what, Diagnostics& diagnostics) {
  std::optional<std::string> text = text_of(node, what, diagnostics);
  if (!text || is_plain_name(*text)) return text;
  diagnostics.error(node.mark, "name-form", fmt::format("{} cannot be '{}'", what, *text),
                    "a name is letters, digits and '_', and does not start with a digit");
  return std::nullopt;
}

}  // namespace stepwell
