"""Whether code uses what it must not."""

from __future__ import annotations

import pytest

from assay.grading.programs.banned import uses


@pytest.mark.parametrize(
    ("source", "term", "line"),
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
