#include "stepwell/expr/percent_format.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "stepwell/base/utf8.h"
#include "stepwell/expr/operators.h"
#include "stepwell/expr/text_of.h"

namespace stepwell {
namespace {

struct Spec {
  bool left = false;       // -
  bool plus = false;       // +
  bool blank = false;      // a space where the plus would be
  bool alternate = false;  // #
  bool zeros = false;      // 0
  std::size_t width = 0;
  std::optional<std::size_t> precision;
  char conversion = 's';
};

std::unexpected<Fault> bad_format(std::string message) { return fault(FaultCode::value, std::move(message)); }

// A number ready to be padded: what stays in front of the zeros, and the rest.
struct Digits {
  std::string prefix;
  std::string body;
};

std::string sign_of(const Spec& spec, bool negative) {
  if (negative) return "-";
  if (spec.plus) return "+";
  return spec.blank ? " " : "";
}

std::unexpected<Fault> needs_number(const Spec& spec, std::string_view wanted, const Value& got) {
  return fault(FaultCode::type,
               fmt::format("%{} needs {}, not {} {}", spec.conversion, wanted, kind_word(got), shown(got)));
}

OrFault<Digits> decimal_digits(const Spec& spec, const Value& value) {
  std::string body;
  if (value.is_real()) {
    body = fmt::format("{:.0f}", std::trunc(value.as_real()));
    if (body == "-0") body = "0";
  } else if (value.is_int()) {
    body = fmt::format("{}", value.as_int());
  } else if (value.is_bool()) {
    body = value.as_bool() ? "1" : "0";
  } else {
    return needs_number(spec, "a number", value);
  }
  const bool negative = body.front() == '-';
  if (negative) body.erase(0, 1);
  return Digits{sign_of(spec, negative), std::move(body)};
}

OrFault<Digits> based_digits(const Spec& spec, const Value& value) {
  if (!value.is_int() && !value.is_bool()) return needs_number(spec, "a whole number", value);
  const std::int64_t number = value.is_int() ? value.as_int() : (value.as_bool() ? 1 : 0);
  const bool negative = number < 0;
  const std::uint64_t size = negative ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
  Digits digits{sign_of(spec, negative), {}};
  if (spec.alternate) (digits.prefix += '0') += spec.conversion;
  if (spec.conversion == 'o') digits.body = fmt::format("{:o}", size);
  if (spec.conversion == 'x') digits.body = fmt::format("{:x}", size);
  if (spec.conversion == 'X') digits.body = fmt::format("{:X}", size);
  return digits;
}

OrFault<Digits> whole_digits(const Spec& spec, const Value& value, Budget& budget) {
  const bool decimal = spec.conversion == 'd' || spec.conversion == 'i' || spec.conversion == 'u';
  auto digits = decimal ? decimal_digits(spec, value) : based_digits(spec, value);
  if (!digits) return digits;
  const std::size_t least = spec.precision.value_or(0);
  if (auto allowed = budget.spend_text(least); !allowed) return std::unexpected(allowed.error());
  if (digits->body.size() < least) digits->body.insert(0, least - digits->body.size(), '0');
  return digits;
}

OrFault<Digits> real_digits(const Spec& spec, const Value& value, Budget& budget) {
  double number = 0;
  if (value.is_real()) {
    number = value.as_real();
  } else if (value.is_int()) {
    number = static_cast<double>(value.as_int());
  } else if (value.is_bool()) {
    number = value.as_bool() ? 1 : 0;
  } else {
    return needs_number(spec, "a number", value);
  }
  const std::size_t precision = spec.precision.value_or(6);
  constexpr std::size_t kIntegerDigits = 320;
  if (auto allowed = budget.spend_text(precision + kIntegerDigits); !allowed) return std::unexpected(allowed.error());
  const std::string pattern = fmt::format("{{:{}.{}{}}}", spec.alternate ? "#" : "", precision, spec.conversion);
  return Digits{sign_of(spec, std::signbit(number)), fmt::format(fmt::runtime(pattern), std::fabs(number))};
}

OrFault<std::string> character(const Spec& spec, const Value& value) {
  if (value.is_text() && utf8::length(value.as_text()) == 1) return std::string(value.as_text());
  if (!value.is_int() && !value.is_bool()) return needs_number(spec, "a code point or one character", value);
  const std::int64_t number = value.is_int() ? value.as_int() : (value.as_bool() ? 1 : 0);
  if (number < 0 || number > 0x10FFFF || (number >= 0xD800 && number <= 0xDFFF))
    return bad_format(fmt::format("%c needs a Unicode code point, not {}", number));
  std::string out;
  utf8::append(out, static_cast<char32_t>(number));
  return out;
}

OrFault<std::string> words(const Spec& spec, const Value& value, Budget& budget) {
  std::string out;
  const auto append = spec.conversion == 's' ? append_text_of : append_repr_of;
  if (auto done = append(out, value, budget); !done) return std::unexpected(done.error());
  if (spec.conversion == 'a') out = ascii_escaped(out);
  if (spec.precision) out.resize(utf8::offset_of(out, *spec.precision));
  return out;
}

class Formatter {
 public:
  Formatter(std::string_view format, const Value& args, Budget& budget)
      : format_(format), map_(args.is_map() ? &args : nullptr), budget_(budget) {
    if (args.is_list()) {
      rest_ = args.as_list();
    } else {
      rest_ = std::span(&args, 1);
    }
  }

  OrFault<Value> run() {
    while (at_ < format_.size()) {
      const std::size_t percent = std::min(format_.find('%', at_), format_.size());
      if (auto done = put(format_.substr(at_, percent - at_)); !done) return std::unexpected(done.error());
      at_ = percent + 1;
      if (percent == format_.size()) break;
      if (auto done = one_conversion(); !done) return std::unexpected(done.error());
    }
    if (!rest_.empty() && map_ == nullptr)
      return fault(FaultCode::type, fmt::format("the format uses fewer arguments than the {} more it was given: {}",
                                                rest_.size(), shown(rest_.front())));
    return Value(out_);
  }

 private:
  OrFault<void> one_conversion() {
    if (peek() == '%') {
      ++at_;
      return put("%");
    }
    Spec spec;
    if (auto done = parse(spec); !done) return done;
    auto value = next();
    if (!value) return std::unexpected(value.error());
    return convert(spec, **value);
  }

  OrFault<void> parse(Spec& spec) {
    if (peek() == '(') {
      if (auto done = choose_member(); !done) return done;
    }
    parse_flags(spec);
    if (auto done = parse_width(spec); !done) return done;
    if (auto done = parse_precision(spec); !done) return done;
    if (peek() == 'h' || peek() == 'l' || peek() == 'L') ++at_;
    if (at_ >= format_.size()) return bad_format("the format ends inside a % conversion");
    spec.conversion = format_[at_++];
    return {};
  }

  // %(name): from here on the member is the one argument that is left.
  OrFault<void> choose_member() {
    if (map_ == nullptr) return fault(FaultCode::type, "a format with %(name) needs a map of arguments");
    const std::size_t from = ++at_;
    for (std::size_t open = 1; at_ < format_.size(); ++at_) {
      if (format_[at_] == '(') ++open;
      if (format_[at_] == ')' && --open == 0) break;
    }
    if (at_ == format_.size()) return bad_format("the format has a %( without its )");
    const std::string_view key = format_.substr(from, at_++ - from);
    const Value* member = map_->find(key);
    if (member == nullptr)
      return fault(FaultCode::undefined, fmt::format("the format asks for '{}', which is not in the map", key));
    rest_ = std::span(member, 1);
    return {};
  }

  void parse_flags(Spec& spec) {
    for (;; ++at_) {
      switch (peek()) {
        case '-': spec.left = true; break;
        case '+': spec.plus = true; break;
        case ' ': spec.blank = true; break;
        case '#': spec.alternate = true; break;
        case '0': spec.zeros = true; break;
        default: return;
      }
    }
  }

  OrFault<void> parse_width(Spec& spec) {
    auto width = parse_number();
    if (!width) return std::unexpected(width.error());
    if (*width < 0) spec.left = true;
    spec.width = static_cast<std::size_t>(std::abs(*width));
    return {};
  }

  OrFault<void> parse_precision(Spec& spec) {
    if (peek() != '.') return {};
    ++at_;
    auto precision = parse_number();
    if (!precision) return std::unexpected(precision.error());
    spec.precision = static_cast<std::size_t>(std::max<std::int64_t>(*precision, 0));
    return {};
  }

  // Digits or a star, bounded to what could ever be allowed.
  OrFault<std::int64_t> parse_number() {
    constexpr std::int64_t kMost = 1'000'000'000;
    if (peek() == '*') {
      ++at_;
      auto value = next();
      if (!value) return std::unexpected(value.error());
      if ((*value)->is_bool()) return (*value)->as_bool() ? 1 : 0;
      if (!(*value)->is_int())
        return fault(FaultCode::type, fmt::format("* needs a whole number, not {}", shown(**value)));
      return std::clamp((*value)->as_int(), -kMost, kMost);
    }
    std::int64_t number = 0;
    for (; peek() >= '0' && peek() <= '9'; ++at_) number = std::min(number * 10 + (peek() - '0'), kMost);
    return number;
  }

  OrFault<void> convert(const Spec& spec, const Value& value) {
    switch (spec.conversion) {
      case 's':
      case 'r':
      case 'a': return put_padded(spec, words(spec, value, budget_));
      case 'c': return put_padded(spec, character(spec, value));
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X': return put_number(spec, whole_digits(spec, value, budget_));
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G': return put_number(spec, real_digits(spec, value, budget_));
      default: return bad_format(fmt::format("the format has the unknown conversion %{}", spec.conversion));
    }
  }

  OrFault<void> put_number(const Spec& spec, OrFault<Digits> digits) {
    if (!digits) return std::unexpected(digits.error());
    const std::size_t size = digits->prefix.size() + digits->body.size();
    if (spec.zeros && !spec.left && size < spec.width) {
      if (auto allowed = budget_.spend_text(spec.width); !allowed) return allowed;
      digits->body.insert(0, spec.width - size, '0');
    }
    return put_padded(spec, digits->prefix + digits->body);
  }

  OrFault<void> put_padded(const Spec& spec, OrFault<std::string> text) {
    if (!text) return std::unexpected(text.error());
    const std::size_t size = utf8::length(*text);
    const std::size_t padding = spec.width > size ? spec.width - size : 0;
    if (auto allowed = budget_.spend_append(out_.size(), text->size() + padding); !allowed) return allowed;
    if (!spec.left) out_.append(padding, ' ');
    out_ += *text;
    if (spec.left) out_.append(padding, ' ');
    return {};
  }

  OrFault<void> put(std::string_view text) {
    if (auto allowed = budget_.spend_append(out_.size(), text.size()); !allowed) return allowed;
    out_ += text;
    return {};
  }

  OrFault<const Value*> next() {
    if (rest_.empty()) return fault(FaultCode::type, "the format needs more arguments than it was given");
    const Value* value = &rest_.front();
    rest_ = rest_.subspan(1);
    return value;
  }

  char peek() const { return at_ < format_.size() ? format_[at_] : '\0'; }

  std::string_view format_;
  const Value* map_;
  Budget& budget_;
  std::span<const Value> rest_;  // arguments not yet used
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

OrFault<Value> percent_format(const Value& format, const Value& args, Budget& budget) {
  return Formatter(format.as_text(), args, budget).run();
}

}  // namespace stepwell
