"""The codes of flags are those that the checks raise."""

from __future__ import annotations

import re
from pathlib import Path

from assay.grading import checks
from assay.grading.checks.flags import FlagCode


def test_every_code_is_raised_by_a_check() -> None:
    """None is left over from a check that is gone."""
    sources = " ".join(path.read_text("utf-8") for path in Path(checks.__path__[0]).glob("*.py"))
    assert set(re.findall(r"FlagCode\.([A-Z_]+)", sources)) == {code.name for code in FlagCode}


def test_a_code_is_named_after_its_value() -> None:
    """Suites, boards and pages use the same word."""
    assert [code.name for code in FlagCode] == list(FlagCode)
