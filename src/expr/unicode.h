#pragma once

// What a code point is, by the Unicode character database. The questions are Python's, so that the language agrees
// with Jinja2 about them.
namespace stepwell {

bool is_printable(char32_t c);       // str.isprintable: repr() shows it as it is
bool is_space(char32_t c);           // str.isspace, \s
bool is_word(char32_t c);            // \w: letters, numbers of any kind, '_'
bool is_letter(char32_t c);          // str.isalpha
bool is_lowercase(char32_t c);       // str.islower
bool is_uppercase(char32_t c);       // str.isupper
bool is_titlecase(char32_t c);       // a letter such as U+01C5, which is both
bool is_case_ignorable(char32_t c);  // does not end a word for the final sigma
bool is_line_break(char32_t c);      // str.splitlines

// How many cells of a terminal it takes: 0 (a combining mark), 1 or 2 (an ideograph, most emoji).
int cells(char32_t c);

// The value of a decimal digit of any script, or -1.
int decimal_digit(char32_t c);

}  // namespace stepwell
