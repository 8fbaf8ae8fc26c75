#include "stepwell/value/json_write.h"

#include "stepwell/value/number_text.h"

namespace stepwell {
namespace {

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"': out.append("\\\""); return;
    case '\\': out.append("\\\\"); return;
    case '\b': out.append("\\b"); return;
    case '\f': out.append("\\f"); return;
    case '\n': out.append("\\n"); return;
    case '\r': out.append("\\r"); return;
    case '\t': out.append("\\t"); return;
  }
  out.append("\\u00");
  out.push_back(c < 0x10 ? '0' : '1');
  out.push_back("0123456789abcdef"[c & 0xF]);
}

// Where the layouts differ: what stands between the tokens.
struct Compact {
  void line(std::string&, std::size_t) const {}
  static constexpr std::string_view kColon = ":";
};

struct Pretty {
  std::string_view indent;

  void line(std::string& out, std::size_t level) const {
    out.push_back('\n');
    for (std::size_t i = 0; i < level; ++i) out.append(indent);
  }
  static constexpr std::string_view kColon = ": ";
};

// Recursion is bounded: no value nests deeper than limits::kValueDepth.
template <typename Layout>
class Writer {
 public:
  explicit Writer(std::string& out, Layout layout = {}) : out_(out), layout_(layout) {}

  void write(const Value& value) {
    switch (value.kind()) {
      case Kind::null: out_.append("null"); return;
      case Kind::boolean: out_.append(value.as_bool() ? "true" : "false"); return;
      case Kind::integer: append_int(out_, value.as_int()); return;
      case Kind::real: append_real(out_, value.as_real()); return;
      case Kind::text: append_json_text(out_, value.as_text()); return;
      case Kind::list: write_items('[', value.as_list(), ']', [this](const Value& item) { write(item); }); return;
      case Kind::map: write_items('{', value.as_map(), '}', [this](const Member& m) { write_member(m); }); return;
    }
  }

 private:
  void write_member(const Member& member) {
    append_json_text(out_, member.key());
    out_.append(Layout::kColon);
    write(member.value);
  }

  void write_items(char open, auto items, char close, auto write_one) {
    out_.push_back(open);
    ++level_;
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_.push_back(',');
      first = false;
      layout_.line(out_, level_);
      write_one(item);
    }
    --level_;
    if (!first) layout_.line(out_, level_);
    out_.push_back(close);
  }

  std::string& out_;
  Layout layout_;
  std::size_t level_ = 0;
};

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
  out.push_back('"');
  std::size_t written = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!needs_escape(text[i])) continue;
    out.append(text.substr(written, i - written));
    append_escaped(out, text[i]);
    written = i + 1;
  }
  out.append(text.substr(written));
  out.push_back('"');
}

void append_json(std::string& out, const Value& value) { Writer<Compact>(out).write(value); }

std::string to_json(const Value& value) {
  std::string out;
  append_json(out, value);
  return out;
}

std::string to_json_pretty(const Value& value, std::string_view indent) {
  std::string out;
  Writer<Pretty>(out, {indent}).write(value);
  return out;
}

}  // namespace stepwell
