"""Which blocks of an answer make up its program."""

from __future__ import annotations

import pytest

from assay.grading.programs.script import scripts


def fenced(*blocks: str, tag: str = "python") -> str:
    return "\n\n".join(f"```{tag}\n{block}\n```" for block in blocks)


@pytest.mark.parametrize(
    ("answer", "tried"),
    [
        (fenced("a = 1"), ("a = 1",)),
        (
            fenced("def f():\n    return 1", "f()"),
            ("def f():\n    return 1\n\nf()", "def f():\n    return 1"),
        ),
        (fenced("a = 1") + "\n\n" + fenced("1\n2", tag=""), ("a = 1",)),
        (fenced(">>> f()\n1", "a = 1"), ("a = 1",)),
        (fenced("a = 1", "def f(:\n    return 22222"), ("def f(:\n    return 22222",)),
        (fenced("a = 1", "..."), ("a = 1",)),
        ("import re\nprint(1)", ("import re\nprint(1)",)),
        (fenced("let x = 1", tag="js"), ()),
        ("No code here.", ()),
    ],
    ids=range(9),
)
def test_the_programs_to_try(answer: str, tried: tuple[str, ...]) -> None:
    """All blocks in a row first, then the longest alone; output, sessions and fragments are left out."""
    assert scripts(answer) == tried
