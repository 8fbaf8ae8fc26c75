#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Numbers as the formats on disk have them: least significant byte first, on every machine.
namespace stepwell {

template <typename T>
void put_number(std::string& out, T number) {
  char bytes[sizeof(T)];
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<char>(number >> (8 * i));
  out.append(bytes, sizeof(T));
}

// The bytes must be there.
template <typename T>
T get_number(std::string_view bytes, std::size_t at) {
  T number = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    number |= static_cast<T>(static_cast<T>(static_cast<unsigned char>(bytes[at + i])) << (8 * i));
  }
  return number;
}

}  // namespace stepwell
