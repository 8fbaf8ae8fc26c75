#include "stepwell/expr/filters_markup.h"

#include <fmt/format.h>

#include "stepwell/base/utf8.h"
#include "stepwell/expr/arguments.h"
#include "stepwell/expr/html_text.h"
#include "stepwell/expr/operators.h"
#include "stepwell/expr/text_of.h"
#include "stepwell/expr/text_parts.h"
#include "stepwell/expr/text_wrap.h"

namespace stepwell {
namespace {

// A reference takes five bytes at most for one, and a URL's escape three: asked for before it is made.
OrFault<std::string> text_to_escape(const Value& value, Budget& budget) {
  constexpr std::size_t kLongestReference = 5;
  auto text = text_of(value, budget);
  if (!text) return text;
  if (auto allowed = budget.spend_text(kLongestReference * text->size()); !allowed)
    return std::unexpected(allowed.error());
  return text;
}

enum class UrlPart : std::uint8_t { path, query };

std::string url_quoted(std::string_view text, UrlPart part) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || c == '_' || c == '.' || c == '-' || c == '~' || (c == '/' && part == UrlPart::path)) {
      out += c;
    } else if (c == ' ' && part == UrlPart::query) {
      out += '+';
    } else {
      ((out += '%') += kHex[byte >> 4]) += kHex[byte & 15];
    }
  }
  return out;
}

OrFault<void> append_pair(std::string& out, const Value& name, const Value& value, Budget& budget) {
  if (!out.empty()) out += '&';
  for (const Value* part : {&name, &value}) {
    const auto text = text_to_escape(*part, budget);
    if (!text) return std::unexpected(text.error());
    if (part == &value) out += '=';
    const std::string quoted = url_quoted(*text, UrlPart::query);
    if (auto allowed = budget.spend_append(out.size(), quoted.size()); !allowed) return allowed;
    out += quoted;
  }
  return {};
}

OrFault<Value> query_of_map(const Value& map, Budget& budget) {
  std::string out;
  for (const Member& member : map.as_map())
    if (auto done = append_pair(out, member.name, member.value, budget); !done) return std::unexpected(done.error());
  return Value(out);
}

OrFault<Value> query_of_pairs(const Value& list, Budget& budget) {
  std::string out;
  for (const Value& item : list.as_list()) {
    const auto pair = Items::of(item, budget);
    if (!pair) return std::unexpected(pair.error());
    if (pair->size() != 2) return wrong_kind("an item of urlencode", "a pair of name and value", item);
    if (auto done = append_pair(out, pair->view()[0], pair->view()[1], budget); !done)
      return std::unexpected(done.error());
  }
  return Value(out);
}

}  // namespace

OrFault<Value> filter_escape(Call& call) {
  const auto text = text_to_escape(call[0], call.budget);
  if (!text) return std::unexpected(text.error());
  return Value(html_escaped(*text));
}

OrFault<Value> filter_striptags(Call& call) {
  const auto text = text_to_escape(call[0], call.budget);
  if (!text) return std::unexpected(text.error());
  const std::string bare = without_tags(*text);
  const auto words = split_words(bare, -1, call.budget);
  if (!words) return std::unexpected(words.error());
  return Value(html_unescaped(fmt::format("{}", fmt::join(*words, " "))));
}

OrFault<Value> filter_urlencode(Call& call) {
  if (call[0].is_map()) return query_of_map(call[0], call.budget);
  if (call[0].is_list()) return query_of_pairs(call[0], call.budget);
  const auto text = text_to_escape(call[0], call.budget);
  if (!text) return std::unexpected(text.error());
  return Value(url_quoted(*text, UrlPart::path));
}

OrFault<Value> filter_wordwrap(Call& call) {
  const auto text = text_only(call[0], "the subject of wordwrap");
  if (!text) return std::unexpected(text.error());
  const auto width = whole_number_or(call, 1, "width", 79);
  if (!width) return std::unexpected(width.error());
  const Value newline_value = call.has(3) && !call[3].is_null() ? call[3] : Value("\n");
  const auto newline = text_only(newline_value, "wrapstring");
  if (!newline) return std::unexpected(newline.error());
  const std::vector<std::string_view> lines = split_lines(*text);
  if (*width <= 0 && !lines.empty())
    return fault(FaultCode::value, fmt::format("width must be above 0, not {}", *width));
  const WrapOptions options{.width = static_cast<std::size_t>(*width),
                            .break_long_words = flag_or(call, 2, true),
                            .split_at_hyphens = !call.has(4) || call[4] == Value(true),
                            .prefer_hyphens = flag_or(call, 4, true),
                            .newline = *newline};
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto wrapped = wrap_line(lines[i], options, call.budget);
    if (!wrapped) return std::unexpected(wrapped.error());
    const std::string_view between = i == 0 ? std::string_view() : *newline;
    if (auto allowed = call.budget.spend_append(out.size(), between.size() + wrapped->size()); !allowed)
      return std::unexpected(allowed.error());
    (out += between) += *wrapped;
  }
  return Value(out);
}

OrFault<Value> filter_xmlattr(Call& call) {
  if (!call[0].is_map()) return wrong_kind("the subject of xmlattr", "a map", call[0]);
  std::string out;
  for (const Member& member : call[0].as_map()) {
    if (member.value.is_null()) continue;
    if (member.key().find_first_of(" \t\n\v\f\r/>=") != std::string_view::npos)
      return fault(FaultCode::value, fmt::format("{} cannot be the name of an attribute", shown(member.name)));
    const auto name = text_to_escape(member.name, call.budget);
    if (!name) return std::unexpected(name.error());
    const auto value = text_to_escape(member.value, call.budget);
    if (!value) return std::unexpected(value.error());
    const std::string attribute = fmt::format("{}=\"{}\"", html_escaped(*name), html_escaped(*value));
    if (auto allowed = call.budget.spend_append(out.size(), attribute.size() + 1); !allowed)
      return std::unexpected(allowed.error());
    if (!out.empty() || flag_or(call, 1, true)) out += ' ';
    out += attribute;
  }
  return Value(out);
}

}  // namespace stepwell
