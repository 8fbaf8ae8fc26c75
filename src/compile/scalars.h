#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "stepwell/base/duration.h"
#include "stepwell/compile/yaml.h"
#include "stepwell/model/diagnostic.h"

// Single values of the source. Each answers nothing after it has complained; `what` names the value in the message.
namespace stepwell {

void wrong_kind(const Yaml& node, std::string_view what, std::string_view wanted, Diagnostics& diagnostics);

std::optional<std::string> text_of(const Yaml& node, std::string_view what, Diagnostics& diagnostics);
std::optional<bool> boolean_of(const Yaml& node, std::string_view what, Diagnostics& diagnostics);
// Within [low, high]; kMaxInteger: as large as an integer can be.
inline constexpr std::int64_t kMaxInteger = std::numeric_limits<std::int64_t>::max();
std::optional<std::int64_t> integer_of(const Yaml& node, std::string_view what, std::int64_t low, std::int64_t high,
                                       Diagnostics& diagnostics);
std::optional<double> real_of(const Yaml& node, std::string_view what, double low, double high,
                              Diagnostics& diagnostics);
// One of `words`.
std::optional<std::string> word_of(const Yaml& node, std::string_view what, std::span<const std::string_view> words,
                                   Diagnostics& diagnostics);
// `1h30m` or a number of seconds; not negative.
std::optional<Duration> duration_of(const Yaml& node, std::string_view what, Diagnostics& diagnostics);
// `64KiB` or a number of bytes.
std::optional<std::int64_t> bytes_of(const Yaml& node, std::string_view what, Diagnostics& diagnostics);
// [A-Za-z_][A-Za-z0-9_]*
std::optional<std::string> name_of(const Yaml& node, std::string_view what, Diagnostics& diagnostics);
// Whether a playbook can be called so: billing/approve_invoice.
bool is_catalog_name(std::string_view name);
std::optional<std::string> catalog_name_of(const Yaml& node, std::string_view what, Diagnostics& diagnostics);

bool is_plain_name(std::string_view text);

}  // namespace stepwell
