"""Extracting the Python code of an answer from fenced blocks, or from prose without fences."""

from __future__ import annotations

import ast
import builtins
import io
import re
import sys
import textwrap
import tokenize
from collections.abc import Iterator
from functools import lru_cache

PYTHON = frozenset({"", "python", "python3", "py", "py3", "ipython", "sage"})
FENCE = re.compile(r"^\s*(`{3,}|~{3,})\s*([\w+#.-]*)([^`]*)$")
START = re.compile(
    r"^(?:from\s+\w|import\s+\w|def\s|async\s+def\s|class\s|@\w|[A-Za-z_]\w*\s*(?::[^=]*)?=[^=])"
)
THOUGHT = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL)
EXCERPT = re.compile(r"^[ \t]*(?:#[ \t]*)?(?:\.\.\.|\u2026)|^(?:[+-]|@@)[ \t]", re.MULTILINE)
MOST_STARTS = 50


@lru_cache(maxsize=64)
def extract_code(answer: str, entry: str) -> str | None:
    """Return the program in the answer that defines `entry`, or None if there is no code.

    Of several blocks that define it the last counts (models correct themselves), but a stub only if there is
    no full definition. Imports and helpers that the block uses and other blocks define are included. Code
    that defines something else is returned unchanged, so that the tests report what is missing.
    """
    text = THOUGHT.sub("", answer).replace("\r\n", "\n")
    text = text.encode("utf-8", "replace").decode()  # a lone surrogate would make every parser fail
    if defines(text, entry):
        return text
    blocks = list(python_blocks(text))
    chosen = _choose_block(blocks, entry)
    if chosen is not None:
        return _with_helpers(chosen, [block for block in blocks if block is not chosen])
    unfenced = _unfenced_code(text, entry)
    if unfenced is not None:
        return unfenced
    return blocks[-1] if blocks else None


def python_blocks(text: str) -> Iterator[str]:
    """Yield the dedented fenced blocks that may be Python; an unclosed last block extends to the end."""
    yield from (block for _, block in tagged_blocks(text))


def tagged_blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield the fenced blocks that may be Python, each with its language ("" for none)."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        opening = FENCE.match(lines[at])
        if opening is None:
            at += 1
            continue
        end = _closing_line(lines, at, opening[1])
        if opening[2].lower() in PYTHON:
            yield opening[2].lower(), textwrap.dedent("\n".join(lines[at + 1 : end]))
        at = end + 1


def _closing_line(lines: list[str], start: int, mark: str) -> int:
    """Return the line that closes the fence opened at `start`.

    A docstring may contain fences too: it is the first closing line after which the block parses, or else
    the first closing line.
    """
    first = None
    for at in range(start + 1, len(lines)):
        line = lines[at].strip()
        if not line or line.strip(mark[0]) or len(line) < len(mark):
            continue
        if first is None:
            first = at
        if parse(textwrap.dedent("\n".join(lines[start + 1 : at]))) is not None:
            return at
    return len(lines) if first is None else first


def _choose_block(blocks: list[str], entry: str) -> str | None:
    """Return the last block with a full definition of `entry`, or else with any definition; None without."""
    defining = [block for block in blocks if defines(block, entry)]
    full = [block for block in defining if not _is_stub(block, entry)]
    if full or defining:
        return (full or defining)[-1]
    broken = [block for block in blocks if _begins_definition(block, entry)]
    return broken[-1] if broken else None


def _begins_definition(block: str, entry: str) -> bool:
    """Return whether a block begins a definition of `entry`, even if it is not valid Python."""
    name = re.escape(entry)
    return bool(re.search(rf"^\s*(?:(?:async\s+)?def|class)\s+{name}\b|^{name}\s*=", block, re.MULTILINE))


def broken_revision(answer: str, entry: str) -> str | None:
    """Return the last version of `entry` if it is invalid Python and follows a valid version, or None.

    Excerpts (lines with "..." alone) and diffs are no versions.
    """
    blocks = list(python_blocks(THOUGHT.sub("", answer).replace("\r\n", "\n")))
    versions = [block for block in blocks if _begins_definition(block, entry)]
    if len(versions) < 2 or parse(versions[-1]) is not None or EXCERPT.search(versions[-1]):
        return None
    return versions[-1] if any(defines(block, entry) for block in versions) else None


def parse(source: str) -> ast.Module | None:
    """Return the syntax tree, or None if the source is not valid Python."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def defines(source: str, entry: str) -> bool:
    """Return whether the source is valid Python that binds `entry` at its top level."""
    tree = parse(source)
    return tree is not None and any(entry in _bound_names(node) for node in tree.body)


def _bound_names(node: ast.stmt) -> set[str]:
    """Return the names that a top-level statement binds, including those inside `if` and `try`."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    names: set[str] = set()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.ExceptHandler):
            statements = [child] if isinstance(child, ast.stmt) else child.body
            names = names.union(*map(_bound_names, statements))
        else:
            names |= {
                inner.id
                for inner in ast.walk(child)
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
            }
    return names


def _is_stub(source: str, entry: str) -> bool:
    """Return whether `entry` is a function with only a docstring, `...` or `pass`."""
    tree = parse(source)
    for node in tree.body if tree else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == entry:
            return all(
                isinstance(part, ast.Pass)
                or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
                for part in node.body
            )
    return False


def _with_helpers(chosen: str, others: list[str]) -> str:
    """Return the block, preceded by the statements of the other blocks that define names it uses."""
    tree = parse(chosen)
    if tree is None:
        return chosen
    offered: dict[str, ast.stmt] = {}
    for block in others:
        other = parse(block)
        for node in other.body if other else ():
            offered |= dict.fromkeys(_bound_names(node), node)
    known = set().union(*map(_bound_names, tree.body)) | set(dir(builtins))
    wanted = _read_names(tree) - known
    taken: list[ast.stmt] = []
    while names := sorted(wanted & offered.keys()):
        for name in names:
            node = offered[name]
            if not any(node is other for other in taken):
                taken.append(node)
                wanted |= _read_names(node)
            known |= _bound_names(node)
        wanted -= known
    order = list(offered.values())
    taken.sort(key=lambda node: next(at for at, other in enumerate(order) if other is node))
    return "\n".join([*map(ast.unparse, taken), chosen])


def _read_names(node: ast.AST) -> set[str]:
    """Return every name that is read anywhere in the tree."""
    return {
        part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
    }


def _unfenced_code(text: str, entry: str) -> str | None:
    """Return the first run of lines that is valid Python and defines `entry`, from prose without fences."""
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


_PROMPT = ">>>"


@lru_cache(maxsize=64)
def scripts(answer: str) -> tuple[str, ...]:
    """Return the programs to try, in order; empty if the answer has no Python.

    Models write a program in parts, a program and examples of its use, or several versions. So the first
    program is all blocks together, the second the longest block alone, since an example may need something
    that only its reader has. Untagged blocks count if they are Python statements (not output). Interpreter
    sessions and fragments that do not parse are left out, unless the longest block itself does not parse.
    """
    text = THOUGHT.sub("", answer).replace("\r\n", "\n").encode("utf-8", "replace").decode()
    blocks = [(tag, block) for tag, block in tagged_blocks(text) if not block.lstrip().startswith(_PROMPT)]
    whole = [block for _, block in blocks if _does_something(block)]
    broken = [block for tag, block in blocks if tag and block.strip() and parse(block) is None]
    if not whole and not broken:
        return (text,) if _does_something(text) else ()
    longest = max((*whole, *broken), key=len)
    if longest in broken:
        return (longest,)
    joined = "\n\n".join(whole)
    return (joined,) if joined == longest else (joined, longest)


def _does_something(source: str) -> bool:
    """Return whether the source is valid Python that does more than state values."""
    tree = parse(source)
    return tree is not None and any(
        not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call | ast.Await) for node in tree.body
    )


_TOKEN = re.compile(r"\w+|[^\w\s]")
_COMMENT = re.compile(r"#[^\n]*")
_SILENT = (tokenize.COMMENT, tokenize.STRING)


def uses(source: str, term: str) -> int:
    """Return the line (from 1) on which code uses a term, 0 if it does not. Comments and strings are ignored.

    The name of a standard module is only searched among the imports. `a.b` also matches `from a import b`,
    and `list.sort` any `.sort`. Other terms match as a run of tokens with any spaces between them.
    """
    tree = parse(source)
    if term in sys.stdlib_module_names or term.startswith("import "):
        return _imported(tree, source, term.removeprefix("import ").strip())
    wanted = _TOKEN.findall(term)
    if len(wanted) == 3 and wanted[1] == "." and isinstance(getattr(builtins, wanted[0], None), type):
        wanted = wanted[1:]
    line = _token_run(source, wanted)
    if not line and ("." in term or (tree is not None and term.isidentifier())):
        line = _imported(tree, source, term)
    return line


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
        if any(module == name or module.startswith(f"{name}.") for module in names):
            return int(getattr(node, "lineno", 1))
    return 0


def _token_run(source: str, wanted: list[str]) -> int:
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
