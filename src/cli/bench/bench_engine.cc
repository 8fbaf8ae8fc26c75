#include "stepwell/cli/bench/bench_engine.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "stepwell/base/rng.h"
#include "stepwell/cli/interrupt.h"
#include "stepwell/compile/load.h"
#include "stepwell/runtime/clock.h"
#include "stepwell/runtime/execution_id.h"

namespace stepwell::cli {

namespace {

constexpr std::chrono::milliseconds kEndLook(100);
// Against waiting for ever for what was lost.
constexpr double kEndPatience = 300;

class EchoTool final : public AsyncTool {
 public:
  void start(ToolCall, Done done) override { done({.result = Value(1)}); }
};

}  // namespace

std::expected<std::unique_ptr<BenchEngine>, std::string> BenchEngine::open(BenchEngineOptions options) {
  std::unique_ptr<BenchEngine> bench(new BenchEngine(std::move(options)));
  EngineOptions engine_options{.store = bench->options_.store, .create = bench->options_.create};
  engine_options.add_tools = [](Toolbox& tools) { tools.add("echo", std::make_shared<EchoTool>()); };
  engine_options.runtime.ended = [raw = bench.get()](const State& state) { raw->ended(state); };
  engine_options.runtime.problem = [raw = bench.get()](std::string_view text) { raw->fail(std::string(text)); };
  auto engine = Engine::open(std::move(engine_options));
  if (!engine) return std::unexpected(engine.error().message);
  bench->engine_ = std::move(*engine);
  return bench;
}

std::expected<std::unique_ptr<BenchEngine>, std::string> BenchEngine::open_new(const BenchPlace& place) {
  settle_memory();
  return open({.store = fmt::format("{}/{}", place.directory, uuid_from(system_dice().roll(), 0))});
}

BenchEngine::~BenchEngine() {
  // It calls back, and is asked for more, until it has stopped.
  if (engine_ != nullptr) engine_->stop();
  engine_.reset();
  std::error_code ignored;
  if (!options_.keep) std::filesystem::remove_all(options_.store, ignored);
}

std::expected<PlaybookPtr, std::string> BenchEngine::add(const std::string& name, const std::string& text) {
  Diagnostics diagnostics(name);
  auto document = load_playbook(text, name, diagnostics);
  if (!document) return std::unexpected(diagnostics.sorted().front().to_string());
  auto added = engine_->playbooks().add(std::move(*document), text, system_clock().now());
  if (!added) return std::unexpected(added.error().message);
  return engine_->playbooks().find(name, std::nullopt);
}

std::expected<Sorted, std::string> BenchEngine::run(Load load) {
  begin(std::move(load));
  const auto waited = wait(kEndPatience);
  if (!waited) return std::unexpected(waited.error());
  if (auto finished = finish(); !finished) return std::unexpected(finished.error());
  return take_measured();
}

void BenchEngine::begin(Load load) {
  std::size_t in_flight = 0;
  {
    const std::scoped_lock lock(mutex_);
    load_ = std::move(load);
    begun_ = 0;
    in_flight = load_.in_flight;
  }
  for (std::size_t i = 0; i < in_flight; ++i) start_next();
}

// On the caller's thread, later on the one that runs the engine, whose inbox has room for all that are in flight.
void BenchEngine::start_next() {
  const std::string id = fresh_execution_id(system_clock().now(), system_dice().roll());
  PlaybookPtr playbook;
  {
    const std::scoped_lock lock(mutex_);
    if (begun_ >= load_.executions) return;
    playbook = load_.playbooks[begun_++ % load_.playbooks.size()];
    open_.emplace(id, SteadyClock::now());
  }
  engine_->runtime().submit(
      {.execution = id,
       .command = {Start{.execution = id, .version = playbook->version, .workload = Value::map({})}},
       .playbook = playbook,
       .fresh = true,
       .reply = [this, id](const Answer& answer) {
         if (answer.kind != Answer::Kind::accepted) return fail("a start was not accepted: " + answer.refusal.message);
         if (options_.accepted) options_.accepted(id);
       }});
}

void BenchEngine::ended(const State& state) {
  const auto now = SteadyClock::now();
  if (options_.ended) options_.ended(state);
  if (state.end_status != EndStatus::completed) fail(fmt::format("the execution {} has failed", state.execution));
  {
    const std::scoped_lock lock(mutex_);
    const auto found = open_.find(state.execution);
    if (found == open_.end()) return;
    const double seconds = std::chrono::duration<double>(now - found->second).count();
    measured_.push_back(load_.measure ? load_.measure(state) : seconds);
    open_.erase(found);
    if (open_.empty()) changed_.notify_all();
  }
  start_next();
}

void BenchEngine::fail(std::string why) {
  const std::scoped_lock lock(mutex_);
  if (failure_.empty()) failure_ = std::move(why);
  changed_.notify_all();
}

std::expected<void, std::string> BenchEngine::wait(double seconds) {
  const Stopwatch watch;
  std::unique_lock lock(mutex_);
  while (watch.seconds() < seconds && !(open_.empty() && begun_ == load_.executions)) {
    changed_.wait_for(lock, std::min<std::chrono::duration<double>>(
                                kEndLook, std::chrono::duration<double>(seconds - watch.seconds())));
    if (!failure_.empty()) return std::unexpected(failure_);
    if (Interrupt::asked()) return std::unexpected("interrupted");
  }
  return {};
}

std::expected<void, std::string> BenchEngine::finish() {
  {
    const std::scoped_lock lock(mutex_);
    load_.executions = begun_;
  }
  if (auto waited = wait(kEndPatience); !waited) return waited;
  const std::scoped_lock lock(mutex_);
  if (open_.empty()) return {};
  return std::unexpected(fmt::format("{} executions have not ended within {} s", open_.size(), kEndPatience));
}

Sorted BenchEngine::take_measured() {
  const std::scoped_lock lock(mutex_);
  return Sorted(std::exchange(measured_, {}));
}

std::uint64_t BenchEngine::written_bytes() {
  const auto usage = engine_->store().usage();
  return usage ? usage->written_bytes : 0;
}

}  // namespace stepwell::cli
