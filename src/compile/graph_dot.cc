#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "stepwell/compile/graph.h"
#include "stepwell/compile/graph_colors.h"
#include "stepwell/compile/graph_words.h"

namespace stepwell {
namespace {

using namespace picture_color;

constexpr std::size_t kNoteWidth = 36;
constexpr std::size_t kSlantedWidth = 26;
constexpr std::size_t kLabelWidth = 30;
constexpr std::size_t kNoteLines = 2;

std::string_view shape_word(PictureShape shape) {
  switch (shape) {
    case PictureShape::work:
    case PictureShape::choice:
    case PictureShape::final_step: return "box";
    case PictureShape::human: return "note";
    case PictureShape::wait: return "hexagon";
    case PictureShape::call: return "component";
    case PictureShape::continue_with: return "folder";
    case PictureShape::join: return "invhouse";
    case PictureShape::success:
    case PictureShape::failure: return "octagon";
  }
  CHECK(false);
}

// Graphviz puts the text into the largest box inside the shape; what is lost at the corners is margin enough.
bool is_slanted(PictureShape shape) {
  const std::string_view word = shape_word(shape);
  return word == "hexagon" || word == "octagon" || word == "invhouse";
}

// For an HTML-like label. A backslash would begin an escape of Graphviz's own even there.
std::string markup(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\\': out += "\\\\"; break;
      default: out += c;
    }
  }
  return out;
}

// For any other text. Graphviz reads entities and escapes there too; as markup has it, neither is left but ours.
std::string quoted(std::string_view text) { return fmt::format("\"{}\"", markup(one_line(text))); }

// What is folded, with some of it cut away, can be read in full where the pointer rests.
bool any_is_cut(const std::vector<std::string>& texts, std::size_t width) {
  return std::ranges::any_of(texts, [&](const std::string& text) { return is_cut(text, width, kNoteLines); });
}

std::size_t note_width(PictureShape shape) { return is_slanted(shape) ? kSlantedWidth : kNoteWidth; }

class DotWriter {
 public:
  explicit DotWriter(const Picture& picture) : picture_(picture) {}

  std::string write() {
    line("digraph {} {{", quoted(picture_.title));
    ++depth_;
    defaults();
    group(0);
    for (const PictureEdge& each : picture_.edges) edge(each);
    --depth_;
    line("}}");
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_.append(2 * depth_, ' ');
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void defaults() {
    constexpr std::string_view kFont = "Helvetica,Arial,sans-serif";
    line(
        "graph [compound=true, newrank=true, bgcolor={}, pad=0.3, nodesep=0.35, ranksep=0.45, fontname={}, "
        "fontsize=14, "
        "fontcolor={}, labelloc=t, label=<<b>{}</b>>]",
        quoted(kPage.light), quoted(kFont), quoted(kText.light), markup(picture_.title));
    line(
        "node [shape=box, style=filled, fillcolor={}, color={}, fontname={}, fontsize=12, fontcolor={}, "
        "margin=\"0.14,0.07\", height=0.4]",
        quoted(kSurface.light), quoted(kLine.light), quoted(kFont), quoted(kText.light));
    line("edge [color={}, fontname={}, fontsize=10, fontcolor={}, arrowsize=0.7, weight=3]", quoted(kLine.light),
         quoted(kFont), quoted(kNote.light));
  }

  // Name and notes, one below the other, the notes smaller. Rows of a table, because lines of one text stand so close
  // that an underscore is lost.
  std::string label(const PictureNode& node) const {
    std::string rows = fmt::format("<tr><td><b>{}</b></td></tr>", markup(node.name));
    for (const std::string& note : node.notes) {
      for (const std::string& part : fold(note, note_width(node.shape), kNoteLines)) {
        rows +=
            fmt::format("<tr><td><font point-size=\"10\" color=\"{}\">{}</font></td></tr>", kNote.light, markup(part));
      }
    }
    return fmt::format("<<table border=\"0\" cellspacing=\"0\" cellpadding=\"1\">{}</table>>", rows);
  }

  // The parts one below the other, with some room between them and the line.
  static std::string label(const PictureEdge& edge) {
    std::vector<std::string> lines;
    for (const std::string& part : edge.label) {
      for (const std::string& piece : fold(part, kLabelWidth, kNoteLines)) {
        lines.push_back(fmt::format("&#160;{}&#160;", markup(piece)));
      }
    }
    return fmt::format("<{}>", fmt::join(lines, "<br/>"));
  }

  static std::string in_full(const std::vector<std::string>& texts) {
    return quoted(fmt::format("{}", fmt::join(texts, "; ")));
  }

  void group(std::size_t index) {
    const PictureGroup& group_here = picture_.groups[index];
    line("{} [shape=circle, label=\"\", width=0.14, height=0.14, fixedsize=true, fillcolor={}]", start_of(index),
         quoted(kLine.light));
    for (const std::size_t step : group_here.steps) {
      if (picture_.block_of[step]) {
        cluster(step);
      } else {
        node(step);
      }
    }
    line("{} -> {}{}", start_of(index), end_in(group_here.entry), attributes({cluster_end("lhead", group_here.entry)}));
    if (group_here.owner) {
      // A point that nobody sees, below the steps of a block: where the arcs that leave it begin.
      line("{} [shape=point, style=invis]", end_of(index));
      keep_below(group_here, end_of(index));
    }
    if (group_here.final_step) keep_below(group_here, quoted(picture_.nodes[*group_here.final_step].name));
  }

  void keep_below(const PictureGroup& group, std::string_view node) {
    for (const std::size_t step : group.exits) line("{} -> {} [style=invis]", end_out(step), node);
  }

  void cluster(std::size_t step) {
    line("subgraph {} {{", quoted(cluster_name(step)));
    ++depth_;
    line("graph [style=\"rounded,filled\", fillcolor={}, color={}, margin=14, fontsize=12, labeljust=l, label={}]",
         quoted(kBlock.light), quoted(color_of(picture_.nodes[step].shape).light), label(picture_.nodes[step]));
    group(*picture_.block_of[step]);
    --depth_;
    line("}}");
  }

  void node(std::size_t step) {
    const PictureNode& node_here = picture_.nodes[step];
    std::string more;
    if (node_here.shape == PictureShape::work) more = ", style=\"rounded,filled\"";
    if (node_here.shape == PictureShape::final_step) more = ", peripheries=2";
    if (is_slanted(node_here.shape)) more = ", margin=\"0.02,0.02\"";
    if (any_is_cut(node_here.notes, note_width(node_here.shape))) more += ", tooltip=" + in_full(node_here.notes);
    line("{} [shape={}, color={}{}, label={}]", quoted(node_here.name), shape_word(node_here.shape),
         quoted(color_of(node_here.shape).light), more, label(node_here));
  }

  void edge(const PictureEdge& edge_here) {
    std::vector<std::string> all;
    std::string color(edge_here.line == PictureLine::failed ? kFailure.light : kLine.light);
    if (edge_here.line != PictureLine::done) all.emplace_back("style=dashed");
    // A double line: several tokens go along it.
    if (edge_here.for_each) color = fmt::format("{0}:{1}:{0}", color, kPage.light);
    if (color != kLine.light) all.push_back("color=" + quoted(color));
    if (edge_here.line == PictureLine::failed) {
      // Light, so that failures do not bend the way that is meant.
      all.push_back(fmt::format("fontcolor={}, weight=1", quoted(kFailure.light)));
    }
    if (edge_here.inclusive) all.emplace_back("dir=both, arrowtail=odot");
    if (!edge_here.label.empty()) all.push_back("label=" + label(edge_here));
    if (any_is_cut(edge_here.label, kLabelWidth)) all.push_back("labeltooltip=" + in_full(edge_here.label));
    // An arc from a block to itself begins and ends inside; there is no border to clip it at.
    if (edge_here.from != edge_here.to) {
      all.push_back(cluster_end("ltail", edge_here.from));
      all.push_back(cluster_end("lhead", edge_here.to));
    }
    line("{} -> {}{}", end_out(edge_here.from), end_in(edge_here.to), attributes(all));
  }

  static std::string attributes(std::vector<std::string> all) {
    std::erase(all, "");
    return all.empty() ? "" : fmt::format(" [{}]", fmt::join(all, ", "));
  }

  // Graphviz draws edges between nodes only: one to or from a block is drawn to a node inside and clipped at its
  // border.
  std::string end_in(std::size_t step) const {
    const auto block = picture_.block_of[step];
    return block ? start_of(*block) : quoted(picture_.nodes[step].name);
  }
  std::string end_out(std::size_t step) const {
    const auto block = picture_.block_of[step];
    return block ? end_of(*block) : quoted(picture_.nodes[step].name);
  }
  std::string cluster_end(std::string_view attribute, std::size_t step) const {
    return picture_.block_of[step] ? fmt::format("{}={}", attribute, quoted(cluster_name(step))) : "";
  }
  // Names that no step can have; Graphviz knows a cluster by how its name begins.
  static std::string start_of(std::size_t group_index) { return fmt::format("\"start {}\"", group_index); }
  static std::string end_of(std::size_t group_index) { return fmt::format("\"end {}\"", group_index); }
  std::string cluster_name(std::size_t step) const { return "cluster " + picture_.nodes[step].name; }

  const Picture& picture_;
  std::string out_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string to_dot(const Picture& picture) { return DotWriter(picture).write(); }

}  // namespace stepwell
