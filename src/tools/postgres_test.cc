#include "stepwell/tools/postgres.h"

#include <gmock/gmock.h>

#include "stepwell/tools/testing/postgres_server.h"
#include "stepwell/tools/testing/tool_test.h"

namespace stepwell {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Postgres : public testing::ToolTest<PostgresTool> {
 protected:
  static void SetUpTestSuite() { server_ = std::make_unique<testing::PostgresServer>(); }
  static void TearDownTestSuite() { server_.reset(); }
  Postgres() { secrets_.known["db"] = server_->connection(); }

  Value query(std::string_view text, std::string_view params = "[]") {
    return Value::map({{"connection", "db"}, {"query", Value(text)}, {"params", testing::json(params)}});
  }

  static std::unique_ptr<testing::PostgresServer> server_;
};
std::unique_ptr<testing::PostgresServer> Postgres::server_;

TEST_F(Postgres, GivesRowsAndHowManyChanged) {
  EXPECT_EQ(answer(query("create table t (id int primary key, name text)")), R"({"rows":[],"rowcount":0})");
  EXPECT_EQ(answer(query("insert into t values ($1, $2), (2, 'b')", R"([1, "a"])")), R"({"rows":[],"rowcount":2})");
  EXPECT_EQ(answer(query("select * from t order by id")),
            R"({"rows":[{"id":1,"name":"a"},{"id":2,"name":"b"}],"rowcount":2})");
  EXPECT_EQ(answer(query("delete from t where id = 1 returning name")), R"({"rows":[{"name":"a"}],"rowcount":1})");
  EXPECT_EQ(answer(query("insert into t values (2, 'c')")),
            "transport sql_23505: duplicate key value violates unique constraint \"t_pkey\"");
  EXPECT_EQ(answer(query("drop table t")), R"({"rows":[],"rowcount":0})");
}

TEST_F(Postgres, EveryTypeBecomesAValueThatLosesNothing) {
  EXPECT_EQ(
      answer(query("select true as a, 9007199254740993::int8 as b, 1.5::float8 as c, 0.10::numeric as d, null as e")),
      R"({"rows":[{"a":true,"b":9007199254740993,"c":1.5,"d":"0.10","e":null}],"rowcount":1})");
  EXPECT_EQ(answer(query("select '{\"k\": [1]}'::jsonb as a, 'NaN'::float8 as b, 'x'::text as c, '\\xff'::bytea as d")),
            R"({"rows":[{"a":{"k":[1]},"b":"NaN","c":"x","d":"\\xff"}],"rowcount":1})");
  EXPECT_EQ(answer(query("select '2026-01-02 03:04:05.5+01'::timestamptz as a, '2026-01-02'::date as b")),
            R"({"rows":[{"a":"2026-01-02T02:04:05.5Z","b":"2026-01-02"}],"rowcount":1})");
}

TEST_F(Postgres, ParametersAreBoundAndNeverSpliced) {
  EXPECT_EQ(answer(query("select $1::text as a, $2::int as b, $3::bool as c, $4::jsonb as d",
                         R"(["'; drop table t", null, true, {"k": [2]}])")),
            R"({"rows":[{"a":"'; drop table t","b":null,"c":true,"d":{"k":[2]}}],"rowcount":1})");
  EXPECT_THAT(answer(query("select 1; select 2")), HasSubstr("transport sql_42601: cannot insert multiple commands"));
}

TEST_F(Postgres, ErrorsHaveTheStateThatTheServerTells) {
  EXPECT_EQ(answer(query("select * from missing")), "transport sql_42P01: relation \"missing\" does not exist");
  const TaskOutcome outcome = run(query("do $$ begin raise exception 'later' using errcode = '40001'; end $$"));
  EXPECT_EQ(told(outcome), "transport sql_40001: later");
  EXPECT_EQ(*outcome.error.find("retryable"), Value(true));
  EXPECT_EQ(*outcome.error.find("code"), Value("40001"));
  EXPECT_THAT(answer(query("do $$ begin raise exception 'who' using errcode = '28000'; end $$")),
              HasSubstr("authorization sql_28000: who"));
}

TEST_F(Postgres, AWrongPasswordIsAMatterOfAuthorization) {
  secrets_.known["db"] = server_->connection("wr0ng");
  const std::string seen = answer(query("select 1"));
  EXPECT_THAT(seen, HasSubstr("authorization sql_28000: "));
  EXPECT_THAT(seen, Not(HasSubstr("wr0ng")));
}

TEST_F(Postgres, AServerThatIsNotThereIsRetryable) {
  secrets_.known["db"] = "host=/no/such/place dbname=x";
  const TaskOutcome outcome = run(query("select 1"));
  EXPECT_THAT(told(outcome), HasSubstr("transport connection: "));
  EXPECT_EQ(*outcome.error.find("retryable"), Value(true));
  secrets_.known["db"] = "what is this";
  EXPECT_EQ(answer(query("select 1")),
            "authorization secret_refused: the secret that 'connection' names is no connection string of PostgreSQL");
}

TEST_F(Postgres, ThePasswordDoesNotComeBack) {
  EXPECT_EQ(answer(query("select 'it is pa55word' as told")), R"({"rows":[{"told":"it is ***"}],"rowcount":1})");
  EXPECT_EQ(answer(query("select * from pa55word")), "transport sql_42P01: relation \"***\" does not exist");
}

TEST_F(Postgres, TimeAndCancellationEndAQueryOnTheServerToo) {
  deadline_in(std::chrono::milliseconds(200));
  EXPECT_EQ(answer(query("select pg_sleep(600) /* first */")), "timeout timeout: the query did not end in time");
  call_.deadline.reset();
  std::stop_source source;
  call_.stop = source.get_token();
  std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    source.request_stop();
  });
  EXPECT_EQ(answer(query("select pg_sleep(600) /* second */")), "transport cancelled: nobody waits for this any more");
  call_.stop = {};
  const Value running =
      query("select count(*) as n from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'");
  std::string left;
  for (int i = 0; i < 500; ++i) {
    left = answer(running);
    if (left == R"({"rows":[{"n":0}],"rowcount":1})") break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(left, R"({"rows":[{"n":0}],"rowcount":1})");
}

TEST_F(Postgres, AResultThatIsTooLargeIsRefusedBeforeAllOfItIsHere) {
  call_.result_bytes = 1000;
  EXPECT_EQ(answer(query("select generate_series(1, 1000000000)")),
            "transport size: what the query gives is larger than 1000 bytes");
}

}  // namespace
}  // namespace stepwell
