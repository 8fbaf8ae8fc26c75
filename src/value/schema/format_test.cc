#include "stepwell/value/schema/format.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace stepwell::schema {
namespace {

void expect_accepts(std::string_view format, std::initializer_list<std::string_view> texts) {
  for (std::string_view text : texts) EXPECT_TRUE(find_format(format)->accepts(text)) << format << ": " << text;
}

void expect_refuses(std::string_view format, std::initializer_list<std::string_view> texts) {
  for (std::string_view text : texts) EXPECT_FALSE(find_format(format)->accepts(text)) << format << ": " << text;
}

TEST(Format, IsFoundByNameAndUnknownOnesAreNot) {
  EXPECT_EQ(find_format("date")->name, "date");
  EXPECT_EQ(find_format("colour"), nullptr);
  EXPECT_TRUE(std::ranges::is_sorted(all_formats(), {}, &Format::name));
}

TEST(Format, DatesFollowTheCalendar) {
  expect_accepts("date", {"2024-02-29", "2000-02-29", "0000-01-01", "9999-12-31"});
  expect_refuses("date", {"", "2023-02-29", "1900-02-29", "2024-00-10", "2024-13-01", "2024-04-31", "2024-4-01",
                          "24-04-01", "2024-04-01 ", "２024-04-01"});
}

TEST(Format, ALeapSecondIsOneOnlyInUtc) {
  expect_accepts("time", {"23:59:60Z", "15:59:60-08:00", "00:29:60+00:30", "12:00:00.123456789+14:00", "12:00:00z"});
  expect_refuses("time", {"12:00:60Z", "23:59:60+01:00", "24:00:00Z", "12:60:00Z", "12:00:00", "12:00Z", "12:00:00.Z",
                          "12:00:00+24:00", "12:00:00+0100"});
  expect_accepts("date-time", {"1998-12-31T23:59:60Z", "2024-02-29t00:00:00z"});
  expect_refuses("date-time", {"2024-02-29 00:00:00Z", "2024-02-29T00:00:00", "2024-02-29", "2024-02-30T00:00:00Z"});
}

TEST(Format, AddressesOfMachines) {
  expect_accepts("ipv4", {"0.0.0.0", "255.255.255.255"});
  expect_refuses("ipv4", {"", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.4 ", "1..2.3", "1.2.3.a"});
  expect_accepts("ipv6", {"::", "::1", "1::", "1:2:3:4:5:6:7:8", "1::8", "::ffff:192.0.2.1", "1:2:3:4:5:6:192.0.2.1"});
  expect_refuses("ipv6", {"", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "::1%eth0",
                          "1:2:3:4:5:6:7:192.0.2.1", "192.0.2.1::", "1:2:3:4:5:6:7::8:", "g::"});
  expect_accepts("hostname", {"a", "example.com", "xn--bcher-kva.example", "1.2.3"});
  expect_refuses("hostname", {"", ".", "a.", "a..b", "-a", "a-", "a_b", "é.com",
                              "a234567890123456789012345678901234567890123456789012345678901234"});
}

TEST(Format, Mailboxes) {
  expect_accepts("email", {"a@b", "first.last+tag@example.com", R"("two words"@example.com)", "a@[192.0.2.1]",
                           "a@[IPv6:2001:db8::1]"});
  expect_refuses("email", {"", "a", "@b", "a@", "a..b@c", ".a@b", "a@b@", "a b@c", "é@example.com", "a@[1.2.3]"});
  expect_accepts("idn-email", {"é@bücher.example"});
}

TEST(Format, Uris) {
  expect_accepts("uri",
                 {"a:", "http://a", "http://u:p@[::1]:80/x?y=z/?#f", "urn:x:y", "http://[v1.a:b]/", "file:///x"});
  expect_refuses("uri", {"", "a", "//a", "1a:b", "http://a b", "http://[::1", "http://[1]", "http://a:port", "a:%zz",
                         "http://é", "a:[", "a:b#c#d"});
  expect_accepts("uri-reference", {"", "a", "?q", "#f", "../x", "//h/p", "./a:b"});
  expect_refuses("uri-reference", {":a", "a b", "<a>", "%1"});
  expect_accepts("iri", {"http://é/ü?ö#ä"});
  expect_accepts("uri-template", {"", "/{a}", "{+a,b*}{?c:3}", "{a.b}", "{%41}"});
  expect_refuses("uri-template", {"{", "}", "{}", "{a", "{a b}", "{a:0}", "{a:}", "{a..b}", "a b", "%4"});
}

TEST(Format, Pointers) {
  expect_accepts("json-pointer", {"", "/", "/a~1b/~0"});
  expect_refuses("json-pointer", {"a", "#/a", "/~", "/~2"});
  expect_accepts("relative-json-pointer", {"0", "1/a", "10#", "0/"});
  expect_refuses("relative-json-pointer", {"", "/a", "01", "-1", "1#/a", "1a"});
}

}  // namespace
}  // namespace stepwell::schema
