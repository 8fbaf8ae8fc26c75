#!/usr/bin/python3
"""Random cases from a seed. Case i of a seed never depends on the others, so it can be made again alone."""

import argparse
import json
import random

from corpus import read_corpus
from grammar import SMALL, Grammar, any_float, any_int, any_text
from pieces import mutated

SPACES = ["", " ", "\n", "  ", "text ", "é, ", "a\n  b"]
KEYS = ["a", "b", "c", "aa", "é", "zzz", "items", "key"]
LOOPS = [("ints", "e", "int"), ("strs", "w", "str"), ("rows", "row", "map"), ("map", "k", "str")]


def make_row(r, number):
    row = {
        "id": number,
        "name": any_text(r),
        "qty": r.choice(SMALL),
        "price": any_float(r) if r.random() < 0.6 else r.choice(SMALL),
        "tags": [any_text(r) for _ in range(r.randrange(3))],
    }
    return row | ({"opt": r.choice(SMALL)} if r.random() < 0.5 else {})


def make_context(r):
    return {
        "i": r.choice(SMALL),
        "j": any_int(r) * r.choice([1, -1]),
        "x": any_float(r),
        "y": -any_float(r),
        "s": any_text(r),
        "t": any_text(r),
        "p": r.random() < 0.5,
        "n": None,
        "li": r.choices(SMALL, k=r.randrange(6)),
        "ls": [any_text(r) for _ in range(r.randrange(5))],
        "rows": [make_row(r, number) for number in range(r.randrange(5))],
        "m": {key: r.choice(SMALL) for key in r.sample(KEYS, r.randrange(6))},
        "cfg": {"inner": {"deep": r.choice([1, "x", None, [1, 2], {"k": 0.5}]), "on": True}, "name": any_text(r)},
    }


def names_in_context():
    return {
        "int": ["i", "j", "m.a", "li[0]", "rows[0].qty"],
        "float": ["x", "y"],
        "str": ["s", "t", "cfg.name", "rows[0].name"],
        "bool": ["p", "cfg.inner.on"],
        "ints": ["li"],
        "strs": ["ls", "rows[0].tags"],
        "map": ["m", "cfg", "rows[0]"],
        "any": ["n", "cfg.inner.deep", "i", "s"],
    }


class Templates:
    """Statements around expressions; loop and set variables join the names that expressions may use."""

    def __init__(self, r):
        self.random = r
        self.grammar = Grammar(r, names_in_context())

    def body(self, depth):
        return "".join(self.part(depth) for _ in range(self.random.randrange(1, 4)))

    def part(self, depth):
        makers = [self.make_text, self.make_output, self.make_output]
        if depth:
            makers += [self.make_if, self.make_for, self.make_set, self.make_block_set, self.make_comment]
        return self.random.choice(makers)(depth)

    def delimited(self, left, text, right):
        before, after = self.random.choices(["", "-"], weights=[6, 1], k=2)
        return f"{left}{before} {text} {after}{right}"

    def tag(self, text):
        return self.delimited("{%", text, "%}")

    def expression(self, kind="any", depth=2):
        return self.grammar.expression(kind, depth)

    def make_text(self, depth):
        return self.random.choice(SPACES)

    def make_output(self, depth):
        return self.delimited("{{", self.expression(), "}}") + self.make_text(depth)

    def make_comment(self, depth):
        return self.random.choice(["{# note #}", "{#- note -#}", "{# {{ x }} #}", "{% raw %}{{ x }}{% endraw %}"])

    def make_if(self, depth):
        out = self.tag(f"if {self.expression('bool')}") + self.body(depth - 1)
        if self.random.random() < 0.4:
            out += self.tag(f"elif {self.expression()}") + self.body(depth - 1)
        if self.random.random() < 0.5:
            out += self.tag("else") + self.body(depth - 1)
        return out + self.tag("endif")

    def make_set(self, depth):
        kind = self.random.choice(["int", "str", "ints"])
        out = self.tag(f"set v_{kind} = {self.expression(kind)}")
        self.grammar.names[kind].append(f"v_{kind}")
        return out

    def make_block_set(self, depth):
        filters = self.random.choice(["", "", " | upper", " | trim | title", " | replace('a', 'b')", " | indent(2)"])
        out = self.tag(f"set v_block{filters}") + self.body(depth - 1) + self.tag("endset")
        self.grammar.names["str"].append("v_block")
        return out

    def make_for(self, depth):
        kind, target, item = self.random.choice(LOOPS)
        test = self.random.choice(["defined", "odd", "string", "mapping", "true"])
        condition = f" if {target} is {test}" if self.random.random() < 0.2 else ""
        out = self.tag(f"for {target} in {self.expression(kind, 1)}{condition}")
        outside = self.grammar.names
        self.grammar.names = {key: list(value) for key, value in outside.items()}
        self.add_loop_names(target, item)
        out += self.body(depth - 1)
        self.grammar.names = outside
        if self.random.random() < 0.3:
            out += self.tag("else") + "none"
        return out + self.tag("endfor")

    def add_loop_names(self, target, item):
        names = self.grammar.names
        names[item].append(target)
        names["int"] += ["loop.index", "loop.revindex0", "loop.length"]
        names["bool"] += ["loop.first", "loop.last", f"loop.changed({target})"]
        names["str"].append("loop.cycle('x', 'y')")
        if target == "row":
            names["int"].append("row.qty")
            names["str"].append("row.name")


CORPUS = list(read_corpus().values())


def make_case(seed, index):
    """Half are expressions, the rest templates and cases of the corpus with a mistake in them."""
    r = random.Random(f"{seed}:{index}")
    kind = r.random()
    if kind < 0.25:
        case = r.choice(CORPUS)
        word = "expr" if "expr" in case else "template"
        other = r.choice(CORPUS)
        return {**case, word: mutated(r, case[word], other.get("expr", other.get("template")))}
    context = make_context(r)
    if kind < 0.75:
        return {"expr": Grammar(r, names_in_context()).expression("any", r.randrange(2, 5)), "context": context}
    return {"template": Templates(r).body(r.randrange(1, 4)), "context": context}


def make_cases(seed, count):
    return {f"{seed}:{index}": make_case(seed, index) for index in range(count)}


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=20)
    given = options.parse_args()
    for case in make_cases(given.seed, given.count).values():
        print(json.dumps(case, ensure_ascii=False))
