"""Takes the Python out of a model's answer: fenced blocks, several of them, prose around, or no fence."""

from __future__ import annotations

import ast
import builtins
import re
import textwrap
from collections.abc import Iterator
from functools import lru_cache

PYTHON = frozenset({"", "python", "python3", "py", "py3", "ipython", "sage"})
FENCE = re.compile(r"^\s*(`{3,}|~{3,})\s*([\w+#.-]*)([^`]*)$")
START = re.compile(
    r"^(?:from\s+\w|import\s+\w|def\s|async\s+def\s|class\s|@\w|[A-Za-z_]\w*\s*(?::[^=]*)?=[^=])"
)
THOUGHT = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL)
MOST_STARTS = 50


@lru_cache(maxsize=64)
def code(answer: str, entry: str) -> str | None:
    """Return the program in the answer that defines `entry`, or None when there is no code at all.

    Of several blocks that define it the last counts (models correct themselves), but not a mere stub
    while there is a full one; what that block uses and other blocks define (imports, helpers) comes along.
    Code that defines something else is returned as it stands, for the tests to say what is missing.
    """
    text = THOUGHT.sub("", answer).replace("\r\n", "\n")
    text = text.encode("utf-8", "replace").decode()  # half a surrogate pair would end every parser
    if defines(text, entry):
        return text
    blocks = list(fenced(text))
    chosen = choose(blocks, entry)
    if chosen is not None:
        return with_helpers(chosen, [block for block in blocks if block is not chosen])
    found = unfenced(text, entry)
    if found is not None:
        return found
    return blocks[-1] if blocks else None


def fenced(text: str) -> Iterator[str]:
    """Yield the fenced blocks that may be Python, dedented; an unclosed last one runs to the end."""
    yield from (block for _, block in tagged(text))


def tagged(text: str) -> Iterator[tuple[str, str]]:
    """Yield the fenced blocks that may be Python with the languages that they name ("" for none)."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        opening = FENCE.match(lines[at])
        if opening is None:
            at += 1
            continue
        end = closing(lines, at, opening[1])
        if opening[2].lower() in PYTHON:
            yield opening[2].lower(), textwrap.dedent("\n".join(lines[at + 1 : end]))
        at = end + 1


def closing(lines: list[str], start: int, mark: str) -> int:
    """Return the line that closes the fence opened at `start`.

    A docstring may hold fences of its own: the first closing line after which the block parses is
    taken, or simply the first.
    """
    first = None
    for at in range(start + 1, len(lines)):
        line = lines[at].strip()
        if not line or line.strip(mark[0]) or len(line) < len(mark):
            continue
        if first is None:
            first = at
        if parsed(textwrap.dedent("\n".join(lines[start + 1 : at]))) is not None:
            return at
    return len(lines) if first is None else first


def choose(blocks: list[str], entry: str) -> str | None:
    """Return the last block that defines `entry` in full, or else in any way; None when none does."""
    defining = [block for block in blocks if defines(block, entry)]
    full = [block for block in defining if not is_stub(block, entry)]
    if full or defining:
        return (full or defining)[-1]
    name = re.escape(entry)
    looks = re.compile(rf"^\s*(?:(?:async\s+)?def|class)\s+{name}\b|^{name}\s*=", re.MULTILINE)
    broken = [block for block in blocks if looks.search(block)]
    return broken[-1] if broken else None


def parsed(source: str) -> ast.Module | None:
    """Return the syntax tree, or None when this is not Python."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def defines(source: str, entry: str) -> bool:
    """Tell whether the source is Python that gives `entry` a value at its top level."""
    tree = parsed(source)
    return tree is not None and any(entry in bound(node) for node in tree.body)


def bound(node: ast.stmt) -> set[str]:
    """Return the names that a top-level statement gives a value, inside `if` and `try` as well."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    found: set[str] = set()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.ExceptHandler):
            found |= bound(child) if isinstance(child, ast.stmt) else set().union(*map(bound, child.body))
        else:
            found |= {
                inner.id
                for inner in ast.walk(child)
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
            }
    return found


def is_stub(source: str, entry: str) -> bool:
    """Tell whether `entry` is a function with nothing in it but a docstring, `...` or `pass`."""
    tree = parsed(source)
    for node in tree.body if tree else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == entry:
            return all(
                isinstance(part, ast.Pass)
                or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
                for part in node.body
            )
    return False


def with_helpers(chosen: str, others: list[str]) -> str:
    """Return the block, preceded by those statements of the other blocks that define what it uses."""
    tree = parsed(chosen)
    if tree is None:
        return chosen
    offered: dict[str, ast.stmt] = {}
    for block in others:
        other = parsed(block)
        for node in other.body if other else ():
            offered |= dict.fromkeys(bound(node), node)
    known = set().union(*map(bound, tree.body)) | set(dir(builtins))
    wanted = used(tree) - known
    taken: list[ast.stmt] = []
    while names := sorted(wanted & offered.keys()):
        for name in names:
            node = offered[name]
            if not any(node is other for other in taken):
                taken.append(node)
                wanted |= used(node)
            known |= bound(node)
        wanted -= known
    order = list(offered.values())
    taken.sort(key=lambda node: next(at for at, other in enumerate(order) if other is node))
    return "\n".join([*map(ast.unparse, taken), chosen])


def used(node: ast.AST) -> set[str]:
    """Return every name that is read anywhere in the tree."""
    return {
        part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
    }


def unfenced(text: str, entry: str) -> str | None:
    """Return the longest run of lines that is Python and defines `entry`, from prose without fences."""
    lines = text.split("\n")
    starts = [at for at, line in enumerate(lines) if START.match(line)][:MOST_STARTS]
    for start in starts:
        end = len(lines)
        while end > start:
            source = "\n".join(lines[start:end])
            try:
                ast.parse(source)
            except SyntaxError as error:
                end = min(end - 1, start + (error.lineno or 1) - 1)
                continue
            except (ValueError, RecursionError, MemoryError):
                break
            if defines(source, entry):
                return source
            break
    return None
