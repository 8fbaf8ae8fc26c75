"""Reads the hand-written cases: corpus/*.txt, one case per line.

    # a comment
    with {"x": 1}         the context of the lines below; `with shop` takes one from contexts.json, `with` alone none
    x + 1                 an expression
    > {{ x }} and more    a template; ⏎ stands for a line feed, ⇥ for a tab, ␠ for a space at an end
"""

import json
from pathlib import Path

FOLDER = Path(__file__).parent / "corpus"
STANDS_FOR = str.maketrans({"⏎": "\n", "⇥": "\t", "␠": " "})


def read_context(text, named):
    text = text.strip()
    if not text:
        return {}
    return json.loads(text) if text.startswith("{") else named[text]


def read_lines(lines, named):
    """Yields (line number, case)."""
    context = {}
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\n")
        if not line.strip() or line.startswith("#"):
            continue
        if line == "with" or line.startswith("with "):
            context = read_context(line[len("with"):], named)
        elif line.startswith("> "):
            yield number, {"template": line[2:].translate(STANDS_FOR), "context": context}
        else:
            yield number, {"expr": line, "context": context}


def read_corpus(folder=FOLDER):
    """{"slices.txt:12": case, ...}"""
    named = json.loads((folder / "contexts.json").read_text())
    cases = {}
    for path in sorted(folder.glob("*.txt")):
        with path.open(encoding="utf-8") as lines:
            for number, case in read_lines(lines, named):
                cases[f"{path.name}:{number}"] = case
    return cases
