// A playbook of 1 000 steps from its text to what the kernel runs, beside what yaml-cpp takes for the same text: for
// its tree (YAML::Load), and for its events alone, of which nothing is kept. Goal: at most three times the tree.

#include <algorithm>
#include <sstream>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "stepwell/base/check.h"
#include "stepwell/compile/load.h"
#include "stepwell/compile/yaml_read.h"
#include "stepwell/model/definition.h"

#include "timing.h"

namespace stepwell {
namespace {

constexpr int kSteps = 1000;

// A step as people write them: a guard, a tool with templates, retry, a mapping of its output, three ways to go on.
constexpr std::string_view kStep = R"(
  - step: check_{0}
    desc: Check position {0} of the order
    when: "ctx.approved and workload.limit > {0}"
    tool:
      kind: http
      method: POST
      url: "{{{{ workload.api }}}}/orders/{{{{ check_{1}.output.id | default('none') }}}}"
      auth: api_token
      headers: {{x-order: "{{{{ ctx.order.id }}}}-{0}", accept: application/json}}
      json: {{order: "{{{{ ctx.order.id }}}}", amount: "{{{{ ctx.total * 2 }}}}", tags: [a, b, c]}}
    retry: {{max_attempts: 5, backoff: exponential, delay: 1s, on: [transport, timeout]}}
    timeout: 30s
    set:
      ctx.total: "{{{{ output.data.total + (ctx.total | default(0)) }}}}"
      ctx.seen.check_{0}: true
    next:
      - {{step: check_{2}, when: "output.data.total < workload.limit and not output.data.blocked"}}
      - {{step: check_{3}, on: failed, args: {{reason: "{{{{ error.message }}}}"}}}}
      - check_{3}
)";

const std::string& playbook() {
  static const std::string text = [] {
    std::string made = "workload: {limit: 500, api: 'https://api.example.com'}\nworkflow:\n";
    for (int i = 0; i < kSteps; ++i) {
      const int before = std::max(i - 1, 0);
      made += fmt::format(kStep, i, before, (i + 1) % kSteps, (i + 7) % kSteps);
    }
    return made;
  }();
  return text;
}

class Ignore : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

void yaml_cpp_events() {
  std::istringstream stream(playbook());
  YAML::Parser parser(stream);
  Ignore ignore;
  CHECK(parser.HandleNextDocument(ignore));
}

void yaml_cpp_tree() { benchmark::DoNotOptimize(YAML::Load(playbook())); }

Document load() {
  Diagnostics diagnostics("bench");
  auto loaded = load_playbook(playbook(), "bench", diagnostics);
  CHECK(loaded && diagnostics.empty());
  return *std::move(loaded);
}

// From the text to what the kernel runs.
void load_and_compile() {
  const auto definition = read_definition(load().definition);
  CHECK(definition && definition->steps.size() == kSteps);
}

void load_against_tree(benchmark::State& state) { beside(state, load_and_compile, yaml_cpp_tree); }
void load_against_events(benchmark::State& state) { beside(state, load_and_compile, yaml_cpp_events); }

void read_yaml_against_tree(benchmark::State& state) {
  const auto read = [] {
    Diagnostics diagnostics("bench");
    benchmark::DoNotOptimize(read_yaml(playbook(), diagnostics));
  };
  beside(state, read, yaml_cpp_tree);
}

// What a stored definition costs before it can run; its text is not needed.
void read_definition_against_tree(benchmark::State& state) {
  const Value definition = load().definition;
  CHECK(read_definition(definition));
  beside(state, [&] { benchmark::DoNotOptimize(read_definition(definition)); }, yaml_cpp_tree);
}

BENCHMARK(load_against_tree)->Name("load and compile 1000 steps/against YAML::Load")->UseManualTime();
BENCHMARK(load_against_events)->Name("load and compile 1000 steps/against yaml-cpp's events")->UseManualTime();
BENCHMARK(read_yaml_against_tree)->Name("read_yaml/against YAML::Load")->UseManualTime();
BENCHMARK(read_definition_against_tree)->Name("read_definition/against YAML::Load")->UseManualTime();

}  // namespace
}  // namespace stepwell

BENCHMARK_MAIN();
