"""The right piece of Python is taken out of an answer, however it is wrapped."""

# ruff: noqa: E501 - answers are kept whole

from __future__ import annotations

import pytest
from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.grading.programs.answer import extract_code, scripts, uses

PLAIN = "def add(a, b):\n    return a + b"


def names(source: str | None) -> object:
    """Run extracted source and return what `add(1, 2)` gives."""
    assert source is not None
    space: dict[str, object] = {}
    exec(source, space)
    function = space["add"]
    assert callable(function)
    return function(1, 2)


@every_row(
    "answer",
    [
        PLAIN,
        f"```python\n{PLAIN}\n```",
        f"```\n{PLAIN}\n```",
        f"~~~py\n{PLAIN}\n~~~",
        f"Here you are:\n\n```python\n{PLAIN}\n```\n\nIt adds two numbers.",
        f"````python\n{PLAIN}\n````",
        f"```python\r\n{PLAIN}\r\n```\r\n".replace("\n", "\r\n"),
        f"1. First:\n   ```python\n   {PLAIN.replace(chr(10), chr(10) + '   ')}\n   ```\n",
        f"Cut off:\n```python\n{PLAIN}\n",
        f"Sure! Here is the code.\n\n{PLAIN}\n\nThis works because addition is addition.",
        f"<think>Perhaps\n```python\ndef add(a, b): return 0\n```\n</think>\n```python\n{PLAIN}\n```",
        f"```python\nadd(1, 2)  # 3\n```\n```python\n{PLAIN}\n```\n```python\nprint(add(1, 2))\n```",
        f"Wrong at first:\n```python\ndef add(a, b): return a - b\n```\nBetter:\n```python\n{PLAIN}\n```",
        f"```python\n{PLAIN}\n```\nIts signature is\n```python\ndef add(a, b): ...\n```",
        f"```javascript\nfunction add(a, b) {{ return a }}\n```\n```python\n{PLAIN}\n```",
        "```python\nadd = lambda a, b: a + b\n```",
        "```python\nfrom operator import add\n```",
        "```python\nimport operator\n```\nThen\n```python\ndef add(a, b):\n    return operator.add(a, b)\n```",
        "```python\ndef add(a, b):\n    return plus(a, b)\n```\nwith\n```python\nONE = 1\ndef plus(a, b):\n"
        "    return a + b + ONE - ONE\nprint(undefined)\n```",
        'def add(a, b):\n    """Add.\n\n    ```\n    add(1, 2)\n    ```\n    """\n    return a + b',
        '```python\ndef add(a, b):\n    """Add.\n\n    ```\n    add(1, 2)\n    ```\n    """\n    return a + b\n```\nDone.',
        "```python\ntry:\n    from nowhere import add\nexcept ImportError:\n    def add(a, b):\n        return a + b\n```",
    ],
)
def test_code_is_found(answer: str) -> None:
    """Fences, prose, drafts, examples and helpers in other blocks do not hide the function."""
    assert names(extract_code(answer, "add")) == 3


@pytest.mark.parametrize("answer", ["", "I cannot do that.", "3", "```json\n{}\n```"])
def test_an_answer_without_code_has_none(answer: str) -> None:
    """Where there is no Python, nothing is made up."""
    assert extract_code(answer, "add") is None


def test_broken_code_is_returned_as_it_is() -> None:
    """Code that does not parse goes to the sandbox, whose error then says what is wrong."""
    assert (
        extract_code("```python\ndef add(a, b)\n    return a + b\n```", "add")
        == "def add(a, b)\n    return a + b"
    )


def test_other_code_is_returned_as_it_is() -> None:
    """Code that defines something else goes to the sandbox too: the tests say what is missing."""
    assert (
        extract_code("```python\ndef plus(a, b):\n    return a + b\n```", "add")
        == "def plus(a, b):\n    return a + b"
    )


def test_examples_of_other_blocks_stay_out() -> None:
    """Of another block only the definitions that are used come along, not its example calls."""
    answer = "```python\nimport math\nmath.boom()\n```\n```python\ndef add(a, b):\n    return math.fsum([a, b])\n```"
    found = extract_code(answer, "add")
    assert found is not None and "boom" not in found and "import math" in found


@given(st.text(alphabet="`~ \nadef(:)x=py", max_size=80))
def test_no_answer_breaks_it(answer: str) -> None:
    """Whatever is written, the result is code or None, not an error."""
    assert isinstance(extract_code(answer, "add"), str | None)


def fenced(*blocks: str, tag: str = "python") -> str:
    return "\n\n".join(f"```{tag}\n{block}\n```" for block in blocks)


@every_row(
    "answer, tried",
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


@every_row(
    "source, term, line",
    [
        ("x = 1\nimport re", "re", 2),
        ("from re import sub", "re", 1),
        ("re = 1", "re", 0),
        ("import os.path", "os", 1),
        ("x = eval('1')", "eval", 1),
        ("# eval\nx = 'eval'", "eval", 0),
        ("x = sorted(y)", "sort", 0),
        ("\ny.sort()", "list.sort", 2),
        ("from collections import Counter", "collections.Counter", 1),
        ("import collections\ncollections.Counter()", "collections.Counter", 2),
        ("[a for a in b]", "for", 1),
        ("x = a ** 2", "**", 1),
        ("import numpy as np", "numpy", 1),
        ("def f(:\n  eval(1)", "eval", 2),
        ("import re\ndef f(:", "re", 1),
    ],
    ids=range(15),
)
def test_the_line_of_a_use(source: str, term: str, line: int) -> None:
    """Imports, names, methods, operators and syntax; not comments, texts or longer words."""
    assert uses(source, term) == line
