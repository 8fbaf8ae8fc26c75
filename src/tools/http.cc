#include "stepwell/tools/http.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "stepwell/base/check.h"
#include "stepwell/base/version.h"
#include "stepwell/tools/http_request.h"
#include "stepwell/tools/tool_error.h"

namespace stepwell {
namespace {

using std::chrono::steady_clock;

bool is_link_local(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    const auto* four = reinterpret_cast<const sockaddr_in*>(address);
    return (ntohl(four->sin_addr.s_addr) >> 16) == 0xA9FE;  // 169.254.0.0/16
  }
  if (address->sa_family != AF_INET6) return false;
  const in6_addr& six = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
  const bool mapped = IN6_IS_ADDR_V4MAPPED(&six);
  return IN6_IS_ADDR_LINKLOCAL(&six) || (mapped && six.s6_addr[12] == 0xA9 && six.s6_addr[13] == 0xFE);
}

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
struct FreeEasy {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};

// One request on its way. Lives where it is: libcurl has its address.
class Transfer {
 public:
  Transfer(std::uint64_t number, HttpRequest request, bool allow_link_local, AsyncTool::Done done);

  std::uint64_t number() const { return number_; }
  CURL* easy() const { return easy_.get(); }
  // Tells what became of it.
  void finish(CURLcode code);
  void finish_stopped();

 private:
  static std::size_t take_body(char* bytes, std::size_t, std::size_t count, void* self);
  static std::size_t take_header(char* bytes, std::size_t, std::size_t count, void* self);
  static curl_socket_t open_socket(void* self, curlsocktype, curl_sockaddr* address);

  void set_up();
  void set_method();
  HttpResponse::Failure failure_of(CURLcode code) const;

  const std::uint64_t number_;
  HttpRequest request_;
  const bool allow_link_local_;
  AsyncTool::Done done_;
  HttpResponse response_;
  std::unique_ptr<CURL, FreeEasy> easy_;
  std::unique_ptr<curl_slist, FreeList> headers_;
  char why_[CURL_ERROR_SIZE] = "";
  bool too_large_ = false;
  bool refused_ = false;
};

Transfer::Transfer(std::uint64_t number, HttpRequest request, bool allow_link_local, AsyncTool::Done done)
    : number_(number),
      request_(std::move(request)),
      allow_link_local_(allow_link_local),
      done_(std::move(done)),
      easy_(curl_easy_init()) {
  CHECK(easy_);
  set_up();
}

void Transfer::set_up() {
  CURL* curl = easy_.get();
  curl_easy_setopt(curl, CURLOPT_PRIVATE, this);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why_);
  curl_easy_setopt(curl, CURLOPT_URL, request_.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, request_.follow ? 1L : 0L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, limits::kHttpRedirects);
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &Transfer::take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &Transfer::take_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, &Transfer::open_socket);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, this);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, fmt::format("stepwell/{}", version()).c_str());
  if (request_.deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*request_.deadline - steady_clock::now()).count();
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(std::max<std::int64_t>(left, 1)));
  }
  set_method();
}

void Transfer::set_method() {
  CURL* curl = easy_.get();
  curl_slist* list = nullptr;
  for (const auto& [name, value] : request_.headers) {
    // An empty value is written with a semicolon; with a colon it would take the header away.
    list = curl_slist_append(list, (value.empty() ? name + ";" : name + ": " + value).c_str());
  }
  // No waiting for a 100 Continue that many servers never send.
  list = curl_slist_append(list, "Expect:");
  headers_.reset(list);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list);
  if (request_.body) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body->size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request_.body->data());
  }
  if (request_.method == "HEAD") curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
  if (request_.method != "GET" || request_.body) curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
}

std::size_t Transfer::take_body(char* bytes, std::size_t, std::size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  if (count > transfer.request_.response_bytes - transfer.response_.body.size()) {
    transfer.too_large_ = true;
    return 0;
  }
  transfer.response_.body.append(bytes, count);
  return count;
}

// The headers of the last answer: those of a redirect are dropped when the next status line comes.
std::size_t Transfer::take_header(char* bytes, std::size_t, std::size_t count, void* self) {
  HttpResponse& response = static_cast<Transfer*>(self)->response_;
  std::string_view line(bytes, count);
  line = line.substr(0, line.find_last_not_of("\r\n") + 1);
  if (line.starts_with("HTTP/")) {
    response.headers.clear();
    response.body.clear();
    return count;
  }
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return count;
  std::string name(line.substr(0, colon));
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const std::size_t value = line.find_first_not_of(" \t", colon + 1);
  response.headers.emplace_back(std::move(name), value == line.npos ? "" : line.substr(value));
  return count;
}

// Here the address is known that a name leads to, whoever answered for the name.
curl_socket_t Transfer::open_socket(void* self, curlsocktype, curl_sockaddr* address) {
  auto& transfer = *static_cast<Transfer*>(self);
  if (!transfer.allow_link_local_ && is_link_local(&address->addr)) {
    transfer.refused_ = true;
    return CURL_SOCKET_BAD;
  }
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

HttpResponse::Failure Transfer::failure_of(CURLcode code) const {
  using Failure = HttpResponse::Failure;
  if (too_large_) return Failure::too_large;
  if (refused_) return Failure::refused_address;
  switch (code) {
    case CURLE_OK: return Failure::none;
    case CURLE_OPERATION_TIMEDOUT: return Failure::timeout;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return Failure::bad_request;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE: return Failure::tls;
    default: return Failure::connection;
  }
}

void Transfer::finish(CURLcode code) {
  response_.failure = failure_of(code);
  response_.reason = refused_          ? "the address is link-local, and such are refused"
                     : why_[0] != '\0' ? why_
                                       : curl_easy_strerror(code);
  long status = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  response_.status = static_cast<int>(status);
  done_(http_outcome(request_, std::move(response_)));
}

void Transfer::finish_stopped() { done_(stopped()); }

}  // namespace

// The thread that moves all transfers. Only it touches `multi_` and `moving_`.
class HttpTool::Loop {
 public:
  explicit Loop(HttpOptions options);
  ~Loop();

  void start(const ToolCall& call, Done done);

 private:
  struct Moving {
    std::unique_ptr<Transfer> transfer;
    std::optional<std::stop_callback<std::function<void()>>> stop;
  };
  struct Started {
    std::unique_ptr<Transfer> transfer;
    std::stop_token stop;
  };

  void run();
  void take_started();
  void take_stopped();
  void take_finished();
  void wake() { curl_multi_wakeup(multi_); }

  const HttpOptions options_;
  CURLM* multi_ = nullptr;
  std::map<std::uint64_t, Moving> moving_;

  std::atomic<std::uint64_t> last_number_ = 0;
  std::mutex mutex_;
  std::vector<Started> started_;
  std::vector<std::uint64_t> stopped_;
  bool closed_ = false;
  std::thread thread_;
};

HttpTool::Loop::Loop(HttpOptions options) : options_(options) {
  static const CURLcode kReady = curl_global_init(CURL_GLOBAL_DEFAULT);
  CHECK(kReady == CURLE_OK);
  multi_ = curl_multi_init();
  CHECK(multi_ != nullptr);
  thread_ = std::thread([this] { run(); });
}

HttpTool::Loop::~Loop() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  wake();
  thread_.join();
  for (auto& [number, moving] : moving_) {
    curl_multi_remove_handle(multi_, moving.transfer->easy());
    moving.stop.reset();
    moving.transfer->finish_stopped();
  }
  for (Started& started : started_) started.transfer->finish_stopped();
  moving_.clear();
  started_.clear();
  curl_multi_cleanup(multi_);
}

void HttpTool::Loop::start(const ToolCall& call, Done done) {
  auto request = http_request(call);
  if (!request) return done(std::move(request.error()));
  auto transfer =
      std::make_unique<Transfer>(++last_number_, std::move(*request), options_.allow_link_local, std::move(done));
  {
    const std::lock_guard lock(mutex_);
    started_.push_back({.transfer = std::move(transfer), .stop = call.stop});
  }
  wake();
}

void HttpTool::Loop::run() {
  while (true) {
    {
      const std::lock_guard lock(mutex_);
      if (closed_) return;
    }
    take_started();
    take_stopped();
    int running = 0;
    curl_multi_perform(multi_, &running);
    take_finished();
    curl_multi_poll(multi_, nullptr, 0, 60'000, nullptr);
  }
}

void HttpTool::Loop::take_started() {
  std::vector<Started> started;
  {
    const std::lock_guard lock(mutex_);
    started.swap(started_);
  }
  for (Started& each : started) {
    const std::uint64_t number = each.transfer->number();
    Moving& moving = moving_[number];
    moving.transfer = std::move(each.transfer);
    curl_multi_add_handle(multi_, moving.transfer->easy());
    moving.stop.emplace(std::move(each.stop), [this, number] {
      const std::lock_guard lock(mutex_);
      stopped_.push_back(number);
      wake();
    });
  }
}

void HttpTool::Loop::take_stopped() {
  std::vector<std::uint64_t> stopped;
  {
    const std::lock_guard lock(mutex_);
    stopped.swap(stopped_);
  }
  for (const std::uint64_t number : stopped) {
    const auto found = moving_.find(number);
    if (found == moving_.end()) continue;
    curl_multi_remove_handle(multi_, found->second.transfer->easy());
    found->second.transfer->finish_stopped();
    moving_.erase(found);
  }
}

void HttpTool::Loop::take_finished() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;
    Transfer* transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    const auto found = moving_.find(transfer->number());
    CHECK(found != moving_.end());
    curl_multi_remove_handle(multi_, transfer->easy());
    found->second.stop.reset();
    found->second.transfer->finish(code);
    moving_.erase(found);
  }
}

HttpTool::HttpTool(HttpOptions options) : options_(options) {}
HttpTool::~HttpTool() = default;

// Many processes never make a request; they pay for neither the thread nor the set-up of TLS.
void HttpTool::start(ToolCall call, Done done) {
  std::call_once(once_, [this] { loop_ = std::make_unique<Loop>(options_); });
  loop_->start(call, std::move(done));
}

}  // namespace stepwell
