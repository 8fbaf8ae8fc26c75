#pragma once

#include <atomic>
#include <chrono>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "stepwell/tools/builtin_tools.h"
#include "stepwell/tools/tool_error.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"
#include "stepwell/worker/testing/pipeline_maker.h"
#include "stepwell/worker/worker.h"

namespace stepwell::testing {

class KnownSecrets final : public Secrets {
 public:
  std::map<std::string, std::string, std::less<>> known;
  std::optional<std::string> find(std::string_view name) const override {
    const auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  }
};

class KeptBlobs final : public Blobs {
 public:
  std::map<std::string, std::string, std::less<>> kept;
  bool full = false;

  std::expected<std::string, std::string> load(std::string_view name) override {
    const auto found = kept.find(name);
    if (found == kept.end()) return std::unexpected(std::string(name) + " is gone");
    return found->second;
  }
  std::expected<void, std::string> put(std::span<const Blob> blobs) override {
    if (full) return std::unexpected("the disk is full");
    for (const Blob& blob : blobs) kept[blob.name] = blob.bytes;
    return {};
  }
};

// Answers from a thread of its own with the field `value`, or, if it has none, when it is stopped.
class EchoAsync final : public AsyncTool {
 public:
  explicit EchoAsync(std::function<void(bool stopped)> on) : on_(std::move(on)) {}
  ~EchoAsync() override {
    for (std::thread& thread : threads_) thread.join();
  }
  void start(ToolCall call, Done done) override {
    const std::lock_guard lock(mutex_);
    threads_.emplace_back([this, call = std::move(call), done = std::move(done)] {
      if (const Value* value = call.fields.find("value")) return done({.result = *value});
      on_(false);
      while (!call.stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      on_(true);
      done(stopped());
    });
  }

 private:
  std::function<void(bool)> on_;
  std::mutex mutex_;
  std::vector<std::thread> threads_;
};

// Answers from inside start with the field `value`. Where that is "gate" it keeps the thread that starts it until the
// gate is open: whoever does this would hold up all network tools.
class EchoAtOnce final : public AsyncTool {
 public:
  void start(ToolCall call, Done done) override {
    const Value& value = *call.fields.find("value");
    if (value == Value("gate")) {
      at_gate.count_down();
      gate.wait();
    }
    done({.result = value});
  }

  std::latch at_gate{1};
  std::latch gate{1};
};

// A worker with the built-in tools, some of its own, and everything it reports.
class WorkerTest : public ::testing::Test {
 protected:
  WorkerTest() {
    add_builtin_tools(tools_);
    tools_.add("throws", [](const ToolCall&) -> TaskOutcome { throw std::runtime_error("oh no"); });
    tools_.add("deep", [](const ToolCall&) {
      Value value;
      for (int i = 0; i < 200; ++i) value = Value::list({value});
      return TaskOutcome{.result = value};
    });
    tools_.add("key", [this](const ToolCall& call) {
      const std::lock_guard lock(mutex_);
      keys_.push_back(call.idempotency_key);
      return TaskOutcome{};
    });
    tools_.add("until_stopped", [this](const ToolCall& call) {
      ++started_;
      while (!call.stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++stopped_;
      return stepwell::stopped();
    });
    auto async = std::make_shared<EchoAsync>([this](bool ended) { ++(ended ? stopped_ : started_); });
    tools_.add("echo_async", async);
    tools_.add("never_async", async);
    tools_.add("at_once", at_once_);
  }
  ~WorkerTest() override { end_worker(); }

  static Value json(std::string_view text) { return parse_json(text).value(); }
  static Instant now() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return *Instant::from_micros(std::chrono::duration_cast<std::chrono::microseconds>(since).count());
  }

  Worker& worker() {
    if (!worker_) {
      auto report = [this](std::vector<AttemptReport> batch) {
        const std::lock_guard lock(mutex_);
        batches_.push_back(batch.size());
        for (AttemptReport& each : batch) reports_.push_back(std::move(each));
      };
      auto progress = [this](const AttemptKey&, std::string_view label, std::string_view lines) {
        const std::lock_guard lock(mutex_);
        while (!lines.empty()) {
          const std::string_view line = lines.substr(0, lines.find('\n'));
          (shown_ += label).append(": ").append(line) += '\n';
          lines.remove_prefix(std::min(lines.size(), line.size() + 1));
        }
      };
      worker_ = std::make_unique<Worker>(WorkerPorts{.tools = tools_,
                                                     .secrets = secrets_,
                                                     .blobs = blobs_,
                                                     .now = now,
                                                     .report = report,
                                                     .progress = progress},
                                         options_);
    }
    return *worker_;
  }
  void end_worker() { worker_.reset(); }

  // An attempt at a step with this pipeline, under a key of its own.
  AttemptOffer offer(std::string_view pipeline) {
    return {.key = {.epoch = 1, .execution = "e1", .run = ++last_run_, .attempt = 1, .offer = 1},
            .definition = definition_of(pipeline, inline_max_),
            .ordinal = 1,
            .inputs = json(R"({"workload": {"x": 7}})")};
  }
  AttemptReport run(std::string_view pipeline) { return run(offer(pipeline)); }
  AttemptReport run(AttemptOffer made) {
    const AttemptKey key = made.key;
    std::size_t before = reports_seen();
    worker().offer({std::move(made)});
    wait_until([&] { return reports_seen() > before; });
    const std::lock_guard lock(mutex_);
    EXPECT_EQ(reports_.back().key, key);
    return reports_.back();
  }

  std::size_t reports_seen() const {
    const std::lock_guard lock(mutex_);
    return reports_.size();
  }
  std::vector<AttemptReport> reports() const {
    const std::lock_guard lock(mutex_);
    return reports_;
  }
  // How many reports came together each time.
  std::vector<std::size_t> batches() const {
    const std::lock_guard lock(mutex_);
    return batches_;
  }
  std::string shown() const {
    const std::lock_guard lock(mutex_);
    return shown_;
  }
  // Long enough that only a test that hangs meets its end.
  void wait_until(const std::function<bool()>& holds) {
    for (int i = 0; i < 60'000; ++i) {
      if (holds()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ADD_FAILURE() << "this takes too long";
    std::abort();
  }

  // "done 3", "deferred 5s", "failed class kind: message".
  static std::string words(const AttemptReport& report) {
    if (report.outcome == AttemptReport::Outcome::done) return "done " + to_json(report.output.decode());
    if (report.outcome == AttemptReport::Outcome::deferred) return "deferred " + report.delay.str();
    auto text = [&](std::string_view key) { return std::string(report.error.find(key)->as_text()); };
    return "failed " + text("class") + " " + text("kind") + ": " + text("message");
  }
  // "label pass.try status" of each.
  static std::vector<std::string> tasks(const AttemptReport& report) {
    std::vector<std::string> all;
    all.reserve(report.tasks.size());
    for (const TaskReport& task : report.tasks) {
      all.push_back(task.label + " " + std::to_string(task.pass) + "." + std::to_string(task.attempt) +
                    (task.ok ? " ok" : " error"));
    }
    return all;
  }

  std::shared_ptr<EchoAtOnce> at_once_ = std::make_shared<EchoAtOnce>();
  Toolbox tools_;
  KnownSecrets secrets_;
  KeptBlobs blobs_;
  WorkerOptions options_;
  std::int64_t inline_max_ = 65'536;
  std::uint64_t last_run_ = 0;

  mutable std::mutex mutex_;
  std::vector<AttemptReport> reports_;
  std::vector<std::size_t> batches_;
  std::vector<std::string> keys_;
  std::string shown_;
  std::atomic<int> started_ = 0;
  std::atomic<int> stopped_ = 0;
  std::unique_ptr<Worker> worker_;
};

}  // namespace stepwell::testing
