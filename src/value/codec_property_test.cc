#include <memory>

#include <cbor.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "stepwell/value/cbor_read.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/encoded.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"
#include "stepwell/value/testing/arbitrary_value.h"

namespace stepwell {
namespace {

using testing::arbitrary_value;

RC_GTEST_PROP(JsonProperty, WritingAndReadingGivesTheValueBack, ()) {
  const Value value = *arbitrary_value();
  RC_ASSERT(*parse_json(to_json(value)) == value);
  RC_ASSERT(*parse_json(to_json_pretty(value)) == value);
}

RC_GTEST_PROP(CborProperty, EncodingAndDecodingGivesTheValueBack, ()) {
  const Value value = *arbitrary_value();
  RC_ASSERT(*decode_cbor(encode_cbor(value)) == value);
}

// The same value from other memory, with its members in another order.
Value rebuilt(const Value& value) {
  if (value.is_text()) return Value(std::string(value.as_text()));
  if (value.is_list()) {
    std::vector<Value> items;
    for (const Value& item : value.as_list()) items.push_back(rebuilt(item));
    return Value::list(std::move(items));
  }
  if (value.is_map()) {
    std::vector<Member> members;
    for (const Member& member : value.as_map()) members.insert(members.begin(), {member.name, rebuilt(member.value)});
    return Value::map(std::move(members));
  }
  return value;
}

RC_GTEST_PROP(CborProperty, EqualValuesAndOnlyTheyHaveEqualBytes, ()) {
  const Value a = *arbitrary_value();
  const Value b = *rc::gen::oneOf(rc::gen::just(rebuilt(a)), arbitrary_value(2));
  RC_ASSERT((a == b) == (encode_cbor(a) == encode_cbor(b)));
}

// Canonical bytes with a few of them changed: close enough to be accepted now and then.
std::string damaged(std::string bytes) {
  const int changes = *rc::gen::inRange(0, 4);
  for (int i = 0; i < changes && !bytes.empty(); ++i) {
    bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
  }
  bytes.resize(*rc::gen::oneOf(rc::gen::just(bytes.size()), rc::gen::inRange<std::size_t>(0, bytes.size() + 1)));
  return bytes;
}

RC_GTEST_PROP(CborProperty, BytesThatAreAcceptedAreTheOnesThatAreWritten, ()) {
  const std::string bytes = damaged(encode_cbor(*arbitrary_value()));
  const auto value = decode_cbor(bytes);
  RC_CLASSIFY(value.has_value(), "accepted");
  if (value) RC_ASSERT(encode_cbor(*value) == bytes);
}

void expect_same(const EncodedView& view, const Value& value) {
  RC_ASSERT(view.kind() == value.kind());
  RC_ASSERT(view.bytes() == encode_cbor(value));
  RC_ASSERT(view.decode() == value);
  switch (value.kind()) {
    case Kind::null: return;
    case Kind::boolean: RC_ASSERT(view.as_bool() == value.as_bool()); return;
    case Kind::integer: RC_ASSERT(view.as_int() == value.as_int()); return;
    case Kind::real: RC_ASSERT(Value(view.as_real()) == value); return;
    case Kind::text: RC_ASSERT(view.as_text() == value.as_text()); return;
    case Kind::list: {
      RC_ASSERT(view.size() == value.as_list().size());
      EncodedWalk walk(view);
      for (std::size_t i = 0; i < view.size(); ++i) {
        expect_same(*walk.next_item(), value.as_list()[i]);
        expect_same(*view.at(i), value.as_list()[i]);
      }
      RC_ASSERT(!walk.next_item() && !view.at(view.size()));
      return;
    }
    case Kind::map: {
      RC_ASSERT(view.size() == value.as_map().size());
      EncodedWalk walk(view);
      for (const Member& member : value.as_map()) {
        const auto walked = walk.next_member();
        RC_ASSERT(walked->key == member.key());
        expect_same(walked->value, member.value);
        expect_same(*view.find(member.key()), member.value);
      }
      RC_ASSERT(!walk.next_member());
      return;
    }
  }
}

RC_GTEST_PROP(EncodedProperty, WalkingTheBytesIsWalkingTheValue, ()) {
  const Value value = *arbitrary_value(3);
  const std::string bytes = encode_cbor(value) + "what follows is not looked at";
  expect_same(EncodedView(bytes), value);
}

RC_GTEST_PROP(EncodedProperty, FindsExactlyTheKeysThatAreThere, ()) {
  const Value value = *rc::gen::suchThat(arbitrary_value(2), [](const Value& v) { return v.is_map(); });
  const std::string key = *testing::arbitrary_text();
  const std::string bytes = encode_cbor(value);
  const auto found = EncodedView(bytes).find(key);
  RC_ASSERT(found.has_value() == (value.find(key) != nullptr));
}

// libcbor as a second opinion. It reads half floats correctly; what it writes, and what it accepts beyond canonical
// bytes, is not asked.
bool same(const cbor_item_t* item, const Value& value) {
  switch (value.kind()) {
    case Kind::null: return cbor_is_null(item);
    case Kind::boolean: return cbor_is_bool(item) && cbor_get_bool(item) == value.as_bool();
    case Kind::integer: {
      if (!cbor_is_int(item)) return false;
      const bool negative = cbor_isa_negint(item);
      const std::uint64_t argument = cbor_get_int(item);
      return value.as_int() == static_cast<std::int64_t>(negative ? ~argument : argument);
    }
    case Kind::real: return cbor_is_float(item) && Value(cbor_float_get_float(item)) == value;
    case Kind::text:
      return cbor_isa_string(item) &&
             value.as_text() ==
                 std::string_view(reinterpret_cast<const char*>(cbor_string_handle(item)), cbor_string_length(item));
    case Kind::list: {
      if (!cbor_isa_array(item) || cbor_array_size(item) != value.as_list().size()) return false;
      for (std::size_t i = 0; i < value.as_list().size(); ++i) {
        if (!same(cbor_array_handle(item)[i], value.as_list()[i])) return false;
      }
      return true;
    }
    case Kind::map: {
      if (!cbor_isa_map(item) || cbor_map_size(item) != value.as_map().size()) return false;
      const cbor_pair* pairs = cbor_map_handle(item);
      for (std::size_t i = 0; i < value.as_map().size(); ++i) {
        const Member& member = value.as_map()[i];
        if (!same(pairs[i].key, member.name) || !same(pairs[i].value, member.value)) return false;
      }
      return true;
    }
  }
  return false;
}

RC_GTEST_PROP(CborProperty, LibcborReadsTheSame, ()) {
  const Value value = *arbitrary_value();
  const std::string bytes = encode_cbor(value);
  cbor_load_result result;
  cbor_item_t* item = cbor_load(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), &result);
  RC_ASSERT(item != nullptr);
  RC_ASSERT(result.read == bytes.size());
  const bool agrees = same(item, value);
  cbor_decref(&item);
  RC_ASSERT(agrees);
}

}  // namespace
}  // namespace stepwell
