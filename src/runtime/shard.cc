#include "stepwell/runtime/shard.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "stepwell/kernel/playbook/decide.h"
#include "stepwell/runtime/record_body.h"
#include "stepwell/runtime/tables.h"

namespace stepwell {

namespace {

// What a decision may ask: the blobs that came with its command.
class RequestLookups final : public Lookups {
 public:
  explicit RequestLookups(const Request& request) : request_(request) {}

  std::optional<Value> blob(std::string_view reference) const override {
    for (const auto& [name, value] : request_.blobs) {
      if (name == reference) return value;
    }
    return std::nullopt;
  }
  std::expected<Value, std::string> query(std::string_view sql, const Value& ctx) const override {
    return query_tables(sql, ctx);
  }

 private:
  const Request& request_;
};

// How many of its own commands a shard decides before it looks at its inbox again.
constexpr std::size_t kTurn = 256;

}  // namespace

Shard::Shard(std::uint32_t number, Playbooks& playbooks, Clock& clock, Dice& dice, Surroundings& around,
             const ShardOptions& options)
    : number_(number), playbooks_(playbooks), clock_(clock), dice_(dice), around_(around), options_(options) {}

Instance* Shard::find(std::string_view execution) {
  const auto found = instances_.find(execution);
  return found == instances_.end() ? nullptr : found->second.get();
}

Stamp Shard::next_stamp() {
  last_time_ = std::max(last_time_, clock_.now());
  return {.time = last_time_, .entropy = dice_.roll()};
}

void Shard::admit(Request request) {
  if (request.epoch != 0 && request.epoch != epoch_) {
    return answer_later(request,
                        {.kind = Answer::Kind::refused,
                         .refusal = {RefusalCode::stale, "this was offered by an earlier owner of the shard"}});
  }
  if (Instance* instance = find(request.execution)) return decide_on(*instance, request);
  const auto loading = loading_.find(request.execution);
  if (loading != loading_.end()) return loading->second.push_back(std::move(request));
  if (request.fresh) return start(request);
  const std::string execution = request.execution;
  loading_[execution].push_back(std::move(request));
  load(execution);
}

// The execution is not there yet.
void Shard::start(Request& request) {
  auto made = std::make_unique<Instance>();
  made->playbook = request.playbook;
  const std::string execution = request.execution;
  Instance& instance = add(execution, std::move(made));
  decide_on(instance, request);
  if (instance.state.phase == Phase::none) forget(execution);
}

void Shard::decide_on(Instance& instance, Request& request) {
  if (request.playbook != nullptr && request.playbook->definition.hash != instance.playbook->definition.hash) {
    return answer_later(
        request, {.kind = Answer::Kind::refused,
                  .refusal = {RefusalCode::id_conflict,
                              fmt::format("'{}' was started before, with another playbook", request.execution)}});
  }
  const Stamp stamp = next_stamp();
  auto decided =
      decide(instance.playbook->definition, instance.state, request.command, stamp, RequestLookups(request), decision_);
  if (!decided) {
    return answer_later(request, {.kind = Answer::Kind::refused, .refusal = std::move(decided.error())});
  }
  hold(instance, stamp, request);
}

// Takes decision_ into the open frame.
void Shard::hold(Instance& instance, const Stamp& stamp, Request& request) {
  body_.clear();
  append_body(body_, stamp, request.command, decision_.events);
  const std::size_t before = open_.frame.payload.size();
  instance.chain = append_record(
      open_.frame.payload,
      {.instance = request.execution, .version = instance.state.version, .previous = instance.chain, .body = body_});
  bytes_since_checkpoint_ += open_.frame.payload.size() - before;
  instance.last_seq = next_seq_++;
  instance.last_time = stamp.time;
  instance.touched = stamp.time;
  residents_.touch(instance);
  ++instance.held;
  instance.events += static_cast<std::int64_t>(decision_.events.size());
  instance.record_bytes += body_.size();
  if (wants_snapshot(instance)) {
    instance.snapshot_due = true;
    snapshots_due_.push_back(request.execution);
  }
  // These stay inside the shard. What they lead to is in a later record, so they need not wait for this one.
  std::erase_if(decision_.effects, [&](const Effect& effect) {
    if (const auto* wake = std::get_if<WakeAt>(&effect)) return set_wake(instance, wake->at), true;
    if (!std::holds_alternative<YieldAgain>(effect)) return false;
    yields_.push_back(request.execution);
    return true;
  });
  open_.held.push_back(
      {.instance = &instance,
       .effects = {std::move_iterator(decision_.effects.begin()), std::move_iterator(decision_.effects.end())},
       .reply = std::move(request.reply),
       .answer = {.kind = Answer::Kind::accepted, .version = instance.state.version}});
  row_may_differ(instance);
}

// A refusal may rest on what is not durable yet: it is told in its turn.
void Shard::answer_later(Request& request, Answer answer) {
  if (!request.reply) return;
  if (durable_seq_ + 1 == next_seq_ && open_.held.empty()) return request.reply(answer);
  open_.held.push_back({.reply = std::move(request.reply), .answer = std::move(answer)});
}

void Shard::set_wake(Instance& instance, std::optional<Instant> at) {
  instance.wake_at = at;
  if (at) due_.push({*at, instance.state.execution});
}

void Shard::row_may_differ(Instance& instance) {
  if (instance.row_due != 0) return;
  if (!rows_wait()) rows_since_ = instance.touched;
  rows_due_.push_back(&instance);
  instance.row_due = static_cast<std::uint32_t>(rows_due_.size());
}

void Shard::tick() {
  const Instant now = std::max(last_time_, clock_.now());
  for (std::size_t i = 0; i < kTurn && !yields_.empty(); ++i) {
    Request request{.execution = std::move(yields_.front()), .command = {Yield{}}};
    yields_.pop_front();
    if (Instance* instance = find(request.execution)) decide_on(*instance, request);
  }
  for (std::size_t i = 0; i < kTurn && !due_.empty() && due_.top().at <= now; ++i) {
    const Due due = due_.top();
    due_.pop();
    // An entry that was replaced stays in the queue until its time; the instance knows which one counts.
    Instance* instance = find(due.execution);
    if (instance == nullptr || instance->wake_at != due.at) continue;
    const std::uint64_t version = instance->state.version;
    Request request{.execution = due.execution, .command = {Wake{}}};
    decide_on(*instance, request);
    // The kernel asks for a wake only if it is another one; after a decision that met its bound it may be the same.
    const bool moved = instance->state.version != version;
    if (instance->wake_at == due.at) set_wake(*instance, moved ? next_wake(instance->state) : std::nullopt);
  }
  if (rows_wait() && (now - rows_since_ >= options_.project_after ||
                      rows_due_.size() + finished_.executions.size() >= options_.project_rows)) {
    flush_rows({});
  }
  save_due_snapshots();
  begin_checkpoint();
  evict();
  poll_timers();
}

Instant Shard::next_tick() const {
  if (!yields_.empty()) return last_time_;
  // The answer to a poll comes by itself, however long it takes.
  Instant next = *checked_add(polling_ ? clock_.now() : polled_at_, options_.poll);
  if (!due_.empty()) next = std::min(next, due_.top().at);
  if (rows_wait()) next = std::min(next, *checked_add(rows_since_, options_.project_after));
  return next;
}

Sealed Shard::seal() {
  open_.frame.shard = number_;
  open_.frame.epoch = epoch_;
  open_.frame.first_seq = std::exchange(sealed_seq_, next_seq_ - 1) + 1;
  open_.frame.last_seq = sealed_seq_;
  Sealed sealed = std::exchange(open_, {});
  // The next one is likely as large.
  open_.frame.payload.reserve(sealed.frame.payload.size());
  open_.held.reserve(sealed.held.size());
  return sealed;
}

}  // namespace stepwell
