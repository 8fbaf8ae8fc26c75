#include "stepwell/tools/text_of_bytes.h"

#include "stepwell/base/base64.h"
#include "stepwell/base/utf8.h"

namespace stepwell {

std::string text_of_bytes(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (true) {
    const std::size_t valid = utf8::valid_prefix(bytes);
    text += bytes.substr(0, valid);
    if (valid == bytes.size()) return text;
    utf8::append(text, U'\uFFFD');
    bytes.remove_prefix(valid + 1);
  }
}

Value value_of_bytes(std::string_view bytes) {
  if (utf8::is_valid(bytes)) return Value(bytes);
  return Value::map({{"base64", Value(to_base64(bytes))}});
}

std::string last_line(std::string_view text, std::size_t most) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == text.npos) return {};
  text = text.substr(0, end + 1);
  const std::size_t begin = text.rfind('\n');
  if (begin != text.npos) text.remove_prefix(begin + 1);
  return std::string(utf8::cut(text, most));
}

}  // namespace stepwell
