#include "stepwell/value/schema/uri.h"

#include <gtest/gtest.h>

namespace stepwell::schema {
namespace {

// The examples of RFC 3986, section 5.4, without their fragments.
TEST(Uri, ReferencesResolveAsTheStandardShows) {
  const std::pair<std::string_view, std::string_view> examples[] = {
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../g", "http://a/g"},
      {"../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {"..g", "http://a/b/c/..g"},
      {"./../g", "http://a/b/g"},
      {"g/./h", "http://a/b/c/g/h"},
      {"g/../h", "http://a/b/c/h"},
      {"g;x=1/../y", "http://a/b/c/y"},
      {"g?y/../x", "http://a/b/c/g?y/../x"},
      {"http:g", "http:g"},
  };
  for (const auto& [reference, resolved] : examples) {
    EXPECT_EQ(resolve_uri("http://a/b/c/d;p?q", reference), resolved) << reference;
  }
}

TEST(Uri, ABaseNeedsNoScheme) {
  EXPECT_EQ(resolve_uri("", "item.json"), "item.json");
  EXPECT_EQ(resolve_uri("dir/root.json", "item.json#x"), "dir/item.json");
  EXPECT_EQ(resolve_uri("http://host", "a"), "http://host/a");
}

TEST(Uri, PercentEncodingIsUndone) {
  EXPECT_EQ(percent_decoded("a%25b%C3%a9"), "a%bé");
  for (const char* text : {"%", "%1", "a%zz", "%+1"}) EXPECT_EQ(percent_decoded(text), std::nullopt) << text;
}

}  // namespace
}  // namespace stepwell::schema
