#include "stepwell/value/schema/format.h"

#include <algorithm>
#include <array>

#include "stepwell/value/json_pointer.h"
#include "stepwell/value/schema/format_checks.h"
#include "stepwell/value/schema/pattern.h"

namespace stepwell::schema {

namespace {

constexpr std::array kFormats = {
    Format{"date", "a date such as 2024-02-29", is_date},
    Format{"date-time", "a date and time such as 2024-02-29T12:30:00Z", is_date_time},
    Format{"email", "an e-mail address", is_email},
    Format{"hostname", "a host name", is_hostname},
    Format{"idn-email", "an e-mail address", is_idn_email},
    Format{"ipv4", "an IPv4 address such as 192.0.2.1", is_ipv4},
    Format{"ipv6", "an IPv6 address such as 2001:db8::1", is_ipv6},
    Format{"iri", "an absolute IRI such as https://example.com/é", is_iri},
    Format{"iri-reference", "an IRI or a relative reference", is_iri_reference},
    Format{"json-pointer", "a JSON pointer such as /lines/0", is_json_pointer},
    Format{"regex", "a regular expression", is_regex},
    Format{"relative-json-pointer", "a relative JSON pointer such as 1/lines/0", is_relative_json_pointer},
    Format{"time", "a time with its offset such as 12:30:00Z", is_time},
    Format{"uri", "an absolute URI such as https://example.com/a", is_uri},
    Format{"uri-reference", "a URI or a relative reference", is_uri_reference},
    Format{"uri-template", "a URI template such as /orders/{id}", is_uri_template},
};

}  // namespace

const Format* find_format(std::string_view name) {
  const auto found = std::ranges::find(kFormats, name, &Format::name);
  return found == kFormats.end() ? nullptr : &*found;
}

std::span<const Format> all_formats() { return kFormats; }

bool is_json_pointer(std::string_view text) { return pointer_tokens(text).has_value(); }

bool is_relative_json_pointer(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || (digits > 1 && text.front() == '0')) return false;
  const std::string_view rest = text.substr(digits);
  return rest == "#" || is_json_pointer(rest);
}

bool is_regex(std::string_view text) { return Pattern::compile(text).has_value(); }

}  // namespace stepwell::schema
