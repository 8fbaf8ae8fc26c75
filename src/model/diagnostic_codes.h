#pragma once

#include <array>
#include <string_view>

namespace stepwell {

// What a code stands for, in one line.
struct DiagnosticMeaning {
  std::string_view code;
  std::string_view meaning;
};

// Every code a diagnostic can carry. Programs and people search for them, so a code keeps its meaning for ever; a
// retired one is not used again. Words in kebab case, the subject first.
inline constexpr auto kDiagnosticCodes = std::to_array<DiagnosticMeaning>({
    // Reading YAML.
    {"yaml-alias", "an alias stands for nothing, or for something that contains it"},
    {"yaml-documents", "the text holds more than one document"},
    {"yaml-duplicate-key", "a map has the same key twice"},
    {"yaml-key", "a key is not text"},
    {"yaml-limit", "the document is too long, too deep or expands to too many values"},
    {"yaml-merge-key", "the merge key '<<' of YAML 1.1 is used"},
    {"yaml-number", "a number is infinite, not a number or does not fit 64 bits"},
    {"yaml-syntax", "the text is not YAML"},
    {"yaml-tag", "a tag is unknown, or the value is not of its type"},
    {"yaml-text", "the text is not UTF-8 or holds control characters"},
});

// A code of the table. A word that is not in it does not compile.
class DiagnosticCode {
 public:
  consteval DiagnosticCode(const char* word) : word_(word) {
    for (const DiagnosticMeaning& known : kDiagnosticCodes) {
      if (known.code == word_) return;
    }
    throw "not a code of kDiagnosticCodes";
  }

  constexpr std::string_view word() const { return word_; }

  friend constexpr bool operator==(DiagnosticCode, DiagnosticCode) = default;

 private:
  std::string_view word_;
};

}  // namespace stepwell
