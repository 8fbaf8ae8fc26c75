#include "sim_world.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "stepwell/base/crc32c.h"
#include "stepwell/compile/load.h"
#include "stepwell/store/memory_store.h"

namespace stepwell {

namespace {

constexpr ShardOptions kOptions{.max_resident = 3,
                                .evict_after = Duration::micros(2'000'000),
                                .poll = Duration::micros(500'000),
                                .project_after = Duration::micros(50'000),
                                .checkpoint_bytes = 4'000,
                                .checkpoint_after = Duration::micros(5'000'000)};

constexpr std::size_t kRest = 1'000;

template <typename T>
void require(const Stored<T>& stored) {
  if (!stored) throw std::runtime_error(stored.error().message);
}

std::string key_of(const Request& request) {
  return request.command.id.empty() ? request.execution : request.command.id;
}

}  // namespace

Entropy SimDice::roll() {
  Entropy entropy;
  for (std::uint8_t& byte : entropy) byte = static_cast<std::uint8_t>(bits_());
  return entropy;
}

// One shard with what is on its way to and from it.
struct SimWorld::Lane final : Surroundings {
  Lane(Process& the_process, std::uint32_t number, SimWorld& world);

  void offer(std::vector<Offer> offers) override;
  void cancel(std::vector<AttemptId> attempts) override;
  void ended(const State&) override {}
  void send(Request request) override;
  void run(StoreJob job) override { jobs.push_back(std::move(job)); }

  Process& process;
  Shard shard;
  std::deque<Request> inbox;
  std::deque<Sealed> sealed;
  std::deque<StoreJob> jobs;
  std::deque<Continuation> continuations;
};

// All that a crash destroys.
struct SimWorld::Process {
  explicit Process(Store& store) : playbooks(store) {}

  Lane& lane_of(std::string_view execution) { return *lanes[crc32c(execution) % lanes.size()]; }

  Playbooks playbooks;
  std::vector<std::unique_ptr<Lane>> lanes;
  std::vector<Offer> offers;     // attempts that run
  std::vector<Request> reports;  // that a worker sends once more
};

SimWorld::Lane::Lane(Process& the_process, std::uint32_t number, SimWorld& world)
    : process(the_process), shard(number, the_process.playbooks, world.clock_, world.dice_, *this, kOptions) {}

void SimWorld::Lane::offer(std::vector<Offer> offers) {
  for (Offer& offer : offers) process.offers.push_back(std::move(offer));
}

void SimWorld::Lane::cancel(std::vector<AttemptId> attempts) {
  std::erase_if(process.offers, [&](const Offer& offer) { return std::ranges::count(attempts, offer.id) != 0; });
}

void SimWorld::Lane::send(Request request) { process.lane_of(request.execution).inbox.push_back(std::move(request)); }

SimWorld::SimWorld(std::uint64_t seed, std::uint32_t shards, SimFaults faults)
    : bits_(seed), dice_(seed + 1), faults_(faults), shards_(shards), store_(open_memory_store()) {
  boot();
}

SimWorld::~SimWorld() = default;

Playbooks& SimWorld::playbooks() { return process_->playbooks; }

bool SimWorld::chance(unsigned of_thousand) { return draw(1'000) < of_thousand; }

std::size_t SimWorld::draw(std::size_t below) { return static_cast<std::size_t>(bits_() % below); }

void SimWorld::boot() {
  process_ = std::make_unique<Process>(*store_);
  require(process_->playbooks.load());
  for (std::uint32_t i = 0; i < shards_; ++i) process_->lanes.push_back(std::make_unique<Lane>(*process_, i, *this));
  for (auto& lane : process_->lanes) require(lane->shard.recover(*store_));
  ask_again();
}

void SimWorld::add_playbook(const std::string& name, const std::string& text) {
  Diagnostics diagnostics(name);
  auto document = load_playbook(text, name, diagnostics);
  if (!document) throw std::runtime_error(diagnostics.sorted().front().to_string());
  require(process_->playbooks.add(std::move(*document), text, clock_.now()));
}

void SimWorld::submit(Request request) {
  const std::string key = key_of(request);
  unanswered_[key] = request;
  request.reply = [this, key](const Answer& answer) {
    if (answer.kind == Answer::Kind::unknown) return;
    unanswered_.erase(key);
    answers_[key] = answer;
  };
  process_->lane_of(request.execution).inbox.push_back(std::move(request));
}

void SimWorld::start(const std::string& playbook, const std::string& execution, Value workload) {
  auto found = process_->playbooks.find(playbook, std::nullopt);
  if (!found) throw std::runtime_error(found.error());
  submit({.execution = execution,
          .command = {Start{.execution = execution, .version = (*found)->version, .workload = std::move(workload)}},
          .playbook = *found});
}

void SimWorld::ask_again() {
  const auto asked = unanswered_;
  for (const auto& [key, request] : asked) submit(request);
}

void SimWorld::run(std::size_t moves) {
  for (std::size_t i = 0; i < moves; ++i) {
    if (chance(faults_.crash)) {
      ++crashes_;
      process_.reset();
      boot();
    }
    move(true);
  }
  ask_again();
  // Shards ask the store for timers for ever, which moves the clock: when nothing is appended for long, all is at rest.
  for (std::size_t before = appends_, quiet = 0; quiet < kRest; ++quiet) {
    move(false);
    if (std::exchange(before, appends_) != appends_) quiet = 0;
  }
}

// Draws one thing that can happen; time passes when nothing else can, and now and then before.
void SimWorld::move(bool faulty) {
  std::vector<std::function<void()>> possible;
  for (auto& lane : process_->lanes) {
    Lane* each = lane.get();
    if (!each->inbox.empty()) {
      possible.emplace_back([each] {
        Request request = std::move(each->inbox.front());
        each->inbox.pop_front();
        each->shard.admit(std::move(request));
      });
    }
    if (each->shard.open_bytes() != 0) possible.emplace_back([each] { each->sealed.push_back(each->shard.seal()); });
    if (!each->sealed.empty()) possible.emplace_back([this, each, faulty] { append(*each, faulty); });
    if (!each->jobs.empty()) {
      possible.emplace_back([this, each] {
        each->continuations.push_back(each->jobs.front()(*store_));
        each->jobs.pop_front();
      });
    }
    if (!each->continuations.empty()) {
      possible.emplace_back([each] {
        Continuation continuation = std::move(each->continuations.front());
        each->continuations.pop_front();
        continuation();
      });
    }
  }
  if (!process_->offers.empty()) possible.emplace_back([this, faulty] { run_attempt(faulty); });
  if (!process_->reports.empty()) {
    possible.emplace_back([this] {
      Request report = std::move(process_->reports.back());
      process_->reports.pop_back();
      process_->lane_of(report.execution).inbox.push_back(std::move(report));
    });
  }
  if (possible.empty() || chance(50)) {
    Instant next = process_->lanes.front()->shard.next_tick();
    for (auto& lane : process_->lanes) next = std::min(next, lane->shard.next_tick());
    clock_.advance_to(next);
    for (auto& lane : process_->lanes) lane->shard.tick();
    return;
  }
  possible[draw(possible.size())]();
}

void SimWorld::append(Lane& lane, bool faulty) {
  Sealed sealed = std::move(lane.sealed.front());
  lane.sealed.pop_front();
  const bool lost = faulty && chance(faults_.lost_append);
  const bool unknown = faulty && chance(faults_.unknown_append);
  if (sealed.frame.payload.empty()) return lane.shard.release(std::move(sealed));
  if (!lost) require(store_->append({&sealed.frame, 1}));
  ++appends_;
  if (!lost && !unknown) return lane.shard.release(std::move(sealed));
  lane.sealed.push_front(std::move(sealed));
  lose_all();
}

// As the runtime does it: every shard drops what it has, then all are taken over anew.
void SimWorld::lose_all() {
  for (auto& lane : process_->lanes) {
    lane->shard.lose({});
    while (!lane->sealed.empty()) {
      lane->shard.lose(std::move(lane->sealed.front()));
      lane->sealed.pop_front();
    }
  }
  for (auto& lane : process_->lanes) require(lane->shard.recover(*store_));
  ask_again();
}

void SimWorld::run_attempt(bool faulty) {
  const std::size_t which = draw(process_->offers.size());
  const Offer offer = process_->offers[which];
  process_->offers.erase(process_->offers.begin() + static_cast<std::ptrdiff_t>(which));
  Request report{.execution = offer.id.execution, .command = {tool_(offer)}, .epoch = offer.id.epoch};
  std::get<ReportAttempt>(report.command.body).waiting_token = offer.id.waiting_token;
  if (faulty && chance(faults_.repeated_report)) process_->reports.push_back(report);
  process_->lane_of(report.execution).inbox.push_back(std::move(report));
}

}  // namespace stepwell
