#include "stepwell/server/replay_check.h"

#include <expected>
#include <optional>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/codec.h"
#include "stepwell/kernel/playbook/decide.h"
#include "stepwell/runtime/load_instance.h"
#include "stepwell/runtime/record_body.h"
#include "stepwell/runtime/tables.h"
#include "stepwell/value/cbor_read.h"

namespace stepwell {

namespace {

// What the decisions were told at the time: blobs never change, so the store's are those.
class StoredLookups final : public Lookups {
 public:
  explicit StoredLookups(Store& store) : store_(store) {}

  std::optional<Value> blob(std::string_view reference) const override {
    const auto bytes = store_.find_blob(reference.substr(std::string_view("sha256:").size()));
    if (!bytes || !*bytes) return std::nullopt;
    auto value = decode_cbor(**bytes);
    return value ? std::optional(*std::move(value)) : std::nullopt;
  }
  std::expected<Value, std::string> query(std::string_view sql, const Value& ctx) const override {
    return query_tables(sql, ctx);
  }

 private:
  Store& store_;
};

using Checked = std::expected<void, std::string>;

class ExecutionReplay {
 public:
  ExecutionReplay(Store& store, Playbooks& playbooks, const ReplayOptions& options)
      : lookups_(store), playbooks_(playbooks), options_(options) {}

  // What must come out at its version.
  void expect(std::optional<SnapshotRow> snapshot) { snapshot_ = std::move(snapshot); }

  Checked take(const Record& record, const RecordHash& hash) {
    const auto body = decode_body(record.body);
    if (!body) return std::unexpected(body.error());
    ++records;
    events += body->events.size();
    const bool first = instance_.playbook == nullptr;
    if (auto done = bring_on(instance_, playbooks_, record, hash); !done) return done;
    if (options_.decide_again) {
      if (first) twin_.playbook = instance_.playbook;
      if (auto same = decide_again(*body, record.body); !same) return same;
    }
    return check_snapshot();
  }

  std::uint64_t version() const { return instance_.state.version; }

  std::uint64_t records = 0;
  std::uint64_t events = 0;

 private:
  // The twin lives by decisions alone, so that nothing of what was recorded can hide a difference.
  Checked decide_again(const RecordBody& body, std::string_view recorded) {
    const auto decision = decide(twin_.playbook->definition, twin_.state, body.command, body.stamp, lookups_);
    if (!decision) {
      return std::unexpected(fmt::format("deciding again refuses the command: {}", decision.error().message));
    }
    bytes_.clear();
    append_body(bytes_, body.stamp, body.command, decision->events);
    if (bytes_ == recorded) return {};
    return std::unexpected(fmt::format("deciding again gives other events: {} instead of {}, or other bytes of them",
                                       decision->events.size(), body.events.size()));
  }

  Checked check_snapshot() const {
    if (!snapshot_ || snapshot_->version != version()) return {};
    if (snapshot_->bytes == snapshot_of(instance_).bytes) return {};
    return std::unexpected("the snapshot is not what the records lead to");
  }

  StoredLookups lookups_;
  Playbooks& playbooks_;
  const ReplayOptions& options_;
  std::optional<SnapshotRow> snapshot_;
  Instance instance_;
  Instance twin_;
  std::string bytes_;
};

Stored<> replay_one(Store& store, Playbooks& playbooks, const ReplayOptions& options, const std::string& execution,
                    Replayed& result) {
  ExecutionReplay replay(store, playbooks, options);
  auto snapshot = store.find_snapshot(execution);
  if (!snapshot) return std::unexpected(snapshot.error());
  replay.expect(*std::move(snapshot));
  std::string problem;
  const Stored<> read = store.read_records(execution, 0, [&](const Record& record, const RecordHash& hash) {
    if (!problem.empty()) return;
    if (auto taken = replay.take(record, hash); !taken) {
      problem = fmt::format("version {}: {}", record.version, taken.error());
    }
  });
  if (!read) return read;
  ++result.executions;
  result.records += replay.records;
  result.events += replay.events;
  if (!problem.empty()) result.problems.push_back({"execution " + execution, problem});
  return {};
}

}  // namespace

Stored<Replayed> replay_check(Store& store, Playbooks& playbooks, const ReplayOptions& options) {
  std::vector<std::string> executions = options.only;
  if (executions.empty()) {
    const Stored<> listed = store.each_instance([&](std::string_view name) { executions.emplace_back(name); });
    if (!listed) return std::unexpected(listed.error());
  }
  Replayed result;
  for (const std::string& execution : executions) {
    if (auto done = replay_one(store, playbooks, options, execution, result); !done) {
      return std::unexpected(done.error());
    }
  }
  return result;
}

}  // namespace stepwell
