#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "stepwell/base/instant.h"
#include "stepwell/expr/secrets.h"
#include "stepwell/tools/toolbox.h"
#include "stepwell/worker/attempt_offer.h"
#include "stepwell/worker/blobs.h"

namespace stepwell {

struct WorkerOptions {
  std::size_t capacity = 256;         // attempts to hold at once
  std::size_t blocking_threads = 16;  // tools that keep a thread each
};

// What a worker is given. All of it is used by many threads at once and must outlive the worker.
struct WorkerPorts {
  const Toolbox& tools;
  const Secrets& secrets;
  Blobs& blobs;
  std::function<Instant()> now;
  // Takes how attempts ended, in batches, one batch at a time.
  std::function<void(std::vector<AttemptReport>)> report;
  // Takes lines that a running tool has put out, without any secret. May be empty.
  std::function<void(const AttemptKey& key, std::string_view label, std::string_view lines)> progress = {};
};

// Runs attempts in this process. Every attempt that is offered and not cancelled is reported exactly once.
//
// Threads: expressions and rules of network tools are evaluated on one thread of the worker, those of other tools on
// the pool thread that runs the tool; network tools have threads of their own. Reports leave by whichever thread has
// finished an attempt, and take along what others finish meanwhile.
class Worker {
 public:
  Worker(WorkerPorts ports, WorkerOptions options = {});
  // Stops what is running and waits for it. What had not ended is not reported: whoever offered it offers it again.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Called by any thread; none of them waits.
  //
  // Attempts beyond the capacity are not refused, they wait in line; to bound that is up to who offers. An offer under
  // a key that the worker holds already changes nothing.
  void offer(std::vector<AttemptOffer> offers);
  // Nobody waits for it any more: a running tool is told to end, and no report leaves from now on. (One that is on its
  // way already may arrive.)
  void cancel(const AttemptKey& key);

  std::size_t capacity() const;
  std::size_t held() const;

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace stepwell
