#include <istream>
#include <ostream>

#include "stepwell/base/hex.h"
#include "stepwell/base/sha256.h"
#include "stepwell/cli/batch.h"
#include "stepwell/cli/input.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/value_commands.h"
#include "stepwell/value/cbor_read.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

// encode, decode and hash: values between JSON and their canonical bytes.
namespace stepwell::cli {
namespace {

// Why an input is refused: the code of the page on formats, and a message with the place.
struct Refused {
  std::string_view code;
  std::string message;
};

using Converted = std::expected<Value, Refused>;

Converted read_json(std::string_view text) {
  auto value = parse_json(text);
  if (!value) return std::unexpected(Refused{code_name(value.error().code), value.error().to_string()});
  return *std::move(value);
}

Converted read_cbor(std::string_view bytes) {
  auto value = decode_cbor(bytes);
  if (!value) return std::unexpected(Refused{code_name(value.error().code), value.error().to_string()});
  return *std::move(value);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

Converted read_hex(std::string_view text) {
  const auto bytes = from_hex(trimmed(text));
  if (!bytes) return std::unexpected(Refused{"syntax", "expected an even number of hexadecimal digits"});
  return read_cbor(*bytes);
}

// A line of a batch is JSON: a text of hexadecimal digits.
Converted read_hex_line(std::string_view line) {
  const Converted text = read_json(line);
  if (!text) return text;
  if (!text->is_text()) return std::unexpected(Refused{"syntax", "expected a text of hexadecimal digits"});
  return read_hex(text->as_text());
}

std::string hash_of(const Value& value) { return "sha256:" + sha256(encode_cbor(value)).to_hex(); }

// The same line by line.
ExitCode convert_lines(Call& call, Converted (*convert)(std::string_view)) {
  return answer_lines(call, [&](std::string_view line) -> LineAnswer {
    Converted converted = convert(line);
    if (!converted) return refusal(converted.error().code, converted.error().message);
    return *std::move(converted);
  });
}

std::string argument_or_input(const std::optional<std::string>& argument, Call& call) {
  return argument && *argument != "-" ? *argument : read_all(call.in);
}

constexpr std::string_view kBatchTakesInput = "--batch takes the values from the standard input";

ExitCode run_encode(const Command& command, Call& call) {
  std::optional<std::string> json;
  bool raw = false, batch = false;
  Options options(command);
  options.argument("JSON", json, "the value; standard input if left out or -");
  options.flag("--raw", raw, "write the bytes themselves, not their hexadecimal digits");
  options.flag("--batch", batch, kBatchHelp);
  if (auto ended = options.parse(call)) return *ended;
  if (batch && json) return refuse(call, kBatchTakesInput);
  if (batch) {
    return convert_lines(call, [](std::string_view line) -> Converted {
      const Converted value = read_json(line);
      if (!value) return value;
      return to_hex(encode_cbor(*value));
    });
  }
  const Converted value = read_json(argument_or_input(json, call));
  if (!value) return refuse(call, value.error().message);
  const std::string bytes = encode_cbor(*value);
  call.out << (raw ? bytes : to_hex(bytes) + '\n');
  return ExitCode::ok;
}

ExitCode run_decode(const Command& command, Call& call) {
  std::optional<std::string> hex;
  bool raw = false, pretty = false, batch = false;
  Options options(command);
  options.argument("HEX", hex, "canonical CBOR in hexadecimal digits; standard input if left out or -");
  options.flag("--raw", raw, "standard input is the bytes themselves");
  options.flag("--pretty", pretty, "one item or member per line");
  options.flag("--batch", batch, kBatchHelp);
  if (auto ended = options.parse(call)) return *ended;
  if (batch && hex) return refuse(call, kBatchTakesInput);
  if (raw && hex) return refuse(call, "--raw takes the bytes from the standard input");
  if (batch) return convert_lines(call, read_hex_line);
  const std::string input = argument_or_input(hex, call);
  const Converted value = raw ? read_cbor(input) : read_hex(input);
  if (!value) return refuse(call, value.error().message);
  call.out << (pretty ? to_json_pretty(*value) : to_json(*value)) << '\n';
  return ExitCode::ok;
}

ExitCode run_hash(const Command& command, Call& call) {
  std::optional<std::string> json;
  bool batch = false;
  Options options(command);
  options.argument("JSON", json, "the value; standard input if left out or -");
  options.flag("--batch", batch, kBatchHelp);
  if (auto ended = options.parse(call)) return *ended;
  if (batch && json) return refuse(call, kBatchTakesInput);
  if (batch) {
    return convert_lines(call, [](std::string_view line) -> Converted {
      const Converted value = read_json(line);
      if (!value) return value;
      return hash_of(*value);
    });
  }
  const Converted value = read_json(argument_or_input(json, call));
  if (!value) return refuse(call, value.error().message);
  call.out << hash_of(*value) << '\n';
  return ExitCode::ok;
}

}  // namespace

const Command kValueEncode = {"encode", "JSON to canonical CBOR, in hexadecimal digits",
                              "stepwell value encode '{\"a\": [1, 2.5]}'", run_encode};
const Command kValueDecode = {"decode", "canonical CBOR to JSON", "stepwell value decode a161618201f94100", run_decode};
const Command kValueHash = {"hash", "the SHA-256 of a value's canonical CBOR",
                            "stepwell value hash '{\"a\": [1, 2.5]}'", run_hash};

}  // namespace stepwell::cli
