#!/usr/bin/python3
"""Answers a case as `stepwell eval --batch` should, but by Jinja2. As a program it reads and writes the same JSONL."""

import json
import sys

from jinja2 import nodes
from jinja2.environment import TemplateExpression

from language import Language, parse_single
from values import plain, result_of

LANGUAGE = Language()


def value_of(expression, context):
    """The typed value of a parsed expression: a template that assigns it, as Jinja2's compile_expression makes."""
    body = [nodes.Assign(nodes.Name("result", "store"), expression, lineno=1)]
    template = LANGUAGE.from_string(nodes.Template(body, lineno=1))
    return result_of(TemplateExpression(template, undefined_to_none=False)(context))


def evaluate(case):
    context = plain(case.get("context", {}))
    source = case.get("expr", case.get("template"))
    if "expr" in case and not (source.strip().startswith("{{") and source.strip().endswith("}}")):
        return result_of(LANGUAGE.compile_expression(source, undefined_to_none=False)(context))
    single = parse_single(LANGUAGE, source.strip())
    if single is not None:
        return value_of(single, context)
    return plain(LANGUAGE.from_string(source).render(context))


def answer(case):
    """{"value": ...}, or {"error": {"code": ..., "message": ...}} with the Python exception's name as the code."""
    try:
        return {"value": evaluate(case)}
    except Exception as error:  # whatever Python raises, the case has no value
        return {"error": {"code": type(error).__name__, "message": str(error)}}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line)), ensure_ascii=False))
