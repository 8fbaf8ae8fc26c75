#include "stepwell/runtime/lane.h"

#include <chrono>
#include <utility>

namespace stepwell {

namespace {

// Frames of one shard that may be on their way. More would not be faster, since one append is made at a time, and the
// next takes all that wait.
constexpr std::size_t kInFlight = 2;

}  // namespace

Lane::Lane(Runtime& runtime, std::uint32_t number)
    : runtime_(runtime),
      shard_(number, runtime.playbooks_, runtime.clock_, runtime.dice_, *this, runtime.options_.shard) {}

Lane::~Lane() { stop(); }

void Lane::start() {
  thread_ = std::thread([this] { loop(); });
}

void Lane::stop() {
  {
    const std::scoped_lock lock(mutex_);
    inbox_.stop = true;
  }
  changed_.notify_one();
  room_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Lane::add(Request request, bool outside) {
  {
    std::unique_lock lock(mutex_);
    if (outside) {
      room_.wait(lock, [&] {
        return (inbox_.requests.size() < runtime_.options_.inbox && !crowded_) || inbox_.stop || ended_;
      });
    }
    if (!ended_) {
      inbox_.requests.push_back(std::move(request));
      lock.unlock();
      return changed_.notify_one();
    }
  }
  if (request.reply) request.reply({.kind = Answer::Kind::unknown});
}

void Lane::add(std::vector<Report> reports) {
  {
    const std::scoped_lock lock(mutex_);
    for (Report& report : reports) {
      inbox_.requests.push_back({.execution = std::move(report.id.execution),
                                 .command = {std::move(report.outcome)},
                                 .epoch = report.id.epoch});
    }
  }
  changed_.notify_one();
}

bool Lane::call(std::function<void(Shard&)> what) {
  {
    const std::scoped_lock lock(mutex_);
    if (ended_) return false;
    inbox_.calls.push_back(std::move(what));
  }
  changed_.notify_one();
  return true;
}

void Lane::drop_all() {
  {
    const std::scoped_lock lock(mutex_);
    inbox_.drop = true;
  }
  changed_.notify_one();
}

void Lane::recover_now() {
  {
    const std::scoped_lock lock(mutex_);
    inbox_.recover = true;
  }
  changed_.notify_one();
}

void Lane::run(StoreJob job) {
  runtime_.keeper_->add(std::move(job), [this](Continuation done) {
    {
      const std::scoped_lock lock(mutex_);
      inbox_.continuations.push_back(std::move(done));
    }
    changed_.notify_one();
  });
}

void Lane::loop() {
  for (;;) {
    wait();
    const bool stop = taken_.stop;
    take();
    if (!lost_ && !stop) shard_.tick();
    commit();
    if (stop && idle()) return;
    stopping_ = stop;
  }
}

// Nothing is left that must be done before the thread ends. After a loss there is nothing to be kept.
bool Lane::idle() {
  const std::scoped_lock lock(mutex_);
  if (in_flight_ != 0 || (!lost_ && (shard_.open_bytes() != 0 || !inbox_.empty()))) return false;
  ended_ = true;
  return true;
}

void Lane::Inbox::clear(std::size_t most) {
  if (requests.capacity() > most) requests = {};
  requests.clear();
  continuations.clear();
  calls.clear();
  returned.clear();
  drop = recover = stop = false;
}

// Until there is something to do, and takes what there is.
void Lane::wait() {
  std::unique_lock lock(mutex_);
  const auto ready = [&] { return !inbox_.empty() || (inbox_.stop && in_flight_ == 0); };
  if (!ready() && inbox_.stop) {
    changed_.wait(lock, ready);
  } else if (!ready()) {
    const Duration left = lost_ ? Duration::micros(1'000'000) : shard_.next_tick() - runtime_.clock_.now();
    if (left.micros() > 0) changed_.wait_for(lock, std::chrono::microseconds(left.micros()), ready);
  }
  std::swap(inbox_, taken_);
  inbox_.stop = taken_.stop;
  crowded_ = shard_.crowded();
  lock.unlock();
  room_.notify_all();
}

void Lane::take() {
  take_back();
  if (taken_.drop && !lost_) lose({}, {});
  if (taken_.recover) recover_after_loss();
  for (Continuation& continuation : taken_.continuations) continuation();
  for (auto& call : taken_.calls) call(shard_);
  for (Request& request : taken_.requests) {
    if (!lost_ && !stopping_) {
      shard_.admit(std::move(request));
    } else if (request.reply) {
      request.reply({.kind = Answer::Kind::unknown});
    }
  }
  taken_.clear(runtime_.options_.inbox);
}

void Lane::take_back() {
  for (Returned& each : taken_.returned) {
    --in_flight_;
    if (each.result) {
      shard_.release(std::move(each.sealed));
    } else {
      lose(std::move(each.sealed), each.result.error());
    }
  }
}

void Lane::lose(Sealed sealed, const StoreError& why) {
  if (!std::exchange(lost_, true)) runtime_.lost(why);
  shard_.lose(std::move(sealed));
  if (in_flight_ == 0 && !std::exchange(told_, true)) runtime_.lane_is_lost();
}

void Lane::recover_after_loss() {
  const Stored<> recovered = recover();
  if (!recovered) return runtime_.give_up(recovered.error());
  lost_ = told_ = false;
}

// Nothing is there to be decided while the disk is waited for.
bool Lane::idle_otherwise() {
  if (shard_.next_tick() <= runtime_.clock_.now()) return false;
  const std::scoped_lock lock(mutex_);
  return inbox_.empty();
}

void Lane::commit() {
  for (bool more = true; more && !lost_ && shard_.open_bytes() != 0;) {
    if (!shard_.open_has_records()) {
      // Only answers, which wait for what is on its way.
      if (in_flight_ != 0) return;
      shard_.release(shard_.seal());
      continue;
    }
    if (in_flight_ >= kInFlight || (in_flight_ != 0 && shard_.open_bytes() < runtime_.options_.frame_bytes)) return;
    Sealed sealed = shard_.seal();
    more = idle_otherwise();
    if (in_flight_ == 0 && more) {
      if (auto result = runtime_.committer_->try_append(sealed)) {
        if (!*result) return lose(std::move(sealed), result->error());
        shard_.release(std::move(sealed));
        continue;
      }
    }
    ++in_flight_;
    runtime_.committer_->submit(std::move(sealed), [this](Returned returned) {
      {
        const std::scoped_lock lock(mutex_);
        inbox_.returned.push_back(std::move(returned));
      }
      changed_.notify_one();
    });
    return;
  }
}

}  // namespace stepwell
