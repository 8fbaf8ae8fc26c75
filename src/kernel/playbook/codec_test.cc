#include "stepwell/kernel/playbook/codec.h"

#include <gtest/gtest.h>

#include "stepwell/kernel/playbook/misfit.h"
#include "stepwell/kernel/testing/sample.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/json_read.h"

namespace stepwell {
namespace {

// What decoding an event says of these fields, given as JSON.
std::string refusal_of_event(std::string_view fields) {
  const auto event = decode_event(encode_cbor(parse_json(fields).value()));
  return event ? "accepted" : event.error();
}

TEST(EventCodec, AcceptsWhatItWrites) {
  EXPECT_EQ(refusal_of_event(R"([2, 1, null, [], [], ""])"), "accepted");
  EXPECT_EQ(refusal_of_event(R"([30, 1, [["a.b[0]", 5]]])"), "accepted");
}

TEST(EventCodec, RefusesATagThatNobodyHas) {
  EXPECT_EQ(refusal_of_event(R"([99, 1])"), "byte 3: a tag is not known");
  EXPECT_EQ(refusal_of_event(R"([300, 1])"), "byte 4: a number is out of range");
}

TEST(EventCodec, RefusesAWrongNumberOfFields) {
  EXPECT_EQ(refusal_of_event(R"([13])"), "byte 2: the number of fields is wrong");
  EXPECT_EQ(refusal_of_event(R"([13, 1, 2])"), "byte 2: the number of fields is wrong");
}

TEST(EventCodec, RefusesANumberThatMeansNothing) {
  EXPECT_EQ(refusal_of_event(R"([2, 0, null, [], [], ""])"), "byte 3: a number means nothing here");
  EXPECT_EQ(refusal_of_event(R"([2, 5, null, [], [], ""])"), "byte 3: a number means nothing here");
  EXPECT_EQ(refusal_of_event(R"([2, -1, null, [], [], ""])"), "byte 3: a number is out of range");
}

TEST(EventCodec, RefusesAPathWithAnotherSpelling) {
  EXPECT_EQ(refusal_of_event(R"([30, 1, [["a..b", 5]]])"), "byte 11: a path is malformed");
  EXPECT_EQ(refusal_of_event(R"([30, 1, [["a[\"b\"]", 5]]])").substr(9), "a path is malformed");
}

TEST(EventCodec, RefusesWhatComesAfterTheEnd) {
  EXPECT_FALSE(decode_event(encode_cbor(Value::list({13, 1})) + "x").has_value());
}

// Events that are written together go through one piece of room; where it ends must not show.
TEST(EventCodec, WritesTogetherWhatItWritesApart) {
  for (std::size_t size = 0; size <= CborWriter::kRoom; ++size) {
    const std::vector<Event> events = {
        WorkflowSuspended{std::string(size, 'x')},
        CtxSet{.scope = {1}, .writes = {{Path{"a", 2}, "text"}, {Path{"b"}, Value::list({1, 2})}}},
        CtxSet{.scope = {1'000}, .writes = {{Path{"c"}, 1'000'000}}},
        StepStarted{.run = {~std::uint64_t{0} >> 1}, .token = {300}, .deadline = Instant()}};
    std::string apart;
    for (const Event& event : events) append_event(apart, event);
    std::string together;
    append_events(together, events);
    ASSERT_EQ(together, apart) << size;
  }
}

class SnapshotTest : public ::testing::Test {
 protected:
  std::string reread() {
    const auto read = decode_state(definition_, encode_state(state_));
    return read ? "accepted" : read.error();
  }

  Definition definition_ = testing::sample_definition();
  State state_ = testing::sample_state(definition_);
};

TEST_F(SnapshotTest, ComesBackAsItWas) {
  const std::string bytes = encode_state(state_);
  const auto read = decode_state(definition_, bytes);
  ASSERT_TRUE(read.has_value()) << read.error();
  EXPECT_EQ(encode_state(*read), bytes);
  EXPECT_EQ(read->open_work, state_.open_work);
  EXPECT_GE(state_.runs.size(), 5u) << "the sample has a run of each kind";
}

TEST_F(SnapshotTest, OfAnotherPlaybookIsRefused) {
  definition_.steps.pop_back();
  EXPECT_EQ(reread(), "does not fit: another playbook");
}

TEST_F(SnapshotTest, WithAStepThatIsNotThereIsRefused) {
  state_.tokens.at(state_.last_token).step = 700;
  EXPECT_EQ(reread().substr(0, 30), "does not fit: where a token is");
}

TEST_F(SnapshotTest, WithARunThatNobodyHasIsRefused) {
  state_.runs.at(state_.last_run).token = {1'000};
  EXPECT_EQ(reread().substr(0, 33), "does not fit: the run of a token ");
}

TEST_F(SnapshotTest, WithAScopeInsideItselfIsRefused) {
  Scope& scope = state_.scopes.at(state_.last_scope);
  scope.parent = scope.id;
  EXPECT_EQ(reread().substr(0, 34), "does not fit: the parent of a scop");
}

TEST_F(SnapshotTest, WithWorkThatItsStepDoesNotDoIsRefused) {
  state_.runs.at(state_.last_run).work = OpenSignal{};
  EXPECT_EQ(reread().substr(0, 34), "does not fit: what a run waits for");
}

TEST_F(SnapshotTest, WithADeadlineThatNothingHasIsRefused) {
  definition_.steps[1].timeout.reset();
  EXPECT_EQ(reread().substr(0, 35), "does not fit: the deadline of a run");
}

TEST_F(SnapshotTest, WithCountsForFewerArcsIsRefused) {
  state_.fan_outs.write().at({1}).leg_opened.pop_back();
  EXPECT_EQ(reread().substr(0, 36), "does not fit: the items of a fan-out");
}

class MisfitTest : public SnapshotTest {
 protected:
  std::string misfit_of(const Event& event) { return misfit(definition_, state_, event).value_or("fits"); }
};

TEST_F(MisfitTest, AnEventNamesWhatIsThere) {
  EXPECT_EQ(misfit_of(StepDone{.run = state_.last_run}), "fits");
  EXPECT_EQ(misfit_of(StepDone{.run = state_.last_run.next()}), "does not fit: run");
  EXPECT_EQ(misfit_of(TokenDiscarded{{700}}), "does not fit: token");
  EXPECT_EQ(misfit_of(CtxSet{.scope = {700}}), "does not fit: scope");
  EXPECT_EQ(misfit_of(FanOutClosed{{700}}), "does not fit: fan_out");
  EXPECT_EQ(misfit_of(MessageDelivered{{700}}), "does not fit: message");
}

TEST_F(MisfitTest, AnEventMakesWhatIsNotThereYet) {
  EXPECT_EQ(misfit_of(TokenCreated{.token = state_.last_token.next(), .scope = kRootScope}), "fits");
  EXPECT_EQ(misfit_of(TokenCreated{.token = state_.last_token, .scope = kRootScope}), "does not fit: token");
  EXPECT_EQ(misfit_of(TokenCreated{.token = state_.last_token.next(), .step = 7, .scope = kRootScope}),
            "does not fit: step");
}

TEST_F(MisfitTest, AnEventDoesOnlyWhatCanBeDone) {
  EXPECT_EQ(misfit_of(CtxPatched{Value(1)}), "does not fit: what it does");
  EXPECT_EQ(misfit_of(CtxSet{.scope = kRootScope, .writes = {{*Path::parse("list[3]"), Value(1)}}}),
            "does not fit: what it does");
  EXPECT_EQ(misfit_of(TaskAssigned{.run = state_.last_run}), "does not fit: what it does");
  EXPECT_EQ(misfit_of(NextSelected{.step = 0, .scope = kRootScope, .arcs = {5}}), "does not fit: what it does");
}

}  // namespace
}  // namespace stepwell
