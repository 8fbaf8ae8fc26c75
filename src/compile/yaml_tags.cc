#include "stepwell/compile/yaml_tags.h"

#include <algorithm>
#include <array>
#include <utility>

#include "stepwell/compile/yaml_source.h"

namespace stepwell {
namespace {

constexpr std::string_view kCore = "tag:yaml.org,2002:";

constexpr auto kTags = std::to_array<std::pair<std::string_view, Kind>>({
    {"null", Kind::null},
    {"bool", Kind::boolean},
    {"int", Kind::integer},
    {"float", Kind::real},
    {"str", Kind::text},
    {"seq", Kind::list},
    {"map", Kind::map},
});

}  // namespace

std::optional<Kind> kind_of_tag(std::string_view tag) {
  if (!tag.starts_with(kCore)) return std::nullopt;
  const auto found = std::ranges::find(kTags, tag.substr(kCore.size()), &std::pair<std::string_view, Kind>::first);
  return found == kTags.end() ? std::nullopt : std::optional(found->second);
}

std::string tag_name(std::string_view tag) {
  if (!tag.starts_with(kCore)) return std::string(cut(tag));
  return "!!" + std::string(cut(tag.substr(kCore.size())));
}

}  // namespace stepwell
