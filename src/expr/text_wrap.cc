#include "stepwell/expr/text_wrap.h"

#include <algorithm>
#include <vector>

#include "stepwell/expr/code_points.h"
#include "stepwell/expr/unicode.h"

namespace stepwell {
namespace {

using Text = std::u32string_view;

bool is_space_or_line_end(char32_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_word_or_punctuation(char32_t c) { return is_word(c) || Text(U"!\"'&.,?").find(c) != Text::npos; }
bool is_letter_like(char32_t c) { return is_word(c) && decimal_digit(c) < 0; }

// Finds the pieces between which a line may be broken: runs of white space, words, parts of hyphenated words, dashes.
class Splitter {
 public:
  Splitter(Text text, bool hyphens) : text_(text), hyphens_(hyphens) {}

  // The end of the piece that starts here.
  std::size_t piece_end(std::size_t start) const {
    if (is_space_or_line_end(text_[start])) return skip(start, is_space_or_line_end);
    if (!hyphens_) return skip(start, [](char32_t c) { return !is_space_or_line_end(c); });
    if (is_dash_between_words(start)) return skip(start, [](char32_t c) { return c == '-'; });
    for (std::size_t at = start + 1;; ++at) {
      if (is_hyphen_inside_word(at)) return at + 1;
      if (at == text_.size() || is_space_or_line_end(text_[at]) || is_dash_between_words(at)) return at;
    }
  }

 private:
  template <typename Wanted>
  std::size_t skip(std::size_t at, Wanted wanted) const {
    while (at < text_.size() && wanted(text_[at])) ++at;
    return at;
  }

  bool letter_at(std::size_t at) const { return at < text_.size() && is_letter_like(text_[at]); }
  bool hyphen_at(std::size_t at) const { return at < text_.size() && text_[at] == '-'; }

  // Two dashes or more, a word or its punctuation before and a word after them.
  bool is_dash_between_words(std::size_t at) const {
    if (at == 0 || !hyphen_at(at) || !hyphen_at(at + 1) || !is_word_or_punctuation(text_[at - 1])) return false;
    const std::size_t end = skip(at, [](char32_t c) { return c == '-'; });
    return end < text_.size() && is_word(text_[end]);
  }

  // After two letters, or a letter, hyphen, letter; before two letters, which may have a hyphen between them.
  bool is_hyphen_inside_word(std::size_t at) const {
    if (!hyphen_at(at)) return false;
    const bool after_two = at >= 2 && letter_at(at - 1) && letter_at(at - 2);
    const bool after_hyphenated = at >= 3 && letter_at(at - 1) && hyphen_at(at - 2) && letter_at(at - 3);
    if (!after_two && !after_hyphenated) return false;
    return letter_at(at + 1) && (letter_at(at + 2) || (hyphen_at(at + 2) && letter_at(at + 3)));
  }

  Text text_;
  bool hyphens_;
};

bool all_space(Text text) { return std::ranges::all_of(text, is_space); }

class Wrapper {
 public:
  Wrapper(Text text, const WrapOptions& options, Budget& budget) : options_(options), budget_(budget) {
    const Splitter splitter(text, options.split_at_hyphens);
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = splitter.piece_end(start);
      pieces_.push_back(text.substr(start, end - start));
      start = end;
    }
  }

  OrFault<std::string> run() {
    if (!budget_.spend(pieces_.size())) return Budget::out_of_fuel();
    while (next_ < pieces_.size()) {
      fill_line();
      if (line_.empty()) continue;
      if (auto done = put_line(); !done) return std::unexpected(done.error());
    }
    return out_;
  }

 private:
  void fill_line() {
    line_.clear();
    used_ = 0;
    if (lines_ > 0 && all_space(pieces_[next_])) ++next_;
    while (next_ < pieces_.size() && used_ + pieces_[next_].size() <= options_.width) take(pieces_[next_++]);
    if (next_ < pieces_.size() && pieces_[next_].size() > options_.width) take_of_long_word();
    if (!line_.empty() && all_space(line_.back())) line_.pop_back();
  }

  void take(Text piece) {
    line_.push_back(piece);
    used_ += piece.size();
  }

  void take_of_long_word() {
    Text& word = pieces_[next_];
    if (!options_.break_long_words) {
      if (line_.empty()) take(pieces_[next_++]);
      return;
    }
    std::size_t end = options_.width - used_;
    if (options_.prefer_hyphens && end > 0) {
      const std::size_t hyphen = word.substr(0, end).rfind(U'-');
      if (hyphen != Text::npos && word.substr(0, hyphen).find_first_not_of(U'-') != Text::npos) end = hyphen + 1;
    }
    take(word.substr(0, end));
    word.remove_prefix(end);
  }

  OrFault<void> put_line() {
    std::string line = lines_++ == 0 ? "" : std::string(options_.newline);
    for (const Text piece : line_) line += to_utf8(piece);
    if (auto allowed = budget_.spend_append(out_.size(), line.size()); !allowed) return allowed;
    out_ += line;
    return {};
  }

  const WrapOptions& options_;
  Budget& budget_;
  std::vector<Text> pieces_;
  std::size_t next_ = 0;    // the piece to be placed
  std::vector<Text> line_;  // the pieces of the line being filled
  std::size_t used_ = 0;    // and how many characters they take
  std::size_t lines_ = 0;
  std::string out_;
};

}  // namespace

OrFault<std::string> wrap_line(std::string_view line, const WrapOptions& options, Budget& budget) {
  if (auto allowed = budget.spend_text(4 * line.size()); !allowed) return std::unexpected(allowed.error());
  const std::u32string text = to_code_points(line);
  return Wrapper(text, options, budget).run();
}

}  // namespace stepwell
