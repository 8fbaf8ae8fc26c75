#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "stepwell/store/testing/journal_desk.h"

namespace stepwell {
namespace {

constexpr JournalOptions kSmall{
    .segments = {.segment_bytes = 5 * kBlockBytes, .first_segment_bytes = 4 * kBlockBytes, .spares = 2}};

std::vector<std::string> segment_paths(const std::string& directory) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  return paths;
}

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_at(const std::string& path, std::size_t offset, std::string_view bytes) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(offset));
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Every byte of every segment is turned around once. Only what was never acknowledged may get lost by it, and here the
// database knows what was.
TEST(JournalDamageTest, ADamagedByteAnywhereIsDetectedOrDoesNoHarm) {
  JournalDesk desk(kSmall);
  desk.take_over();
  for (int i = 0; i < 5; ++i) desk.append({1, 2});
  desk.known().acknowledged = desk.journal().last_write();
  desk.close();
  const std::string whole = desk.scan().value();
  ASSERT_EQ(whole, "1-1 2-3 4-4 5-6 7-7 8-9 10-10 11-12 13-13 14-15");
  std::size_t detected = 0;
  for (const std::string& path : segment_paths(desk.path())) {
    const std::string bytes = read_all(path);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      write_at(path, at, std::string(1, static_cast<char>(~bytes[at])));
      const auto found = desk.scan();
      if (found) {
        ASSERT_EQ(*found, whole) << path << " at " << at;
      } else {
        ++detected;
        ASSERT_EQ(found.error().kind, StoreError::Kind::corrupt) << found.error().message;
        ASSERT_NE(found.error().message.find(".seg"), std::string::npos) << found.error().message;
      }
      write_at(path, at, bytes.substr(at, 1));
    }
  }
  // The heads of both segments, and all bytes of all frames.
  EXPECT_GT(detected, 2 * kBlockBytes + 10 * kFrameExtraBytes);
}

// Without that knowledge, damage in the last append looks like an append that was interrupted; before it, it does not.
TEST(JournalDamageTest, DamageBeforeTheLastAppendIsNeverTakenForATornTail) {
  JournalDesk desk(kSmall);
  desk.take_over();
  desk.append({1});
  desk.append({2});
  const std::string last_but_one = "1-1";
  desk.close();
  const std::string path = segment_paths(desk.path()).front();
  const std::string bytes = read_all(path);
  for (std::size_t at = kBlockBytes; at < kBlockBytes + 150; ++at) {
    write_at(path, at, std::string(1, static_cast<char>(~bytes[at])));
    const auto found = desk.scan();
    if (found) {
      EXPECT_EQ(*found, "1-1 2-3") << at;
    } else {
      EXPECT_NE(found.error().message.find("append 1 is damaged, although append 2 follows at 8192"), std::string::npos)
          << found.error().message;
    }
    write_at(path, at, bytes.substr(at, 1));
  }
  write_at(path, 2 * kBlockBytes + 50, "x");
  EXPECT_EQ(desk.scan().value(), last_but_one);
}

// What was in a place before shows through where a write was cut off: zeros, or older frames.
void tear_everywhere(JournalDesk& desk, const std::string& before) {
  std::map<std::string, std::string> old_bytes;
  for (const std::string& path : segment_paths(desk.path())) old_bytes[path] = read_all(path);
  desk.append({3, 1, 2}, 700);
  const std::vector<TailFramePtr> frames = desk.journal().frames(0);
  const TailFrame& first_frame = **(frames.end() - 3);
  const std::string torn = first_frame.segment->path();
  const std::size_t begin = first_frame.offset;
  const std::size_t last = frames.back()->offset + frames.back()->length;
  ASSERT_GT(last - begin, kBlockBytes) << "the append has more than a block";
  desk.close();
  const std::string after = desk.scan().value();
  ASSERT_NE(after, before);
  const std::string old_content = old_bytes[torn];
  const std::string new_content = read_all(torn);
  for (std::size_t cut = begin; cut <= last; ++cut) {
    write_at(torn, begin, new_content.substr(begin, cut - begin));
    write_at(torn, cut, old_content.substr(cut, last - cut));
    const auto found = desk.scan();
    ASSERT_TRUE(found.has_value()) << found.error().message;
    ASSERT_EQ(*found, cut == last ? after : before) << cut - begin << " bytes of " << last - begin;
  }
  // Sectors may reach the disk in any order.
  std::mt19937 dice(testing::UnitTest::GetInstance()->random_seed());
  SCOPED_TRACE(testing::UnitTest::GetInstance()->random_seed());
  for (int round = 0; round < 200; ++round) {
    std::string mixed = new_content;
    bool whole = true;
    for (std::size_t sector = begin; sector < last; sector += 512) {
      if (dice() % 4 != 0) continue;
      mixed.replace(sector, 512, old_content, sector, 512);
      whole = whole && mixed.compare(sector, 512, new_content, sector, 512) == 0;
    }
    write_at(torn, 0, mixed);
    const auto found = desk.scan();
    ASSERT_TRUE(found.has_value()) << found.error().message;
    ASSERT_EQ(*found, whole ? after : before) << round;
  }
}

TEST(JournalDamageTest, AnAppendThatWasCutOffIsNotThereAndAllBeforeItIs) {
  JournalDesk desk;
  desk.take_over();
  desk.append({1});
  desk.append({1, 1});
  tear_everywhere(desk, "1-1 2-2 3-3");
}

TEST(JournalDamageTest, OldFramesThatShowThroughACutAreToldFromNewOnes) {
  JournalDesk desk({.segments = {.segment_bytes = 8 * kBlockBytes, .first_segment_bytes = 8 * kBlockBytes}});
  desk.take_over();
  for (std::uint64_t i = 1; i <= 30; ++i) {
    desk.append({2}, 700);
    desk.release(2 * i);
  }
  ASSERT_LE(segment_paths(desk.path()).size(), 4u) << "segments are used again";
  desk.append({1});
  tear_everywhere(desk, "61-61");
}

TEST(JournalDamageTest, AfterATornAppendTheJournalGoesOn) {
  JournalDesk desk;
  desk.take_over();
  desk.append({1});
  desk.append({2, 2}, 3'000);
  desk.close();
  const std::string path = segment_paths(desk.path()).front();
  write_at(path, 3 * kBlockBytes, std::string(kBlockBytes, '\0'));
  ASSERT_EQ(desk.scan().value(), "1-1");
  for (int round = 0; round < 3; ++round) {
    desk.open();
    desk.take_over();
    desk.append({1});
  }
  desk.close();
  EXPECT_EQ(desk.scan().value(), "1-1 2-2 3-3 4-4");
}

TEST(JournalDamageTest, ReadingAnewAfterEveryAppendAndReleaseFindsTheSame) {
  JournalDesk desk(
      {.segments = {.segment_bytes = 6 * kBlockBytes, .first_segment_bytes = 3 * kBlockBytes, .spares = 1}});
  desk.take_over(0);
  desk.take_over(1);
  std::mt19937 dice(testing::UnitTest::GetInstance()->random_seed());
  SCOPED_TRACE(testing::UnitTest::GetInstance()->random_seed());
  std::map<std::uint32_t, std::uint64_t> last;
  for (int round = 0; round < 150; ++round) {
    const std::uint32_t shard = dice() % 2;
    const int records = 1 + static_cast<int>(dice() % 9);
    desk.append({records}, 900, shard);
    last[shard] += static_cast<std::uint64_t>(records);
    if (dice() % 3 == 0) desk.release(last[shard], shard);
    std::string in_memory;
    std::map<std::uint64_t, TailFramePtr> by_write;
    for (const std::uint32_t each : {0u, 1u}) {
      for (const TailFramePtr& frame : desk.journal().frames(each)) by_write[frame->head.write] = frame;
    }
    for (const auto& [write, frame] : by_write) {
      if (!in_memory.empty()) in_memory += ' ';
      in_memory += std::to_string(frame->head.first_seq) + "-" + std::to_string(frame->head.last_seq);
    }
    const auto found = desk.scan();
    ASSERT_TRUE(found.has_value()) << round << ": " << found.error().message;
    ASSERT_EQ(*found, in_memory) << round;
    if (dice() % 10 == 0) {
      desk.open();
      desk.take_over(0);
      desk.take_over(1);
    }
  }
}

TEST(JournalDamageTest, ASegmentThatIsGoneIsMissed) {
  JournalDesk desk(kSmall);
  desk.take_over();
  for (int i = 0; i < 10; ++i) desk.append({1});
  desk.close();
  const std::vector<std::string> paths = segment_paths(desk.path());
  ASSERT_EQ(paths.size(), 4u) << "three in use, one prepared";
  std::filesystem::rename(paths[1], paths[1] + ".away");
  EXPECT_NE(desk.scan().error().message.find("segment 2 of the journal is missing"), std::string::npos);
  std::filesystem::rename(paths[1] + ".away", paths[1]);
  std::filesystem::remove(paths[0]);
  EXPECT_NE(desk.scan().error().message.find("segment 1 of the journal is missing"), std::string::npos);
}

TEST(JournalDamageTest, AnEndThatIsGoneIsMissedByWhatWasProjected) {
  JournalDesk desk;
  desk.take_over();
  desk.append({1});
  desk.append({1});
  desk.known().shards[0].projected_seq = 2;
  desk.close();
  EXPECT_EQ(desk.scan().value(), "1-1 2-2");
  write_at(segment_paths(desk.path()).front(), 2 * kBlockBytes, std::string(kBlockBytes, '\0'));
  const auto found = desk.scan();
  ASSERT_FALSE(found.has_value());
  EXPECT_NE(found.error().message.find("at 8192: append 2 is damaged or missing, but record 2 of shard 0 is known to "
                                       "have been durable"),
            std::string::npos)
      << found.error().message;
}

TEST(JournalDamageTest, ASegmentOfAnotherStoreIsRefused) {
  JournalDesk desk;
  desk.take_over();
  desk.append({1});
  desk.close();
  desk.known().store = {'o', 't', 'h', 'e', 'r'};
  EXPECT_NE(desk.scan().error().message.find("belongs to another store"), std::string::npos);
}

}  // namespace
}  // namespace stepwell
