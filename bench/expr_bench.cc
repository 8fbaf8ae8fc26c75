// What an expression costs beside the same thing written by hand in C++ on the same value. `allocs` are the allocations
// of one evaluation.

#include <array>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/expr/compiler.h"
#include "stepwell/expr/evaluator.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/json_read.h"

#include "allocations.h"
#include "timing.h"

namespace stepwell {
namespace {

const Value& ctx() {
  static const Value value = *parse_json(R"({
    "customer": {"name": "Ada Lovelace", "risk": 2, "vip": true},
    "order": {"id": "order-20261115-17", "total": 1249.5, "currency": "EUR", "blocked": false, "count": 3},
    "history": [{"at": "2026-11-14T10:00:00Z", "what": "created"}, {"at": "2026-11-14T10:05:00Z", "what": "checked"}],
    "region": "north", "attempts": 1})");
  return value;
}

constexpr std::string_view kGuard =
    "ctx.order.total > 100 and ctx.order.currency == 'EUR' and ctx.customer.risk < 3 and not ctx.order.blocked";

bool guard_by_hand(const Value& root) {
  const Value* order = root.find("order");
  const Value* customer = root.find("customer");
  return order->find("total")->as_real() > 100 && order->find("currency")->as_text() == "EUR" &&
         customer->find("risk")->as_int() < 3 && !order->find("blocked")->as_bool();
}

constexpr std::string_view kTemplate =
    "Order {{ ctx.order.id }} of {{ ctx.customer.name }}: {{ ctx.order.count }} lines, {{ ctx.order.total }} "
    "{{ ctx.order.currency }}";

std::string template_by_hand(const Value& root) {
  const Value* order = root.find("order");
  return fmt::format("Order {} of {}: {} lines, {} {}", order->find("id")->as_text(),
                     root.find("customer")->find("name")->as_text(), order->find("count")->as_int(),
                     order->find("total")->as_real(), order->find("currency")->as_text());
}

void measure(benchmark::State& state, std::string_view source, const Input& input, const Value& expected, auto floor) {
  const auto program = compile_template(source);
  CHECK(program.has_value());
  Ambient ambient;
  const std::array inputs = {input};
  CHECK(evaluate(*program, inputs, ambient) == expected);

  const std::size_t before = allocations();
  benchmark::DoNotOptimize(evaluate(*program, inputs, ambient));
  const std::size_t allocated = allocations() - before;
  beside(state, [&] { benchmark::DoNotOptimize(evaluate(*program, inputs, ambient)); }, floor);
  state.counters["allocs"] = static_cast<double>(allocated);
}

const std::string kGuardSource = fmt::format("{{{{ {} }}}}", kGuard);

void guard(benchmark::State& state) {
  measure(state, kGuardSource, ctx(), true, [] { benchmark::DoNotOptimize(guard_by_hand(ctx())); });
}

void guard_over_bytes(benchmark::State& state) {
  const std::string bytes = encode_cbor(ctx());
  measure(state, kGuardSource, EncodedView(bytes), true, [] { benchmark::DoNotOptimize(guard_by_hand(ctx())); });
}

void text(benchmark::State& state) {
  measure(state, kTemplate, ctx(), template_by_hand(ctx()), [] { benchmark::DoNotOptimize(template_by_hand(ctx())); });
}

void compile_guard(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(compile_expression(kGuard));
}

BENCHMARK(guard)->Name("guard/program over a value")->UseManualTime();
BENCHMARK(guard_over_bytes)->Name("guard/program over canonical bytes")->UseManualTime();
BENCHMARK(text)->Name("template/program")->UseManualTime();
BENCHMARK(compile_guard)->Name("guard/compile");

}  // namespace
}  // namespace stepwell
BENCHMARK_MAIN();
