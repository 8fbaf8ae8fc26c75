// The embedded store beside what the machine can do at all: an append beside a write and a sync of as many bytes, many
// records beside rows of SQLite, and the bytes that are written for a record, history included.

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include "stepwell/base/check.h"
#include "stepwell/base/sha256.h"
#include "stepwell/store/embedded/embedded_store.h"

namespace stepwell {
namespace {

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// On the disk that the benchmark is run from: what is in memory needs no sync.
class Place {
 public:
  Place() : path_(std::filesystem::current_path() / "store-bench-XXXXXX") { CHECK(mkdtemp(path_.data()) != nullptr); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Records as the runtime writes them: the name of an execution, 16 bytes that are random, and words that repeat.
class Records {
 public:
  explicit Records(std::size_t body_bytes) : body_bytes_(body_bytes) {}

  // The next record of an instance; each has `per_instance` of them, then the next takes its place.
  void append(std::string& payload) {
    const std::uint64_t number = count_++;
    const std::uint64_t group = number / (kLive * per_instance_);
    const std::uint64_t instance = group * kLive + number % kLive;
    const std::uint64_t version = number / kLive % per_instance_ + 1;
    if (version == 1) hashes_[number % kLive] = {};
    std::string body(sha256(std::to_string(number)).view().substr(0, 16));
    body += fmt::format("\x83step.done step-{} attempt.started step-{} output {{\"total\": {}, \"ok\": true}}", version,
                        version + 1, instance % 1000);
    body.resize(body_bytes_, ' ');
    hashes_[number % kLive] =
        append_record(payload, {.instance = fmt::format("01900000-{:012x}-{:012x}", instance / 7, instance),
                                .version = version,
                                .previous = hashes_[number % kLive],
                                .body = body});
  }

 private:
  static constexpr std::uint64_t kLive = 1024;
  std::size_t body_bytes_;
  std::uint64_t per_instance_ = 11;
  std::uint64_t count_ = 0;
  std::vector<RecordHash> hashes_ = std::vector<RecordHash>(kLive);
};

class BenchStore {
 public:
  BenchStore() : store_(open_embedded_store(place_.file("store")).value()), taken_(store_->take_over(0).value()) {}

  Store& operator*() { return *store_; }

  Frame frame(Records& records, std::int64_t count) {
    Frame made{.epoch = taken_.epoch, .first_seq = taken_.next_seq};
    for (std::int64_t i = 0; i < count; ++i) records.append(made.payload);
    taken_.next_seq += static_cast<std::uint64_t>(count);
    made.last_seq = taken_.next_seq - 1;
    return made;
  }

  void append(const Frame& frame) { CHECK(store_->append({&frame, 1}).has_value()); }

  void checkpoint(std::uint64_t through) {
    const auto done = store_->checkpoint({.through = {.seq = through}});
    CHECK(done.has_value());
  }

 private:
  Place place_;
  std::unique_ptr<Store> store_;
  Takeover taken_;
};

// Write and sync of so many bytes to a file whose blocks are there.
class Floor {
 public:
  Floor() : file_(open(place_.file("floor").c_str(), O_RDWR | O_CREAT, 0644)) {
    const std::string zeros(16u << 20, '\0');
    CHECK(pwrite(file_, zeros.data(), zeros.size(), 0) == static_cast<ssize_t>(zeros.size()));
    CHECK(fsync(file_) == 0);
  }
  Floor(const Floor&) = delete;
  Floor& operator=(const Floor&) = delete;
  ~Floor() { close(file_); }

  void write(std::string_view bytes) {
    if (at_ + bytes.size() > (16u << 20)) at_ = 0;
    CHECK(pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(at_)) == static_cast<ssize_t>(bytes.size()));
    CHECK(fdatasync(file_) == 0);
    at_ += bytes.size();
  }

 private:
  Place place_;
  int file_;
  std::size_t at_ = 0;
};

// One append of a frame, beside a write and a sync of its payload. Time on the clock, since it is the disk's.
void append_against_sync(benchmark::State& state) {
  BenchStore store;
  Floor floor;
  Records records(200);
  double ours = 0;
  double theirs = 0;
  for (auto _ : state) {
    const Frame frame = store.frame(records, state.range(0));
    const double start = seconds();
    store.append(frame);
    const double middle = seconds();
    floor.write(frame.payload);
    theirs += seconds() - middle;
    ours += middle - start;
    state.SetIterationTime(middle - start);
    if (frame.last_seq % 65'536 == 0) store.checkpoint(frame.last_seq);
  }
  state.counters["floor_us"] = 1e6 * theirs / static_cast<double>(state.iterations());
  state.counters["ratio"] = ours / theirs;
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(append_against_sync)->Arg(1)->Arg(64)->Arg(1024)->UseManualTime()->Unit(benchmark::kMicrosecond);

class Rows {
 public:
  Rows() {
    CHECK(sqlite3_open(place_.file("rows.db").c_str(), &db_) == SQLITE_OK);
    run("pragma journal_mode = wal; pragma synchronous = full; create table rows (n integer primary key, bytes blob)");
    CHECK(sqlite3_prepare_v2(db_, "insert into rows (bytes) values (?)", -1, &insert_, nullptr) == SQLITE_OK);
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ~Rows() {
    sqlite3_finalize(insert_);
    sqlite3_close(db_);
  }

  void commit(int rows, const std::string& bytes) {
    run("begin");
    for (int i = 0; i < rows; ++i) {
      sqlite3_bind_blob(insert_, 1, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
      CHECK(sqlite3_step(insert_) == SQLITE_DONE);
      sqlite3_reset(insert_);
    }
    run("commit");
  }

 private:
  void run(const char* sql) { CHECK(sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) == SQLITE_OK); }

  Place place_;
  sqlite3* db_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
};

// Appends frames, with a checkpoint whenever so many records have come.
class Load {
 public:
  explicit Load(std::int64_t frame_records) : frame_records_(frame_records) {}

  // Answers the seconds that the store took.
  double append() {
    const Frame frame = store_.frame(records_, frame_records_);
    const double start = seconds();
    store_.append(frame);
    if (frame.last_seq / kCheckpoint != last_ / kCheckpoint) store_.checkpoint(frame.last_seq);
    const double took = seconds() - start;
    payload_ += frame.payload.size();
    last_ = frame.last_seq;
    return took;
  }
  // Until segments are used again: from then on the store is in its steady state.
  void warm_up() {
    while (last_ < 2 * kCheckpoint) append();
  }

  std::uint64_t records() const { return last_; }
  std::uint64_t payload() const { return payload_; }
  std::uint64_t written() { return (*store_).usage()->written_bytes; }

 private:
  static constexpr std::uint64_t kCheckpoint = 64 * 1024;
  std::int64_t frame_records_;
  BenchStore store_;
  Records records_{150};
  std::uint64_t last_ = 0;
  std::uint64_t payload_ = 0;
};

// Records per second, checkpoints included, beside rows per second of SQLite with 100 to a commit. The bytes count
// everything that is written to disk: segments, the write-ahead log, the database.
void records_against_rows(benchmark::State& state) {
  constexpr int kRows = 100;
  Load load(state.range(0));
  Rows rows;
  const std::string row(200, 'x');
  load.warm_up();
  const std::uint64_t records_before = load.records();
  const std::uint64_t payload_before = load.payload();
  const std::uint64_t written_before = load.written();
  double ours = 0;
  double theirs = 0;
  for (auto _ : state) {
    const double took = load.append();
    const double start = seconds();
    rows.commit(kRows, row);
    theirs += seconds() - start;
    ours += took;
    state.SetIterationTime(took);
  }
  const auto count = static_cast<double>(load.records() - records_before);
  const double row_rate = static_cast<double>(state.iterations()) * kRows / theirs;
  state.counters["records/s"] = count / ours;
  state.counters["rows/s"] = row_rate;
  state.counters["ratio"] = count / ours / row_rate;
  state.counters["payload/record"] = static_cast<double>(load.payload() - payload_before) / count;
  state.counters["written/record"] = static_cast<double>(load.written() - written_before) / count;
}
BENCHMARK(records_against_rows)->Arg(64)->Arg(1024)->UseManualTime()->Unit(benchmark::kMicrosecond);

// What is on disk of a record once a checkpoint has taken it in, beside its bytes.
void history_of_a_record(benchmark::State& state) {
  constexpr std::int64_t kRecords = 11 * 1024 * 8;
  double per_record = 0;
  double took = 0;
  for (auto _ : state) {
    BenchStore store;
    Records records(150);
    std::uint64_t last = 0;
    for (std::int64_t i = 0; i < kRecords; i += 1024) {
      const Frame frame = store.frame(records, 1024);
      store.append(frame);
      last = frame.last_seq;
    }
    const std::uint64_t before = (*store).usage()->written_bytes;
    const double start = seconds();
    store.checkpoint(last);
    took += seconds() - start;
    per_record = static_cast<double>((*store).usage()->written_bytes - before) / static_cast<double>(kRecords);
    state.SetIterationTime(seconds() - start);
  }
  state.counters["written/record"] = per_record;
  state.counters["ns/record"] = 1e9 * took / static_cast<double>(state.iterations() * kRecords);
}
BENCHMARK(history_of_a_record)->UseManualTime()->Unit(benchmark::kMillisecond);

// From nothing, and from what an earlier process has left.
void open_a_store(benchmark::State& state) {
  const bool anew = state.range(0) == 0;
  const Place place;
  std::int64_t round = 0;
  CHECK(open_embedded_store(place.file("kept")).has_value());
  for (auto _ : state) {
    const std::string path = anew ? place.file(std::to_string(round++)) : place.file("kept");
    const double start = seconds();
    auto store = open_embedded_store(path);
    CHECK(store.has_value() && (*store)->take_over(0).has_value());
    state.SetIterationTime(seconds() - start);
  }
}
BENCHMARK(open_a_store)->Arg(0)->Arg(1)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stepwell

BENCHMARK_MAIN();
