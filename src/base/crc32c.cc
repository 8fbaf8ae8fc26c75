#include "stepwell/base/crc32c.h"

#include <array>
#include <cstring>

#include "stepwell/base/check.h"

namespace stepwell {
namespace {

using Table = std::array<std::uint32_t, 256>;

// kTables[k][b]: what byte b does to the checksum when k more bytes follow it in the same step of eight.
constexpr std::array<Table, 8> make_tables() {
  std::array<Table, 8> tables = {};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1u) != 0 ? 0x82F63B78u : 0u);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = before >> 8 ^ tables[0][before & 0xFFu];
    }
  }
  return tables;
}

constexpr std::array<Table, 8> kTables = make_tables();

}  // namespace

std::uint32_t crc32c_by_table(std::string_view bytes, std::uint32_t so_far) {
  std::uint32_t crc = ~so_far;
  auto byte_at = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint32_t next = 0;
    for (std::size_t j = 0; j < 4; ++j) next ^= kTables[7 - j][(crc >> 8 * j & 0xFFu) ^ byte_at(i + j)];
    for (std::size_t j = 4; j < 8; ++j) next ^= kTables[7 - j][byte_at(i + j)];
    crc = next;
  }
  for (; i < bytes.size(); ++i) crc = crc >> 8 ^ kTables[0][(crc ^ byte_at(i)) & 0xFFu];
  return ~crc;
}

#if defined(__x86_64__)

bool has_crc32c_hardware() { return __builtin_cpu_supports("sse4.2") != 0; }

[[gnu::target("sse4.2")]] std::uint32_t crc32c_by_hardware(std::string_view bytes, std::uint32_t so_far) {
  CHECK(has_crc32c_hardware());
  std::uint64_t crc = ~so_far;
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; p += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, p, sizeof word);
    crc = __builtin_ia32_crc32di(crc, word);
  }
  auto crc32 = static_cast<std::uint32_t>(crc);
  for (; left > 0; ++p, --left) crc32 = __builtin_ia32_crc32qi(crc32, static_cast<unsigned char>(*p));
  return ~crc32;
}

#else

bool has_crc32c_hardware() { return false; }
std::uint32_t crc32c_by_hardware(std::string_view, std::uint32_t) {
  check_failed("there is hardware", __FILE__, __LINE__);
}

#endif

std::uint32_t crc32c(std::string_view bytes, std::uint32_t so_far) {
  return has_crc32c_hardware() ? crc32c_by_hardware(bytes, so_far) : crc32c_by_table(bytes, so_far);
}

}  // namespace stepwell
