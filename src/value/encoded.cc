#include "stepwell/value/encoded.h"

#include <array>
#include <bit>

#include "stepwell/value/cbor_form.h"
#include "stepwell/value/cbor_read.h"
#include "stepwell/value/short_float.h"

namespace stepwell {
namespace {

using namespace cbor;

// The first byte of an item with the argument that belongs to it.
struct Head {
  unsigned major;
  unsigned info;
  std::uint64_t argument;
  std::size_t size;  // of the head itself
};

// The argument that does not fit into the first byte.
[[gnu::noinline]] Head read_long_head(std::string_view bytes, Head head) {
  CHECK(head.info <= kEightBytes);
  const std::size_t more = std::size_t{1} << (head.info - kOneByte);
  CHECK(bytes.size() > more);
  head.argument = 0;
  for (std::size_t i = 1; i <= more; ++i) head.argument = head.argument << 8 | static_cast<unsigned char>(bytes[i]);
  head.size += more;
  return head;
}

// Most heads are one byte: those are read where they are asked for.
inline Head read_head(std::string_view bytes) {
  CHECK(!bytes.empty());
  const auto first = static_cast<unsigned char>(bytes.front());
  const Head head = {.major = major_of(first), .info = info_of(first), .argument = info_of(first), .size = 1};
  return head.info < kOneByte ? head : read_long_head(bytes, head);
}

Kind kind_of(const Head& head) {
  switch (head.major) {
    case kUnsigned:
    case kNegative: return Kind::integer;
    case kText: return Kind::text;
    case kList: return Kind::list;
    case kMap: return Kind::map;
    case kOther: break;
    default: CHECK(false);
  }
  if (head.info >= kHalf) return Kind::real;
  return head.info == kNull ? Kind::null : Kind::boolean;
}

inline std::string_view text_after(std::string_view bytes, const Head& head) {
  CHECK(head.major == kText && head.argument <= bytes.size() - head.size);
  return {bytes.data() + head.size, head.argument};
}

// The text that starts the bytes; the head of a short one is one byte.
inline std::string_view read_text(std::string_view bytes) {
  CHECK(!bytes.empty());
  const std::size_t size = static_cast<unsigned char>(bytes.front()) - static_cast<unsigned char>(first_byte(kText, 0));
  if (size >= kOneByte) [[unlikely]]
    return text_after(bytes, read_head(bytes));
  CHECK(size < bytes.size());
  return {bytes.data() + 1, size};
}

// The size of the value that starts the bytes. Counts the items still to come instead of recursing.
std::size_t extent_of_many(std::string_view bytes) {
  std::string_view rest = bytes;
  for (std::uint64_t items = 1; items > 0; --items) {
    const Head head = read_head(rest);
    const std::size_t text = head.major == kText ? text_after(rest, head).size() : 0;
    rest.remove_prefix(head.size + text);
    if (head.major == kList) items += head.argument;
    if (head.major == kMap) items += 2 * head.argument;
  }
  return bytes.size() - rest.size();
}

// The size of a value by its first byte: 0, if that does not say it.
constexpr std::array<std::uint8_t, 256> sizes_by_first_byte() {
  std::array<std::uint8_t, 256> sizes = {};
  for (unsigned first = 0; first < sizes.size(); ++first) {
    const unsigned major = major_of(static_cast<unsigned char>(first));
    const unsigned info = info_of(static_cast<unsigned char>(first));
    if (major == kList || major == kMap || info > kEightBytes) continue;
    if (major == kText) {
      sizes[first] = info < kOneByte ? static_cast<std::uint8_t>(1 + info) : 0;
    } else {
      sizes[first] = static_cast<std::uint8_t>(info < kOneByte ? 1 : 1 + (1u << (info - kOneByte)));
    }
  }
  return sizes;
}
constexpr std::array<std::uint8_t, 256> kSizes = sizes_by_first_byte();

// The same, at once for what most values are: a scalar or a short text.
inline std::size_t extent(std::string_view bytes) {
  CHECK(!bytes.empty());
  const std::size_t size = kSizes[static_cast<unsigned char>(bytes.front())];
  if (size == 0) return extent_of_many(bytes);
  CHECK(size <= bytes.size());
  return size;
}

std::int64_t integer_of(const Head& head) {
  return static_cast<std::int64_t>(head.major == kUnsigned ? head.argument : ~head.argument);
}

double real_of(const Head& head) {
  if (head.info == kHalf) return half_to_double(static_cast<std::uint16_t>(head.argument));
  if (head.info == kSingle) return std::bit_cast<float>(static_cast<std::uint32_t>(head.argument));
  return std::bit_cast<double>(head.argument);
}

}  // namespace

Kind EncodedView::kind() const { return kind_of(read_head(bytes_)); }

bool EncodedView::as_bool() const {
  const Head head = read_head(bytes_);
  CHECK(kind_of(head) == Kind::boolean);
  return head.info == kTrue;
}

std::int64_t EncodedView::as_int() const {
  const Head head = read_head(bytes_);
  CHECK(kind_of(head) == Kind::integer);
  return integer_of(head);
}

double EncodedView::as_real() const {
  const Head head = read_head(bytes_);
  CHECK(kind_of(head) == Kind::real);
  return real_of(head);
}

std::string_view EncodedView::as_text() const { return read_text(bytes_); }

std::size_t EncodedView::size() const {
  const Head head = read_head(bytes_);
  CHECK(head.major == kList || head.major == kMap);
  return head.argument;
}

std::optional<EncodedView> EncodedView::find(std::string_view key) const {
  const Head head = read_head(bytes_);
  if (head.major != kMap) return std::nullopt;
  std::string_view rest = bytes_;
  rest.remove_prefix(head.size);
  for (std::uint64_t members = head.argument; members > 0; --members) {
    const std::string_view candidate = read_text(rest);
    rest = {candidate.data() + candidate.size(), static_cast<std::size_t>(rest.end() - candidate.end())};
    // Shorter keys come first, so most are told apart by their size.
    if (candidate.size() >= key.size()) {
      if (candidate.size() > key.size()) break;
      const int order = std::char_traits<char>::compare(candidate.data(), key.data(), key.size());
      if (order == 0) return EncodedView(rest);
      if (order > 0) break;
    }
    rest.remove_prefix(extent(rest));
  }
  return std::nullopt;
}

std::optional<EncodedView> EncodedView::at(std::size_t index) const {
  if (kind() != Kind::list || index >= size()) return std::nullopt;
  EncodedWalk walk(*this);
  for (std::size_t i = 0; i < index; ++i) walk.next_item();
  return walk.next_item();
}

std::string_view EncodedView::bytes() const { return bytes_.substr(0, extent(bytes_)); }

Value EncodedView::decode() const {
  const Head head = read_head(bytes_);
  if (head.major <= kNegative) return integer_of(head);
  switch (kind_of(head)) {
    case Kind::null: return {};
    case Kind::boolean: return head.info == kTrue;
    case Kind::integer: return integer_of(head);
    case Kind::real: return real_of(head);
    case Kind::text: return text_after(bytes_, head);
    case Kind::list:
    case Kind::map: break;
  }
  CborReader reader(bytes_);
  auto value = reader.value();
  CHECK(value.has_value());
  return *std::move(value);
}

EncodedWalk::EncodedWalk(const EncodedView& container)
    : kind_(container.kind()), left_(container.size()), rest_(container.bytes_) {
  rest_.remove_prefix(read_head(rest_).size);
}

bool EncodedWalk::advance(Kind kind) {
  CHECK(kind_ == kind);
  if (left_ == 0) return false;
  --left_;
  if (at_value_) rest_.remove_prefix(extent(rest_));
  at_value_ = true;
  return true;
}

std::optional<EncodedView> EncodedWalk::next_item() {
  if (!advance(Kind::list)) return std::nullopt;
  return EncodedView(rest_);
}

std::optional<EncodedMember> EncodedWalk::next_member() {
  if (!advance(Kind::map)) return std::nullopt;
  const Head head = read_head(rest_);
  const std::string_view key = text_after(rest_, head);
  rest_.remove_prefix(head.size + key.size());
  return EncodedMember{key, EncodedView(rest_)};
}

}  // namespace stepwell
