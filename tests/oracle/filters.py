"""Jinja2's filters and tests with the language's values, and the filters that the language adds.

The added ones are written from their description, not from our code: two readings of one text that must agree.
"""

import base64
import functools
import hashlib
import json

from jinja2.filters import make_attrgetter
from jinja2.runtime import Undefined
from jinja2.utils import pass_environment

from values import checked_number, make_map, plain, needed

# Not of this language: they need Python objects or HTML-safe marks. And chance cannot be compared.
LEFT_OUT_FILTERS = {"attr", "pprint", "safe", "urlize"} | {"random"}
LEFT_OUT_TESTS = {"callable", "escaped"}
# The only ones that may meet an undefined subject.
ASKS_DEFINED = {"default", "d", "defined", "undefined"}


def taught(name, function):
    """`function` as the language has it: eager, in plain values, and refusing what is undefined."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        if name not in ASKS_DEFINED:
            args = [needed(argument) for argument in args]
            kwargs = {key: needed(argument) for key, argument in kwargs.items()}
        result = function(*args, **kwargs)
        return result if isinstance(result, Undefined) else plain(result)

    return call


def taught_filters(builtin):
    filters = {**builtin, **REPLACED, **ADDED}
    return {name: taught(name, f) for name, f in filters.items() if name not in LEFT_OUT_FILTERS}


def taught_tests(builtin):
    return {name: taught(name, f) for name, f in builtin.items() if name not in LEFT_OUT_TESTS}


@pass_environment
def do_sum(environment, iterable, attribute=None, start=0):
    """As Jinja2's, but each partial sum must fit."""
    get = make_attrgetter(environment, attribute) if attribute is not None else (lambda item: item)
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings")
    total = start
    for item in iterable:
        total = checked_number(total + get(item))
    return total


def do_tojson(value, indent=None):
    separators = (",", ":") if indent is None else None
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)


def do_fromjson(text):
    if not isinstance(text, str):
        raise TypeError("fromjson takes text")

    def object_of(pairs):
        if len({key for key, _ in pairs}) != len(pairs):
            raise ValueError("duplicate key")
        return make_map(pairs)

    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    return json.loads(text, object_pairs_hook=object_of, parse_constant=refuse)


def do_merge(left, *more):
    """Deep: maps merge member by member, anything else is replaced."""
    if not all(isinstance(part, dict) for part in (left, *more)):
        raise TypeError("merge takes maps")
    result = dict(left)
    for part in more:
        for key, value in part.items():
            both = isinstance(value, dict) and isinstance(result.get(key), dict)
            result[key] = do_merge(result[key], value) if both else value
    return result


def do_concat(left, *more):
    if not all(isinstance(part, list) for part in (left, *more)):
        raise TypeError("concat takes lists")
    return sum(more, left)


def do_b64encode(text):
    if not isinstance(text, str):
        raise TypeError("b64encode takes text")
    return base64.b64encode(text.encode()).decode()


def do_b64decode(text):
    if not isinstance(text, str):
        raise TypeError("b64decode takes text")
    return base64.b64decode(text, validate=True).decode()


def do_sha256(text):
    if not isinstance(text, str):
        raise TypeError("sha256 takes text")
    return hashlib.sha256(text.encode()).hexdigest()


REPLACED = {"sum": do_sum, "tojson": do_tojson}
ADDED = {
    "fromjson": do_fromjson,
    "merge": do_merge,
    "concat": do_concat,
    "b64encode": do_b64encode,
    "b64decode": do_b64decode,
    "sha256": do_sha256,
}
