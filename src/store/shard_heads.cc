#include "stepwell/store/shard_heads.h"

#include <string>

#include "stepwell/store/limits.h"

namespace stepwell {
namespace {

std::unexpected<StoreError> refuse(StoreError::Kind kind, const Frame& frame, const std::string& why) {
  return std::unexpected(StoreError{.kind = kind, .message = "shard " + std::to_string(frame.shard) + ": " + why});
}

Stored<> check_records(const Frame& frame, const ShardHead& head) {
  if (frame.first_seq != head.last_seq + 1 || frame.last_seq < frame.first_seq) {
    return refuse(StoreError::Kind::invalid, frame,
                  "records " + std::to_string(frame.first_seq) + " to " + std::to_string(frame.last_seq) +
                      " do not follow record " + std::to_string(head.last_seq));
  }
  if (frame.payload.size() > limits::kFrameBytes) {
    return refuse(StoreError::Kind::invalid, frame, "a frame longer than " + std::to_string(limits::kFrameBytes));
  }
  const auto count = count_records(frame.payload);
  if (!count) return refuse(StoreError::Kind::invalid, frame, count.error());
  if (*count != frame.last_seq - frame.first_seq + 1) {
    return refuse(StoreError::Kind::invalid, frame, "a frame of other records than it says");
  }
  return {};
}

Stored<> check_frame(const Frame& frame, const ShardHead& head) {
  if (frame.epoch != head.epoch || head.epoch == 0) {
    return refuse(StoreError::Kind::fenced, frame,
                  "epoch " + std::to_string(frame.epoch) + " is over; the shard has been taken over with epoch " +
                      std::to_string(head.epoch));
  }
  if (!head.owned) {
    return refuse(StoreError::Kind::failed, frame, "an append before has failed; take the shard over anew");
  }
  return check_records(frame, head);
}

}  // namespace

Stored<> ShardHeads::check(std::span<const Frame> frames) const {
  std::map<std::uint32_t, ShardHead> after;
  for (const Frame& frame : frames) {
    const auto known = heads_.find(frame.shard);
    ShardHead& head = after.try_emplace(frame.shard, known == heads_.end() ? ShardHead{} : known->second).first->second;
    if (const auto fits = check_frame(frame, head); !fits) return fits;
    head.last_seq = frame.last_seq;
  }
  return {};
}

void ShardHeads::advance(std::span<const Frame> frames) {
  for (const Frame& frame : frames) heads_[frame.shard].last_seq = frame.last_seq;
}

void ShardHeads::disown() {
  for (auto& [shard, head] : heads_) head.owned = false;
}

}  // namespace stepwell
