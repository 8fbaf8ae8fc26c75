"""Sources cut into pieces, about as the lexer does: for making cases smaller, and for making wrong ones."""

import re

PIECES = re.compile(r"\{%.*?%\}|\{\{|\}\}|'(?:\\.|[^'\\])*'|\w+|\s+|.", re.DOTALL)


def pieces_of(source):
    return PIECES.findall(source)


def mutated(r, source, other):
    """The source with one or two pieces left out, exchanged, or taken from another source."""
    pieces = pieces_of(source)
    for _ in range(r.randrange(1, 3)):
        if not pieces:
            break
        at = r.randrange(len(pieces))
        strange = r.choice(pieces_of(other))
        change = r.randrange(4)
        if change == 0:
            del pieces[at]
        elif change == 1:
            pieces.insert(at, strange)
        elif change == 2:
            pieces[at] = strange
        else:
            with_other = r.randrange(len(pieces))
            pieces[at], pieces[with_other] = pieces[with_other], pieces[at]
    return "".join(pieces)
