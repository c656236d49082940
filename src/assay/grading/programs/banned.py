"""Whether code uses what it must not: an import, a name, an operator, a piece of syntax."""

from __future__ import annotations

import ast
import builtins
import io
import re
import sys
import tokenize

from assay.grading.programs.answer import parsed

_TOKEN = re.compile(r"\w+|[^\w\s]")
_COMMENT = re.compile(r"#[^\n]*")
_SILENT = (tokenize.COMMENT, tokenize.STRING)


def uses(source: str, term: str) -> int:
    """Return the line (from 1) on which code uses a term, 0 where it does not; comments and texts do not
    count.

    The name of a standard module is looked for among the imports only; `a.b` is found as `from a import
    b` too, and `list.sort` as any `.sort`. Everything else is found as a run of tokens, whatever
    spaces stand between them.
    """
    tree = parsed(source)
    if term in sys.stdlib_module_names or term.startswith("import "):
        return _imported(tree, source, term.removeprefix("import ").strip())
    wanted = _TOKEN.findall(term)
    if len(wanted) == 3 and wanted[1] == "." and isinstance(getattr(builtins, wanted[0], None), type):
        wanted = wanted[1:]
    found = _run(source, wanted)
    if not found and "." in term:
        found = _imported(tree, source, term)
    if not found and tree is not None and term.isidentifier():
        found = _imported(tree, source, term)
    return found


def _imported(tree: ast.Module | None, source: str, name: str) -> int:
    if tree is None:
        match = re.search(rf"^[ \t]*(?:import|from)\s+{re.escape(name)}\b", source, re.MULTILINE)
        return source.count("\n", 0, match.start()) + 1 if match else 0
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        if any(each == name or each.startswith(f"{name}.") for each in names):
            return int(getattr(node, "lineno", 1))
    return 0


def _run(source: str, wanted: list[str]) -> int:
    tokens: list[tuple[str, int]] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type not in _SILENT and token.string.strip():
                tokens += [(part, token.start[0]) for part in _TOKEN.findall(token.string)]
    except (tokenize.TokenError, SyntaxError):
        bare = _COMMENT.sub("", source)
        tokens = [(match[0], bare.count("\n", 0, match.start()) + 1) for match in _TOKEN.finditer(bare)]
    for at in range(len(tokens) - len(wanted) + 1):
        if all(tokens[at + step][0] == part for step, part in enumerate(wanted)):
            return tokens[at][1]
    return 0
