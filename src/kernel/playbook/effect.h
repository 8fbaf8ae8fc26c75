#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "stepwell/base/instant.h"
#include "stepwell/kernel/ids.h"
#include "stepwell/kernel/playbook/event.h"
#include "stepwell/model/definition.h"
#include "stepwell/value/value.h"

// What must be done outside once the events of a decision are durable. All of it can be told again from the state alone
// (open_effects), so a crash in between loses nothing.
namespace stepwell {

// Run an attempt of a step's pipeline, from its cursor on, and report under the waiting token.
struct OfferAttempt {
  WaitingToken waiting_token = {};
  StepIndex step = 0;
  std::uint32_t ordinal = 0;  // which run of its step
  Value inputs = {};          // the names that the pipeline reads, as they were when the attempt began
  Value cursor = {};          // null: from the beginning
  std::optional<Instant> deadline = {};
};

// The work under this waiting token is not wanted any more; a report of it would be stale.
struct CancelAttempt {
  WaitingToken waiting_token = {};
};

// Send the command Wake at this instant. It replaces what was said before; none means never.
struct WakeAt {
  std::optional<Instant> at = {};
};

// Deliver a message of the outbox, and then say so with the command Delivered.
struct DeliverMessage {
  MessageId message = {};
  MessageKind kind = MessageKind::start_child;
  std::string to = {};
  Value content = {};
};

// Have these blobs at hand, and then say so with the command BlobsLoaded.
struct LoadBlobs {
  WaitingToken waiting_token = {};
  std::vector<std::string> blobs = {};
};

// Send the command Yield: the decision met its bound, and more is to be decided.
struct YieldAgain {};

using Effect = std::variant<OfferAttempt, CancelAttempt, WakeAt, DeliverMessage, LoadBlobs, YieldAgain>;

}  // namespace stepwell
