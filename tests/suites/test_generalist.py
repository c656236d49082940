"""The generalist suite as a whole: its parts, its marked exemplars, and that nothing in it repeats."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any, cast

import pytest
from every_row import every_row
from own_suites import own_suite

from assay.core.ask import CodeAsk, CodeReply
from assay.core.case import Case, GraderSpec, Grading
from assay.core.grade import Grade, Grader
from assay.grading import registry
from assay.sandbox.sandbox import Unusable
from assay.sandbox.wasm import Wasm

SUITE = own_suite("generalist")
DAILY = own_suite("daily")
CASES = {case.id: case for use_case in SUITE.use_cases for case in use_case.cases}
EXEMPLARS = [(case.id, position) for case in CASES.values() for position in range(len(case.exemplars))]
PREFIXES = {"instruction-following": "following"}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Wasm]:
    """The WebAssembly sandbox; a test that needs it is skipped where it was not built."""
    try:
        box = Wasm()
    except Unusable as reason:
        pytest.skip(str(reason))
    yield box
    box.close()


def _kind(case: Case, key: str) -> str:
    return str(case.metadata[key])


def _check(case: Case) -> GraderSpec | None:
    specs = [spec for spec in case.graders if not spec.judged]
    assert len(specs) <= 1 and all(spec.weight == 0 for spec in specs)
    return specs[0] if specs else None


def _rubric(case: Case) -> dict[str, Any]:
    (spec,) = (spec for spec in case.graders if spec.name == "rubric")
    return dict(spec.parameters)


def _prompt(case: Case) -> str:
    return "\n".join(message.content for message in case.messages)


def _runs(length: int, case: Case) -> set[tuple[str, ...]]:
    """Return all runs of so many words in the prompt."""
    words = re.findall(r"\w+", _prompt(case).lower())
    return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}


def _score(case: Case, spec: GraderSpec, answer: str, box: Wasm | None = None) -> float | None:
    grader = cast(Grader, registry.grader(spec.name))
    replies: list[CodeReply] = []
    for ask in grader.asks(case, spec, answer):
        assert isinstance(ask, CodeAsk) and box is not None
        replies.append(box.run(ask))
    grade = grader.read(case, spec, answer, tuple(replies))
    assert isinstance(grade, Grade)
    return grade.value


def test_ids_are_unique_and_prefixed() -> None:
    """No id occurs twice, and each begins with the word of its category."""
    ids = [case.id for use_case in SUITE.use_cases for case in use_case.cases]
    assert len(set(ids)) == len(ids)
    for case in CASES.values():
        prefix = PREFIXES.get(case.use_case, case.use_case)
        assert re.fullmatch(rf"{prefix}-[a-z0-9]+(-[a-z0-9]+)+", case.id)


@every_row("case", CASES.values(), ids=CASES)
def test_parts_of_a_case(case: Case) -> None:
    """A case has the check of its type where there is one, a rubric with ideal and criteria, and G-Eval."""
    check, rubric = _check(case), _rubric(case)
    assert check is None or check.name == _kind(case, "check_type")
    assert [spec.name for spec in case.graders if spec.judged] == ["rubric", "geval"]
    assert all(str(rubric[part]).strip() for part in ("rubric", "ideal", "criteria"))
    assert str(case.metadata["derivation"]).strip()


@every_row("case", CASES.values(), ids=CASES)
def test_exemplars_are_marked(case: Case) -> None:
    """Three exemplars or more, all different, with whole marks and a note; the first has full marks."""
    marks = [exemplar.marks for exemplar in case.exemplars]
    assert len(marks) >= 3 and marks[0] == 5 and set(marks) <= {1, 2, 3, 4, 5}
    assert len({exemplar.answer for exemplar in case.exemplars}) == len(marks)
    assert all(exemplar.note for exemplar in case.exemplars)


@every_row("name", [use_case.name for use_case in SUITE.use_cases])
def test_calibration_sets(name: str) -> None:
    """Every category is judged and has 20 marked exemplars or more, with each mark among them."""
    use_case = SUITE.use_case(name)
    marks = Counter(exemplar.marks for case in use_case.cases for exemplar in case.exemplars)
    assert use_case.grading is Grading.JUDGE and len(use_case.cases) >= 5
    assert marks.total() >= 20 and set(marks) == {1, 2, 3, 4, 5}


@every_row(
    "case_id, position",
    [one for one in EXEMPLARS if _kind(CASES[one[0]], "check_type") != "code_runnable"],
)
def test_exemplars_score_what_they_declare(case_id: str, position: int) -> None:
    """The automatic check gives each exemplar its declared score; without a check it is 1."""
    case = CASES[case_id]
    check, exemplar = _check(case), case.exemplars[position]
    assert exemplar.score == (_score(case, check, exemplar.answer) if check else 1.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case_id", "position"),
    [one for one in EXEMPLARS if _kind(CASES[one[0]], "check_type") == "code_runnable"],
)
def test_code_exemplars_score_what_they_declare(case_id: str, position: int, sandbox: Wasm) -> None:
    """The tests in the sandbox give each code exemplar its declared score."""
    case = CASES[case_id]
    check, exemplar = _check(case), case.exemplars[position]
    assert check is not None
    assert exemplar.score == _score(case, check, exemplar.answer, sandbox)


def test_canary() -> None:
    """The manifest carries the canary, and no prompt, ideal answer or exemplar repeats it."""
    assert SUITE.canary and re.fullmatch(
        r"assay-canary-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", SUITE.canary
    )
    assert SUITE.canary != DAILY.canary
    for case in CASES.values():
        texts = [_prompt(case), str(_rubric(case)), *(exemplar.answer for exemplar in case.exemplars)]
        assert not any("canary-" in text.lower() for text in texts)


def test_no_two_prompts_are_near_duplicates() -> None:
    """Any two prompts share less than a fifth of their runs of five words."""
    runs = {case.id: _runs(5, case) for case in CASES.values()}
    close = [
        (one, other)
        for one, other in combinations(runs, 2)
        if len(runs[one] & runs[other]) >= 0.2 * len(runs[one] | runs[other])
    ]
    assert close == []


def test_nothing_is_shared_with_the_daily_suite() -> None:
    """No run of twelve words of a prompt occurs in a prompt of the daily suite."""
    daily = {run for use_case in DAILY.use_cases for case in use_case.cases for run in _runs(12, case)}
    assert [case.id for case in CASES.values() if _runs(12, case) & daily] == []


def test_openings_vary() -> None:
    """No three words open two prompts, and no two words open more than four."""
    opened = [_prompt(case).lower().split()[:3] for case in CASES.values()]
    assert max(Counter(map(tuple, opened)).values()) == 1
    assert max(Counter(tuple(words[:2]) for words in opened).values()) <= 4
