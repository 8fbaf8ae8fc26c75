#include "stepwell/expr/code_points.h"

#include "stepwell/base/utf8.h"

namespace stepwell {

char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) {
    ++at;
    return byte;
  }
  const utf8::Decoded decoded = utf8::decode(text.substr(at));
  at += decoded.size == 0 ? 1 : decoded.size;
  return decoded.size == 0 ? U'\uFFFD' : decoded.code_point;
}

std::u32string to_code_points(std::string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) result += next_code_point(text, at);
  return result;
}

std::string to_utf8(std::u32string_view code_points) {
  std::string result;
  result.reserve(code_points.size());
  for (const char32_t code_point : code_points) utf8::append(result, code_point);
  return result;
}

}  // namespace stepwell
