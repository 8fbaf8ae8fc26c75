"""The values of the language in Python's terms: what Jinja2 may hold, so that both sides talk about the same data.

None, bool, int within 64 bits, finite float, str, list, and dict with text keys in canonical order.
"""

import math

from jinja2.exceptions import UndefinedError
from jinja2.runtime import LoopContext, Undefined
from jinja2.utils import Namespace

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
MAX_ITEMS = 1_000_000


def canonical_key(key):
    """Shorter UTF-8 first, then by bytes: the order in which deterministic CBOR sorts text keys."""
    encoded = key.encode()
    return len(encoded), encoded


def make_map(pairs):
    result = {}
    for key, value in pairs:
        if not isinstance(key, str):
            raise TypeError(f"a map's key is text, not {type(key).__name__}")
        result[key] = plain(value)
    return {key: result[key] for key in sorted(result, key=canonical_key)}


def make_list(items):
    return [plain(item) for item in items]


class PlainNamespace(Namespace):
    """A namespace that looks like the map it holds."""

    def __str__(self):
        return str(plain(self))


def needed(value):
    """The value, which must be defined; a namespace is the map that it holds."""
    if isinstance(value, Undefined):
        value._fail_with_undefined_error()
    return plain(value) if isinstance(value, Namespace) else value


def checked_number(value):
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and not INT_MIN <= value <= INT_MAX:
        raise OverflowError("integer beyond 64 bits")
    if isinstance(value, float) and not math.isfinite(value):
        raise OverflowError("number is not finite")
    return value


def plain(value):
    """A value of the language, made of whatever Python answered: lazy sequences, tuples and views become lists."""
    if isinstance(value, Undefined):
        value._fail_with_undefined_error()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return checked_number(value)
    if isinstance(value, str):
        value.encode()  # a lone surrogate is no text
        return str.__str__(value)
    if isinstance(value, dict):
        return make_map(value.items())
    if isinstance(value, Namespace):
        return make_map(value._Namespace__attrs.items())
    if isinstance(value, LoopContext) or callable(value):
        raise TypeError(f"{type(value).__name__} is not a value")
    if hasattr(value, "__iter__"):
        return make_list(value)
    raise TypeError(f"{type(value).__name__} is not a value")


def result_of(value):
    """What an evaluation answers; an undefined answer is an error."""
    if isinstance(value, Undefined):
        raise UndefinedError(str(value._undefined_message))
    return plain(value)
