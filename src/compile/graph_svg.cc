#include <fmt/format.h>

#include "stepwell/compile/graph.h"
#include "stepwell/compile/graph_colors.h"

namespace stepwell {

// Graphviz writes every colour as an attribute, and a rule of a style sheet is stronger than that.
std::string follow_color_scheme(std::string svg) {
  std::string style = "\n<style>\n@media (prefers-color-scheme: dark) {\n";
  for (const PictureColor& color : picture_color::kAll) {
    fmt::format_to(std::back_inserter(style), "  [fill=\"{0}\"] {{ fill: {1} }} [stroke=\"{0}\"] {{ stroke: {1} }}\n",
                   color.light, color.dark);
  }
  style += "}\n</style>";
  const std::size_t root = svg.find("<svg");
  CHECK(root != std::string::npos);
  svg.insert(svg.find('>', root) + 1, style);
  return svg;
}

}  // namespace stepwell
