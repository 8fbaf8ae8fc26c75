#include "stepwell/tools/sqlite.h"

#include <sqlite3.h>

#include "stepwell/tools/testing/temp_directory.h"
#include "stepwell/tools/testing/tool_test.h"

namespace stepwell {
namespace {

class Sqlite : public testing::ToolTest<SqliteTool> {
 protected:
  Sqlite() { secrets_.known["db"] = directory_.file("orders-s3cret.db"); }

  Value query(std::string_view text, std::string_view params = "[]") {
    return Value::map({{"connection", "db"}, {"query", Value(text)}, {"params", testing::json(params)}});
  }

  testing::TempDirectory directory_;
};

constexpr std::string_view kEndlessQuery =
    "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n";

TEST_F(Sqlite, GivesRowsAndHowManyChanged) {
  EXPECT_EQ(answer(query("create table t (id integer primary key, name text, price real)")),
            R"({"rows":[],"rowcount":0})");
  EXPECT_EQ(answer(query("insert into t (name, price) values (?, ?), ('b', 2)", R"(["a", 1.5])")),
            R"({"rows":[],"rowcount":2})");
  EXPECT_EQ(answer(query("select * from t order by id")),
            R"({"rows":[{"id":1,"name":"a","price":1.5},{"id":2,"name":"b","price":2.0}],"rowcount":2})");
  EXPECT_EQ(answer(query("update t set price = 0")), R"({"rows":[],"rowcount":2})");
  EXPECT_EQ(answer(query("delete from t where id = 1 returning name")), R"({"rows":[{"name":"a"}],"rowcount":1})");
}

TEST_F(Sqlite, ParametersAreBoundAndNeverSpliced) {
  EXPECT_EQ(answer(query("select ? as a, ? as b, ? as c, ? as d, ? as e",
                         R"(["'; drop table t", null, true, [1], {"k": 2}])")),
            R"({"rows":[{"a":"'; drop table t","b":null,"c":1,"d":"[1]","e":"{\"k\":2}"}],"rowcount":1})");
  EXPECT_EQ(answer(query("select ?", "[]")), "expression type: the query takes 1 parameters, and 'params' has 0");
}

TEST_F(Sqlite, BytesAreNotGuessedAt) {
  EXPECT_EQ(answer(query("select x'fffe' as b, cast('t' as blob) as t")),
            R"({"rows":[{"b":{"base64":"//4="},"t":"t"}],"rowcount":1})");
}

TEST_F(Sqlite, ErrorsSayWhatTheDatabaseSays) {
  EXPECT_EQ(answer(query("select * from missing")), "transport sql_error: no such table: missing");
  answer(query("create table t (id integer primary key)"));
  answer(query("insert into t values (1)"));
  EXPECT_EQ(answer(query("insert into t values (1)")), "transport sql_constraint: UNIQUE constraint failed: t.id");
  EXPECT_EQ(answer(query("select 1; drop table t")), "expression type: 'query' of sqlite must be one statement");
  secrets_.known["db"] = directory_.file("no/such/place");
  EXPECT_EQ(answer(query("select 1")), "transport connection: unable to open database file");
}

TEST_F(Sqlite, TheConnectionIsASecret) {
  EXPECT_EQ(answer(R"({"connection": "other", "query": "select 1"})"),
            "authorization secret_refused: there is no secret 'other'");
  const std::string seen = answer(query("select file as f from pragma_database_list where name = 'main'"));
  EXPECT_EQ(seen, R"({"rows":[{"f":"***"}],"rowcount":1})");
}

TEST_F(Sqlite, TimeAndCancellationEndAQuery) {
  deadline_in(std::chrono::milliseconds(50));
  EXPECT_EQ(answer(query(kEndlessQuery)), "timeout timeout: the query did not end in time");
  call_.deadline.reset();
  std::stop_source source;
  call_.stop = source.get_token();
  std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    source.request_stop();
  });
  EXPECT_EQ(answer(query(kEndlessQuery)), "transport cancelled: nobody waits for this any more");
}

TEST_F(Sqlite, ALockedDatabaseIsWaitedForAndThenRetryable) {
  answer(query("create table t (id integer)"));
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(secrets_.known["db"].c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "begin exclusive", nullptr, nullptr, nullptr), SQLITE_OK);
  deadline_in(std::chrono::milliseconds(100));
  const TaskOutcome outcome = run(query("insert into t values (1)"));
  EXPECT_EQ(told(outcome), "transport connection: database is locked");
  EXPECT_EQ(*outcome.error.find("retryable"), Value(true));
  sqlite3_close(other);
}

TEST_F(Sqlite, AResultThatIsTooLargeIsRefused) {
  call_.result_bytes = 1000;
  EXPECT_EQ(answer(query("with recursive n(i) as (select 1 union all select i + 1 from n) select i from n")),
            "transport size: what the query gives is larger than 1000 bytes");
}

}  // namespace
}  // namespace stepwell
