#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/end_of_run.h"
#include "stepwell/value/blob_ref.h"

namespace stepwell {

LoadBlobs load_blobs(const Run& run) {
  return {.waiting_token = run.waiting_token(), .blobs = std::get<OpenBlobs>(run.work).wait->blobs};
}

// What a foreach or loop goes through. A blob is looked into only by a decision about blobs that were loaded, so that
// nothing depends on what happens to be at hand.
OrFailure<Value> Decider::items_in(const Value& collection, std::string_view what) {
  if (!is_blob_ref(collection)) return items_of(collection, what);
  const std::string blob(blob_of(collection));
  if (std::ranges::count(at_hand_, blob) == 0) {
    needed_.push_back(blob);
    return std::unexpected(RunError{.error_class = ErrorClass::expression,
                                    .kind = "blob_ref",
                                    .message = fmt::format("{} is a blob that is not at hand", what)});
  }
  const std::optional<Value> held = lookups_.blob(blob);
  CHECK(held.has_value());
  return items_of(*held, what);
}

// If what was just planned needs blobs, the run waits for them, with how it came out, instead of failing.
bool Decider::await_blobs(RunId id, BlobWait wait) {
  if (needed_.empty()) return false;
  wait.blobs = std::exchange(needed_, {});
  // Those that it has waited for already are needed again.
  if (const auto* before = std::get_if<OpenBlobs>(&state_.runs.at(id).work)) {
    wait.blobs.insert(wait.blobs.begin(), before->wait->blobs.begin(), before->wait->blobs.end());
  }
  out_.emit(BlobsAwaited{.run = id, .wait = std::move(wait)});
  out_.ask(load_blobs(state_.runs.at(id)));
  return true;
}

Refused Decider::operator()(const BlobsLoaded& command) {
  const Run* run = state_.runs.find(command.waiting_token.run);
  if (run == nullptr || run->waiting_token() != command.waiting_token ||
      !std::holds_alternative<OpenBlobs>(run->work)) {
    return Refusal{RefusalCode::stale, "nobody waits for this any more"};
  }
  const RunId id = run->id;
  const BlobWait wait = *std::get<OpenBlobs>(run->work).wait;
  for (const std::string& blob : wait.blobs) {
    if (!lookups_.blob(blob)) return Refusal{RefusalCode::needs_blob, fmt::format("{} is not at hand", blob)};
  }
  at_hand_ = wait.blobs;
  if (wait.error) {
    end_failed(id, *wait.error);
  } else if (wait.output) {
    end_done(id, *wait.output, wait.patches);
  } else {
    begin_loop(id);
  }
  return std::nullopt;
}

}  // namespace stepwell
