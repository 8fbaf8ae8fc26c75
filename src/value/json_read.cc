#include "stepwell/value/json_read.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <boost/json/basic_parser_impl.hpp>

#include "stepwell/base/decimal.h"
#include "stepwell/base/utf8.h"
#include "stepwell/value/json_explain.h"
#include "stepwell/value/json_write.h"

namespace stepwell {
namespace {

namespace bj = boost::json;

// A key with its place among all keys of the text, by which an error finds it again.
struct Key {
  Value name;
  std::size_t number = 0;
};

struct Entry {
  Key key;
  Value value;
};

bool by_name(const Entry& a, const Entry& b) {
  if (a.key.name == b.key.name) return a.key.number < b.key.number;
  return canonical_key_less(a.key.name.as_text(), b.key.name.as_text());
}

// In quotes, short, and on one line whatever the key contains.
std::string quoted(std::string_view key) {
  std::string text;
  append_json_text(text, utf8::cut(key, 60));
  text.front() = text.back() = '\'';
  return text;
}

// Builds the value bottom-up from Boost's events. The whole text is one buffer, so a number arrives in one piece that
// points into it; only strings with escapes come in parts.
class Builder {
 public:
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  explicit Builder(std::string_view text) : text_(text) {}

  Value take() { return std::move(values_.front()); }
  std::optional<JsonError> take_error() { return std::move(error_); }

  bool on_document_begin(bj::error_code&) { return true; }
  bool on_document_end(bj::error_code&) { return true; }
  bool on_array_begin(bj::error_code&) { return true; }
  bool on_object_begin(bj::error_code&) { return true; }

  bool on_array_end(std::size_t count, bj::error_code&) {
    const auto first = values_.end() - static_cast<std::ptrdiff_t>(count);
    std::vector<Value> items(std::make_move_iterator(first), std::make_move_iterator(values_.end()));
    values_.erase(first, values_.end());
    return add(Value::list(std::move(items)));
  }

  bool on_object_end(std::size_t count, bj::error_code& ec) {
    take_entries(count);
    std::sort(entries_.begin(), entries_.end(), by_name);
    auto same = [](const Entry& a, const Entry& b) { return a.key.name == b.key.name; };
    const auto twice = std::adjacent_find(entries_.begin(), entries_.end(), same);
    if (twice != entries_.end()) {
      return fail(JsonErrorCode::duplicate_key, find_json_key(text_, std::next(twice)->key.number),
                  "duplicate key " + quoted(twice->key.name.as_text()), ec);
    }
    std::vector<Member> members;
    members.reserve(count);
    for (Entry& entry : entries_) members.push_back({std::move(entry.key.name), std::move(entry.value)});
    return add(Value::map(std::move(members)));
  }

  bool on_key_part(bj::string_view part, std::size_t, bj::error_code&) { return keep(part); }
  bool on_key(bj::string_view part, std::size_t, bj::error_code&) {
    keys_.push_back({.name = whole_text(part), .number = keys_seen_++});
    return true;
  }
  bool on_string_part(bj::string_view part, std::size_t, bj::error_code&) { return keep(part); }
  bool on_string(bj::string_view part, std::size_t, bj::error_code&) { return add(whole_text(part)); }

  bool on_number_part(bj::string_view, bj::error_code&) { return true; }
  bool on_int64(std::int64_t integer, bj::string_view, bj::error_code&) { return add(integer); }
  bool on_uint64(std::uint64_t, bj::string_view number, bj::error_code& ec) { return refuse_integer(number, ec); }
  bool on_double(double, bj::string_view number, bj::error_code& ec) {
    // Boost takes an integer beyond 64 bits for a double, and is off by one unit in the last place now and then.
    if (number.find_first_of(".eE") == bj::string_view::npos) return refuse_integer(number, ec);
    const double exact = read_decimal({number.data(), number.size()});
    if (std::isinf(exact)) {
      return fail(JsonErrorCode::number_out_of_range, offset_of(number), "this number is too large for a double", ec);
    }
    return add(exact);
  }

  bool on_bool(bool boolean, bj::error_code&) { return add(boolean); }
  bool on_null(bj::error_code&) { return add(nullptr); }
  bool on_comment_part(bj::string_view, bj::error_code&) { return true; }
  bool on_comment(bj::string_view, bj::error_code&) { return true; }

 private:
  bool add(Value value) {
    values_.push_back(std::move(value));
    return true;
  }

  // Inner maps have taken theirs, so the last keys and the last values belong together.
  void take_entries(std::size_t count) {
    const std::size_t first_key = keys_.size() - count;
    const std::size_t first_value = values_.size() - count;
    entries_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      entries_.push_back({std::move(keys_[first_key + i]), std::move(values_[first_value + i])});
    }
    keys_.resize(first_key);
    values_.resize(first_value);
  }

  std::size_t offset_of(bj::string_view token) const { return static_cast<std::size_t>(token.data() - text_.data()); }

  bool keep(bj::string_view part) {
    parts_.append(part.data(), part.size());
    return true;
  }

  Value whole_text(bj::string_view part) {
    if (parts_.empty()) return Value(std::string_view(part.data(), part.size()));
    parts_.append(part.data(), part.size());
    Value whole(parts_);
    parts_.clear();
    return whole;
  }

  bool refuse_integer(bj::string_view number, bj::error_code& ec) {
    return fail(JsonErrorCode::integer_out_of_range, offset_of(number), "this integer does not fit 64 bits", ec);
  }

  bool fail(JsonErrorCode code, std::size_t offset, std::string message, bj::error_code& ec) {
    error_ = json_error(text_, code, offset, std::move(message));
    ec = bj::make_error_code(bj::error::exception);
    return false;
  }

  std::string_view text_;
  std::vector<Value> values_;   // those whose container is still open
  std::vector<Key> keys_;       // the same of keys
  std::vector<Entry> entries_;  // of the map that is being closed
  std::string parts_;           // of the string that is being read
  std::size_t keys_seen_ = 0;
  std::optional<JsonError> error_;
};

JsonError explain(std::string_view text, bj::error_code ec, std::size_t stopped_at, const JsonLimits& limits) {
  switch (static_cast<bj::error>(ec.value())) {
    case bj::error::too_deep:
      return json_error(text, JsonErrorCode::too_deep, stopped_at,
                        "nested deeper than " + std::to_string(limits.depth) + " levels");
    case bj::error::exponent_overflow: {
      const std::size_t start = text.find_last_not_of("+-.0123456789eE", stopped_at) + 1;  // npos + 1 == 0
      return json_error(text, JsonErrorCode::number_out_of_range, start, "the exponent of this number is too large");
    }
    case bj::error::incomplete: return explain_json_fault(text, JsonFault::incomplete, stopped_at);
    case bj::error::extra_data: return explain_json_fault(text, JsonFault::trailing_text, stopped_at);
    default: return explain_json_fault(text, JsonFault::syntax, stopped_at);
  }
}

}  // namespace

std::expected<Value, JsonError> parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes) {
    return std::unexpected(json_error(text, JsonErrorCode::too_long, limits.bytes,
                                      "longer than " + std::to_string(limits.bytes) + " bytes"));
  }
  bj::parse_options options;
  options.max_depth = std::min(limits.depth, limits::kValueDepth);
  bj::basic_parser<Builder> parser(options, text);
  bj::error_code ec;
  std::size_t stopped_at = parser.write_some(false, text.data(), text.size(), ec);
  if (!ec && stopped_at < text.size()) ec = bj::make_error_code(bj::error::extra_data);
  if (!ec) return parser.handler().take();
  if (std::optional<JsonError> refused = parser.handler().take_error()) return std::unexpected(*std::move(refused));
  return std::unexpected(explain(text, ec, stopped_at, limits));
}

}  // namespace stepwell
