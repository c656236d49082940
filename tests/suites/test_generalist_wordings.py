"""The second reader's wordings of right and wrong answers, put to the generalist suite's automatic checks."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import yaml
from every_row import every_row
from own_suites import own_suite

from assay.core.grade import Grade, Grader
from assay.grading import registry

SUITE = own_suite("generalist")
CASES = {case.id: case for use_case in SUITE.use_cases for case in use_case.cases}
WORDINGS = yaml.safe_load((Path(__file__).parent / "generalist_wordings.yaml").read_text(encoding="utf-8"))
BY_CODE = {"banned_words", "code_runnable", "response_length", "word_count", "word_count_reduction"}


def _check(case: str, answer: str) -> float | None:
    spec = CASES[case].graders[0]
    grade = cast(Grader, registry.grader(spec.name)).read(CASES[case], spec, answer, ())
    assert isinstance(grade, Grade)
    return grade.value


def _wordings(kind: str) -> list[tuple[str, int]]:
    return [(case, at) for case, found in WORDINGS.items() for at in range(len(found[kind]))]


@every_row("case, position", _wordings("right"))
def test_right_answers_are_not_flagged(case: str, position: int) -> None:
    """A right answer in the second reader's words is not flagged."""
    assert _check(case, WORDINGS[case]["right"][position]) == 1


@every_row("case, position", _wordings("wrong"))
def test_wrong_answers_are_flagged(case: str, position: int) -> None:
    """A wrong answer in the second reader's words is flagged."""
    assert _check(case, WORDINGS[case]["wrong"][position]) == 0


def test_every_check_of_wordings_is_tried() -> None:
    """Each case whose check reads wordings, and does not only count or run code, is tried both ways."""
    checked = {name for name, case in CASES.items() if not case.graders[0].judged}
    assert set(WORDINGS) == {name for name in checked if CASES[name].graders[0].name not in BY_CODE}
