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
    Taught("members-first", "a map's own member wins over a method of the same name"),
    Taught("listed-methods", "only the listed methods exist, and no attribute of Python's objects"),
    Taught("plain-escape", "escaped text is plain text; there is no mark that changes what `~` and `+` do"),
    Taught("tojson-plain", "tojson writes plain JSON, for requests and files and not for HTML pages"),
    Taught("left-out", "some built-ins need Python objects, HTML marks or chance"),
]


def source_of(case):
    return case.get("expr", case.get("template"))


def code_of(answer):
    return answer.get("error", {}).get("code")


LEFT_OUT_TAGS = re.compile(
    r"\{%[-+]?\s*(macro|call|block|with|autoescape|include|extends|import|from)\b|\brecursive\s*[-+]?%\}")


def left_out_statement(case, expected, got):
    return code_of(got) == "unsupported" and LEFT_OUT_TAGS.search(source_of(case)) is not None


DIFFERENCES = [
    Difference("left-out-statements", "templates here make one text from data; they have no parts to define or load",
               left_out_statement),
]
