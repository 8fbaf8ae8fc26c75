#include <cstring>

#include <benchmark/benchmark.h>
#include <boost/json/parse.hpp>
#include <openssl/evp.h>

#include "stepwell/base/crc32c.h"
#include "stepwell/base/sha256.h"
#include "stepwell/value/cbor_read.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/encoded.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

#include "timing.h"

namespace stepwell {
namespace {

// The counters of `beside`, and the bytes that ours gets through.
void compare(benchmark::State& state, std::size_t bytes, auto ours, auto floor) {
  beside(state, ours, floor);
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

// An order as a playbook would carry it: short keys, short texts, small numbers.
std::string order_json(int lines) {
  std::string text = R"({"order":{"id":"o-1837","customer":"Grete Hermann","paid":true,"total":1234.5,"lines":[)";
  for (int i = 0; i < lines; ++i) {
    if (i > 0) text += ',';
    text += R"({"sku":"a-)" + std::to_string(i) + R"(","name":"a thing with a longer name","price":19.99,"qty":)" +
            std::to_string(i % 7) + "}";
  }
  return text + "]}}";
}

void json_read_against_boost(benchmark::State& state) {
  const std::string text = order_json(static_cast<int>(state.range(0)));
  compare(
      state, text.size(), [&] { benchmark::DoNotOptimize(parse_json(text)); },
      [&] { benchmark::DoNotOptimize(boost::json::parse(text)); });
}
BENCHMARK(json_read_against_boost)->Arg(5)->Arg(500)->UseManualTime();

void json_write_against_copy(benchmark::State& state) {
  const Value value = *parse_json(order_json(static_cast<int>(state.range(0))));
  const std::string text = to_json(value);
  compare(
      state, text.size(), [&] { benchmark::DoNotOptimize(to_json(value)); },
      [&] { benchmark::DoNotOptimize(std::string(text)); });
}
BENCHMARK(json_write_against_copy)->Arg(5)->Arg(500)->UseManualTime();

void cbor_write_against_copy(benchmark::State& state) {
  const Value value = *parse_json(order_json(static_cast<int>(state.range(0))));
  const std::string bytes = encode_cbor(value);
  compare(
      state, bytes.size(), [&] { benchmark::DoNotOptimize(encode_cbor(value)); },
      [&] { benchmark::DoNotOptimize(std::string(bytes)); });
}
BENCHMARK(cbor_write_against_copy)->Arg(5)->Arg(500)->UseManualTime();

void cbor_read_against_json_read(benchmark::State& state) {
  const std::string text = order_json(static_cast<int>(state.range(0)));
  const std::string bytes = encode_cbor(*parse_json(text));
  compare(
      state, bytes.size(), [&] { benchmark::DoNotOptimize(decode_cbor(bytes)); },
      [&] { benchmark::DoNotOptimize(parse_json(text)); });
}
BENCHMARK(cbor_read_against_json_read)->Arg(5)->Arg(500)->UseManualTime();

// One member out of the bytes, against decoding them first.
void view_against_cbor_read(benchmark::State& state) {
  const std::string bytes = encode_cbor(*parse_json(order_json(static_cast<int>(state.range(0)))));
  compare(
      state, bytes.size(),
      [&] { benchmark::DoNotOptimize(EncodedView(bytes).find("order")->find("total")->as_real()); },
      [&] { benchmark::DoNotOptimize(decode_cbor(bytes)->find("order")); });
}
BENCHMARK(view_against_cbor_read)->Arg(5)->Arg(500)->UseManualTime();

// Against OpenSSL looking its algorithm up each time.
void sha256_against_unfetched(benchmark::State& state) {
  const std::string bytes(static_cast<std::size_t>(state.range(0)), 'x');
  unsigned char digest[32];
  compare(
      state, bytes.size(), [&] { benchmark::DoNotOptimize(sha256(bytes)); },
      [&] {
        EVP_Digest(bytes.data(), bytes.size(), digest, nullptr, EVP_sha256(), nullptr);
        benchmark::DoNotOptimize(digest);
      });
}
BENCHMARK(sha256_against_unfetched)->Arg(64)->Arg(4096)->UseManualTime();

void crc32c_against_copy(benchmark::State& state) {
  const std::string bytes(static_cast<std::size_t>(state.range(0)), 'x');
  std::string copy = bytes;
  compare(
      state, bytes.size(), [&] { benchmark::DoNotOptimize(crc32c(bytes)); },
      [&] {
        std::memcpy(copy.data(), bytes.data(), bytes.size());
        benchmark::DoNotOptimize(copy.data());
        benchmark::ClobberMemory();
      });
}
BENCHMARK(crc32c_against_copy)->Arg(512)->Arg(65536)->UseManualTime();

}  // namespace
}  // namespace stepwell

BENCHMARK_MAIN();
