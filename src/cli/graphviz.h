#pragma once

#include <expected>
#include <string>

namespace stepwell::cli {

// Has Graphviz's program `dot` draw this graph; or why there is no drawing, and what to do.
std::expected<std::string, std::string> draw_svg(const std::string& graph);

}  // namespace stepwell::cli
