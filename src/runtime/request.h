#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stepwell/kernel/playbook/command.h"
#include "stepwell/kernel/playbook/effect.h"
#include "stepwell/runtime/playbooks.h"

// What goes into a shard and what comes out of it.
namespace stepwell {

// What became of a request. Told only when it cannot change any more: after all that it rests on is durable.
struct Answer {
  enum class Kind : std::uint8_t {
    accepted,
    refused,
    unknown,  // the store failed: it may have been accepted or not. Asking again, under the same id, is safe
  };
  Kind kind = Kind::unknown;
  std::uint64_t version = 0;  // accepted: of the execution, after it
  Refusal refusal = {};       // refused
};
// Called once, by the thread that runs the shard: it must be quick and must not wait for the runtime.
using Reply = std::function<void(const Answer&)>;

// One offer of one attempt, by one owner of its shard.
struct AttemptId {
  std::uint64_t epoch = 0;
  std::string execution = {};
  WaitingToken waiting_token = {};

  friend bool operator==(const AttemptId&, const AttemptId&) = default;
};

// An attempt that a worker is to run.
struct Offer {
  AttemptId id = {};
  PlaybookPtr playbook = {};
  OfferAttempt attempt = {};
};

// A command for an execution.
struct Request {
  std::string execution = {};
  Command command = {};
  PlaybookPtr playbook = {};  // of a start
  bool fresh = false;         // a start under an id that was just drawn, so that nobody can have it
  std::uint64_t epoch = 0;    // of a report: that of its offer; 0 for all others
  std::vector<std::pair<std::string, Value>> blobs = {};  // of BlobsLoaded: what the blobs hold, by reference
  Reply reply = {};
};

}  // namespace stepwell
