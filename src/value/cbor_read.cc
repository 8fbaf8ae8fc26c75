#include "stepwell/value/cbor_read.h"

#include <bit>
#include <cmath>
#include <limits>

#include "stepwell/base/limits.h"
#include "stepwell/base/utf8.h"
#include "stepwell/value/cbor_form.h"
#include "stepwell/value/short_float.h"

namespace stepwell {
namespace {

using namespace cbor;

struct CodeText {
  std::string_view name;
  std::string_view message;
};

CodeText text_of(CborErrorCode code) {
  switch (code) {
    case CborErrorCode::truncated: return {"truncated", "the bytes end too early"};
    case CborErrorCode::trailing_bytes: return {"trailing_bytes", "bytes follow the document"};
    case CborErrorCode::malformed: return {"malformed", "this byte cannot start an item"};
    case CborErrorCode::unsupported_type:
      return {"unsupported_type", "a byte string, tag, undefined or simple value, which values do not have"};
    case CborErrorCode::indefinite_length: return {"indefinite_length", "the length is indefinite"};
    case CborErrorCode::non_canonical_integer:
      return {"non_canonical_integer", "a shorter form of this integer exists"};
    case CborErrorCode::non_canonical_length: return {"non_canonical_length", "a shorter form of this length exists"};
    case CborErrorCode::non_canonical_float: return {"non_canonical_float", "a shorter form of this number exists"};
    case CborErrorCode::integer_out_of_range: return {"integer_out_of_range", "this integer does not fit 64 bits"};
    case CborErrorCode::not_finite: return {"not_finite", "this number is not finite"};
    case CborErrorCode::invalid_utf8: return {"invalid_utf8", "this text is not valid UTF-8"};
    case CborErrorCode::non_text_key: return {"non_text_key", "this key is not a text"};
    case CborErrorCode::unsorted_keys: return {"unsorted_keys", "this key is not in canonical order"};
    case CborErrorCode::duplicate_key: return {"duplicate_key", "this key occurs twice"};
    case CborErrorCode::too_deep: return {"too_deep", "nested too deep"};
    case CborErrorCode::too_long: return {"too_long", "the document is too long"};
    case CborErrorCode::unexpected_kind: return {"unexpected_kind", "this is not the kind of item that belongs here"};
  }
  CHECK(false);
}

// The greatest argument that a form with these low bits is too long for.
constexpr std::uint64_t greatest_shorter(unsigned info) {
  constexpr std::uint64_t kGreatest[] = {kOneByte - 1, 0xFF, 0xFFFF, 0xFFFFFFFF};
  return kGreatest[info - kOneByte];
}

}  // namespace

std::string_view code_name(CborErrorCode code) { return text_of(code).name; }

std::string CborError::to_string() const {
  return "byte " + std::to_string(offset) + ": " + std::string(text_of(code).message);
}

std::expected<CborReader::Item, CborError> CborReader::next() {
  const std::size_t start = offset_;
  if (at_end()) return fail(CborErrorCode::truncated, start);
  const auto first = static_cast<unsigned char>(bytes_[offset_++]);
  const unsigned major = major_of(first);
  const unsigned info = info_of(first);
  if (info > kEightBytes) {
    const bool indefinite = info == kIndefinite && major >= kBytes && major <= kMap;
    return fail(indefinite ? CborErrorCode::indefinite_length : CborErrorCode::malformed, start);
  }
  if (major == kBytes || major == kTag) return fail(CborErrorCode::unsupported_type, start);

  std::uint64_t argument = info;
  if (info >= kOneByte) {
    const std::size_t size = std::size_t{1} << (info - kOneByte);
    if (left() < size) return fail(CborErrorCode::truncated, start);
    argument = 0;
    for (std::size_t i = 0; i < size; ++i) argument = argument << 8 | static_cast<unsigned char>(bytes_[offset_++]);
    if (major != kOther && argument <= greatest_shorter(info)) {
      const bool integer = major == kUnsigned || major == kNegative;
      return fail(integer ? CborErrorCode::non_canonical_integer : CborErrorCode::non_canonical_length, start);
    }
  }

  Item item;
  switch (major) {
    case kUnsigned:
    case kNegative:
      if (argument > std::numeric_limits<std::int64_t>::max()) return fail(CborErrorCode::integer_out_of_range, start);
      item.kind = Kind::integer;
      item.integer = static_cast<std::int64_t>(major == kUnsigned ? argument : ~argument);
      return item;
    case kText:
      if (argument > left()) return fail(CborErrorCode::truncated, start);
      item.kind = Kind::text;
      item.text = bytes_.substr(offset_, argument);
      if (!utf8::is_valid(item.text)) return fail(CborErrorCode::invalid_utf8, start);
      offset_ += argument;
      return item;
    case kList:
    case kMap:
      item.kind = major == kList ? Kind::list : Kind::map;
      if (argument > left() / (major == kList ? 1 : 2)) return fail(CborErrorCode::truncated, start);
      item.size = argument;
      return item;
  }
  return read_other(start, info, argument);
}

std::expected<CborReader::Item, CborError> CborReader::read_other(std::size_t start, unsigned info,
                                                                  std::uint64_t argument) {
  Item item;
  if (info == kNull) return item;
  if (info == kFalse || info == kTrue) {
    item.kind = Kind::boolean;
    item.boolean = info == kTrue;
    return item;
  }
  if (info < kHalf) return fail(CborErrorCode::unsupported_type, start);
  item.kind = Kind::real;
  if (info == kHalf) item.real = half_to_double(static_cast<std::uint16_t>(argument));
  if (info == kSingle) item.real = std::bit_cast<float>(static_cast<std::uint32_t>(argument));
  if (info == kDouble) item.real = std::bit_cast<double>(argument);
  if (!std::isfinite(item.real)) return fail(CborErrorCode::not_finite, start);
  const bool too_wide = (info == kSingle && exact_half(item.real)) || (info == kDouble && is_exact_single(item.real));
  if (too_wide) return fail(CborErrorCode::non_canonical_float, start);
  return item;
}

std::expected<CborReader::Item, CborError> CborReader::expect(Kind kind) {
  const std::size_t start = offset_;
  std::expected<Item, CborError> item = next();
  if (item && item->kind != kind) return fail(CborErrorCode::unexpected_kind, start);
  return item;
}

std::expected<bool, CborError> CborReader::boolean() {
  const auto item = expect(Kind::boolean);
  if (!item) return std::unexpected(item.error());
  return item->boolean;
}

std::expected<std::int64_t, CborError> CborReader::integer() {
  const auto item = expect(Kind::integer);
  if (!item) return std::unexpected(item.error());
  return item->integer;
}

std::expected<double, CborError> CborReader::real() {
  const auto item = expect(Kind::real);
  if (!item) return std::unexpected(item.error());
  return item->real;
}

std::expected<std::string_view, CborError> CborReader::text() {
  const auto item = expect(Kind::text);
  if (!item) return std::unexpected(item.error());
  return item->text;
}

std::expected<std::size_t, CborError> CborReader::list() {
  const auto item = expect(Kind::list);
  if (!item) return std::unexpected(item.error());
  return item->size;
}

std::expected<std::size_t, CborError> CborReader::map() {
  const auto item = expect(Kind::map);
  if (!item) return std::unexpected(item.error());
  return item->size;
}

std::expected<void, CborError> CborReader::finish() const {
  if (!at_end()) return fail(CborErrorCode::trailing_bytes, offset_);
  return {};
}

}  // namespace stepwell
