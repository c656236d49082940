"""The right piece of Python is taken out of an answer, however it is wrapped."""

# ruff: noqa: E501 - answers are kept whole
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.grading.programs.answer import code

PLAIN = "def add(a, b):\n    return a + b"


def names(source: str | None) -> object:
    """Run extracted source and return what `add(1, 2)` gives."""
    assert source is not None
    space: dict[str, object] = {}
    exec(source, space)
    function = space["add"]
    assert callable(function)
    return function(1, 2)


@pytest.mark.parametrize(
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
    assert names(code(answer, "add")) == 3


@pytest.mark.parametrize("answer", ["", "I cannot do that.", "3", "```json\n{}\n```"])
def test_an_answer_without_code_has_none(answer: str) -> None:
    """Where there is no Python, nothing is made up."""
    assert code(answer, "add") is None


def test_broken_code_is_returned_as_it_is() -> None:
    """Code that does not parse goes to the sandbox, whose error then says what is wrong."""
    assert code("```python\ndef add(a, b)\n    return a + b\n```", "add") == "def add(a, b)\n    return a + b"


def test_other_code_is_returned_as_it_is() -> None:
    """Code that defines something else goes to the sandbox too: the tests say what is missing."""
    assert (
        code("```python\ndef plus(a, b):\n    return a + b\n```", "add")
        == "def plus(a, b):\n    return a + b"
    )


def test_examples_of_other_blocks_stay_out() -> None:
    """Of another block only the definitions that are used come along, not its example calls."""
    answer = "```python\nimport math\nmath.boom()\n```\n```python\ndef add(a, b):\n    return math.fsum([a, b])\n```"
    found = code(answer, "add")
    assert found is not None and "boom" not in found and "import math" in found


@given(st.text(alphabet="`~ \nadef(:)x=py", max_size=80))
def test_no_answer_breaks_it(answer: str) -> None:
    """Whatever is written, the result is code or None, not an error."""
    assert isinstance(code(answer, "add"), str | None)
