#include <algorithm>
#include <array>
#include <limits>

#include "stepwell/compile/expressions.h"
#include "stepwell/compile/load_kinds.h"
#include "stepwell/compile/scalars.h"
#include "stepwell/model/cron.h"

namespace stepwell {
namespace {

// Europe/Zurich, America/Argentina/Ushuaia, Etc/GMT+5, UTC. Whether there is such a zone, only the machine that runs
// the schedule knows.
bool is_zone_name(std::string_view text) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  auto fits = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '+'; };
  while (true) {
    const std::string_view segment = text.substr(0, text.find('/'));
    if (segment.empty() || !letter(segment[0]) || !std::ranges::all_of(segment, fits)) return false;
    if (segment.size() == text.size()) return true;
    text.remove_prefix(segment.size() + 1);
  }
}

std::string cron_of(const Yaml& node, Diagnostics& diagnostics) {
  const auto text = text_of(node, "cron", diagnostics);
  if (!text) return {};
  const auto cron = Cron::parse(*text);
  if (cron) return cron->str();
  diagnostics.error(node.mark_at(cron.error().at), "cron", cron.error().message, cron.error().hint);
  return {};
}

std::string time_zone_of(const Yaml& node, Diagnostics& diagnostics) {
  const auto text = text_of(node, "time_zone", diagnostics);
  if (text && !is_zone_name(*text)) {
    diagnostics.error(node.mark, "time-zone", "time_zone cannot be '" + *text + "'",
                      "write the name of a zone, such as Europe/Zurich or UTC");
  }
  return text.value_or("");
}

}  // namespace

void load_schedule(Fields& root, Canon& out, Diagnostics& diagnostics) {
  static constexpr auto kCatchUp = std::to_array<std::string_view>({"skip", "latest", "all"});
  if (const Yaml* cron = root.need("cron")) out.put("cron", cron_of(*cron, diagnostics));
  const Yaml* zone = root.take("time_zone");
  out.put("time_zone", zone == nullptr ? "UTC" : time_zone_of(*zone, diagnostics));
  const Yaml* catch_up = root.take("catch_up");
  const auto policy = catch_up == nullptr ? std::nullopt : word_of(*catch_up, "catch_up", kCatchUp, diagnostics);
  out.put("catch_up", policy.value_or("skip"));
  if (const Yaml* playbook = root.need("playbook")) {
    out.put_if("playbook", catalog_name_of(*playbook, "playbook", diagnostics));
  }
  if (const Yaml* version = root.take("version")) {
    out.put_if("version", integer_of(*version, "version", 1, std::numeric_limits<std::int64_t>::max(), diagnostics));
  }
  if (const Yaml* input = root.take("input")) {
    Names names;
    names.given = {"schedule"};
    ExpressionReader expressions(names, diagnostics);
    out.put("input", expressions.map_mapping(*input, "input", Where::given));
  }
  root.finish();
}

}  // namespace stepwell
