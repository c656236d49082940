"""Every auto-check on the answers of `examples/`: those that pass, and those that get a flag."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from check_grades import grade

FOLDER = Path(__file__).parent / "examples"
CHECKS = sorted(file.stem for file in FOLDER.glob("*.yaml"))


def examples(check: str) -> Iterator[tuple[dict[str, Any], str, str | None]]:
    """Yield the parameters, an answer, and the flag that it gets (None: it passes)."""
    for group in yaml.safe_load((FOLDER / f"{check}.yaml").read_text(encoding="utf8")):
        for answer in group.get("passes", ()):
            yield group["parameters"], answer, None
        for code, answers in group.get("flagged", {}).items():
            for answer in answers:
                yield group["parameters"], answer, code


@pytest.mark.parametrize("check", CHECKS)
def test_an_answer_gets_the_flags_that_a_reader_expects(check: str) -> None:
    """An example under `passes` has no flag and grade 1, one under `flagged` has that flag and grade 0."""
    wrong = []
    for parameters, answer, code in examples(check):
        given = grade(check, answer, **parameters)
        codes = [flag["code"] for flag in given.evidence["flags"]]
        as_expected = code in codes and given.value == 0 if code else codes == [] and given.value == 1
        if not as_expected:
            wrong.append(f"{codes or 'no flag'} instead of {code or 'none'}: {answer!r}")
    assert not wrong, "\n".join(wrong)
