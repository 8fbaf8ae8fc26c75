#include "stepwell/store/embedded/compression.h"

#include <memory>

#include <zstd.h>

#include "stepwell/base/check.h"

namespace stepwell {
namespace {

constexpr int kLevel = 3;
constexpr std::size_t kWorthwhile = 128;
constexpr std::size_t kLargest = std::size_t{1} << 31;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

}  // namespace

std::string compress(std::string_view bytes) {
  // Making one costs more than to compress a small blob with it.
  static thread_local const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  CHECK(context != nullptr);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  CHECK(ZSTD_isError(size) == 0);
  out.resize(size);
  return out;
}

std::optional<std::string> decompress(std::string_view bytes, std::size_t limit) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > limit) return std::nullopt;
  std::string out(size, '\0');
  const std::size_t got = ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) != 0 || got != size) return std::nullopt;
  return out;
}

Packed pack(std::string_view bytes) {
  std::string smaller = bytes.size() < kWorthwhile ? std::string() : compress(bytes);
  if (smaller.empty() || smaller.size() >= bytes.size()) return {.bytes = std::string(bytes)};
  return {.compressed = true, .bytes = std::move(smaller)};
}

std::optional<std::string> unpack(bool compressed, std::string_view bytes) {
  return compressed ? decompress(bytes, kLargest) : std::string(bytes);
}

}  // namespace stepwell
