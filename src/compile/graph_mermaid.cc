#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "stepwell/compile/graph.h"
#include "stepwell/compile/graph_colors.h"
#include "stepwell/compile/graph_words.h"
#include "stepwell/value/json_write.h"

namespace stepwell {
namespace {

constexpr std::size_t kTextWidth = 36;
constexpr std::size_t kTextLines = 2;

// What stands around the text of a node.
struct Brackets {
  std::string_view open, close, style;
};

Brackets brackets_of(PictureShape shape) {
  switch (shape) {
    case PictureShape::work: return {"(", ")", "work"};
    case PictureShape::choice: return {"[", "]", "work"};
    case PictureShape::human: return {"[/", "/]", "human"};
    case PictureShape::wait: return {"{{", "}}", "wait"};
    case PictureShape::call: return {"[[", "]]", "elsewhere"};
    case PictureShape::continue_with: return {">", "]", "elsewhere"};
    case PictureShape::join: return {"[\\", "/]", "join"};
    case PictureShape::success: return {"([", "])", "success"};
    case PictureShape::failure: return {"([", "])", "failure"};
    case PictureShape::final_step: return {"(((", ")))", "final"};
  }
  CHECK(false);
}

constexpr PictureShape kStyled[] = {PictureShape::work,    PictureShape::human,     PictureShape::wait,
                                    PictureShape::call,    PictureShape::join,      PictureShape::success,
                                    PictureShape::failure, PictureShape::final_step};

// Mermaid has entities of its own, with # for &. A backtick would begin Markdown, %% a comment, a backslash an escape.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("#&<>\"`%\\").find(c) != std::string_view::npos) {
      fmt::format_to(std::back_inserter(out), "#{};", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out;
}

std::string folded(std::string_view text) {
  std::string out;
  for (const std::string& part : fold(text, kTextWidth, kTextLines)) out += (out.empty() ? "" : "<br>") + escaped(part);
  return out;
}

class MermaidWriter {
 public:
  explicit MermaidWriter(const Picture& picture) : picture_(picture) {}

  std::string write() {
    line("---");
    line("title: {}", to_json(Value(picture_.title)));
    line("---");
    line("flowchart TD");
    ++depth_;
    group(0);
    for (const PictureEdge& each : picture_.edges) edge(each);
    styles();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_.append(2 * depth_, ' ');
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  // Not the step's name: a step may be called `end` or `class`, which mean something else here.
  static std::string id(std::size_t step) { return fmt::format("s{}", step); }

  static std::string label(const PictureNode& node) {
    std::string text = fmt::format("<b>{}</b>", escaped(node.name));
    for (const std::string& note : node.notes) text += fmt::format("<br>{}", folded(note));
    return text;
  }

  // On one line: Mermaid keeps no room for more above the steps of a block.
  static std::string title(const PictureNode& node) {
    std::string text = fmt::format("<b>{}</b>", escaped(node.name));
    for (const std::string& note : node.notes) text += fmt::format(" · {}", escaped(fold(note, kTextWidth, 1).front()));
    return text;
  }

  static std::string label(const PictureEdge& edge) {
    if (edge.label.empty()) return "";
    std::vector<std::string> parts;
    parts.reserve(edge.label.size());
    for (const std::string& part : edge.label) parts.push_back(folded(part));
    return fmt::format("|\"{}\"|", fmt::join(parts, "<br>"));
  }

  void group(std::size_t index) {
    const PictureGroup& group_here = picture_.groups[index];
    for (const std::size_t step : group_here.steps) {
      const PictureNode& node = picture_.nodes[step];
      if (picture_.block_of[step]) {
        line("subgraph {}[\"{}\"]", id(step), title(node));
        ++depth_;
        line("direction TB");
        group(*picture_.block_of[step]);
        --depth_;
        line("end");
        continue;
      }
      const Brackets brackets = brackets_of(node.shape);
      line("{}{}\"{}\"{}:::{}", id(step), brackets.open, label(node), brackets.close, brackets.style);
    }
    line("start{}((\" \")):::start --> {}", index, id(group_here.entry));
    ++edges_;
    if (!group_here.final_step) return;
    for (const std::size_t step : group_here.exits) {
      line("{} ~~~ {}", id(step), id(*group_here.final_step));  // unseen; keeps it at the bottom
      ++edges_;
    }
  }

  void edge(const PictureEdge& edge_here) {
    std::string_view arrow = "-->";
    if (edge_here.line != PictureLine::done) arrow = "-.->";
    if (edge_here.for_each) arrow = "==>";
    line("{} {}{} {}", id(edge_here.from), arrow, label(edge_here), id(edge_here.to));
    if (edge_here.line == PictureLine::failed) failures_.push_back(edges_);
    ++edges_;
  }

  // Lines only: the page that shows the picture knows whether it is dark, and fills and writes accordingly.
  void styles() {
    for (const PictureShape shape : kStyled) {
      const std::string_view style = brackets_of(shape).style;
      if (!is_used(style)) continue;
      line("classDef {} stroke:{},stroke-width:{}px", style, color_of(shape).either,
           shape == PictureShape::work ? 1 : 2);
    }
    line("classDef start fill:{0},stroke:{0}", picture_color::kLine.either);
    if (failures_.empty()) return;
    line("linkStyle {} stroke:{}", fmt::join(failures_, ","), picture_color::kFailure.either);
  }

  bool is_used(std::string_view style) const {
    return std::ranges::any_of(picture_.nodes,
                               [&](const PictureNode& node) { return brackets_of(node.shape).style == style; });
  }

  const Picture& picture_;
  std::string out_;
  std::size_t depth_ = 0;
  std::size_t edges_ = 0;
  std::vector<std::size_t> failures_;  // edges by the order they are written in, which is how linkStyle names them
};

}  // namespace

std::string to_mermaid(const Picture& picture) { return MermaidWriter(picture).write(); }

}  // namespace stepwell
