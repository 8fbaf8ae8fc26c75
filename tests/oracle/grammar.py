"""Random expressions of a wanted type, by the productions of grammar.txt. Most have a value; some are wrong on purpose,
because errors must agree too."""

import re
from pathlib import Path

TEXTS = [
    "", "a", "Hello World", "foo bar-baz", "  padded ", "x,y,,z", "žluťoučký kůň", "straße", "日本語", "e\u0301", "😀 ok",
    "it's", 'say "hi"', "<b>&</b>", "line\nbreak", "12", "-3.5", "1e3", "0x1f", "MiXed Case", "ΟΔΟΣ", "%d of %s",
    "a\tb",
]
SMALL = [0, 1, 2, 3, 5, 7, 10, 42, 100]
LARGE = [255, 1000, 65536, 2**31, 2**53, 2**53 + 1, 2**62, 2**63 - 1]
FLOATS = [0.0, 0.5, 1.0, 1.5, 2.25, 3.14159, 0.1, 1e-5, 1e16, 1e22, 123456.789, 2.675, 1e-7, 99.995]
CHARACTERS = " aAbzZ09.,-_'\"\\\n\t\r<>&%{}()éßǅİıΣςŉﬁ日😀\u0301\u00a0\u200b\u2028ª²½Ⅷ٣\x00\x1f\x85𐐀"
MISTAKES = ["missing", "none", "'5'", "[]", "{}", "m.nope", "li[99]", "true", "(1, 'x')"]
TERMINALS = {
    "index": range(-6, 9),
    "digit": range(0, 6),
    "digits": range(-2, 6),
    "count": range(1, 6),
    "width": range(2, 16),
    "step": [-3, -2, -1, 1, 2, 3],
    "compare": ["==", "!=", "<", "<=", ">", ">="],
    "attrtest": ["gt", "le", "eq", "!=", "<", "ge"],
    "case": ["upper", "lower", "title", "capitalize", "trim", "reverse"],
    "textual": ["upper", "lower", "title", "capitalize", "trim", "string", "e", "striptags", "length", "wordcount"],
    "test": [
        "odd", "even", "number", "string", "none", "defined", "integer", "float", "boolean", "sequence", "mapping",
        "iterable", "true", "false", "undefined", "lower", "upper",
    ],
}
PLACE = re.compile(r"<([a-z]+)>")
MEMBER = re.compile(r"\d+|[a-z_]\w*(\.\w+|\[\d+\])*")


def read_productions():
    productions = {}
    for line in Path(__file__).with_name("grammar.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            productions[kind].append(line[2:])
        elif line and not line.startswith("#"):
            kind = line
            productions[kind] = []
    return productions


PRODUCTIONS = read_productions()


def any_text(r):
    return r.choice(TEXTS) if r.random() < 0.7 else "".join(r.choices(CHARACTERS, k=r.randrange(9)))


def any_int(r):
    if r.random() < 0.8:
        return r.choice(SMALL)
    return r.choice(LARGE) if r.random() < 0.5 else r.getrandbits(r.randrange(63))


def any_float(r):
    if r.random() < 0.6:
        return r.choice(FLOATS)
    return r.choice([round(r.uniform(0, 1000), r.randrange(6)), r.uniform(0, 10), 10.0 ** r.uniform(-20, 25)])


def quoted(text):
    escapes = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t"}
    return "'" + "".join(escapes.get(c, c) for c in text) + "'"


class Grammar:
    """Writes expressions over `names`: {type: [expressions that have it]}, the context's variables and more."""

    def __init__(self, random, names):
        self.random = random
        self.names = names

    def expression(self, kind, depth):
        r = self.random
        if r.random() < 0.02:
            return r.choice(MISTAKES)
        if depth <= 0 or (depth < 3 and r.random() < 0.12):
            return self.leaf(kind)
        if r.random() < 0.05:
            return self.filled(f"<{kind}> if <bool> else <{kind}>", depth - 1)
        if kind == "any" and r.random() < 0.75:
            return self.expression(r.choice(list(PRODUCTIONS)), depth)
        return self.filled(r.choice(PRODUCTIONS[kind]), depth - 1)

    def filled(self, production, depth):
        def fill(place):
            word = place[1]
            if word in TERMINALS:
                return str(self.random.choice(TERMINALS[word]))
            inner = self.expression(word, depth)
            # Without parentheses precedence decides, which both sides must do alike.
            return inner if is_atom(inner) or self.random.random() < 0.2 else f"({inner})"

        return PLACE.sub(fill, production)

    def leaf(self, kind):
        r = self.random
        if kind in self.names and r.random() < 0.6:
            return r.choice(self.names[kind])
        return {
            "int": lambda: str(any_int(r)),
            "float": lambda: repr(any_float(r)),
            "str": lambda: quoted(any_text(r)),
            "bool": lambda: r.choice(["true", "false"]),
            "ints": lambda: "[" + ", ".join(str(r.choice(SMALL)) for _ in range(r.randrange(5))) + "]",
            "strs": lambda: "[" + ", ".join(quoted(any_text(r)) for _ in range(r.randrange(4))) + "]",
            "rows": lambda: "rows",
            "map": lambda: r.choice(["m", "{}", "{'b': 1, 'aa': 2, 'a': 3}", "cfg"]),
            "any": lambda: self.leaf(r.choice(["int", "float", "str", "bool", "ints", "strs", "map"])),
        }[kind]()


def is_atom(text):
    return MEMBER.fullmatch(text) is not None or (text[0] in "['{(" and closes_at_end(text))


def closes_at_end(text):
    """Whether the bracket or quote that opens the text closes at its very end."""
    if text[0] == "'":
        return text.endswith("'") and "'" not in text[1:-1]
    depth = 0
    for position, c in enumerate(text):
        depth += (c in "[{(") - (c in "]})")
        if depth == 0:
            return position == len(text) - 1
    return False
