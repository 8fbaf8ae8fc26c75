#include "stepwell/compile/graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/compile/graph_words.h"
#include "stepwell/compile/load.h"

namespace stepwell {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Picture picture(const std::string& playbook) {
  Diagnostics diagnostics("test.yaml");
  const auto loaded = load_playbook(playbook, "test", diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.to_string();
  if (!loaded) return {};
  const auto definition = read_definition(loaded->definition);
  EXPECT_TRUE(definition.has_value()) << definition.error();
  return picture_of(*definition);
}

// Every arc as "from -> to: why".
std::vector<std::string> arcs(const Picture& picture) {
  std::vector<std::string> all;
  for (const PictureEdge& edge : picture.edges) {
    const std::string why = edge.label.empty() ? "" : fmt::format(": {}", fmt::join(edge.label, "; "));
    all.push_back(fmt::format("{} -> {}{}", picture.nodes[edge.from].name, picture.nodes[edge.to].name, why));
  }
  return all;
}

TEST(Graph, TheFirstMatchWinsSoArcsAreNumbered) {
  const Picture found = picture(R"(
workflow:
  - step: ask
    next: [{step: no, when: "ctx.risk   ==  'high'"}, {step: maybe, when: ctx.risk}, {step: yes_}]
  - step: no
  - step: maybe
    next: [{step: yes_, when: ctx.fine}, {step: no}]
  - step: yes_
)");
  EXPECT_THAT(arcs(found), ElementsAre("ask -> no: 1. ctx.risk == 'high'", "ask -> maybe: 2. ctx.risk",
                                       "ask -> yes_: else", "maybe -> yes_: ctx.fine", "maybe -> no: else"));
}

TEST(Graph, FailureArcsAndFanOutsAreTold) {
  const Picture found = picture(R"(
workflow:
  - step: split
    next:
      - {step: work, foreach: {in: "{{ workload.items }}", as: item, max_in_flight: 4}}
      - {step: repair, on: failed, when: "error.kind == 'undefined'"}
      - {step: repair, on: timeout}
      - {step: repair, when: "event.name == 'step.failed'"}
  - {step: work, next: collect}
  - {step: collect, join: {from: split, mode: {m_of_n: 2}}}
  - {step: repair, spec: {next_mode: inclusive}, next: [{step: other, when: ctx.x}, other]}
  - {step: other}
)");
  EXPECT_THAT(arcs(found),
              ElementsAre("split -> work: each item in workload.items, 4 at once",
                          "split -> repair: 2. failed; error.kind == 'undefined'", "split -> repair: timeout",
                          "split -> repair: 4. done or failed; event.name == 'step.failed'", "work -> collect",
                          "repair -> other: ctx.x", "repair -> other"));
  EXPECT_TRUE(found.edges[0].for_each);
  EXPECT_EQ(found.edges[1].line, PictureLine::failed);
  EXPECT_EQ(found.edges[3].line, PictureLine::either);
  EXPECT_FALSE(found.edges[3].inclusive);
  EXPECT_TRUE(found.edges[5].inclusive);
  EXPECT_EQ(found.nodes[2].shape, PictureShape::join);
  EXPECT_THAT(found.nodes[2].notes, ElementsAre("join 2 of split"));
  EXPECT_THAT(found.nodes[3].notes, ElementsAre("takes every arc that matches"));
}

TEST(Graph, EveryTypeSaysWhatItDoes) {
  const Picture found = picture(R"(
executor: {spec: {final_step: report}}
workflow:
  - {step: fetch, tool: {kind: shell, cmd: "true"}, retry: {max_attempts: 3}, timeout: 90s, when: ctx.open, next: two}
  - {step: two, tool: [{a: {kind: noop}}, {b: {kind: lua, script: return 1}}], next: approve}
  - {step: approve, type: human, roles: [manager, boss], next: sleep}
  - {step: sleep, type: wait, for: 2h, next: hear}
  - {step: hear, type: wait, signal: news, next: child}
  - {step: child, type: call, playbook: a/b, version: 3, next: other}
  - {step: other, type: continue_with, playbook: a/c, next: repeat}
  - step: repeat
    type: block
    loop: {in: "{{ workload.items }}", iterator: item, mode: parallel, max_in_flight: 8}
    workflow: [{step: inner}]
    next: stop
  - {step: stop, type: terminate, status: failed, reason: enough}
  - {step: report, tool: {kind: shell, cmd: "true"}}
)");
  ASSERT_EQ(found.nodes.size(), 11U);
  EXPECT_THAT(found.nodes[0].notes, ElementsAre("shell", "when ctx.open", "up to 3 attempts", "within 1m30s"));
  EXPECT_THAT(found.nodes[1].notes, ElementsAre("a (noop), b (lua)"));
  EXPECT_THAT(found.nodes[2].notes, ElementsAre("human: boss, manager"));
  EXPECT_THAT(found.nodes[3].notes, ElementsAre("wait 2h"));
  EXPECT_THAT(found.nodes[4].notes, ElementsAre("wait for signal news"));
  EXPECT_THAT(found.nodes[5].notes, ElementsAre("call a/b version 3"));
  EXPECT_THAT(found.nodes[6].notes, ElementsAre("continue with a/c"));
  EXPECT_THAT(found.nodes[7].notes, ElementsAre("block", "↻ each item in workload.items, 8 at once"));
  EXPECT_THAT(found.nodes[8].notes, ElementsAre("terminate: failed", "enough"));
  EXPECT_THAT(found.nodes[9].notes, ElementsAre("shell", "runs last"));
  EXPECT_EQ(found.nodes[9].shape, PictureShape::final_step);
  EXPECT_EQ(found.nodes[10].shape, PictureShape::choice);
  ASSERT_EQ(found.groups.size(), 2U);
  EXPECT_EQ(found.groups[1].owner, 7U);
  EXPECT_EQ(found.block_of[7], 1U);
  EXPECT_THAT(found.groups[0].exits, ElementsAre(8));
  EXPECT_EQ(found.groups[0].final_step, 9U);
  EXPECT_THAT(found.groups[1].exits, ElementsAre(10));
  EXPECT_EQ(found.groups[1].final_step, std::nullopt);
}

TEST(Graph, LongTextIsFoldedAtSpacesAndCut) {
  EXPECT_THAT(fold("short", 10, 2), ElementsAre("short"));
  EXPECT_THAT(fold("", 10, 2), IsEmpty());
  EXPECT_THAT(fold("one two three four", 9, 2), ElementsAre("one two", "three…"));
  EXPECT_THAT(fold("one two three four", 9, 9), ElementsAre("one two", "three", "four"));
  EXPECT_THAT(fold("abcdefghij", 4, 2), ElementsAre("abcd", "efgh…"));
  EXPECT_THAT(fold("ééé日本", 3, 2), ElementsAre("ééé", "日本"));
  EXPECT_THAT(fold("12345   6", 5, 2), ElementsAre("12345", "6"));
  EXPECT_FALSE(is_cut("one two three", 9, 2));
  EXPECT_TRUE(is_cut("one two three four", 9, 2));
}

TEST(Graph, WhatXmlMayNotHoldBecomesASpace) {
  EXPECT_EQ(one_line("a\nb\x01\tc\x7F"), "a b  c ");
  EXPECT_EQ(one_line("é\xC2\x85z\xEF\xBF\xBF日"), "é z 日");
}

}  // namespace
}  // namespace stepwell
