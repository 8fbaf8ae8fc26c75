#include "stepwell/store/embedded/verify.h"

#include <fmt/format.h>

#include "stepwell/base/hex.h"
#include "stepwell/base/sha256.h"
#include "stepwell/store/embedded/compression.h"
#include "stepwell/store/embedded/database.h"
#include "stepwell/store/embedded/row_tables.h"
#include "stepwell/store/record_chain.h"

namespace stepwell {
namespace {

class Verification {
 public:
  Verification(Store& store, Journal& journal, Connection& database)
      : store_(store), journal_(journal), database_(database) {}

  Stored<std::vector<StoreProblem>> run() {
    using Check = Stored<> (Verification::*)();
    for (const Check check :
         {&Verification::check_database, &Verification::check_shards, &Verification::check_instances,
          &Verification::check_blobs, &Verification::check_artifacts, &Verification::check_definitions,
          &Verification::check_snapshots}) {
      auto done = (this->*check)();
      if (done) continue;
      if (done.error().kind != StoreError::Kind::corrupt) return std::unexpected(done.error());
      report("stepwell.db", done.error().message);
    }
    return std::move(problems_);
  }

 private:
  void report(std::string place, std::string message) {
    problems_.push_back({.place = std::move(place), .message = std::move(message)});
  }

  Stored<> each_row(std::string_view sql, const std::function<void(const Query&)>& visit) {
    Query query(database_, sql);
    while (true) {
      const auto row = query.next();
      if (!row) return std::unexpected(row.error());
      if (!*row) return {};
      visit(query);
    }
  }

  Stored<> check_database() {
    return each_row("pragma integrity_check", [&](const Query& row) {
      if (row.text(0) != "ok") report("stepwell.db", row.text(0));
    });
  }

  Stored<> check_shards() {
    std::vector<std::uint32_t> shards;
    if (auto read = each_row("select shard from shards",
                             [&](const Query& row) { shards.push_back(static_cast<std::uint32_t>(row.integer(0))); });
        !read) {
      return read;
    }
    for (const std::uint32_t shard : shards) check_frames(shard);
    return {};
  }

  void check_frames(std::uint32_t shard) {
    TailFramePtr before;
    for (const TailFramePtr& frame : journal_.frames(shard)) {
      const std::string place = fmt::format("{} at {}", frame->segment->path(), frame->offset);
      const auto payload = read_payload(*frame);
      if (!payload) report(place, payload.error().message);
      if (before && frame->head.previous != before->hash) report(place, "the frame follows another one");
      before = frame;
    }
  }

  Stored<> check_instances() {
    return store_.each_instance([&](std::string_view instance) {
      const std::string place = fmt::format("history of {}", instance);
      RecordChain chain;
      const auto read = store_.read_records(instance, 0, [&](const Record& record, const RecordHash& hash) {
        if (const auto broken = chain.follow(record, hash)) report(place, *broken);
      });
      if (!read) report(place, read.error().message);
    });
  }

  Stored<> check_blobs() {
    return each_row("select hash, compressed, bytes, size from blobs", [&](const Query& row) {
      const auto content = unpack(row.integer(1) != 0, row.bytes(2));
      if (content && sha256(*content).view() == row.bytes(0) &&
          content->size() == static_cast<std::uint64_t>(row.integer(3))) {
        return;
      }
      report("blob " + to_hex(row.bytes(0)), "the content is not what was put");
    });
  }

  Stored<> check_artifacts() {
    constexpr std::string_view kScheme = "sha256:";
    return row_tables::each_artifact(database_, [&](const ArtifactRow& artifact) {
      const std::string place = fmt::format("artifact '{}' of {}", artifact.name, artifact.execution);
      const auto content = row_tables::find_blob(database_, std::string_view(artifact.blob).substr(kScheme.size()));
      if (!content) return report(place, content.error().message);
      if (!*content) report(place, fmt::format("its content, {}, is not there", artifact.blob));
    });
  }

  Stored<> check_definitions() {
    return each_row("select kind, name, version, hash, canonical from definitions", [&](const Query& row) {
      if (sha256(row.bytes(4)).to_hex() == row.text(3)) return;
      report(fmt::format("{} '{}' version {}", row.text(0), row.text(1), row.integer(2)),
             "the content does not have its hash");
    });
  }

  Stored<> check_snapshots() {
    return each_row("select instance, compressed, bytes from snapshots", [&](const Query& row) {
      if (!unpack(row.integer(1) != 0, row.bytes(2))) report("snapshot of " + row.text(0), "it cannot be read");
    });
  }

  Store& store_;
  Journal& journal_;
  Connection& database_;
  std::vector<StoreProblem> problems_;
};

}  // namespace

Stored<std::vector<StoreProblem>> verify_store(Store& store, Journal& journal, const std::string& database) {
  // A connection of its own: the checks take long, and nobody has to wait for them.
  const auto connection = Connection::open(database, Connection::Mode::read);
  if (!connection) return std::unexpected(connection.error());
  return Verification(store, journal, **connection).run();
}

}  // namespace stepwell
