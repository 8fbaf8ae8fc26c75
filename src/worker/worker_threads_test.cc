#include "stepwell/worker/worker_threads.h"

#include <atomic>
#include <latch>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepwell {
namespace {

using ::testing::ElementsAre;

// Nobody looks into the attempts.
void post(WorkerThreads& threads, std::size_t count) {
  std::vector<AttemptPtr> attempts(count);
  threads.post(attempts);
}

TEST(WorkerThreadsTest, AThreadTakesWhatWaitsATurnAtATime) {
  std::latch begun(1);
  std::latch go_on(1);
  std::latch done(8);
  std::vector<std::size_t> turns;
  WorkerThreads threads({.threads = 1, .turn = 3}, [&](std::span<AttemptPtr> turn) {
    turns.push_back(turn.size());
    if (turns.size() == 1) {
      begun.count_down();
      go_on.wait();
    }
    done.count_down(static_cast<std::ptrdiff_t>(turn.size()));
  });
  post(threads, 1);
  begun.wait();
  post(threads, 2);
  post(threads, 5);
  go_on.count_down();
  done.wait();
  threads.close();
  EXPECT_THAT(turns, ElementsAre(1, 3, 3, 1));
}

TEST(WorkerThreadsTest, WhatIsPostedTogetherGetsAsManyThreadsAsItNeeds) {
  // None goes on before all run.
  std::latch all(4);
  WorkerThreads threads({.threads = 4}, [&](std::span<AttemptPtr>) { all.arrive_and_wait(); });
  post(threads, 4);
  all.wait();
}

TEST(WorkerThreadsTest, IdleThreadsAreWokenForWhatIsPostedTogether) {
  std::latch first(3);
  std::latch second(3);
  std::atomic<int> begun = 0;
  WorkerThreads threads({.threads = 3},
                        [&](std::span<AttemptPtr>) { (++begun <= 3 ? first : second).arrive_and_wait(); });
  post(threads, 3);
  first.wait();
  post(threads, 3);
  second.wait();
}

TEST(WorkerThreadsTest, WhatIsPostedAfterItHasClosedIsDropped) {
  std::latch ran(1);
  std::size_t seen = 0;
  WorkerThreads threads({.threads = 1}, [&](std::span<AttemptPtr> turn) {
    seen += turn.size();
    ran.count_down();
  });
  post(threads, 1);
  ran.wait();
  threads.close();
  post(threads, 1);
  EXPECT_EQ(seen, 1u);
}

}  // namespace
}  // namespace stepwell
