#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stepwell/store/embedded/embedded_store.h"
#include "stepwell/store/embedded/schema.h"
#include "stepwell/store/testing/temporary_directory.h"

namespace stepwell {
namespace {

constexpr int kInstances = 7;

std::string instance_of(std::uint64_t seq) { return "instance-" + std::to_string(seq % kInstances); }

// Appends for ever, with a checkpoint or a projection now and then, and writes the last record that is acknowledged to
// the pipe. Every instance has every seventh record.
[[noreturn]] void write_for_ever(const std::string& directory, int pipe) {
  auto opened = open_embedded_store(
      directory,
      {.journal = {.segments = {.segment_bytes = 64u << 10, .first_segment_bytes = 32u << 10, .spares = 1}}});
  if (!opened) _exit(2);
  Store& store = **opened;
  const Takeover taken = store.take_over(0).value();
  std::map<std::string, RecordHash> hashes;
  for (int i = 0; i < kInstances; ++i) {
    const std::string name = "instance-" + std::to_string(i);
    (void)store.read_records(name, 0, [&](const Record&, const RecordHash& hash) { hashes[name] = hash; });
  }
  for (std::uint64_t seq = taken.next_seq;;) {
    Frame frame{.epoch = taken.epoch, .first_seq = seq};
    for (std::uint64_t i = 0; i <= frame.first_seq % 20; ++i, ++seq) {
      const std::string name = instance_of(seq);
      hashes[name] = append_record(frame.payload, {.instance = name,
                                                   .version = (seq + kInstances - 1) / kInstances,
                                                   .previous = hashes[name],
                                                   .body = std::to_string(seq)});
    }
    frame.last_seq = seq - 1;
    if (!store.append({&frame, 1})) _exit(3);
    if (::write(pipe, &frame.last_seq, sizeof frame.last_seq) != sizeof frame.last_seq) _exit(4);
    if (frame.last_seq % 3 == 0 && !store.project({.positions = {{.seq = frame.last_seq}}})) _exit(5);
    if (frame.last_seq % 5 == 0 && !store.checkpoint({.through = {.seq = frame.last_seq}})) _exit(6);
  }
}

// Runs a writer for a while, kills it, and answers the last record it was told to be durable.
std::uint64_t run_and_kill(const std::string& directory, std::chrono::microseconds life) {
  int pipes[2];
  EXPECT_EQ(pipe2(pipes, O_CLOEXEC), 0);
  const pid_t pid = fork();
  if (pid == 0) write_for_ever(directory, pipes[1]);
  close(pipes[1]);
  std::uint64_t last = 0;
  // It lives from its first record on, so that a slow machine is no excuse.
  EXPECT_EQ(read(pipes[0], &last, sizeof last), static_cast<ssize_t>(sizeof last));
  std::this_thread::sleep_for(life);
  kill(pid, SIGKILL);
  while (read(pipes[0], &last, sizeof last) == static_cast<ssize_t>(sizeof last)) {
  }
  close(pipes[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "exit " << WEXITSTATUS(status);
  return last;
}

std::vector<std::uint64_t> stored_records(Store& store) {
  std::vector<std::uint64_t> seqs;
  EXPECT_TRUE(store
                  .each_instance([&](std::string_view name) {
                    const auto read = store.read_records(name, 0, [&](const Record& record, const RecordHash&) {
                      seqs.push_back(std::stoull(std::string(record.body)));
                    });
                    EXPECT_TRUE(read.has_value()) << read.error().message;
                  })
                  .has_value());
  std::ranges::sort(seqs);
  return seqs;
}

TEST(EmbeddedKillTest, NothingThatWasAcknowledgedIsLostWheneverItIsKilled) {
  const auto seed = static_cast<unsigned>(testing::UnitTest::GetInstance()->random_seed());
  SCOPED_TRACE(seed);
  std::mt19937 dice(seed);
  const TemporaryDirectory directory;
  for (int round = 0; round < 25; ++round) {
    const std::string path = directory.path() + "/store";
    const std::uint64_t acknowledged = run_and_kill(path, std::chrono::microseconds(dice() % 60'000));
    auto opened = open_embedded_store(path);
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    const std::vector<std::uint64_t> seqs = stored_records(**opened);
    ASSERT_GE(seqs.size(), acknowledged) << "round " << round;
    ASSERT_LE(seqs.size(), acknowledged + 20) << "round " << round << ": only one append was under way";
    for (std::size_t i = 0; i < seqs.size(); ++i) ASSERT_EQ(seqs[i], i + 1);
    const auto problems = (*opened)->verify();
    ASSERT_TRUE(problems.has_value()) << problems.error().message;
    ASSERT_TRUE(problems->empty()) << problems->front().place << ": " << problems->front().message;
  }
}

constexpr Migration kOld = "create table things (name text); insert into things values ('kept')";
constexpr Migration kLong =
    "create table more (n integer);"
    "insert into more with recursive c(n) as (select 1 union all select n + 1 from c where n < 300000) select n from c;"
    "alter table things add column size integer; update things set size = 7";
constexpr std::array kBefore{kOld};
constexpr std::array kAfter{kOld, kLong};

std::int64_t number(Connection& connection, std::string_view sql) {
  Query query(connection, sql);
  EXPECT_EQ(query.next(), true);
  return query.integer(0);
}

TEST(EmbeddedKillTest, AMigrationThatIsKilledHappensAsAWholeLater) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/some.db";
  ASSERT_TRUE(migrate(**Connection::open(path, Connection::Mode::create), kBefore).has_value());
  for (int round = 0; round < 8; ++round) {
    int pipes[2];
    ASSERT_EQ(pipe2(pipes, O_CLOEXEC), 0);
    const pid_t pid = fork();
    if (pid == 0) {
      const auto connection = Connection::open(path, Connection::Mode::write);
      if (::write(pipes[1], "b", 1) != 1) _exit(1);
      _exit(migrate(**connection, kAfter) ? 0 : 1);
    }
    char begun = '\0';
    EXPECT_EQ(read(pipes[0], &begun, 1), 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(5 * round));
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    close(pipes[0]);
    close(pipes[1]);
    const auto connection = Connection::open(path, Connection::Mode::write);
    const std::int64_t version = number(**connection, "select value from meta where key = 'schema_version'");
    const std::int64_t made = number(**connection, "select count(*) from sqlite_schema where name = 'more'");
    EXPECT_EQ(made, version - 1) << "round " << round;
    EXPECT_EQ(number(**connection, "select count(*) from things where name = 'kept'"), 1);
    if (version == 2) break;
  }
  const auto connection = Connection::open(path, Connection::Mode::write);
  ASSERT_TRUE(migrate(**connection, kAfter).has_value());
  EXPECT_EQ(number(**connection, "select count(*) from more"), 300'000);
  EXPECT_EQ(number(**connection, "select size from things"), 7);
}

}  // namespace
}  // namespace stepwell
