#include "stepwell/base/utf8.h"

#include <cstdint>
#include <cstring>

#include "stepwell/base/check.h"

namespace stepwell::utf8 {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080u;

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u; }

// Most text is ASCII: eight bytes are looked at together.
std::size_t ascii_run(std::string_view bytes, std::size_t from) {
  while (from + 8 <= bytes.size()) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + from, sizeof word);
    if ((word & kHighBits) != 0) break;
    from += 8;
  }
  while (from < bytes.size() && static_cast<unsigned char>(bytes[from]) < 0x80) ++from;
  return from;
}

// What a first byte promises: how long the sequence is, its payload, and the least code point that needs this length.
struct Lead {
  std::size_t size;
  char32_t payload;
  char32_t least;
};

Lead read_lead(unsigned char byte) {
  if (byte < 0x80) return {1, byte, 0};
  if (byte >= 0xC2 && byte <= 0xDF) return {2, byte & 0x1Fu, 0x80};
  if (byte >= 0xE0 && byte <= 0xEF) return {3, byte & 0x0Fu, 0x800};
  if (byte >= 0xF0 && byte <= 0xF4) return {4, byte & 0x07u, 0x10000};
  return {0, 0, 0};
}

bool is_scalar(char32_t code_point) { return code_point <= 0x10FFFF && (code_point < 0xD800 || code_point > 0xDFFF); }

}  // namespace

Decoded decode(std::string_view bytes) {
  if (bytes.empty()) return {};
  const Lead lead = read_lead(static_cast<unsigned char>(bytes[0]));
  if (lead.size == 0 || lead.size > bytes.size()) return {};
  char32_t code_point = lead.payload;
  for (std::size_t i = 1; i < lead.size; ++i) {
    if (!is_continuation(bytes[i])) return {};
    code_point = code_point << 6 | (static_cast<unsigned char>(bytes[i]) & 0x3Fu);
  }
  if (code_point < lead.least || !is_scalar(code_point)) return {};
  return {code_point, lead.size};
}

std::size_t valid_prefix(std::string_view bytes) {
  std::size_t offset = ascii_run(bytes, 0);
  while (offset < bytes.size()) {
    const std::size_t size = decode(bytes.substr(offset, 4)).size;
    if (size == 0) return offset;
    offset = size == 1 ? ascii_run(bytes, offset) : offset + size;
  }
  return offset;
}

void append(std::string& out, char32_t code_point) {
  CHECK(is_scalar(code_point));
  auto put = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  auto put_continuation = [&](int shift) { put(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) return put(code_point);
  if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
  } else {
    if (code_point < 0x10000) {
      put(0xE0 | code_point >> 12);
    } else {
      put(0xF0 | code_point >> 18);
      put_continuation(12);
    }
    put_continuation(6);
  }
  put_continuation(0);
}

std::size_t length(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) count += is_continuation(byte) ? 0 : 1;
  return count;
}

std::string_view cut(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && is_continuation(text[most])) --most;
  return text.substr(0, most);
}

std::size_t offset_of(std::string_view text, std::size_t index) {
  for (std::size_t offset = 0; offset < text.size(); ++offset) {
    if (is_continuation(text[offset])) continue;
    if (index == 0) return offset;
    --index;
  }
  return text.size();
}

}  // namespace stepwell::utf8
