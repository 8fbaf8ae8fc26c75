"""Where the language differs from Jinja2 on purpose. docs/reference/expressions-differences.md lists the same names.

TAUGHT rules are built into the oracle, so that everything around them is still compared. The others are excused case
by case: `excuses(case, expected, got)` is as narrow as it can be, so that it hides nothing else.
"""

import re
from collections import namedtuple

Taught = namedtuple("Taught", "name reason")
Difference = namedtuple("Difference", "name reason excuses")

TAUGHT = [
    Taught("integers-64", "integers have 64 bits; more is an error, as in the journal's bytes"),
    Taught("finite-reals", "infinity and not-a-number are errors, because JSON has neither"),
    Taught("text-keys", "a map's keys are text, as in JSON"),
    Taught("canonical-order", "maps are in canonical key order, so that nothing changes after a reload"),
    Taught("lists-only", "tuples, views and lazy sequences are lists: JSON has one sequence"),
    Taught("no-undefined-inside", "an undefined may be asked about, but neither stored in a list or map nor passed on"),
    Taught("namespace-is-a-map", "a namespace is a map whose members its template may set"),
    Taught("members-first", "`x.items` is the member if there is one; `x.items()` and `range()` are the built-ins"),
    Taught("listed-methods", "only the listed methods exist, and no attribute of Python's objects"),
    Taught("whole-template", "`{{ x }}` alone or with comments is the value, also where an expression is wanted"),
    Taught("pairs-of-groupby", "groupby gives pairs of key and list, which have no names"),
    Taught("plain-escape", "escaped text is plain text; there is no mark that changes what `~` and `+` do"),
    Taught("tojson-plain", "tojson writes plain JSON, for requests and files and not for HTML pages"),
    Taught("chance-from-the-stamp", "random draws from the command's stamp, so that a replay draws the same"),
    Taught("left-out", "some built-ins need Python objects, HTML marks or state"),
]


def source_of(case):
    return case.get("expr", case.get("template"))


def refused_with(code, message, source=""):
    """An excuse: we refuse, with this code and a message like this, a source that has something like this."""

    def excuses(case, expected, got):
        error = got.get("error", {})
        refused = error.get("code") == code and re.search(message, error["message"])
        return bool(refused and re.search(source, source_of(case)))

    return excuses


LEFT_OUT_TAG = r"\{%[-+]?\s*(macro|call|block|filter|with|autoescape)\b|\brecursive\s*[-+]?%\}"

DIFFERENCES = [
    Difference("left-out-statements", "a template makes one text from data; it has no parts to define or load",
               refused_with("unsupported", "not part of the language", LEFT_OUT_TAG)),
    Difference("spread-arguments", "the arguments of a call are known at load",
               refused_with("unsupported", r"\* and \*\*", r"\*")),
    Difference("checked-at-load", "what cannot be called is found at load, not when its branch is first taken",
               refused_with("syntax", "^unknown (filter|test|function|method) |^only a function or a method can be")),
    Difference("reserved-words", "the words of the grammar are no names, so a slip is found at load",
               refused_with("syntax", "^expected an expression, found '(and|else|if|in|is|not|or)'")),
    Difference("empty-subscript", "a subscript has a key",
               refused_with("syntax", r"^expected a key or an index between '\[' and '\]'", r"\[\s*\]")),
    Difference("arguments-at-load", "arguments that no filter or test takes are found at load",
               refused_with("type", "^(filter|test|function|method) '.*' (takes|needs|has no|is given) ")),
    Difference("argument-kinds", "an argument of the wrong kind is an error even where Python happens not to look",
               refused_with("type", "^linecount must be a whole number|^the subject of truncate must be text")),
    Difference("loop-by-name", "`loop` is known at load and no value that could be kept",
               refused_with("unsupported", "^'loop' has no value of its own")),
    Difference("namespace-by-name", "the members of a namespace are set by its own name, so a value never changes",
               refused_with("type", "is not a namespace", r"namespace\(")),
    Difference("unclosed-raw", "a raw block is closed, also when nothing follows it",
               refused_with("syntax", "^this raw block is not closed", r"raw\s*[-+]?%\}\s*$")),
    Difference("named-escapes", "text is UTF-8: write the character itself",
               refused_with("syntax", r"\\N\{", r"\\N\{")),
]
