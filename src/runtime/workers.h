#pragma once

#include <vector>

#include "stepwell/runtime/request.h"

namespace stepwell {

// Runs attempts for the runtime, and gives what becomes of them to Runtime::report. Called by any thread; must not
// wait.
class Workers {
 public:
  virtual void offer(std::vector<Offer> offers) = 0;
  // Nobody waits for these any more. A report of one is stale and harmless.
  virtual void cancel(std::vector<AttemptId> attempts) = 0;

 protected:
  ~Workers() = default;
};

// What became of an attempt.
struct Report {
  AttemptId id = {};
  ReportAttempt outcome = {};  // its waiting token is that of the id
};

}  // namespace stepwell
