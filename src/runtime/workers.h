#pragma once

#include <vector>

#include "stepwell/runtime/request.h"

namespace stepwell {

class Runtime;

// Runs attempts for the runtime, and gives what becomes of them to Runtime::report. Called by any thread; must not
// wait.
class Workers {
 public:
  // Whom to report to: told once, before anything is offered.
  virtual void attach(Runtime& runtime) = 0;
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
