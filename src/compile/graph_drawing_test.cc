#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/compile/graph.h"
#include "stepwell/compile/graph_colors.h"

namespace stepwell {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

PictureEdge arc(std::size_t from, std::size_t to, std::vector<std::string> label) {
  PictureEdge edge;
  edge.from = from;
  edge.to = to;
  edge.label = std::move(label);
  return edge;
}

PictureGroup group(std::vector<std::size_t> steps, std::vector<std::size_t> exits) {
  PictureGroup group;
  group.entry = steps.front();
  group.steps = std::move(steps);
  group.exits = std::move(exits);
  return group;
}

// ask fails into stop, or goes to a block that repeats one step.
Picture small() {
  Picture picture;
  picture.title = "small";
  picture.nodes = {{"ask", PictureShape::work, {"shell", "when ctx.open"}},
                   {"stop", PictureShape::failure, {"terminate: failed"}},
                   {"repeat", PictureShape::work, {"block"}},
                   {"inner", PictureShape::choice, {}}};
  picture.edges = {arc(0, 1, {"failed", "error"}), arc(0, 2, {"each of workload"}), arc(2, 1, {})};
  picture.edges[0].line = PictureLine::failed;
  picture.edges[1].for_each = true;
  picture.groups = {group({0, 1, 2}, {1}), group({3}, {3})};
  picture.groups[1].owner = 2;
  picture.block_of = {std::nullopt, std::nullopt, 1, std::nullopt};
  return picture;
}

Picture one_step(const std::string& note) {
  Picture picture;
  picture.title = note;
  picture.nodes = {{"one", PictureShape::work, {note}}};
  picture.edges = {arc(0, 0, {note})};
  picture.groups = {group({0}, {})};
  picture.block_of = {std::nullopt};
  return picture;
}

TEST(Dot, Small) {
  EXPECT_EQ(to_dot(small()), R"x(digraph "small" {
  graph [compound=true, newrank=true, bgcolor="#ffffff", pad=0.3, nodesep=0.35, ranksep=0.45, fontname="Helvetica,Arial,sans-serif", fontsize=14, fontcolor="#1f2328", labelloc=t, label=<<b>small</b>>]
  node [shape=box, style=filled, fillcolor="#f6f8fa", color="#818b98", fontname="Helvetica,Arial,sans-serif", fontsize=12, fontcolor="#1f2328", margin="0.14,0.07", height=0.4]
  edge [color="#818b98", fontname="Helvetica,Arial,sans-serif", fontsize=10, fontcolor="#59636e", arrowsize=0.7, weight=3]
  "start 0" [shape=circle, label="", width=0.14, height=0.14, fixedsize=true, fillcolor="#818b98"]
  "ask" [shape=box, color="#818b98", style="rounded,filled", label=<<table border="0" cellspacing="0" cellpadding="1"><tr><td><b>ask</b></td></tr><tr><td><font point-size="10" color="#59636e">shell</font></td></tr><tr><td><font point-size="10" color="#59636e">when ctx.open</font></td></tr></table>>]
  "stop" [shape=octagon, color="#cf222e", margin="0.02,0.02", label=<<table border="0" cellspacing="0" cellpadding="1"><tr><td><b>stop</b></td></tr><tr><td><font point-size="10" color="#59636e">terminate: failed</font></td></tr></table>>]
  subgraph "cluster repeat" {
    graph [style="rounded,filled", fillcolor="#fbfcfd", color="#818b98", margin=14, fontsize=12, labeljust=l, label=<<table border="0" cellspacing="0" cellpadding="1"><tr><td><b>repeat</b></td></tr><tr><td><font point-size="10" color="#59636e">block</font></td></tr></table>>]
    "start 1" [shape=circle, label="", width=0.14, height=0.14, fixedsize=true, fillcolor="#818b98"]
    "inner" [shape=box, color="#818b98", label=<<table border="0" cellspacing="0" cellpadding="1"><tr><td><b>inner</b></td></tr></table>>]
    "start 1" -> "inner"
    "end 1" [shape=point, style=invis]
    "inner" -> "end 1" [style=invis]
  }
  "start 0" -> "ask"
  "ask" -> "stop" [style=dashed, color="#cf222e", fontcolor="#cf222e", weight=1, label=<&#160;failed&#160;<br/>&#160;error&#160;>]
  "ask" -> "start 1" [color="#818b98:#ffffff:#818b98", label=<&#160;each of workload&#160;>, lhead="cluster repeat"]
  "end 1" -> "stop" [ltail="cluster repeat"]
}
)x");
}

TEST(Mermaid, Small) {
  EXPECT_EQ(to_mermaid(small()), R"x(---
title: "small"
---
flowchart TD
  s0("<b>ask</b><br>shell<br>when ctx.open"):::work
  s1(["<b>stop</b><br>terminate: failed"]):::failure
  subgraph s2["<b>repeat</b> · block"]
    direction TB
    s3["<b>inner</b>"]:::work
    start1((" ")):::start --> s3
  end
  start0((" ")):::start --> s0
  s0 -.->|"failed<br>error"| s1
  s0 ==>|"each of workload"| s2
  s2 --> s1
  classDef work stroke:#7d8590,stroke-width:1px
  classDef failure stroke:#e5534b,stroke-width:2px
  classDef start fill:#7d8590,stroke:#7d8590
  linkStyle 2 stroke:#e5534b
)x");
}

TEST(Dot, TextStaysText) {
  const std::string dot = to_dot(one_step(R"(<b>"\N"</b> & &lt; é)"));
  EXPECT_THAT(dot, HasSubstr(R"(digraph "&lt;b&gt;&quot;\\N&quot;&lt;/b&gt; &amp; &amp;lt; é" {)"));
  EXPECT_THAT(dot, HasSubstr(R"(">&lt;b&gt;&quot;\\N&quot;&lt;/b&gt; &amp; &amp;lt; é</font>)"));
}

TEST(Dot, WhatIsCutIsSaidInFullWhereThePointerRests) {
  const std::string text = fmt::format("{:a>80}\n\\\"end", "");
  const std::string in_full = fmt::format("{:a>80} \\\\&quot;end\"", "");
  EXPECT_THAT(to_dot(one_step(text)), HasSubstr(" tooltip=\"" + in_full));
  EXPECT_THAT(to_dot(one_step(text)), HasSubstr("labeltooltip=\"" + in_full));
  EXPECT_THAT(to_dot(one_step("short")), Not(HasSubstr("tooltip")));
}

TEST(Mermaid, TextStaysText) {
  const std::string mermaid = to_mermaid(one_step("<b>\"#`%\\\n&é"));
  EXPECT_THAT(mermaid, HasSubstr(R"(s0("<b>one</b><br>#60;b#62;#34;#35;#96;#37;#92; #38;é"):::work)"));
  EXPECT_THAT(mermaid, HasSubstr(R"(title: "<b>\"#`%\\\n&é")"));
}

TEST(Drawing, ArcsThatAreTakenTogetherBeginWithARing) {
  Picture picture = one_step("note");
  EXPECT_THAT(to_dot(picture), Not(HasSubstr("odot")));
  picture.edges[0].inclusive = true;
  EXPECT_THAT(to_dot(picture), HasSubstr("dir=both, arrowtail=odot"));
}

TEST(Drawing, TheFinalStepStaysBelowAllOthers) {
  Picture picture = small();
  picture.nodes.push_back({"report", PictureShape::final_step, {"runs last"}});
  picture.block_of.emplace_back();
  picture.groups[0].steps.push_back(4);
  picture.groups[0].final_step = 4;
  EXPECT_THAT(to_dot(picture), HasSubstr("  \"stop\" -> \"report\" [style=invis]\n"));
  EXPECT_THAT(to_mermaid(picture), HasSubstr("  s1 ~~~ s4\n"));
  EXPECT_THAT(to_mermaid(picture), HasSubstr("  linkStyle 3 stroke:"));  // the unseen line counts
}

TEST(Drawing, EveryColourOfADrawingHasADarkOne) {
  const std::string svg = follow_color_scheme("<?xml version=\"1.0\"?>\n<svg width=\"8pt\">\n</svg>");
  EXPECT_THAT(svg, StartsWith("<?xml version=\"1.0\"?>\n<svg width=\"8pt\">\n<style>\n"
                              "@media (prefers-color-scheme: dark) {\n"
                              "  [fill=\"#ffffff\"] { fill: #0d1117 } [stroke=\"#ffffff\"] { stroke: #0d1117 }\n"));
  EXPECT_THAT(svg, EndsWith("}\n</style>\n</svg>"));
  const std::string dot = to_dot(small());
  for (std::size_t at = dot.find('#'); at != std::string::npos; at = dot.find('#', at + 1)) {
    if (dot[at - 1] == '&') continue;  // a character by its number
    EXPECT_THAT(svg, HasSubstr(fmt::format("[fill=\"{}\"]", dot.substr(at, 7))));
  }
}

TEST(Drawing, NoTwoColoursAreTheSameOnALightPage) {
  std::set<std::string_view> seen;
  for (const PictureColor& color : picture_color::kAll) EXPECT_TRUE(seen.insert(color.light).second) << color.light;
}

}  // namespace
}  // namespace stepwell
