#pragma once

#include <cstdint>
#include <string_view>

namespace stepwell {

// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78), by the processor's own instruction where it has one.
// `so_far` is the checksum of the bytes before these: crc32c(b, crc32c(a)) == crc32c(a + b).
std::uint32_t crc32c(std::string_view bytes, std::uint32_t so_far = 0);

// The two ways it is computed; both give the same. `crc32c_by_hardware` CHECKs that there is the instruction.
std::uint32_t crc32c_by_table(std::string_view bytes, std::uint32_t so_far = 0);
std::uint32_t crc32c_by_hardware(std::string_view bytes, std::uint32_t so_far = 0);
bool has_crc32c_hardware();

}  // namespace stepwell
