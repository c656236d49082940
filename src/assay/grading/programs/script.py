"""The program that an answer amounts to where no function is asked for by name: which blocks, and in what
order.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from assay.grading.programs.answer import THOUGHT, parsed, tagged

_PROMPT = ">>>"


@lru_cache(maxsize=64)
def scripts(answer: str) -> tuple[str, ...]:
    """Return the programs to try in order; empty when the answer holds no Python.

    Models write a program in parts, or a program and then examples of its use, or several versions: all
    blocks in a row come first, then the longest alone, since an example may need what only its
    reader has. Untagged blocks count where they are Python statements (not output); interpreter
    sessions and fragments that do not parse are left out, unless the longest block itself does not
    parse.
    """
    text = THOUGHT.sub("", answer).replace("\r\n", "\n").encode("utf-8", "replace").decode()
    blocks = [(tag, block) for tag, block in tagged(text) if not block.lstrip().startswith(_PROMPT)]
    whole = [block for _, block in blocks if does_something(block)]
    broken = [block for tag, block in blocks if tag and block.strip() and parsed(block) is None]
    if not whole and not broken:
        return (text,) if does_something(text) else ()
    longest = max((*whole, *broken), key=len)
    if longest in broken:
        return (longest,)
    joined = "\n\n".join(whole)
    return (joined,) if joined == longest else (joined, longest)


def does_something(source: str) -> bool:
    """Tell whether the source is Python that defines, assigns, imports, branches or calls something."""
    tree = parsed(source)
    return tree is not None and any(
        not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call | ast.Await) for node in tree.body
    )
