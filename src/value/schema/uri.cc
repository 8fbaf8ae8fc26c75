#include "stepwell/value/schema/uri.h"

#include <charconv>

namespace stepwell::schema {

namespace {

// Removes the last segment and its slash.
void drop_last_segment(std::string& path) {
  const std::size_t slash = path.rfind('/');
  path.resize(slash == std::string::npos ? 0 : slash);
}

// RFC 3986, section 5.2.4.
std::string without_dot_segments(std::string_view in) {
  std::string out;
  while (!in.empty()) {
    if (in.starts_with("../")) {
      in.remove_prefix(3);
    } else if (in.starts_with("./") || in.starts_with("/./")) {
      in.remove_prefix(2);
    } else if (in == "/.") {
      in = "/";
    } else if (in.starts_with("/../")) {
      in.remove_prefix(3);
      drop_last_segment(out);
    } else if (in == "/..") {
      in = "/";
      drop_last_segment(out);
    } else if (in == "." || in == "..") {
      in = {};
    } else {
      const std::size_t next = std::min(in.find('/', 1), in.size());
      out += in.substr(0, next);
      in.remove_prefix(next);
    }
  }
  return out;
}

std::string merged_path(const UriParts& base, std::string_view path) {
  if (base.authority && base.path.empty()) return "/" + std::string(path);
  return std::string(base.path.substr(0, base.path.rfind('/') + 1)) + std::string(path);
}

std::string assemble(const UriParts& from_scheme, const UriParts& from_authority, std::string_view path,
                     std::optional<std::string_view> query) {
  std::string out;
  if (from_scheme.scheme) out.append(*from_scheme.scheme).append(":");
  if (from_authority.authority) out.append("//").append(*from_authority.authority);
  out += path;
  if (query) out.append("?").append(*query);
  return out;
}

}  // namespace

UriParts split_uri(std::string_view text) {
  UriParts parts;
  if (const std::size_t hash = text.find('#'); hash != std::string_view::npos) {
    parts.fragment = text.substr(hash + 1);
    text = text.substr(0, hash);
  }
  if (const std::size_t mark = text.find('?'); mark != std::string_view::npos) {
    parts.query = text.substr(mark + 1);
    text = text.substr(0, mark);
  }
  if (const std::size_t end = text.find_first_of(":/"); end != std::string_view::npos && end > 0 && text[end] == ':') {
    parts.scheme = text.substr(0, end);
    text = text.substr(end + 1);
  }
  if (text.starts_with("//")) {
    const std::size_t end = std::min(text.find('/', 2), text.size());
    parts.authority = text.substr(2, end - 2);
    text = text.substr(end);
  }
  parts.path = text;
  return parts;
}

std::string resolve_uri(std::string_view base_text, std::string_view reference_text) {
  const UriParts base = split_uri(base_text);
  const UriParts reference = split_uri(reference_text);
  if (reference.scheme) {
    return assemble(reference, reference, without_dot_segments(reference.path), reference.query);
  }
  if (reference.authority) return assemble(base, reference, without_dot_segments(reference.path), reference.query);
  if (reference.path.empty()) return assemble(base, base, base.path, reference.query ? reference.query : base.query);
  const std::string path =
      reference.path.starts_with('/') ? std::string(reference.path) : merged_path(base, reference.path);
  return assemble(base, base, without_dot_segments(path), reference.query);
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned byte = 0;
    const char* digits = text.data() + i + 1;
    if (text.size() - i < 3 || std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2) return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

}  // namespace stepwell::schema
