"""The unit tests of a code case: their problems, and their preparation for the sandbox."""

from __future__ import annotations

import ast
import builtins
import re
import symtable
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache

from assay.core.ask import UnitTests

SHOWN = 160
OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip


@lru_cache(maxsize=512)
def prepare_tests(tests: str, entry: str, *, own_equality: bool = False) -> UnitTests:
    """Return the tests with assertions that explain failures, and the names and modules they need."""
    tree = ast.parse(tests)
    names = tuple(node.name for node in tree.body if isinstance(node, ast.FunctionDef) and is_test(node.name))
    needed = tuple(sorted(free_names(tests) | {entry}))
    modules = tuple(sorted(imported_modules(tree)))
    source = ast.unparse(ast.fix_missing_locations(ExplainAssertions().visit(tree)))
    return UnitTests(source, names, needed, modules, own_equality)


class ExplainAssertions(ast.NodeTransformer):
    """Gives bare assertions a message with both sides of the comparison that failed."""

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """Give an assertion its source as message, with the compared values if there are any."""
        compares = any(isinstance(part, ast.Compare) for part in ast.walk(node.test))
        message = node.msg or ast.Constant(ast.unparse(node.test)[:SHOWN])
        if compares:
            message = ast.Call(ast.Name("__assay_explain__", ast.Load()), [message], [])
        return ast.Assert(RecordComparisons().visit(node.test), message)


class RecordComparisons(ast.NodeTransformer):
    """Makes comparisons record their values."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Turn `a < b == c` into `__assay_compare__(("<", "=="), a, b, c)`."""
        self.generic_visit(node)
        operators = ast.Tuple([ast.Constant(OPERATORS[type(operator)]) for operator in node.ops], ast.Load())
        function = ast.Name("__assay_compare__", ast.Load())
        return ast.Call(function, [operators, node.left, *node.comparators], [])


def is_test(name: str) -> bool:
    """Return whether a function of this name is a test."""
    return name.startswith("test_")


def free_names(tests: str) -> set[str]:
    """Return the names that the tests read but do not define or import, except builtins."""
    top = symtable.symtable(tests, "<tests>", "exec")
    defined = {
        symbol.get_name() for symbol in top.get_symbols() if symbol.is_assigned() or symbol.is_imported()
    }
    read: set[str] = set()
    tables = [top]
    while tables:
        table = tables.pop()
        tables.extend(table.get_children())
        read |= {
            symbol.get_name()
            for symbol in table.get_symbols()
            if symbol.is_referenced() and (table is top or symbol.is_global())
        }
    return read - defined - set(dir(builtins))


def test_problems(tests: str, entry: str, packages: Sequence[str]) -> list[str]:
    """Return the problems of the tests' source."""
    try:
        tree = ast.parse(tests)
    except SyntaxError as error:
        return [f"the tests are not Python: line {error.lineno}: {error.msg}"]
    problems = []
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    checks = [node for node in functions if is_test(node.name)]
    if not checks:
        problems.append("no tests: write at least one function whose name starts with test_")
    for node in checks:
        if isinstance(node, ast.AsyncFunctionDef):
            problems.append(f"{node.name} is async: write a plain function that calls asyncio.run")
        if node.args.args or node.args.posonlyargs or node.args.kwonlyargs:
            problems.append(f"{node.name} takes arguments: tests are called without any")
    names = [node.name for node in checks]
    problems.extend(
        f"{name} is defined twice: only the last would run, rename one"
        for name in sorted({n for n in names if names.count(n) > 1})
    )
    if entry not in free_names(tests):
        problems.append(f"the tests never use {entry!r}: call it in a test")
    elif any(entry in _read_at_load(node) for node in tree.body):
        problems.append(
            f"{entry!r} is used outside of a function, but the tests are loaded before the answer: "
            "use it in a test"
        )
    for inner in ast.walk(tree):
        if isinstance(inner, ast.ClassDef):
            problems.extend(
                f"class {inner.name} derives from {base.id!r} of the answer, which runs in another "
                "interpreter: use it without deriving from it"
                for base in inner.bases
                if isinstance(base, ast.Name) and base.id in free_names(tests)
            )
    roots = {name.partition(".")[0] for name in imported_modules(tree)}
    for name in sorted(roots - sys.stdlib_module_names - set(packages)):
        problems.append(f"the tests import {name!r}: use the standard library, or list it in packages")
    return problems


def _read_at_load(node: ast.stmt) -> set[str]:
    """Return the names that a top-level statement reads when it is executed, without function bodies."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        parts: list[ast.AST] = [
            *node.decorator_list,
            *node.args.defaults,
            *filter(None, node.args.kw_defaults),
        ]
    elif isinstance(node, ast.ClassDef):
        return set().union(*(_read_at_load(inner) for inner in node.body))
    else:
        parts = [node]
    lambdas = {
        id(inner)
        for part in parts
        for child in ast.walk(part)
        if isinstance(child, ast.Lambda)
        for inner in ast.walk(child)
    }
    return {
        child.id
        for part in parts
        for child in ast.walk(part)
        if isinstance(child, ast.Name) and id(child) not in lambdas
    }


def imported_modules(tree: ast.Module) -> set[str]:
    """Return the full names of all modules that the tests import."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def weight_problems(weights: object, tests: str) -> list[str]:
    """Return the problems of the weights of the tests."""
    if weights is None:
        return []
    if not isinstance(weights, Mapping):
        return [f"weights is {weights!r}: give a mapping from test names to numbers"]
    known = set(re.findall(r"^def\s+(test_\w+)", tests, re.MULTILINE))
    problems = [
        f"weights: {name!r} is not a test: write names of {sorted(known)}"
        for name in weights
        if name not in known
    ]
    for name, value in weights.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            problems.append(f"the weight of {name!r} is {value!r}: give a number above 0")
    return problems
