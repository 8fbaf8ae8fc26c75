#include "stepwell/compile/yaml_builder.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "stepwell/base/limits.h"
#include "stepwell/compile/core_schema.h"
#include "stepwell/compile/yaml_source.h"
#include "stepwell/compile/yaml_tags.h"

namespace stepwell {
namespace {

constexpr auto kTagHint = "leave it out, or use one of !!str, !!int, !!float, !!bool, !!null, !!seq, !!map";

std::string with_article(Kind kind) {
  switch (kind) {
    case Kind::null:
    case Kind::text: return std::string(kind_name(kind));
    case Kind::integer: return "an integer";
    case Kind::boolean:
    case Kind::real:
    case Kind::list:
    case Kind::map: return fmt::format("a {}", kind_name(kind));
  }
  CHECK(false);
}

std::string describe(CoreProblem problem, std::string_view written) {
  switch (problem) {
    case CoreProblem::integer_out_of_range: return fmt::format("integer {} does not fit 64 bits", cut(written));
    case CoreProblem::number_out_of_range: return fmt::format("number {} is too large", cut(written));
    case CoreProblem::infinite:
    case CoreProblem::not_a_number: return fmt::format("{} is not a finite number", cut(written));
  }
  CHECK(false);
}

}  // namespace

bool YamlBuilder::null(std::size_t at, std::size_t anchor) {
  Yaml node;
  node.mark = mark_of_null(at);
  return spend(node.mark, {.nodes = 1}) && add(std::move(node), at, {.nodes = 1}, anchor);
}

// The parser says where the next thing stands, or the key whose value was left out. It takes more than YAML allows,
// which is refused here.
Mark YamlBuilder::mark_of_null(std::size_t at) {
  const Mark mark = places_.mark(at);
  if (open_.empty() || null_is_written(text_, at)) return mark;
  const Open& parent = open_.back();
  if (parent.node.is_list() && text_.substr(std::min(at, text_.size())).starts_with(',')) {
    diagnostics_.error(mark, "yaml-syntax", "expected a value before ','", "write null if it is empty");
    return mark;
  }
  if (parent.node.is_map() && !parent.key) return mark;
  if (parent.key && mark <= parent.key->mark) {
    if (!parent.flow && mark == parent.key->mark) {
      diagnostics_.error(mark, "yaml-syntax", "expected ':' after this key", "add it, or indent what belongs above");
    }
    return parent.key->mark;
  }
  return places_.mark(indicator_before(text_, at));
}

bool YamlBuilder::scalar(std::size_t at, std::string_view tag, std::size_t anchor, std::string_view written) {
  // The parser takes a quote that the end of the text closes, if that comes after a line break.
  if (!quote_is_closed(text_, at)) {
    diagnostics_.error(places_.mark(at), "yaml-syntax", "the text in quotes does not end",
                       "close it with the quote it begins with");
    return false;
  }
  Yaml node = resolve(at, tag, written);
  const Weight weight = {.nodes = 1, .text_bytes = node.is_text() ? written.size() : 0};
  return spend(node.mark, weight) && add(std::move(node), at, weight, anchor);
}

Yaml YamlBuilder::resolve(std::size_t at, std::string_view tag, std::string_view written) {
  Yaml node;
  node.mark = places_.mark(at);
  const auto refuse = [&](DiagnosticCode code, std::string message, std::string hint) {
    diagnostics_.error(node.mark, code, std::move(message), std::move(hint));
    Yaml faulty;
    faulty.mark = node.mark;
    faulty.faulty = true;
    return faulty;
  };
  const auto wanted = kind_of_tag(tag);
  if (!wanted && tag != "?" && tag != "!") {
    return refuse("yaml-tag", fmt::format("unknown tag {}", tag_name(tag)), kTagHint);
  }
  if (tag == "!" || wanted == Kind::text) {
    node.scalar = Value(written);
  } else if (auto value = resolve_core(written)) {
    node.scalar = *value;
    if (wanted == Kind::real && value->is_int()) node.scalar = static_cast<double>(value->as_int());
  } else {
    return refuse("yaml-number", describe(value.error(), written), "write it in quotes to keep it as text");
  }
  node.kind = node.scalar.kind();
  if (wanted && node.kind != *wanted) {
    return refuse("yaml-tag", fmt::format("'{}' is {}, not {}", cut(written), with_article(node.kind), tag_name(tag)),
                  "leave the tag out");
  }
  if (node.is_text()) node.verbatim_after = verbatim_after(text_, at, written);
  return node;
}

bool YamlBuilder::alias(std::size_t at, std::size_t anchor) {
  CHECK(anchor > 0);
  const Mark mark = places_.mark(at);
  if (anchor > anchors_.size() || !anchors_[anchor - 1]) {
    diagnostics_.error(mark, "yaml-alias", "the alias stands inside the value it names", "write the value out");
    return false;
  }
  const auto& [original, weight] = *anchors_[anchor - 1];
  if (!spend(mark, weight)) return false;
  Yaml copy = original;
  copy.mark = mark;
  copy.verbatim_after = -1;
  return add(std::move(copy), at, weight, 0);
}

bool YamlBuilder::open(Kind collection, bool flow, std::size_t at, std::string_view tag, std::size_t anchor) {
  const Weight weight = {.nodes = 1, .text_bytes = 0, .depth = 1};
  Open opened = {.node = {}, .at = at, .flow = flow, .anchor = anchor, .weight = weight, .key = {}};
  opened.node.mark = places_.mark(at);
  opened.node.kind = collection;
  check_collection_tag(collection, opened.node.mark, tag);
  if (!spend(opened.node.mark, weight)) return false;
  open_.push_back(std::move(opened));
  return true;
}

void YamlBuilder::check_collection_tag(Kind collection, Mark mark, std::string_view tag) {
  const auto wanted = kind_of_tag(tag);
  if (tag == "?" || tag == "!" || wanted == collection) return;
  if (wanted) {
    diagnostics_.error(mark, "yaml-tag", fmt::format("this is {}, not {}", with_article(collection), tag_name(tag)),
                       "leave the tag out");
  } else {
    diagnostics_.error(mark, "yaml-tag", fmt::format("unknown tag {}", tag_name(tag)), kTagHint);
  }
}

bool YamlBuilder::close() {
  CHECK(!open_.empty());
  Open closed = std::move(open_.back());
  open_.pop_back();
  if (closed.node.is_map()) drop_duplicates(closed.node);
  return add(std::move(closed.node), closed.at, closed.weight, closed.anchor);
}

std::optional<Mark> YamlBuilder::innermost() const {
  return open_.empty() ? std::nullopt : std::optional(open_.back().node.mark);
}

bool YamlBuilder::spend(Mark mark, const Weight& weight) {
  const auto refuse = [&](std::string message, std::string hint) {
    diagnostics_.error(mark, "yaml-limit", std::move(message), std::move(hint));
    return false;
  };
  if (open_.size() + weight.depth > limits::kYamlDepth) {
    return refuse(fmt::format("nested deeper than {} levels", limits::kYamlDepth), "make the document flatter");
  }
  nodes_ += weight.nodes;
  text_bytes_ += weight.text_bytes;
  if (nodes_ > limits::kYamlNodes) {
    return refuse(fmt::format("more than {} values, aliases expanded", limits::kYamlNodes),
                  "use fewer aliases or data");
  }
  if (text_bytes_ > limits::kYamlTextBytes) {
    return refuse(fmt::format("more than {} MiB of text, aliases expanded", limits::kYamlTextBytes >> 20),
                  "use fewer aliases");
  }
  return true;
}

bool YamlBuilder::add(Yaml node, std::size_t at, const Weight& weight, std::size_t anchor) {
  if (anchor > 0 && !keep_for_aliases(node, weight, anchor)) return false;
  if (open_.empty()) {
    root_ = std::move(node);
    return true;
  }
  Open& parent = open_.back();
  parent.weight.nodes += weight.nodes;
  parent.weight.text_bytes += weight.text_bytes;
  parent.weight.depth = std::max(parent.weight.depth, weight.depth + 1);
  if (parent.node.is_list()) {
    parent.node.items.push_back(std::move(node));
  } else if (!parent.key) {
    parent.key = key_of(node, at);
  } else {
    if (auto& key = *parent.key; key.text) {
      parent.node.members.push_back({std::move(*key.text), key.mark, std::move(node)});
    }
    parent.key.reset();
  }
  return true;
}

// The copy is spent like what is built, so that anchors inside anchors cannot multiply.
bool YamlBuilder::keep_for_aliases(const Yaml& node, const Weight& weight, std::size_t anchor) {
  if (!spend(node.mark, weight)) return false;
  if (anchors_.size() < anchor) anchors_.resize(anchor);
  anchors_[anchor - 1] = Anchored{node, weight};
  return true;
}

YamlBuilder::Key YamlBuilder::key_of(const Yaml& node, std::size_t at) {
  Key key = {.mark = node.mark, .text = {}};
  if (node.faulty) return key;
  if (node.is_text() && node.text() == "<<" && text_.substr(at).starts_with("<<")) {
    diagnostics_.error(node.mark, "yaml-merge-key", "merge keys belong to YAML 1.1",
                       "write the members out, or put the key '<<' in quotes");
  } else if (node.is_text()) {
    key.text = node.text();
  } else if (node.is_list() || node.is_map()) {
    refuse_collection_as_key(node, at);
  } else if (node.kind == Kind::null && !null_is_written(text_, at)) {
    diagnostics_.error(node.mark, "yaml-key", "a key is missing here", "write text before the ':'");
  } else {
    diagnostics_.error(node.mark, "yaml-key", fmt::format("a key must be text, not {}", with_article(node.kind)),
                       "put it in quotes");
  }
  return key;
}

void YamlBuilder::refuse_collection_as_key(const Yaml& node, std::size_t at) {
  Open& parent = open_.back();
  if (parent.flow && at == parent.at + 1 && text_.substr(parent.at).starts_with("{{")) {
    // A template without quotes. It is one mistake, whatever the map around it should have been.
    diagnostics_.error(parent.node.mark, "yaml-key", "'{{' begins a map whose key is a map",
                       "put the template in quotes");
    parent.node.faulty = true;
  } else {
    diagnostics_.error(node.mark, "yaml-key", fmt::format("{} cannot be a key", with_article(node.kind)),
                       "write text before the ':'");
  }
}

void YamlBuilder::drop_duplicates(Yaml& map) {
  std::vector<std::size_t> order(map.members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) -> std::string_view { return map.members[i].key; });
  std::vector<bool> again(map.members.size());
  std::size_t first = 0;  // in `order`, of the current key
  for (std::size_t i = 1; i < order.size(); ++i) {
    const YamlMember& earlier = map.members[order[first]];
    const YamlMember& later = map.members[order[i]];
    if (earlier.key != later.key) {
      first = i;
      continue;
    }
    again[order[i]] = true;
    diagnostics_.error(
        later.key_mark, "yaml-duplicate-key",
        fmt::format("key '{}' is already in this map, at line {}", cut(later.key), earlier.key_mark.line),
        "remove one of the two");
  }
  std::size_t index = 0;
  std::erase_if(map.members, [&](const YamlMember&) { return again[index++]; });
}

}  // namespace stepwell
