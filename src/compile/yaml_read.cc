#include "stepwell/compile/yaml_read.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "stepwell/base/limits.h"
#include "stepwell/base/utf8.h"
#include "stepwell/compile/json_events.h"
#include "stepwell/compile/text_places.h"
#include "stepwell/compile/yaml_builder.h"
#include "stepwell/compile/yaml_complaint.h"

namespace stepwell {
namespace {

// Leaves the parser from inside one of its calls; the reason is reported already.
struct Stop {};

// yaml-cpp 0.7 reads the escapes \N and \_ as single bytes, not as the characters U+0085 and U+00A0. Nothing else that
// it gives is not UTF-8, since the text is.
std::string mended(std::string_view scalar) {
  std::string whole;
  for (std::size_t valid = 0; (valid = utf8::valid_prefix(scalar)) < scalar.size(); scalar.remove_prefix(valid + 1)) {
    whole.append(scalar.substr(0, valid)).append({'\xC2', scalar[valid]});
  }
  return whole.append(scalar);
}

// Hands what the parser finds to the builder.
class Events : public YAML::EventHandler {
 public:
  explicit Events(YamlBuilder& builder) : builder_(builder) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { go_on(builder_.null(at(mark), anchor)); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override { go_on(builder_.alias(at(mark), anchor)); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    go_on(builder_.scalar(at(mark), tag, anchor, utf8::is_valid(value) ? value : mended(value)));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    go_on(builder_.open(Kind::list, style == YAML::EmitterStyle::Flow, at(mark), tag, anchor));
  }
  void OnSequenceEnd() override { go_on(builder_.close()); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    go_on(builder_.open(Kind::map, style == YAML::EmitterStyle::Flow, at(mark), tag, anchor));
  }
  void OnMapEnd() override { go_on(builder_.close()); }

 private:
  static std::size_t at(const YAML::Mark& mark) { return static_cast<std::size_t>(mark.pos); }
  static void go_on(bool may) {
    if (!may) throw Stop();
  }

  YamlBuilder& builder_;
};

// Refuses whatever follows the document.
class NothingMore : public YAML::EventHandler {
 public:
  NothingMore(std::string_view text, const TextPlaces& places, Diagnostics& diagnostics)
      : text_(text), places_(places), diagnostics_(diagnostics) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    const auto at = std::min(static_cast<std::size_t>(mark.pos), text_.size());
    if (text_.substr(at).starts_with("---")) {
      diagnostics_.error(places_.mark(at), "yaml-documents", "a second document begins here",
                         "put each document into a file of its own");
    } else {
      diagnostics_.error(places_.mark(at), "yaml-syntax", "the document ended before this",
                         "check the indentation and the brackets above");
    }
    throw Stop();
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  std::string_view text_;
  const TextPlaces& places_;
  Diagnostics& diagnostics_;
};

// Refuses bytes that no YAML text may have; the parser would stumble over them without a word.
bool is_clean(std::string_view text, Diagnostics& diagnostics) {
  const std::size_t valid = utf8::valid_prefix(text);
  const auto refuse = [&](std::size_t at, std::string message, std::string hint) {
    diagnostics.error(TextPlaces(text.substr(0, valid)).mark(at), "yaml-text", std::move(message), std::move(hint));
    return false;
  };
  for (std::size_t i = 0; i < valid; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x20 || byte == '\t' || byte == '\n') continue;
    if (byte != '\r') {
      return refuse(i, fmt::format("control character U+{:04X}", byte),
                    fmt::format("remove it, or write \"\\x{:02X}\" in double quotes", byte));
    }
    if (!text.substr(i).starts_with("\r\n")) {
      return refuse(i, "a carriage return without a line feed", "end lines with a line feed");
    }
  }
  return valid == text.size() || refuse(valid, "not UTF-8", "save the file as UTF-8");
}

}  // namespace

std::optional<Yaml> read_yaml(std::string_view text, Diagnostics& diagnostics) {
  if (text.size() > limits::kYamlBytes) {
    diagnostics.error({}, "yaml-limit", fmt::format("longer than {} MiB", limits::kYamlBytes >> 20),
                      "split it into several files");
    return std::nullopt;
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (!is_clean(text, diagnostics)) return std::nullopt;

  const TextPlaces places(text);
  Diagnostics found(diagnostics.file());
  YamlBuilder builder(text, places, found);
  if (is_json(text)) {
    const bool complete = build_from_json(text, builder);
    diagnostics.add(found);
    return complete ? std::optional(builder.take_root()) : std::nullopt;
  }
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    Events events(builder);
    const bool has_document = parser.HandleNextDocument(events);
    NothingMore nothing_more(text, places, found);
    parser.HandleNextDocument(nothing_more);
    diagnostics.add(found);
    return has_document ? builder.take_root() : Yaml();
  } catch (const Stop&) {
    diagnostics.add(found);
  } catch (const YAML::Exception& error) {
    // What was found before may be a consequence of the same mistake.
    const std::size_t at = error.mark.is_null() ? text.size() : static_cast<std::size_t>(error.mark.pos);
    report_yaml_error({.said = error.msg, .at = at, .inside = builder.innermost()}, text, places, diagnostics);
  }
  return std::nullopt;
}

}  // namespace stepwell
