#include "stepwell/tools/http_request.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "stepwell/base/base64.h"
#include "stepwell/base/limits.h"
#include "stepwell/tools/call_fields.h"
#include "stepwell/tools/text_of_bytes.h"
#include "stepwell/tools/tool_error.h"
#include "stepwell/tools/used_secrets.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

namespace stepwell {
namespace {

constexpr std::string_view kMethods[] = {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"};

bool same_name(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

using Headers = std::vector<std::pair<std::string, std::string>>;

const std::string* find_header(const Headers& headers, std::string_view name) {
  const auto found = std::ranges::find_if(headers, [&](const auto& each) { return same_name(each.first, name); });
  return found == headers.end() ? nullptr : &found->second;
}

void add_header(Headers& headers, std::string_view name, std::string value) {
  if (find_header(headers, name) == nullptr) headers.emplace_back(name, std::move(value));
}

void append_encoded(std::string& out, std::string_view text) {
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || std::string_view("-._~").contains(c)) {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
}

// A list gives its name once for each item.
std::string with_query(std::string_view url, const Value& query, CallFields& fields) {
  const std::size_t fragment = url.find('#');
  std::string made(url.substr(0, fragment));
  auto add = [&](std::string_view name, const Value& value) {
    if (value.is_null()) return;
    if (value.is_list() || value.is_map())
      return fields.refuse("query", fmt::format("a map of texts ('{}' is none)", name));
    made += made.contains('?') ? '&' : '?';
    append_encoded(made, name);
    made += '=';
    append_encoded(made, value.is_text() ? std::string(value.as_text()) : to_json(value));
  };
  for (const Member& member : query.as_map()) {
    if (!member.value.is_list()) {
      add(member.key(), member.value);
      continue;
    }
    for (const Value& item : member.value.as_list()) add(member.key(), item);
  }
  return made;
}

// `Bearer ...` and the like are taken as they are; `user:password` is for Basic; anything else is a token.
std::string authorization(const std::string& secret, const UsedSecrets& secrets) {
  if (secret.contains(' ')) return secret;
  if (!secret.contains(':')) return "Bearer " + secret;
  const std::string encoded = to_base64(secret);
  secrets.remember(encoded);
  secrets.remember(std::string_view(secret).substr(secret.find(':') + 1));
  return "Basic " + encoded;
}

bool has_line_break(const Headers& headers) {
  auto breaks = [](const std::string& text) { return text.find_first_of(std::string_view("\r\n\0", 3)) != text.npos; };
  return std::ranges::any_of(headers, [&](const auto& each) { return breaks(each.first) || breaks(each.second); });
}

bool is_json(const std::string* type) {
  if (type == nullptr) return false;
  const std::string_view media = std::string_view(*type).substr(0, type->find(';'));
  return media.starts_with("application/json") || media.ends_with("+json");
}

// Seconds; the other form, a date, would need a clock that both sides agree on.
std::optional<std::int64_t> retry_after_of(const Headers& headers) {
  const std::string* text = find_header(headers, "retry-after");
  std::int64_t seconds = 0;
  if (text == nullptr) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), seconds);
  if (error != std::errc() || end != text->data() + text->size() || seconds < 0) return std::nullopt;
  return seconds;
}

Value header_map(const Headers& headers) {
  std::vector<Member> members;
  for (const auto& [name, value] : headers) {
    const std::string text = text_of_bytes(value);
    const auto same = std::ranges::find_if(members, [&](const Member& each) { return each.key() == name; });
    if (same == members.end()) {
      members.push_back({Value(text_of_bytes(name)), Value(text)});
    } else {
      same->value = Value(fmt::format("{}, {}", same->value.as_text(), text));
    }
  }
  return Value::map(std::move(members));
}

TaskOutcome travel_failure(const HttpRequest& request, const HttpResponse& response) {
  using Failure = HttpResponse::Failure;
  const std::string message = fmt::format("{} {}: {}", request.method, request.url, response.reason);
  switch (response.failure) {
    case Failure::none:
    case Failure::connection: break;
    case Failure::tls: return failed({.kind = "tls", .message = message});
    case Failure::timeout: return timed_out(message);
    case Failure::refused_address:
      return failed({.error_class = error_class::kAuthorization, .kind = "address_refused", .message = message});
    case Failure::too_large:
      return too_large(fmt::format("the answer to {} {}", request.method, request.url), request.response_bytes);
    case Failure::stopped: return stopped();
    case Failure::bad_request: return wrong_field(message);
  }
  return failed({.kind = "connection", .message = message, .retryable = true});
}

TaskOutcome status_failure(const HttpRequest& request, int status, Value result,
                           std::optional<std::int64_t> retry_after) {
  const bool authorization = status == 401 || status == 403;
  TaskOutcome outcome = failed({.error_class = authorization ? error_class::kAuthorization : error_class::kTransport,
                                .kind = fmt::format("http_{}", status),
                                .message = fmt::format("{} {} answered {}", request.method, request.url, status),
                                .retryable = status == 429 || status >= 500,
                                .code = status,
                                .details = std::move(result)});
  if (retry_after) outcome.error = outcome.error.with("retry_after", *retry_after);
  return outcome;
}

}  // namespace

std::expected<HttpRequest, TaskOutcome> http_request(const ToolCall& call) {
  CallFields fields(call);
  HttpRequest request;
  request.url = with_query(fields.text("url"), fields.map("query"), fields);
  request.headers = fields.texts("headers");
  if (fields.find("body") != nullptr) request.body = fields.optional_text("body");
  if (const Value* json = fields.find("json")) {
    request.body = to_json(*json);
    add_header(request.headers, "Content-Type", "application/json");
  }
  request.method = fields.optional_text("method");
  if (request.method.empty()) request.method = request.body ? "POST" : "GET";
  if (std::ranges::count(kMethods, request.method) == 0)
    fields.refuse("method", fmt::format("one of {}", fmt::join(kMethods, " ")));
  request.follow = fields.boolean("follow", true);
  request.deadline = deadline_of(call, fields.duration("timeout"));
  request.response_bytes = call.result_bytes;
  const std::string_view auth = fields.optional_text("auth");
  if (auto wrong = fields.wrong()) return std::unexpected(std::move(*wrong));
  if (!auth.empty()) {
    const auto secret = call.secrets->find(auth);
    if (!secret) return std::unexpected(no_secret(auth));
    add_header(request.headers, "Authorization", authorization(*secret, *call.secrets));
  }
  add_header(request.headers, "Idempotency-Key", call.idempotency_key);
  if (has_line_break(request.headers)) return std::unexpected(wrong_field("a header of http cannot hold a line break"));
  return request;
}

TaskOutcome http_outcome(const HttpRequest& request, HttpResponse response) {
  if (response.failure != HttpResponse::Failure::none) return travel_failure(request, response);
  const bool ok = response.status >= 200 && response.status < 300;
  const Value headers = header_map(response.headers);
  Value data;
  if (!response.body.empty()) data = value_of_bytes(response.body);
  if (!response.body.empty() && is_json(find_header(response.headers, "content-type"))) {
    // With room for what is around it.
    auto json = parse_json(response.body, {.depth = limits::kDataDepth - 4, .bytes = limits::kDocumentBytes});
    if (!json && ok) {
      return failed({.kind = "json",
                     .message = fmt::format("the answer to {} {} should be JSON, and is none: {}", request.method,
                                            request.url, json.error().to_string())});
    }
    if (json) data = std::move(*json);
  }
  Value result = Value::map({{"status", response.status}, {"headers", headers}, {"data", std::move(data)}});
  TaskOutcome outcome =
      ok ? TaskOutcome{.result = std::move(result)}
         : status_failure(request, response.status, std::move(result), retry_after_of(response.headers));
  outcome.http = Value::map({{"status", response.status}, {"headers", headers}});
  return outcome;
}

}  // namespace stepwell
