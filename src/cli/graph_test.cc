#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/cli/testing/command_test.h"

namespace stepwell::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kPlaybook = R"(
metadata: {name: small}
workflow:
  - step: ask
    tool: {kind: shell, cmd: "true"}
    next: [{step: answer, when: "ask.output.exit_code < 1"}, {step: stop, on: failed}]
  - step: answer
  - {step: stop, type: terminate, status: failed, reason: no answer}
)";

class GraphCommand : public CommandTest {
 protected:
  static Ran graph(const std::vector<std::string>& arguments, const std::string& input = kPlaybook) {
    return run_line({"graph"}, arguments, input);
  }
};

TEST_F(GraphCommand, WritesInputForGraphviz) {
  const Ran ran = graph({"-"});
  EXPECT_EQ(ran.code, ExitCode::ok);
  EXPECT_EQ(ran.err, "");
  EXPECT_THAT(ran.out, StartsWith("digraph \"small\" {\n"));
  EXPECT_THAT(ran.out, HasSubstr("ask.output.exit_code &lt; 1"));
  EXPECT_EQ(ran.out, graph({"--dot", "-"}).out);
}

TEST_F(GraphCommand, WritesAFlowchart) {
  const Ran ran = graph({"--mermaid", "-"});
  EXPECT_EQ(ran.code, ExitCode::ok);
  EXPECT_THAT(ran.out, HasSubstr("  s0 -->|\"ask.output.exit_code #60; 1\"| s1\n  s0 -.->|\"failed\"| s2\n"));
}

TEST_F(GraphCommand, DrawsThroughGraphviz) {
  const Ran ran = graph({"--svg", "-"});
  EXPECT_EQ(ran.code, ExitCode::ok) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("<?xml"));
  EXPECT_THAT(ran.out, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(ran.out, HasSubstr(">answer</text>"));
}

TEST_F(GraphCommand, WithoutGraphvizItSaysWhatToDo) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  const Ran ran = graph({"--svg", "-"});
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(ran.code, ExitCode::failed);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("install the package graphviz, or take --dot or --mermaid"));
}

TEST_F(GraphCommand, AnInvalidPlaybookIsNotDrawnButExplained) {
  const std::string wrong = "workflow: [{step: a, next: b}, {step: c, nxet: a}]";
  const Ran ran = graph({"-"}, wrong);
  EXPECT_EQ(ran.code, ExitCode::usage);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("names 'b', which is no step"));
  EXPECT_THAT(ran.err, HasSubstr("did you mean 'next'?"));
  EXPECT_EQ(ran.err, run_line({"validate"}, {"--quiet", "-"}, wrong).err);
}

TEST_F(GraphCommand, AWarningDoesNotKeepItFromDrawing) {
  const Ran ran = graph({"-"}, "workflow: [{step: a}, {step: lost}]");
  EXPECT_EQ(ran.code, ExitCode::ok);
  EXPECT_THAT(ran.err, HasSubstr("warning"));
  EXPECT_THAT(ran.out, HasSubstr("\"lost\" ["));
}

TEST_F(GraphCommand, OneFormAtATime) {
  EXPECT_EQ(graph({"--dot", "--svg", "-"}).code, ExitCode::usage);
  EXPECT_EQ(graph({}).code, ExitCode::usage);
  EXPECT_THAT(graph({"--help"}).out, HasSubstr("\nexample:\n  stepwell graph "));
}

}  // namespace
}  // namespace stepwell::cli
