#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stepwell/value/value.h"

namespace stepwell {

// The kind that a tag of the core schema ("tag:yaml.org,2002:int") stands for; none for any other tag.
std::optional<Kind> kind_of_tag(std::string_view tag);

// A tag as authors write it: "!!int".
std::string tag_name(std::string_view tag);

}  // namespace stepwell
