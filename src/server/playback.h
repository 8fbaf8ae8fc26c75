#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>

#include "stepwell/runtime/instance.h"
#include "stepwell/runtime/playbooks.h"
#include "stepwell/store/store.h"
#include "stepwell/value/value.h"

namespace stepwell {

// An execution followed from its first record on: its state, and its events as those outside see them. Not for use by
// several threads at once.
class Playback {
 public:
  // Is told each event: {"type", "ts", "execution", "seq", "version", ...}; seq counts them from 1.
  using HearEvent = std::function<void(const Value&)>;

  // Borrows the playbooks.
  Playback(Playbooks& playbooks, std::string execution) : playbooks_(playbooks), execution_(std::move(execution)) {}

  // Goes on by a record; one that it is past is left out.
  std::expected<void, std::string> take(const Record& record, const RecordHash& hash, const HearEvent& hear);
  // Goes on by all that the store has, up to this version.
  Stored<> read(Store& store, const HearEvent& hear, std::uint64_t up_to = UINT64_MAX);

  const std::string& execution() const { return execution_; }
  const Instance& instance() const { return instance_; }
  std::uint64_t version() const { return instance_.state.version; }
  bool exists() const { return instance_.state.phase != Phase::none && instance_.state.phase != Phase::deleted; }
  bool has_ended() const { return instance_.state.phase >= Phase::ended; }

 private:
  Playbooks& playbooks_;
  const std::string execution_;
  Instance instance_;
  std::int64_t seq_ = 0;
};

}  // namespace stepwell
