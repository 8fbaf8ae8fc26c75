#pragma once

#include <string>
#include <string_view>

// Between text and HTML.
namespace stepwell {

// The five characters that mean something in HTML as references: &amp; &lt; &gt; &#39; &#34;
std::string html_escaped(std::string_view text);

// Numeric references and the named ones of HTML up to Latin-1 (plus a few for punctuation) as the characters they
// mean; what is no reference stays. As in a browser, numbers from 128 to 159 are those of Windows-1252.
std::string html_unescaped(std::string_view text);

// Without comments and tags.
std::string without_tags(std::string_view text);

}  // namespace stepwell
