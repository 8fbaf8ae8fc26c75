#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "stepwell/expr/quoter.h"

namespace stepwell {

// A text as one word of /bin/sh.
void append_shell_word(std::string& out, std::string_view text);

// Puts values into a command for /bin/sh so that none of their bytes is ever read as code. How a value is quoted
// depends on where it stands: `echo {{ x }}`, `echo "{{ x }}"` and `echo '{{ x }}'` all print x. Where quotes mean
// nothing, or where it takes a shell to tell what they mean (here-documents, comments, backquotes, arithmetic,
// substitutions inside double quotes), only values that no shell could misread are taken, and any other is refused.
class ShellText final : public Quoter {
 public:
  OrFault<void> append(std::string& written, std::string_view text) override;

 private:
  enum class Place : std::uint8_t {
    plain,
    single_quotes,
    double_quotes,
    comment,
    unclear,  // beyond what is followed here; there is no way back
    escape,   // right behind a backslash or a dollar sign
  };

  void follow(std::string_view code);
  // Each looks at what stands at `at`, and answers where to go on.
  std::size_t follow_plain(std::string_view code, std::size_t at);
  std::size_t follow_double_quotes(std::string_view code, std::size_t at);
  std::size_t follow_dollar(std::string_view code, std::size_t at);

  Place place_ = Place::plain;
  std::size_t followed_ = 0;  // how much of what was written
};

}  // namespace stepwell
