#include "stepwell/store/embedded/journal.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "stepwell/base/check.h"

namespace stepwell {

namespace {
using Lock = std::lock_guard<std::mutex>;
}  // namespace

Stored<std::unique_ptr<Journal>> Journal::open(
    const std::string& directory, const KnownJournal& known, const JournalOptions& options,
    const std::function<bool(std::string_view instance, const FrameHead& frame)>& wanted) {
  if (auto made = make_directory(directory); !made) return std::unexpected(made.error());
  TailIndex index;
  auto scanned = scan_journal(directory, known, [&](const TailFramePtr& frame, std::string_view payload) {
    index.add(frame, payload, [&](std::string_view instance) { return wanted(instance, frame->head); });
  });
  if (!scanned) return std::unexpected(scanned.error());
  for (auto& [shard, state] : scanned->shards) state.epoch = known.shards.at(shard).epoch;
  std::unique_ptr<Journal> journal(new Journal(directory, options, std::move(*scanned), known.store));
  journal->index_ = std::move(index);
  const auto ready = journal->current_ ? journal->current_->reuse(options.direct) : journal->make_room(0);
  if (!ready) return std::unexpected(ready.error());
  return journal;
}

Journal::Journal(std::string directory, JournalOptions options, ScannedJournal scanned, StoreId store)
    : options_(options),
      store_(store),
      next_write_(scanned.next_write),
      end_(scanned.end),
      live_(std::move(scanned.live)),
      pool_(std::move(directory), options.segments, live_.size() + scanned.unused.size(), std::move(scanned.unused)) {
  if (!live_.empty()) current_ = live_.back();
  for (const auto& [shard, state] : scanned.shards) {
    heads_[shard] = {.epoch = state.epoch, .last_seq = state.last_seq};
    chains_[shard] = state.hash;
  }
}

Stored<Takeover> Journal::take_over(std::uint32_t shard, const std::function<Stored<>(std::uint64_t epoch)>& persist) {
  const Lock lock(append_mutex_);
  if (auto clean = clean_up(); !clean) return std::unexpected(clean.error());
  ShardHead& head = heads_[shard];
  if (auto durable = persist(head.epoch + 1); !durable) return std::unexpected(durable.error());
  head = {.epoch = head.epoch + 1, .last_seq = head.last_seq, .owned = true};
  return Takeover{.epoch = head.epoch, .next_seq = head.last_seq + 1};
}

Stored<> Journal::append(std::span<const Frame> frames) {
  if (frames.empty()) return {};
  const Lock lock(append_mutex_);
  if (auto fits = heads_.check(frames); !fits) return fits;
  const std::vector<TailFrame> written = encode(frames);
  if (auto room = make_room(encoded_.size()); !room) return room;
  if (auto durable = write(); !durable) return durable;
  remember(frames, written);
  return {};
}

// Fills encoded_. Where the frames will be is not known yet: their offsets count from the beginning of the append.
std::vector<TailFrame> Journal::encode(std::span<const Frame> frames) {
  std::vector<TailFrame> places;
  places.reserve(frames.size());
  std::map<std::uint32_t, Sha256Digest> chains;
  encoded_.clear();
  for (const Frame& frame : frames) {
    Sha256Digest& chain = chains.try_emplace(frame.shard, chains_[frame.shard]).first->second;
    const FrameHead head{.shard = frame.shard,
                         .epoch = frame.epoch,
                         .first_seq = frame.first_seq,
                         .last_seq = frame.last_seq,
                         .write = next_write_,
                         .more = &frame != &frames.back(),
                         .previous = chain};
    const std::size_t offset = encoded_.size();
    append_frame(encoded_, head, frame.payload);
    const std::string_view bytes = std::string_view(encoded_).substr(offset);
    chain = sha256(bytes);
    places.push_back({.offset = offset, .length = bytes.size(), .head = head, .hash = chain});
  }
  return places;
}

// Goes on to another segment if the append does not fit into the rest of this one.
Stored<> Journal::make_room(std::uint64_t bytes) {
  if (current_ && end_ + whole_blocks(bytes) <= current_->bytes()) return {};
  auto segment = pool_.take(bytes);
  if (!segment) return std::unexpected(segment.error());
  const std::uint64_t number = current_ ? current_->head()->number + 1 : 1;
  const auto used = (*segment)->use({.store = store_, .number = number, .first_write = next_write_}, options_.direct);
  if (!used) {
    pool_.discard(**segment);
    return used;
  }
  current_ = std::move(*segment);
  end_ = kBlockBytes;
  const Lock lock(index_mutex_);
  live_.push_back(current_);
  written_bytes_ += kBlockBytes;
  syncs_ += 1;
  return {};
}

// Writes encoded_ to its place.
Stored<> Journal::write() {
  buffer_.assign(encoded_);
  auto written = current_->write(end_, buffer_);
  if (written) return {};
  leftover_ = {.segment = current_, .offset = end_, .length = buffer_.view().size()};
  // With no space, nothing may remain of it: the caller takes it for not written.
  if (written.error().kind == StoreError::Kind::full && clean_up()) return written;
  heads_.disown();
  written.error().kind = StoreError::Kind::unknown;
  return written;
}

Stored<> Journal::clean_up() {
  if (!leftover_.segment) return {};
  AlignedBuffer zeros;
  zeros.assign(std::string(leftover_.length, '\0'));
  if (auto written = leftover_.segment->write(leftover_.offset, zeros); !written) return written;
  leftover_ = {};
  return {};
}

void Journal::remember(std::span<const Frame> frames, std::span<const TailFrame> written) {
  const std::size_t bytes = buffer_.view().size();
  {
    const Lock lock(index_mutex_);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      auto place = std::make_shared<TailFrame>(written[i]);
      place->segment = current_;
      place->offset += end_;
      index_.add(place, frames[i].payload);
    }
    written_bytes_ += bytes;
    syncs_ += 1;
  }
  for (const TailFrame& frame : written) chains_[frame.head.shard] = frame.hash;
  heads_.advance(frames);
  end_ += bytes;
  next_write_ += 1;
  if (end_ > current_->bytes() / 2) pool_.prepare();
}

std::vector<TailFramePtr> Journal::frames(std::uint32_t shard) {
  const Lock lock(index_mutex_);
  return index_.frames(shard);
}

std::vector<TailRecord> Journal::records(std::string_view instance) {
  const Lock lock(index_mutex_);
  return index_.records(instance);
}

std::vector<std::string> Journal::instances() {
  const Lock lock(index_mutex_);
  return index_.instances();
}

std::uint64_t Journal::last_seq(std::uint32_t shard) {
  const Lock lock(append_mutex_);
  return heads_[shard].last_seq;
}

std::uint64_t Journal::needed_from(std::uint32_t shard, std::uint64_t through) {
  const Lock append(append_mutex_);
  const Lock lock(index_mutex_);
  return index_.oldest_write(shard, through).value_or(next_write_);
}

void Journal::release(std::uint32_t shard, std::uint64_t through, std::span<const std::string> instances) {
  constexpr std::size_t kAtOnce = 1'000;
  for (std::size_t i = 0; i < instances.size(); i += kAtOnce) {
    const Lock lock(index_mutex_);
    index_.drop_records(instances.subspan(i, std::min(kAtOnce, instances.size() - i)), shard, through);
  }
  const Lock lock(index_mutex_);
  index_.drop_frames(shard, through);
  const auto needed = index_.oldest_write(shard, through);
  // The last stays: appends go on there.
  while (live_.size() > 1 && (!needed || live_[1]->head()->first_write <= *needed)) {
    pool_.give_back(std::move(live_.front()));
    live_.erase(live_.begin());
  }
}

void Journal::forget(std::span<const std::string> instances) {
  const Lock lock(index_mutex_);
  for (const std::string& instance : instances) index_.erase(instance);
}

Journal::Extent Journal::pause(const std::function<void()>& meanwhile) {
  const Lock append(append_mutex_);
  meanwhile();
  const Lock lock(index_mutex_);
  return {.segments = live_, .end = end_};
}

std::uint64_t Journal::last_write() {
  const Lock lock(append_mutex_);
  return next_write_ - 1;
}

std::uint64_t Journal::tail_bytes() {
  const Lock lock(index_mutex_);
  return index_.bytes();
}

std::uint64_t Journal::written_bytes() {
  const Lock lock(index_mutex_);
  return written_bytes_ + pool_.filled_bytes();
}

std::uint64_t Journal::syncs() {
  const Lock lock(index_mutex_);
  return syncs_;
}

}  // namespace stepwell
