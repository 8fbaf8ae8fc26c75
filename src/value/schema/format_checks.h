#pragma once

#include <string_view>

// One predicate per format, and what several are made of. Texts are UTF-8.
namespace stepwell::schema {

constexpr bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

// RFC 3339. A leap second is accepted where one may be: at 23:59:60 UTC.
bool is_date_time(std::string_view text);
bool is_date(std::string_view text);
bool is_time(std::string_view text);

// RFC 5321 without quoted local parts' escapes; the idn form also allows letters beyond ASCII.
bool is_email(std::string_view text);
bool is_idn_email(std::string_view text);
bool is_hostname(std::string_view text);  // RFC 1034 and 1123
bool is_ipv4(std::string_view text);      // four decimal numbers, no leading zeros
bool is_ipv6(std::string_view text);      // RFC 4291 section 2.2, without a zone

// RFC 3986, and RFC 3987 for the two that allow letters beyond ASCII.
bool is_uri(std::string_view text);
bool is_uri_reference(std::string_view text);
bool is_iri(std::string_view text);
bool is_iri_reference(std::string_view text);
bool is_uri_template(std::string_view text);  // RFC 6570

bool is_json_pointer(std::string_view text);           // RFC 6901
bool is_relative_json_pointer(std::string_view text);  // draft-handrews-relative-json-pointer-01
bool is_regex(std::string_view text);                  // what `pattern` takes

}  // namespace stepwell::schema
