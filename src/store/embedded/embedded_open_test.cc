#include <csignal>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stepwell/store/embedded/database.h"
#include "stepwell/store/embedded/embedded_store.h"
#include "stepwell/store/testing/temporary_directory.h"

namespace stepwell {
namespace {

using ::testing::HasSubstr;
using Kind = StoreError::Kind;

class EmbeddedOpenTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return directory_.path() + "/" + name; }

  // What is said about something that cannot be opened.
  static StoreError refusal(const std::string& directory, bool create = true) {
    const auto opened = open_embedded_store(directory, {.create = create});
    EXPECT_FALSE(opened.has_value());
    return opened ? StoreError{} : opened.error();
  }

  static void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

  TemporaryDirectory directory_;
};

TEST_F(EmbeddedOpenTest, ANewStoreIsADirectoryWithAJournalAndADatabase) {
  ASSERT_TRUE(open_embedded_store(path("new")).has_value());
  EXPECT_TRUE(std::filesystem::exists(path("new/stepwell.db")));
  EXPECT_TRUE(std::filesystem::exists(path("new/journal/000001.seg")));
  EXPECT_TRUE(open_embedded_store(path("new"), {.create = false}).has_value());
}

TEST_F(EmbeddedOpenTest, WhatIsNoStoreIsLeftAlone) {
  EXPECT_THAT(refusal(path("missing"), false).message, HasSubstr("there is no store"));
  EXPECT_FALSE(std::filesystem::exists(path("missing")));

  write(path("file"), "text");
  EXPECT_THAT(refusal(path("file")).message, HasSubstr("is no directory"));

  std::filesystem::create_directory(path("photos"));
  write(path("photos/cat.png"), "meow");
  const StoreError photos = refusal(path("photos"));
  EXPECT_EQ(photos.kind, Kind::invalid);
  EXPECT_THAT(photos.message, HasSubstr("is no store: it has 'cat.png' and no stepwell.db"));
  EXPECT_FALSE(std::filesystem::exists(path("photos/lock")));
}

TEST_F(EmbeddedOpenTest, AParentThatIsMissingIsNamed) {
  const StoreError error = refusal(path("no/such"));
  EXPECT_EQ(error.kind, Kind::failed);
  EXPECT_THAT(error.message, HasSubstr("cannot create '" + path("no/such") + "': No such file or directory"));
}

TEST_F(EmbeddedOpenTest, ADatabaseOfSomethingElseIsCorrupt) {
  std::filesystem::create_directory(path("odd"));
  write(path("odd/stepwell.db"), std::string(5'000, 'x'));
  EXPECT_EQ(refusal(path("odd")).kind, Kind::corrupt);
}

TEST_F(EmbeddedOpenTest, AStoreOfALaterVersionIsRefused) {
  ASSERT_TRUE(open_embedded_store(path("store")).has_value());
  {
    const auto database = Connection::open(path("store/stepwell.db"), Connection::Mode::write);
    ASSERT_TRUE((*database)->run("update meta set value = 99 where key = 'schema_version'").has_value());
  }
  const StoreError error = refusal(path("store"));
  EXPECT_EQ(error.kind, Kind::invalid);
  EXPECT_THAT(error.message, HasSubstr("the store has version 99 of the database"));
}

TEST_F(EmbeddedOpenTest, AFileSystemThatCannotBeWrittenIsNamed) {
  EXPECT_THAT(refusal("/proc/stepwell-store").message, HasSubstr("cannot create '/proc/stepwell-store'"));

  // As root only: others cannot mount.
  std::filesystem::create_directory(path("disk"));
  if (mount("none", path("disk").c_str(), "tmpfs", 0, "size=8m") != 0) return;
  ASSERT_TRUE(open_embedded_store(path("disk/store")).has_value());
  ASSERT_EQ(mount("none", path("disk").c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=8m"), 0);
  EXPECT_THAT(refusal(path("disk/store")).message,
              HasSubstr("cannot open '" + path("disk/store/lock") + "': Read-only file system"));
  EXPECT_EQ(umount(path("disk").c_str()), 0);
}

// A process that opens the store, says so, and holds it until it is killed.
class Holder {
 public:
  explicit Holder(const std::string& store) {
    int pipes[2];
    EXPECT_EQ(pipe2(pipes, O_CLOEXEC), 0);
    pid_ = fork();
    if (pid_ == 0) {
      const auto opened = open_embedded_store(store);
      const char word = opened ? 'y' : 'n';
      if (::write(pipes[1], &word, 1) == 1) pause();
      _exit(1);
    }
    close(pipes[1]);
    char word = '\0';
    EXPECT_EQ(read(pipes[0], &word, 1), 1);
    EXPECT_EQ(word, 'y');
    close(pipes[0]);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { kill_it(); }

  pid_t pid() const { return pid_; }
  void kill_it() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  pid_t pid_ = 0;
};

TEST_F(EmbeddedOpenTest, OneProcessHasTheStoreAndTheNextIsToldWhich) {
  Holder holder(path("store"));
  const StoreError error = refusal(path("store"));
  EXPECT_EQ(error.kind, Kind::held);
  EXPECT_THAT(error.message, HasSubstr("is in use by process " + std::to_string(holder.pid()) + " ("));
  EXPECT_THAT(error.message, HasSubstr("store_test"));
  holder.kill_it();
  EXPECT_TRUE(open_embedded_store(path("store")).has_value()) << "the lock of a process that is gone is none";
}

TEST_F(EmbeddedOpenTest, AStoreIsHeldAgainstItsOwnProcessToo) {
  const auto first = open_embedded_store(path("store"));
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(refusal(path("store")).kind, Kind::held);
}

TEST_F(EmbeddedOpenTest, AStoreThatWasOpenedAnewHasNoOwners) {
  Frame frame{.epoch = 1, .first_seq = 1, .last_seq = 1};
  append_record(frame.payload, {.instance = "a", .version = 1});
  {
    const auto store = open_embedded_store(path("store"));
    ASSERT_TRUE((*store)->take_over(0).has_value());
  }
  const auto store = open_embedded_store(path("store"));
  EXPECT_FALSE((*store)->append({&frame, 1}).has_value());
}

}  // namespace
}  // namespace stepwell
