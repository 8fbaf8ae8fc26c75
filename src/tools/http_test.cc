#include "stepwell/tools/http.h"

#include <gmock/gmock.h>

#include "stepwell/tools/testing/http_server.h"
#include "stepwell/tools/testing/tool_test.h"

namespace stepwell {
namespace {

using testing::at;
using ::testing::HasSubstr;
using testing::HttpServer;
using ::testing::Not;

// A server that answers by the path: what it was asked, some status, a redirect, too much, or nothing.
class Http : public testing::ToolTest<HttpTool> {
 protected:
  std::string reply(const std::string& head, const std::string& body) {
    const std::size_t begin = head.find(' ') + 1;
    const std::string path = head.substr(begin, head.find(' ', begin) - begin);
    if (path.starts_with("/silent")) {
      if (on_silence_) on_silence_();
      return "";
    }
    if (path == "/json")
      return HttpServer::respond("200 OK", R"({"items": [1, 2]})", "Content-Type: application/json\r\n");
    if (path == "/broken") return HttpServer::respond("200 OK", "{", "Content-Type: application/json\r\n");
    if (path == "/busy") return HttpServer::respond("429 Too Many", "later", "Retry-After: 7\r\n");
    if (path == "/bytes") return HttpServer::respond("200 OK", "\xff\xfe");
    if (path == "/twice") return HttpServer::respond("200 OK", "", "X-A: 1\r\nx-a: 2\r\n");
    if (path == "/moved") return HttpServer::respond("302 Found", "gone", "Location: /json\r\nX-Old: 1\r\n");
    if (path == "/round") return HttpServer::respond("302 Found", "", "Location: /round\r\n");
    if (path == "/away") return HttpServer::respond("302 Found", "", "Location: http://169.254.169.254/\r\n");
    if (path == "/file") return HttpServer::respond("302 Found", "", "Location: file:///etc/passwd\r\n");
    if (path == "/cut") return "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort";
    if (path == "/large") return HttpServer::respond("200 OK", std::string(5000, 'x'));
    if (path.starts_with("/status/")) return HttpServer::respond(path.substr(8) + " Said", "why not");
    return HttpServer::respond("200 OK", head + body);
  }

  Value request(const std::string& path, std::vector<Member> fields = {}) {
    fields.push_back({"url", Value(server_.url(path))});
    return Value::map(std::move(fields));
  }
  // What the server was asked.
  std::string asked(const std::string& path, std::vector<Member> fields = {}) {
    const TaskOutcome outcome = run(request(path, std::move(fields)));
    EXPECT_TRUE(outcome.ok) << told(outcome);
    return std::string(outcome.result.find("data")->as_text());
  }

  std::function<void()> on_silence_;
  HttpServer server_{[this](const auto& head, const auto& body) { return reply(head, body); }};
};

TEST_F(Http, GivesStatusHeadersAndData) {
  const TaskOutcome outcome = run(request("/json"));
  EXPECT_EQ(to_json(*outcome.result.find("data")), R"({"items":[1,2]})");
  EXPECT_EQ(*outcome.result.find("status"), Value(200));
  EXPECT_EQ(*outcome.result.find("headers")->find("content-type"), Value("application/json"));
  EXPECT_EQ(*outcome.http.find("status"), Value(200));
}

TEST_F(Http, SendsWhatTheFieldsSay) {
  const std::string seen =
      asked("/a?x=1#part", {{"method", "PUT"},
                            {"query", testing::json(R"({"q": "a b&c", "n": [1, 2], "no": null})")},
                            {"headers", testing::json(R"({"X-One": "1", "X-Two": 2, "X-Empty": ""})")},
                            {"body", "the body"}});
  EXPECT_THAT(seen, HasSubstr("PUT /a?x=1&n=1&n=2&q=a%20b%26c HTTP/1.1\r\n"));
  EXPECT_THAT(seen, HasSubstr("X-One: 1\r\n"));
  EXPECT_THAT(seen, HasSubstr("X-Two: 2\r\n"));
  EXPECT_THAT(seen, HasSubstr("X-Empty:\r\n"));
  EXPECT_THAT(seen, HasSubstr("Idempotency-Key: key-1\r\n"));
  EXPECT_THAT(seen, ::testing::EndsWith("\r\nthe body"));
}

TEST_F(Http, SendsJsonByPost) {
  const std::string seen = asked("/a", {{"json", testing::json(R"({"a": [1]})")}});
  EXPECT_THAT(seen, ::testing::StartsWith("POST /a "));
  EXPECT_THAT(seen, HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_THAT(seen, ::testing::EndsWith("{\"a\":[1]}"));
  EXPECT_THAT(asked("/a"), ::testing::StartsWith("GET /a "));
  EXPECT_THAT(asked("/a", {{"method", "DELETE"}}), ::testing::StartsWith("DELETE /a "));
}

TEST_F(Http, AHeadRequestHasNoData) {
  EXPECT_EQ(at(run(request("/json", {{"method", "HEAD"}})).result, "data"), Value());
}

TEST_F(Http, OtherStatusesAreErrorsWithWhatTheyBrought) {
  const TaskOutcome outcome = run(request("/status/503"));
  EXPECT_EQ(told(outcome), "transport http_503: GET " + server_.url("/status/503") + " answered 503");
  EXPECT_EQ(*outcome.error.find("retryable"), Value(true));
  EXPECT_EQ(*outcome.error.find("code"), Value(503));
  EXPECT_EQ(*outcome.error.find("details")->find("data"), Value("why not"));
  EXPECT_EQ(*outcome.http.find("status"), Value(503));
  EXPECT_EQ(at(run(request("/status/404")).error, "retryable"), Value(false));
  EXPECT_THAT(answer(request("/status/401")), HasSubstr("authorization http_401"));
  EXPECT_THAT(answer(request("/status/403")), HasSubstr("authorization http_403"));
}

TEST_F(Http, TellsHowLongToWait) {
  const TaskOutcome outcome = run(request("/busy"));
  EXPECT_EQ(*outcome.error.find("retry_after"), Value(7));
  EXPECT_EQ(*outcome.error.find("retryable"), Value(true));
}

TEST_F(Http, DataThatIsNoTextOrNoJsonIsNotGuessedAt) {
  EXPECT_EQ(to_json(at(run(request("/bytes")).result, "data")), R"({"base64":"//4="})");
  EXPECT_THAT(answer(request("/broken")), HasSubstr("transport json: the answer to GET"));
  EXPECT_EQ(at(run(request("/twice")).result, "headers.x-a"), Value("1, 2"));
}

TEST_F(Http, FollowsRedirectsUnlessToldNotTo) {
  const TaskOutcome outcome = run(request("/moved"));
  EXPECT_EQ(to_json(*outcome.result.find("data")), R"({"items":[1,2]})");
  EXPECT_EQ(outcome.result.find("headers")->find("x-old"), nullptr);
  EXPECT_THAT(answer(request("/moved", {{"follow", false}})), HasSubstr("transport http_302"));
  EXPECT_THAT(answer(request("/round")), HasSubstr("transport connection: GET"));
}

TEST_F(Http, LinkLocalAddressesAreRefusedHoweverTheyAreReached) {
  for (const char* url : {"http://169.254.169.254/latest", "http://[fe80::1]/", "http://[::ffff:169.254.1.1]/"}) {
    EXPECT_EQ(answer(Value::map({{"url", url}})), std::string("authorization address_refused: GET ") + url +
                                                      ": the address is link-local, and such are refused");
  }
  EXPECT_THAT(answer(request("/away")), HasSubstr("authorization address_refused"));
}

TEST_F(Http, OtherProtocolsAreRefused) {
  EXPECT_THAT(answer(R"({"url": "file:///etc/passwd"})"), HasSubstr("expression type: GET file:///etc/passwd"));
  EXPECT_THAT(answer(R"({"url": "not a url"})"), HasSubstr("expression type: GET not a url"));
  EXPECT_THAT(answer(request("/file")), Not(HasSubstr("root:")));
}

TEST_F(Http, ALostConnectionIsRetryable) {
  const TaskOutcome outcome = run(request("/cut"));
  EXPECT_THAT(told(outcome), HasSubstr("transport connection"));
  EXPECT_EQ(*outcome.error.find("retryable"), Value(true));
  EXPECT_THAT(answer(R"({"url": "http://127.0.0.1:1/"})"), HasSubstr("transport connection"));
  EXPECT_THAT(answer(R"({"url": "http://stepwell.invalid/"})"), HasSubstr("transport connection"));
}

TEST_F(Http, AnAnswerThatIsTooLargeIsCutOff) {
  call_.result_bytes = 4999;
  EXPECT_THAT(answer(request("/large")), HasSubstr("is larger than 4999 bytes"));
  call_.result_bytes = 5000;
  EXPECT_TRUE(run(request("/large")).ok);
}

TEST_F(Http, ItsTimeAndTheAttemptsTimeEndARequest) {
  EXPECT_THAT(answer(request("/silent", {{"timeout", "50ms"}})), HasSubstr("timeout timeout: GET"));
  deadline_in(std::chrono::milliseconds(50));
  EXPECT_THAT(answer(request("/silent")), HasSubstr("timeout timeout: GET"));
}

TEST_F(Http, CancellationEndsARequest) {
  std::stop_source source;
  call_.stop = source.get_token();
  on_silence_ = [&] { source.request_stop(); };
  EXPECT_THAT(answer(request("/silent")), HasSubstr("transport cancelled"));
  EXPECT_THAT(answer(request("/json")), HasSubstr("transport cancelled"));
}

TEST_F(Http, ManyRequestsWaitAtOnce) {
  constexpr int kMany = 50;
  std::atomic<int> ended = 0;
  std::stop_source source;
  call_.stop = source.get_token();
  call_.fields = request("/silent");
  std::atomic<int> silent = 0;
  on_silence_ = [&] {
    if (++silent == kMany) source.request_stop();
  };
  std::promise<void> all;
  for (int i = 0; i < kMany; ++i) {
    tool().start(call_, [&](const TaskOutcome&) {
      if (++ended == kMany) all.set_value();
    });
  }
  EXPECT_EQ(all.get_future().wait_for(testing::kPatience), std::future_status::ready);
}

TEST_F(Http, ItsEndEndsWhatIsOpen) {
  auto tool = std::make_unique<HttpTool>();
  std::promise<TaskOutcome> promise;
  std::promise<void> waiting;
  on_silence_ = [&] { waiting.set_value(); };
  call_.fields = request("/silent");
  tool->start(call_, [&](TaskOutcome outcome) { promise.set_value(std::move(outcome)); });
  waiting.get_future().wait();
  tool.reset();
  EXPECT_THAT(told(promise.get_future().get()), HasSubstr("cancelled"));
}

TEST_F(Http, ASecretAuthorizesAndDoesNotComeBack) {
  secrets_.known = {{"token", "t0ken"}, {"login", "me:pa55"}, {"ready", "Custom abc123"}};
  // What the server saw is checked by what the tool would show without the redaction.
  auto raw = [&](const char* name) {
    call_.fields = request("/a", {{"auth", name}});
    const Value data = at(testing::outcome_of(tool(), call_).result, "data");
    return std::string(data.as_text());
  };
  EXPECT_THAT(raw("token"), HasSubstr("Authorization: Bearer t0ken\r\n"));
  EXPECT_THAT(raw("login"), HasSubstr("Authorization: Basic bWU6cGE1NQ==\r\n"));
  EXPECT_THAT(raw("ready"), HasSubstr("Authorization: Custom abc123\r\n"));
  for (const char* name : {"token", "login", "ready"}) {
    const std::string seen = asked("/a?key=t0ken", {{"auth", name}});
    for (const char* secret : {"t0ken", "pa55", "bWU6cGE1NQ==", "abc123"}) EXPECT_THAT(seen, Not(HasSubstr(secret)));
  }
  EXPECT_EQ(answer(request("/a", {{"auth", "none"}})), "authorization secret_refused: there is no secret 'none'");
  EXPECT_THAT(answer(request("/status/500?k=t0ken")), Not(HasSubstr("t0ken")));
}

TEST_F(Http, FieldsThatDoNotFitAreNamed) {
  EXPECT_EQ(answer(R"({"url": 5})"), "expression type: 'url' of tool must be text, not integer");
  EXPECT_EQ(answer(request("/a", {{"method", "STEAL"}})),
            "expression type: 'method' of tool must be one of GET POST PUT PATCH DELETE HEAD OPTIONS, not text");
  EXPECT_EQ(answer(request("/a", {{"headers", Value::map({{"X", "a\r\nY: b"}})}})),
            "expression type: a header of http cannot hold a line break");
}

}  // namespace
}  // namespace stepwell
