#include "store_suite.h"

namespace stepwell {
namespace {

std::string body_of(std::string_view instance, std::uint64_t version) {
  return "body of " + std::string(instance) + " " + std::to_string(version);
}

void add_word(std::string& text, std::string_view word) {
  if (!text.empty()) text += ' ';
  text += word;
}

}  // namespace

Instant at(std::int64_t seconds) { return *Instant::from_micros(seconds * 1'000'000); }

void StoreSuite::take_over(std::uint32_t shard) {
  const Takeover taken = good(store().take_over(shard));
  owned_[shard] = {.epoch = taken.epoch, .next_seq = taken.next_seq};
}

Frame StoreSuite::frame(const std::vector<std::string>& instances, std::uint32_t shard) {
  Owned& owned = owned_[shard];
  Frame made{.shard = shard, .epoch = owned.epoch, .first_seq = owned.next_seq};
  for (const std::string& instance : instances) {
    Written& before = written_[instance];
    const std::uint64_t version = before.version + 1;
    const std::string body = body_of(instance, version);
    const RecordHash hash =
        append_record(made.payload, {.instance = instance, .version = version, .previous = before.hash, .body = body});
    before = {.version = version, .hash = hash};
  }
  owned.next_seq += instances.size();
  made.last_seq = owned.next_seq - 1;
  return made;
}

void StoreSuite::append(const std::vector<std::string>& instances, std::uint32_t shard) {
  const Frame made = frame(instances, shard);
  good(store().append({&made, 1}));
}

void StoreSuite::checkpoint(std::uint64_t through, std::uint32_t shard) {
  good(store().checkpoint({.through = {.shard = shard, .seq = through}}));
}

std::string StoreSuite::records(const std::string& instance, std::uint64_t after) {
  std::string versions;
  good(store().read_records(instance, after, [&](const Record& record, const RecordHash& hash) {
    std::string bytes;
    EXPECT_EQ(hash, append_record(bytes, record));
    EXPECT_EQ(record.instance, instance);
    EXPECT_EQ(record.body, body_of(instance, record.version));
    add_word(versions, std::to_string(record.version));
  }));
  return versions;
}

std::string StoreSuite::tail(std::uint32_t shard) {
  std::string frames;
  good(store().read_tail(shard, [&](const Frame& frame) {
    EXPECT_EQ(frame.shard, shard);
    EXPECT_EQ(count_records(frame.payload).value_or(0), frame.last_seq - frame.first_seq + 1);
    add_word(frames, std::to_string(frame.first_seq) + "-" + std::to_string(frame.last_seq));
  }));
  return frames;
}

std::string StoreSuite::instances() {
  std::string names;
  good(store().each_instance([&](std::string_view name) { add_word(names, name); }));
  return names;
}

std::string StoreSuite::problems() {
  std::string found;
  for (const StoreProblem& problem : good(store().verify())) found += problem.place + ": " + problem.message + "\n";
  return found;
}

}  // namespace stepwell
