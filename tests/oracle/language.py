"""Jinja2, taught the rules in which the language differs from it by design (see differences.py for the list)."""

import operator
from types import SimpleNamespace

from jinja2 import StrictUndefined, nodes
from jinja2.compiler import CodeGenerator
from jinja2.exceptions import TemplateSyntaxError
from jinja2.runtime import LoopContext, Undefined
from jinja2.sandbox import SandboxedEnvironment

from filters import taught_filters, taught_tests
from values import INT_MAX, MAX_ITEMS, PlainNamespace, checked_number, make_list, make_map, plain, needed

METHODS = {
    dict: {"get", "keys", "values", "items"},
    str: {"split", "strip", "replace", "startswith", "endswith", "upper", "lower", "join"},
}
CALLED = "()"  # before the name of a member that is called
LOOP_MEMBERS = {
    "index", "index0", "revindex", "revindex0", "first", "last", "length", "depth", "depth0", "previtem", "nextitem",
    CALLED + "cycle", CALLED + "changed",
}


class Generator(CodeGenerator):
    """Literals go through our constructors, and nothing is folded at compile time."""

    def write_items(self, constructor, items, frame):
        self.write(f"environment.{constructor}((")
        for item in items:
            self.visit(item, frame)
            self.write(", ")
        self.write("))")

    def visit_List(self, node, frame):
        self.write_items("make_list", node.items, frame)

    def visit_Tuple(self, node, frame):
        if node.ctx == "load":
            self.write_items("make_list", node.items, frame)
        else:
            super().visit_Tuple(node, frame)

    def visit_Dict(self, node, frame):
        self.write_items("make_map", node.items, frame)

    def visit_Pair(self, node, frame):
        self.write("(")
        self.visit(node.key, frame)
        self.write(", ")
        self.visit(node.value, frame)
        self.write(")")

    def visit_Call(self, node, frame, **options):
        # What is called is a function or a method, whatever data has the same name: values cannot be called.
        if isinstance(node.node, nodes.Name) and hasattr(self.environment.functions, node.node.name):
            node.node = nodes.EnvironmentAttribute("functions." + node.node.name)
        elif isinstance(node.node, nodes.Getattr) and not node.node.attr.startswith(CALLED):
            node.node.attr = CALLED + node.node.attr
        super().visit_Call(node, frame, **options)

    def visit_Compare(self, node, frame):
        self.write("environment.compared(")
        self.visit(node.expr, frame)
        for operand in node.ops:
            self.write(f", ({operand.op!r}, lambda: ")
            self.visit(operand.expr, frame)
            self.write(")")
        self.write(")")

    def visit_Const(self, node, frame):
        checked_number(node.value)
        super().visit_Const(node, frame)

    def visit_Neg(self, node, frame):
        # The smallest integer is written as the negation of one that does not fit.
        if isinstance(node.node, nodes.Const) and type(node.node.value) is int and node.node.value == INT_MAX + 1:
            self.write(f"({-node.node.value})")
        else:
            super().visit_Neg(node, frame)

    def _output_child_to_const(self, node, frame, finalize):
        if not isinstance(node, nodes.TemplateData):
            raise nodes.Impossible()
        return super()._output_child_to_const(node, frame, finalize)


class Language(SandboxedEnvironment):
    code_generator_class = Generator
    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "%", "**"])
    intercepted_unops = frozenset(["+", "-"])
    make_list = staticmethod(make_list)
    make_map = staticmethod(make_map)

    def __init__(self):
        super().__init__(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True, optimized=False)
        self.filters = taught_filters(self.filters)
        self.tests = taught_tests(self.tests)
        self.globals = {}
        self.functions = SimpleNamespace(range=bounded_range, dict=make_dict, namespace=PlainNamespace)

    @staticmethod
    def compared(left, *operands):
        """A chain of comparisons; each operand is evaluated only if the ones before hold."""
        for symbol, operand in operands:
            right = operand()
            if not COMPARISONS[symbol](needed(left), needed(right)):
                return False
            left = right
        return True

    def call_binop(self, context, symbol, left, right):
        return plain(bounded_binop(symbol, needed(left), needed(right)))

    def call_unop(self, context, symbol, arg):
        return plain(super().call_unop(context, symbol, arg))

    def getattr(self, obj, attribute):
        if isinstance(obj, Undefined):
            return getattr(obj, attribute)
        name = attribute.removeprefix(CALLED)
        obj = needed(obj)
        if isinstance(obj, LoopContext) and attribute in LOOP_MEMBERS:
            return super().getattr(obj, name)
        if name != attribute:
            return self.method_of(obj, name)
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return self.undefined(obj=obj, name=attribute)

    def method_of(self, obj, name):
        if name not in METHODS.get(type(obj), ()):
            return self.undefined(obj=obj, name=name)

        def call(*args, **kwargs):
            args = [needed(argument) for argument in args]
            if name in ("startswith", "endswith") and args and isinstance(args[0], list):
                args[0] = tuple(args[0])
            return plain(getattr(obj, name)(*args, **kwargs))

        return call

    def getitem(self, obj, argument):
        needed(argument)
        obj = needed(obj)
        if isinstance(obj, LoopContext):
            return self.getattr(obj, argument)
        try:
            return obj[argument]
        except (TypeError, LookupError):
            return self.undefined(obj=obj, name=argument)


COMPARISONS = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "lteq": operator.le, "gt": operator.gt,
    "gteq": operator.ge, "in": lambda left, right: left in right, "notin": lambda left, right: left not in right,
}
OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow,
}


def bounded_binop(symbol, left, right):
    """Python's operator, but without the powers and repetitions that would take for ever to be refused."""
    if symbol == "*":
        for many, times in ((left, right), (right, left)):
            if isinstance(many, (str, list)) and isinstance(times, int) and len(many) * times > MAX_ITEMS:
                raise OverflowError("repetition is too long")
    if symbol == "**" and isinstance(left, int) and isinstance(right, int) and right > 64 and abs(left) > 1:
        raise OverflowError("integer beyond 64 bits")
    if symbol == "%" and isinstance(left, str) and isinstance(right, list):
        right = tuple(right)
    return OPERATORS[symbol](left, right)


def bounded_range(*args):
    numbers = range(*map(needed, args))
    if len(numbers) > MAX_ITEMS:
        raise OverflowError("range is too long")
    return list(numbers)


def make_dict(*args, **kwargs):
    return make_map(dict(*map(needed, args), **kwargs).items())


def parse_single(environment, source):
    """The expression of a template that is nothing but one `{{ expr }}` and comments, or None."""
    kinds = [kind for _, kind, text in environment.lex(source) if kind != "data" or text.strip()]
    if kinds.count("variable_begin") != 1 or {"data", "block_begin", "raw_begin"} & set(kinds):
        return None
    outside = kinds[:kinds.index("variable_begin")] + kinds[kinds.index("variable_end") + 1:]
    if not all(kind.startswith("comment") for kind in outside):
        return None
    outputs = [node for node in environment.parse(source).body[0].nodes if not isinstance(node, nodes.TemplateData)]
    if len(outputs) != 1:
        raise TemplateSyntaxError("expected one expression", 1)
    return outputs[0]
