"""The tests of a code case: what is wrong with them, and their form for their room in the sandbox."""

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
def prepare(tests: str, entry: str, *, own_equality: bool = False) -> UnitTests:
    """Return the tests with assertions that say what did not hold, and what they need."""
    tree = ast.parse(tests)
    names = tuple(node.name for node in tree.body if isinstance(node, ast.FunctionDef) and is_test(node.name))
    needed = tuple(sorted(free_names(tests) | {entry}))
    modules = tuple(sorted(imported(tree)))
    source = ast.unparse(ast.fix_missing_locations(Explain().visit(tree)))
    return UnitTests(source, names, needed, modules, own_equality)


class Explain(ast.NodeTransformer):
    """Lets a bare assertion say what did not hold, with both sides of the comparison that failed."""

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """Give an assertion the text of what it asserts, with the values where it compares."""
        compares = any(isinstance(part, ast.Compare) for part in ast.walk(node.test))
        message = node.msg or ast.Constant(ast.unparse(node.test)[:SHOWN])
        if compares:
            message = ast.Call(ast.Name("__assay_explain__", ast.Load()), [message], [])
        return ast.Assert(Noting().visit(node.test), message)


class Noting(ast.NodeTransformer):
    """Has comparisons note their values."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Turn `a < b == c` into `__assay_compare__(("<", "=="), a, b, c)`."""
        self.generic_visit(node)
        operators = ast.Tuple([ast.Constant(OPERATORS[type(operator)]) for operator in node.ops], ast.Load())
        function = ast.Name("__assay_compare__", ast.Load())
        return ast.Call(function, [operators, node.left, *node.comparators], [])


def is_test(name: str) -> bool:
    """Tell whether a function of this name is a test."""
    return name.startswith("test_")


def free_names(tests: str) -> set[str]:
    """Return the names that the tests read but neither define, import nor find among the builtins."""
    top = symtable.symtable(tests, "<tests>", "exec")
    given = {
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
    return read - given - set(dir(builtins))


def test_problems(tests: str, entry: str, packages: Sequence[str]) -> list[str]:
    """Return what is wrong with the tests' source."""
    try:
        tree = ast.parse(tests)
    except SyntaxError as error:
        return [f"the tests are not Python: line {error.lineno}: {error.msg}"]
    found = []
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    checks = [node for node in functions if is_test(node.name)]
    if not checks:
        found.append("no test: write at least one function whose name starts with test_")
    for node in checks:
        if isinstance(node, ast.AsyncFunctionDef):
            found.append(f"{node.name} is async: write a plain function that calls asyncio.run")
        if node.args.args or node.args.posonlyargs or node.args.kwonlyargs:
            found.append(f"{node.name} takes arguments: tests are called without any")
    names = [node.name for node in checks]
    found.extend(
        f"{name} is defined twice: only the last would run"
        for name in sorted({n for n in names if names.count(n) > 1})
    )
    if entry not in free_names(tests):
        found.append(f"the tests never use {entry!r}")
    elif any(entry in loaded_at_once(node) for node in tree.body):
        found.append(f"{entry!r} is used outside of a function: the tests are loaded before the answer")
    for inner in ast.walk(tree):
        if isinstance(inner, ast.ClassDef):
            found.extend(
                f"class {inner.name} derives from {base.id!r} of the answer, which is in another room"
                for base in inner.bases
                if isinstance(base, ast.Name) and base.id in free_names(tests)
            )
    roots = {name.partition(".")[0] for name in imported(tree)}
    for name in sorted(roots - sys.stdlib_module_names - set(packages)):
        found.append(f"the tests import {name!r}: use the standard library, or list it in packages")
    return found


def loaded_at_once(node: ast.stmt) -> set[str]:
    """Return the names a top-level statement reads when it is executed, leaving out function bodies."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        parts: list[ast.AST] = [
            *node.decorator_list,
            *node.args.defaults,
            *filter(None, node.args.kw_defaults),
        ]
    elif isinstance(node, ast.ClassDef):
        return set().union(*(loaded_at_once(inner) for inner in node.body))
    else:
        parts = [node]
    lambdas = {
        id(inner)
        for part in parts
        for one in ast.walk(part)
        if isinstance(one, ast.Lambda)
        for inner in ast.walk(one)
    }
    return {
        one.id
        for part in parts
        for one in ast.walk(part)
        if isinstance(one, ast.Name) and id(one) not in lambdas
    }


def imported(tree: ast.Module) -> set[str]:
    """Return the modules that the tests import, anywhere, by their full names."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def weight_problems(weights: object, tests: str) -> list[str]:
    """Return what is wrong with the weights of the tests."""
    if weights is None:
        return []
    if not isinstance(weights, Mapping):
        return [f"weights is {weights!r}: give a mapping from test names to numbers"]
    known = set(re.findall(r"^def\s+(test_\w+)", tests, re.MULTILINE))
    found = [f"weights names {name!r}, which is no test" for name in weights if name not in known]
    for name, value in weights.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            found.append(f"the weight of {name!r} is {value!r}: give a number above 0")
    return found
