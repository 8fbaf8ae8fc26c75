#include "stepwell/runtime/committer.h"

#include <chrono>

namespace stepwell {

namespace {

constexpr std::chrono::milliseconds kTryAgain(250);

}  // namespace

Committer::Committer(Store& store, Full full) : store_(store), full_(std::move(full)), thread_([this] { run(); }) {}

Committer::~Committer() {
  {
    const std::scoped_lock lock(mutex_);
    impatient_ = ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::optional<Stored<>> Committer::try_append(const Sealed& sealed) {
  {
    const std::scoped_lock lock(mutex_);
    if (failed_) return std::unexpected(*failed_);
    if (appending_ || !frames_.empty()) return std::nullopt;
    appending_ = true;
  }
  Stored<> result = append({&sealed.frame, 1});
  bool others_wait = false;
  {
    const std::scoped_lock lock(mutex_);
    appending_ = false;
    if (!result) failed_ = result.error();
    others_wait = ended_ || !frames_.empty();
  }
  // Mostly nobody does, and to wake the committer for nothing would delay what this frame leads to.
  if (others_wait) changed_.notify_all();
  return result;
}

void Committer::submit(Sealed sealed, Return give_back) {
  {
    const std::scoped_lock lock(mutex_);
    frames_.push_back(std::move(sealed.frame));
    waiting_.push_back({std::move(sealed.held), std::move(give_back)});
  }
  changed_.notify_all();
}

void Committer::reset() {
  const std::scoped_lock lock(mutex_);
  failed_.reset();
}

void Committer::give_up_on_space() {
  {
    const std::scoped_lock lock(mutex_);
    impatient_ = true;
  }
  changed_.notify_all();
}

void Committer::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return !appending_ && (ended_ || !frames_.empty()); });
    if (frames_.empty()) return;
    std::vector<Frame> frames = std::exchange(frames_, {});
    std::vector<Waiting> waiting = std::exchange(waiting_, {});
    appending_ = true;
    Stored<> result = failed_ ? Stored<>(std::unexpected(*failed_)) : Stored<>();
    lock.unlock();
    if (result) result = append(frames);
    lock.lock();
    appending_ = false;
    if (!result) failed_ = result.error();
    lock.unlock();
    for (std::size_t i = 0; i < frames.size(); ++i) {
      waiting[i].give_back({{std::move(frames[i]), std::move(waiting[i].held)}, result});
    }
    lock.lock();
  }
}

// Nothing was written when the disk is full, so the same frames can be tried again until there is space.
Stored<> Committer::append(std::span<const Frame> frames) {
  Stored<> result = store_.append(frames);
  if (result || result.error().kind != StoreError::Kind::full) return result;
  if (full_) full_(true);
  std::unique_lock lock(mutex_);
  while (!impatient_ && !result && result.error().kind == StoreError::Kind::full) {
    changed_.wait_for(lock, kTryAgain);
    lock.unlock();
    result = store_.append(frames);
    lock.lock();
  }
  lock.unlock();
  if (full_ && result) full_(false);
  return result;
}

}  // namespace stepwell
