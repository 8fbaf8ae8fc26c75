#include "stepwell/runtime/record_body.h"

#include <cstdint>
#include <cstring>
#include <optional>

#include "stepwell/kernel/playbook/codec.h"

namespace stepwell {

namespace {

constexpr std::size_t kStamp = 8 + sizeof(Entropy);
// Lengths are in groups of seven bits, the lowest first; the high bit says that more follow.
constexpr unsigned kGroup = 7;
constexpr unsigned kMore = 1U << kGroup;
constexpr std::size_t kLengthBytes = 5;

void append_length(std::string& out, std::size_t length) {
  while (length >= kMore) {
    out.push_back(static_cast<char>((length & (kMore - 1)) | kMore));
    length >>= kGroup;
  }
  out.push_back(static_cast<char>(length));
}

std::optional<std::string_view> take_part(std::string_view& rest) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes && i < rest.size(); ++i) {
    const auto byte = static_cast<unsigned char>(rest[i]);
    length |= static_cast<std::size_t>(byte & (kMore - 1)) << (kGroup * i);
    if ((byte & kMore) != 0) continue;
    rest.remove_prefix(i + 1);
    if (length > rest.size()) return std::nullopt;
    const std::string_view part = rest.substr(0, length);
    rest.remove_prefix(length);
    return part;
  }
  return std::nullopt;
}

// Writes a part behind `out` and its length before it. Parts are short: mostly the length takes the byte that was kept.
template <typename Append>
void append_part(std::string& out, Append append) {
  const std::size_t begin = out.size();
  out.push_back('\0');
  append();
  const std::size_t length = out.size() - begin - 1;
  if (length < kMore) {
    out[begin] = static_cast<char>(length);
    return;
  }
  std::string head;
  append_length(head, length);
  out.replace(begin, 1, head);
}

}  // namespace

void append_body(std::string& out, const Stamp& stamp, const Command& command, const std::vector<Event>& events) {
  const auto micros = static_cast<std::uint64_t>(stamp.time.micros());
  char head[kStamp];
  for (std::size_t i = 0; i < 8; ++i) head[i] = static_cast<char>(micros >> (8 * i));
  std::memcpy(head + 8, stamp.entropy.data(), stamp.entropy.size());
  out.append(head, kStamp);
  append_part(out, [&] { append_command(out, command); });
  for (const Event& event : events) append_part(out, [&] { append_event(out, event); });
}

std::expected<BodyParts, std::string> split_body(std::string_view body) {
  if (body.size() < kStamp) return std::unexpected("a record without a stamp");
  std::uint64_t micros = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    micros |= static_cast<std::uint64_t>(static_cast<unsigned char>(body[i])) << (8 * i);
  }
  const auto time = Instant::from_micros(static_cast<std::int64_t>(micros));
  if (!time) return std::unexpected("a record of no time that there is");
  BodyParts parts{.stamp = {.time = *time}};
  std::memcpy(parts.stamp.entropy.data(), body.data() + 8, parts.stamp.entropy.size());
  std::string_view rest = body.substr(kStamp);
  const auto command = take_part(rest);
  if (!command) return std::unexpected("a record without a command");
  parts.command = *command;
  while (!rest.empty()) {
    const auto event = take_part(rest);
    if (!event) return std::unexpected("a record whose last event is cut off");
    parts.events.push_back(*event);
  }
  return parts;
}

std::expected<std::vector<Event>, std::string> decode_events(const BodyParts& parts) {
  std::vector<Event> events;
  events.reserve(parts.events.size());
  for (const std::string_view bytes : parts.events) {
    auto event = decode_event(bytes);
    if (!event) return std::unexpected(std::move(event.error()));
    events.push_back(std::move(*event));
  }
  return events;
}

std::expected<RecordBody, std::string> decode_body(std::string_view body) {
  auto parts = split_body(body);
  if (!parts) return std::unexpected(std::move(parts.error()));
  auto command = decode_command(parts->command);
  if (!command) return std::unexpected(std::move(command.error()));
  auto events = decode_events(*parts);
  if (!events) return std::unexpected(std::move(events.error()));
  return RecordBody{.stamp = parts->stamp, .command = std::move(*command), .events = std::move(*events)};
}

}  // namespace stepwell
