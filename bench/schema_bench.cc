#include <cmath>

#include <benchmark/benchmark.h>

#include "stepwell/base/check.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/schema.h"

#include "timing.h"

// A typical order against a typical schema, beside a C++ function that checks the same rules by hand.
namespace stepwell {
namespace {

constexpr const char* kSchema = R"({
  "type": "object",
  "required": ["id", "customer", "lines", "currency"],
  "additionalProperties": false,
  "properties": {
    "id": {"type": "string", "minLength": 3, "maxLength": 20},
    "currency": {"enum": ["EUR", "USD", "GBP"]},
    "customer": {
      "type": "object",
      "required": ["name", "email"],
      "properties": {"name": {"type": "string", "minLength": 1}, "email": {"type": "string"}, "vip": {"type": "boolean"}}
    },
    "lines": {"type": "array", "minItems": 1, "maxItems": 100, "items": {"$ref": "#/definitions/line"}},
    "note": {"type": ["string", "null"]}
  },
  "definitions": {
    "line": {
      "type": "object",
      "required": ["sku", "quantity", "price"],
      "properties": {
        "sku": {"type": "string", "minLength": 1},
        "quantity": {"type": "integer", "minimum": 1, "maximum": 1000},
        "price": {"type": "number", "exclusiveMinimum": 0}
      }
    }
  }
})";

constexpr const char* kOrder = R"({
  "id": "order-2024-0017", "currency": "EUR", "note": null,
  "customer": {"name": "Ada Lovelace", "email": "ada@example.com", "vip": true},
  "lines": [
    {"sku": "tea-green-100", "quantity": 2, "price": 7.5}, {"sku": "cup", "quantity": 4, "price": 3.25},
    {"sku": "pot-cast-iron-large", "quantity": 1, "price": 49.9}, {"sku": "filter", "quantity": 10, "price": 0.2},
    {"sku": "honey", "quantity": 1, "price": 6}
  ]
})";

std::size_t code_points(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (c & 0xc0) != 0x80;
  return count;
}

bool text_of_length(const Value* value, std::size_t least, std::size_t most) {
  if (!value || !value->is_text()) return false;
  const std::size_t length = code_points(value->as_text());
  return length >= least && length <= most;
}

bool is_integer(const Value& value) {
  return value.is_int() || (value.is_real() && std::floor(value.as_real()) == value.as_real());
}

double number(const Value& value) { return value.is_int() ? static_cast<double>(value.as_int()) : value.as_real(); }

bool line_fits(const Value& line) {
  if (!line.is_map() || !text_of_length(line.find("sku"), 1, SIZE_MAX)) return false;
  const Value* quantity = line.find("quantity");
  if (!quantity || !is_integer(*quantity) || number(*quantity) < 1 || number(*quantity) > 1000) return false;
  const Value* price = line.find("price");
  return price && (price->is_int() || price->is_real()) && number(*price) > 0;
}

bool customer_fits(const Value* customer) {
  if (!customer || !customer->is_map() || !text_of_length(customer->find("name"), 1, SIZE_MAX)) return false;
  if (!text_of_length(customer->find("email"), 0, SIZE_MAX)) return false;
  const Value* vip = customer->find("vip");
  return !vip || vip->is_bool();
}

bool order_fits(const Value& order) {
  if (!order.is_map()) return false;
  for (const Member& member : order.as_map()) {
    const std::string_view key = member.key();
    if (key != "id" && key != "currency" && key != "customer" && key != "lines" && key != "note") return false;
  }
  if (!text_of_length(order.find("id"), 3, 20) || !customer_fits(order.find("customer"))) return false;
  const Value* currency = order.find("currency");
  if (!currency || !currency->is_text()) return false;
  const std::string_view code = currency->as_text();
  if (code != "EUR" && code != "USD" && code != "GBP") return false;
  const Value* note = order.find("note");
  if (note && !note->is_null() && !note->is_text()) return false;
  const Value* lines = order.find("lines");
  if (!lines || !lines->is_list() || lines->as_list().empty() || lines->as_list().size() > 100) return false;
  for (const Value& line : lines->as_list()) {
    if (!line_fits(line)) return false;
  }
  return true;
}

void by_schema(benchmark::State& state) {
  const Value order = parse_json(kOrder).value();
  const Schema schema = Schema::compile(parse_json(kSchema).value()).value();
  CHECK(order_fits(order) && schema.accepts(order));
  beside(
      state, [&] { benchmark::DoNotOptimize(schema.accepts(order)); },
      [&] { benchmark::DoNotOptimize(order_fits(order)); });
}
BENCHMARK(by_schema)->UseManualTime();

void one_violation_reported(benchmark::State& state) {
  const Value order = parse_json(R"({"id": "x-1", "currency": "EUR", "customer": {"name": "A", "email": ""},
                                     "lines": [{"sku": "a", "quantity": 0, "price": 1}]})")
                          .value();
  const Schema schema = Schema::compile(parse_json(kSchema).value()).value();
  CHECK(schema.validate(order).size() == 1);
  for (auto _ : state) benchmark::DoNotOptimize(schema.validate(order));
}
BENCHMARK(one_violation_reported);

void compile_schema(benchmark::State& state) {
  const Value schema = parse_json(kSchema).value();
  for (auto _ : state) benchmark::DoNotOptimize(Schema::compile(schema));
}
BENCHMARK(compile_schema);

}  // namespace
}  // namespace stepwell

BENCHMARK_MAIN();
