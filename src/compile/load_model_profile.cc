#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "stepwell/compile/load_kinds.h"
#include "stepwell/compile/scalars.h"

namespace stepwell {
namespace {

void load_limits(const Yaml& node, Canon& out, Diagnostics& diagnostics) {
  Fields fields(node, "limits", diagnostics);
  if (const Yaml* timeout = fields.take("timeout")) {
    const auto duration = duration_of(*timeout, "limits.timeout", diagnostics);
    if (duration && *duration == Duration()) {
      diagnostics.error(timeout->mark, "value-range", "limits.timeout must be longer than nothing");
    }
    if (duration) out.put("timeout", duration->micros());
  }
  for (const std::string_view key :
       {"input_tokens", "output_tokens", "requests_per_minute", "tokens_per_minute", "max_in_flight"}) {
    const Yaml* limit = fields.take(key);
    if (limit == nullptr) continue;
    out.put_if(key, integer_of(*limit, fmt::format("limits.{}", key), 1, kMaxInteger, diagnostics));
  }
  fields.finish();
}

// Three capitals, as in ISO 4217.
bool is_currency(std::string_view text) {
  return text.size() == 3 && std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

void prices(const Yaml& node, Canon& out, Diagnostics& diagnostics) {
  constexpr double kMost = 1e9;
  Fields fields(node, "prices", diagnostics);
  for (const std::string_view key : {"input", "output"}) {
    if (const Yaml* price = fields.need(key)) {
      out.put_if(key, real_of(*price, fmt::format("prices.{}", key), 0, kMost, diagnostics));
    }
  }
  const Yaml* currency = fields.take("currency");
  const auto word = currency == nullptr ? "USD" : text_of(*currency, "prices.currency", diagnostics);
  if (word && !is_currency(*word)) {
    diagnostics.error(currency->mark, "name-form", fmt::format("prices.currency cannot be '{}'", *word),
                      "a currency is three capitals, such as USD or EUR");
  }
  out.put_if("currency", word);
  fields.finish();
}

void check_url(const Yaml& node, std::string_view text, Diagnostics& diagnostics) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (text.starts_with(scheme) && text.size() > scheme.size()) return;
  }
  diagnostics.error(node.mark, "url", fmt::format("url cannot be '{}'", text),
                    "it begins with https:// or http://, followed by a host");
}

}  // namespace

void load_model_profile(Fields& root, Canon& out, Diagnostics& diagnostics) {
  static constexpr auto kWires = std::to_array<std::string_view>({"openai", "anthropic"});
  if (const Yaml* wire = root.need("wire")) out.put_if("wire", word_of(*wire, "wire", kWires, diagnostics));
  if (const Yaml* url = root.take("url")) {
    const auto text = text_of(*url, "url", diagnostics);
    if (text) check_url(*url, *text, diagnostics);
    out.put_if("url", text);
  }
  if (const Yaml* auth = root.take("auth")) out.put_if("auth", name_of(*auth, "auth", diagnostics));
  if (const Yaml* model = root.need("model")) out.put_if("model", text_of(*model, "model", diagnostics));
  const Yaml* parameters = root.take("parameters");
  if (parameters != nullptr && !parameters->is_map()) wrong_kind(*parameters, "parameters", "a map", diagnostics);
  out.put("parameters", parameters == nullptr ? Value::map({}) : parameters->to_value());
  if (const Yaml* given = root.take("limits")) {
    Canon canon;
    load_limits(*given, canon, diagnostics);
    out.put("limits", canon.finish());
  }
  if (const Yaml* given = root.take("prices")) {
    Canon canon;
    prices(*given, canon, diagnostics);
    out.put("prices", canon.finish());
  }
  root.finish();
}

}  // namespace stepwell
