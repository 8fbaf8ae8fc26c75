#include "stepwell/tools/interpreter.h"

#include <cstdlib>

#include <gmock/gmock.h>

#include "stepwell/tools/testing/temp_directory.h"
#include "stepwell/tools/testing/tool_test.h"

namespace stepwell {
namespace {

using ::testing::HasSubstr;

// Python and node keep the same promises; each test has the same program in both languages.
struct Words {
  const char* name;
  std::shared_ptr<Tool> (*make)();
  const char* program;
  const char* add;
  const char* raise;
  const char* raised;
  const char* leave;
  const char* endless;
  const char* talk;
  const char* secret;
  const char* large;
  const char* nothing;
  const char* unreadable;
};

const Words kLanguages[] = {
    {.name = "python",
     .make = make_python_tool,
     .program = "python3",
     .add = "import json\nreturn {'sum': args['a'] + args['b'], 'text': 'é', 'list': [None, 1.5, True]}",
     .raise = "x = 1\nraise ValueError('no such row')",
     .raised = "transport tool: ValueError: no such row",
     .leave = "import sys\nprint('why', file=sys.stderr)\nsys.exit(3)",
     .endless = "import time\nprint('up', flush=True)\nwhile True: time.sleep(1)",
     .talk = "print('one', flush=True)\nreturn 1",
     .secret = "import os\nreturn [args['k'], os.environ.get('STEPWELL_IDEMPOTENCY_KEY'), "
               "os.environ.get('STEPWELL_TEST_OUTSIDE')]",
     .large = "return 'x' * 5000",
     .nothing = "x = 1",
     .unreadable = "return {1, 2}"},
    {.name = "node",
     .make = make_node_tool,
     .program = "node",
     .add = "return {sum: args.a + args.b, text: 'é', list: [null, 1.5, true]}",
     .raise = "const x = 1;\nthrow new Error('no such row')",
     .raised = "transport tool: Error: no such row",
     .leave = "console.error('why'); process.exit(3)",
     .endless = "console.log('up'); await new Promise(() => setInterval(() => {}, 1000))",
     .talk = "console.log('one'); return 1",
     .secret = "return [args.k, process.env.STEPWELL_IDEMPOTENCY_KEY, process.env.STEPWELL_TEST_OUTSIDE ?? null]",
     .large = "return 'x'.repeat(5000)",
     .nothing = "const x = 1",
     .unreadable = "return 10n"},
};

class Interpreter : public testing::ToolTest<Tool>, public ::testing::WithParamInterface<Words> {
 protected:
  Interpreter() {
    call_.kind = GetParam().name;
    tool_ = GetParam().make();
  }
  Value code(const char* text, std::string_view args = "{}") {
    return Value::map({{"code", text}, {"args", testing::json(args)}});
  }
};

TEST_P(Interpreter, ReturnsAValueMadeOfItsArguments) {
  EXPECT_EQ(answer(code(GetParam().add, R"({"a": 1, "b": 2})")), R"({"sum":3,"list":[null,1.5,true],"text":"é"})");
  EXPECT_EQ(answer(code(GetParam().nothing)), "null");
}

TEST_P(Interpreter, RunsAFileToo) {
  const testing::TempDirectory directory;
  directory.write("program", GetParam().add);
  EXPECT_EQ(
      answer(Value::map({{"file", Value(directory.file("program"))}, {"args", testing::json(R"({"a": 1, "b": 2})")}})),
      R"({"sum":3,"list":[null,1.5,true],"text":"é"})");
  EXPECT_THAT(answer(R"({"file": "/no/such/file"})"), HasSubstr("o such file or directory"));
}

TEST_P(Interpreter, WhatItRaisesIsAnError) {
  EXPECT_EQ(answer(code(GetParam().raise)), GetParam().raised);
  EXPECT_THAT(answer(code("(((")), HasSubstr("transport tool: SyntaxError"));
  EXPECT_THAT(answer(code(GetParam().unreadable)), HasSubstr("transport tool: TypeError"));
  EXPECT_EQ(answer(code(GetParam().leave)), "transport exit_3: the program ended with exit code 3: why");
}

TEST_P(Interpreter, WhatItPrintsIsShownAndNotTheResult) {
  std::string seen;
  call_.progress = [&](std::string_view bytes) { seen += bytes; };
  EXPECT_EQ(answer(code(GetParam().talk)), "1");
  EXPECT_EQ(seen, "one\n");
}

TEST_P(Interpreter, KnowsItsKeyAndNothingOfTheEnvironment) {
  setenv("STEPWELL_TEST_OUTSIDE", "seen", 1);
  secrets_.known["key"] = "hunter2";
  used_.find("key");
  EXPECT_EQ(answer(code(GetParam().secret, R"({"k": "hunter2"})")), R"(["***","key-1",null])");
  unsetenv("STEPWELL_TEST_OUTSIDE");
}

TEST_P(Interpreter, TimeAndCancellationEndIt) {
  deadline_in(std::chrono::milliseconds(300));
  EXPECT_THAT(answer(code(GetParam().endless)), HasSubstr("did not end in time and was killed"));
  call_.deadline.reset();
  EXPECT_EQ(told(run_and_cancel(code(GetParam().endless))), "transport cancelled: nobody waits for this any more");
}

TEST_P(Interpreter, AResultThatIsTooLargeIsRefused) {
  call_.result_bytes = 1000;
  EXPECT_THAT(answer(code(GetParam().large)), HasSubstr("transport size: what '"));
}

TEST_P(Interpreter, SaysIfItIsNotInstalled) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  EXPECT_EQ(answer(code(GetParam().nothing)), std::string("transport tool: there is no program '") +
                                                  GetParam().program + "' in PATH; the tool '" + GetParam().name +
                                                  "' needs it");
  setenv("PATH", path.c_str(), 1);
}

TEST_P(Interpreter, TakesEitherCodeOrAFile) {
  EXPECT_THAT(answer("{}"), HasSubstr("must be there, or else 'file'"));
  EXPECT_THAT(answer(R"({"code": "x", "file": "y"})"), HasSubstr("must be there, or else 'file'"));
}

INSTANTIATE_TEST_SUITE_P(All, Interpreter, ::testing::ValuesIn(kLanguages),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace stepwell
