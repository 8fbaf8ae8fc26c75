#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stepwell/base/instant.h"

// What a store keeps besides records: keys, bytes, and columns to find them by.
namespace stepwell {

// An execution as lists and filters see it. Derived from its records.
struct ExecutionRow {
  std::string id = {};
  std::uint32_t shard = 0;
  std::string playbook = {};
  std::int64_t playbook_version = 0;
  std::string definition_hash = {};  // hex
  std::string reference = {};
  std::string parent = {};  // the execution that called it
  std::string status = {};  // running, waiting, suspended, completed, failed, partial, cancelled
  std::string wait = {};    // of one that waits: what for
  bool awake = false;       // has work that must be asked for again after a restart
  std::optional<Instant> wake_at = {};
  std::string error = {};   // JSON
  std::string labels = {};  // JSON
  Instant started_at = {};
  std::optional<Instant> ended_at = {};  // one that has none has not ended
  std::uint64_t version = 0;             // of its state
  friend bool operator==(const ExecutionRow&, const ExecutionRow&) = default;
};

// The state of an instance at a version: derived, so that not all its records need to be read.
struct SnapshotRow {
  std::string instance = {};
  std::uint64_t version = 0;
  std::string bytes = {};
};

// A registered document. Primary: never derived, never changed.
struct DefinitionRow {
  std::string kind = {};
  std::string name = {};
  std::int64_t version = 0;
  std::string hash = {};       // hex, of the canonical bytes
  std::string canonical = {};  // bytes
  std::string source = {};     // as the author wrote it
  Instant registered_at = {};
};

// The latest artifact of a name that an execution has put.
struct ArtifactRow {
  std::string execution = {};
  std::string name = {};
  std::string type = {};
  std::string blob = {};  // "sha256:..."
  std::uint64_t size = 0;
};

// A message that nobody would take.
struct DeadLetterRow {
  Instant at = {};
  std::string from = {};
  std::string to = {};
  std::string kind = {};
  std::string content = {};  // JSON
  std::string reason = {};
};

// Everything is optional; an empty one finds all, the one that started last first.
struct ExecutionQuery {
  std::vector<std::string> statuses = {};
  std::string playbook = {};
  std::string reference = {};
  std::string parent = {};
  std::string id_prefix = {};
  std::optional<Instant> started_after = {};   // or at
  std::optional<Instant> started_before = {};  // and not at
  std::string after = {};                      // the cursor of the page before
  std::uint32_t limit = 100;
};

struct ExecutionPage {
  std::vector<ExecutionRow> rows = {};
  std::string next = {};  // the cursor of the next page; empty: this is the last
};

}  // namespace stepwell
