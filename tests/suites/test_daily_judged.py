"""The five judged and hybrid use cases of the daily suite: rubrics, exemplars, and what checks give them."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, repeat

import pytest
from every_row import every_row
from own_suites import own_suite

from assay.core.case import Case, Exemplar, Grading
from assay.grading import registry

HYBRID = ("summarization", "customer-service", "web-design")
JUDGED = ("game-design", "creative-writing")
SUITE = own_suite("daily")
USE_CASES = {name: SUITE.use_case(name) for name in HYBRID + JUDGED}
CASES = {case.id: case for use_case in USE_CASES.values() for case in use_case.cases}
EXEMPLARS = [(case.id, position) for case in CASES.values() for position in range(len(case.exemplars))]
BOILERPLATE = (
    "Thank you for reaching out! I understand your frustration and I am sorry for the inconvenience. "
    "Here is a clear and comprehensive summary of the most important points, with the key decisions, "
    "figures and next steps. Please let me know if there is anything else that I can help you with today."
)
BARE_PAGE = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title>'
    '<meta name="viewport" content="width=device-width"></head><body><h1>Page</h1></body></html>'
)


def _checks(case: Case, answer: str) -> float | None:
    """Return the weighted mean of the marks that the mechanical checks give; None for a case without any."""
    checks = [spec for spec in case.graders if spec.name != "rubric"]
    grades = [registry.grader(spec.name).read(case, spec, answer, ()) for spec in checks]
    marks = [spec.weight * (grade.value or 0.0) for spec, grade in zip(checks, grades, strict=True)]
    return sum(marks) / sum(spec.weight for spec in checks) if checks else None


def _exemplar(case: str, *, marks: int) -> Exemplar:
    return next(exemplar for exemplar in CASES[case].exemplars if exemplar.marks == marks)


def _words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize("name", USE_CASES)
def test_use_case(name: str) -> None:
    """Each judged use case has the seed's grading and sample counts, and five cases."""
    use_case = USE_CASES[name]
    wanted = Grading.HYBRID if name in HYBRID else Grading.JUDGE
    assert (use_case.grading, use_case.base, use_case.full, len(use_case.cases)) == (wanted, 3, 5, 5)


@pytest.mark.parametrize("name", USE_CASES)
def test_rubric_anchors(name: str) -> None:
    """One rubric a use case anchors each mark from 5 down to 1 and says what parts 3 from 4."""
    rubrics = {
        spec.parameters["rubric"]
        for case in USE_CASES[name].cases
        for spec in case.graders
        if spec.name == "rubric"
    }
    (rubric,) = rubrics
    assert re.findall(r"(?m)^([1-9]) - \S.{40,}", rubric) == ["5", "4", "3", "2", "1"]
    assert "Between 3 and 4" in rubric


@every_row("case", CASES)
def test_graders(case: str) -> None:
    """Each case has one judge with criteria of its own, checks where hybrid, and a second derivation."""
    judges = [spec for spec in CASES[case].graders if spec.name == "rubric"]
    checks = len(CASES[case].graders) - len(judges)
    assert len(judges) == 1 and _words(judges[0].parameters["criteria"]) >= 60
    assert (checks >= 2) if CASES[case].use_case in HYBRID else (checks == 0)
    assert CASES[case].metadata["derivation"]


@every_row("case, position", EXEMPLARS)
def test_declared_score(case: str, position: int) -> None:
    """An exemplar's declared score is what the checks give, or its marks where only a judge grades."""
    exemplar = CASES[case].exemplars[position]
    assert exemplar.marks is not None
    found = _checks(CASES[case], exemplar.answer)
    expected = (exemplar.marks - 1) / 4 if found is None else found
    assert exemplar.score == pytest.approx(expected, abs=5e-5)


@every_row("case", CASES)
def test_good_and_worse(case: str) -> None:
    """Each case has one exemplar of marks 5 with full score, and three worse ones of different marks."""
    marks = [exemplar.marks for exemplar in CASES[case].exemplars]
    assert marks[0] == 5 and CASES[case].exemplars[0].score == 1
    assert len(set(marks)) == len(marks) == 4


@pytest.mark.parametrize("name", USE_CASES)
def test_marks_spread(name: str) -> None:
    """The calibration set of a use case has 20 different answers, and each mark at least twice."""
    exemplars = [exemplar for case in USE_CASES[name].cases for exemplar in case.exemplars]
    marks = Counter(exemplar.marks for exemplar in exemplars)
    assert len({exemplar.answer for exemplar in exemplars}) == 20
    assert set(marks) == {1, 2, 3, 4, 5} and min(marks.values()) >= 2


@every_row("case, position", EXEMPLARS)
def test_genuine_answers(case: str, position: int) -> None:
    """Exemplars are whole answers with a note that says why they deserve their marks."""
    exemplar = CASES[case].exemplars[position]
    assert _words(exemplar.answer) >= 75
    assert exemplar.note


@every_row("case", [case for case in CASES if CASES[case].use_case in HYBRID])
def test_checks_tell_good_from_bad(case: str) -> None:
    """Marks of 4 and 5 pass all checks; each of 3 or less fails one; boilerplate earns next to nothing."""
    for exemplar in CASES[case].exemplars:
        assert exemplar.marks is not None
        assert (exemplar.score == 1) == (exemplar.marks >= 4)
    empty = BARE_PAGE if CASES[case].use_case == "web-design" else BOILERPLATE
    limit = 0.42 if CASES[case].use_case == "web-design" else 0.3
    assert (_checks(CASES[case], empty) or 0) < limit
    assert _checks(CASES[case], "") == 0


@pytest.mark.parametrize("marks", [4, 5])
def test_villanelles(marks: int) -> None:
    """The good villanelles have 5 tercets and a quatrain, their refrains, and no forbidden word."""
    answer = _exemplar("creative-villanelle-winder", marks=marks).answer
    lines = [re.sub(r"[^\w' ]", "", line).lower() for line in answer.splitlines() if line]
    assert [len(stanza.splitlines()) for stanza in answer.split("\n\n")] == [3, 3, 3, 3, 3, 4]
    assert lines[0] == lines[5] == lines[11] == lines[17]
    assert lines[2] == lines[8] == lines[14] == lines[18]
    assert not re.search(r"\b(time|clock|hour|tick|heart|goodbye)", " ".join(lines))


@pytest.mark.parametrize("marks", [4, 5])
def test_flash_fiction(marks: int) -> None:
    """The good stories keep to 250-300 words, without adverbs in -ly, comparisons, speech or a child."""
    answer = _exemplar("creative-launderette-sock", marks=marks).answer
    assert 250 <= _words(answer) <= 300
    assert not re.search(r"\w+ly\b|\blike\b|as if|\"|\b(child|baby|son|daughter)\b", answer)


@pytest.mark.parametrize("marks", [4, 5])
def test_letters(marks: int) -> None:
    """The good letters keep to 280 words, hold what must occur, and none of the forbidden words."""
    answer = _exemplar("creative-house-sitter-letter", marks=marks).answer
    assert _words(answer) <= 280
    assert all(part in answer for part in (" cat", "second key", " six"))
    assert not re.search(r"sorry|apolog|confess|admit|pretend|secret", answer, re.I)


@pytest.mark.parametrize("marks", [3, 5])
def test_dialogues(marks: int) -> None:
    """The dialogues that keep the form have 26-36 lines of speech, each a dash and at most 25 words."""
    lines = _exemplar("creative-lift-dialogue", marks=marks).answer.splitlines()
    assert 26 <= len(lines) <= 36
    assert all(line.startswith("- ") and _words(line) <= 26 for line in lines)
    assert lines[-1].endswith("?")


@pytest.mark.parametrize("marks", [3, 4, 5])
def test_logs(marks: int) -> None:
    """The logs that keep the form have eight entries, a year apart first to last, and no forbidden word."""
    answer = _exemplar("creative-lost-property-log", marks=marks).answer
    dates = re.findall(r"(?m)^\W*(?:Entry )?([1-8])\.\**\s+(\d+ [A-Z][a-z]+)\.", answer)
    assert [number for number, _ in dates] == list("12345678")
    assert dates[0][1] == dates[7][1]
    assert _words(answer) <= 260
    assert not re.search(r"\b(lov|lik|miss|sad|happ|death|die|dying|funeral)", answer, re.I)


@pytest.mark.parametrize(
    ("marks", "stats", "counters"),
    [
        (5, ((60, 6), (45, 18), (160, 9)), (1.35, 1.5, 1.25)),
        (4, ((50, 8), (36, 25), (100, 16)), (1.4, 1.3, 1.3)),
    ],
)
def test_unit_triangle(marks: int, stats: tuple[tuple[int, int], ...], counters: tuple[float, ...]) -> None:
    """The good unit stats meet the brief when its model is computed, and the answers show these numbers."""
    answer = _exemplar("game-unit-triangle", marks=marks).answer
    strengths = [n * n * hp * dps for n, (hp, dps) in zip((12, 8, 6), stats, strict=True)]
    assert max(strengths) <= 1.05 * min(strengths)
    assert all(0.4 <= (1 - 1 / m) ** 0.5 <= 0.6 and m > 1.2 for m in counters)
    assert all(f"{strength:,}" in answer for strength in strengths)


OWLS = {
    # (telegraph, active, shield) and gaps in seconds, as the answers give them: pattern and repetitions.
    5: (
        ([(1, 0.5, 0), 1.5, (1, 1, 1), 1], 5),
        ([(1.2, 1.8, 1), 1, (1, 0.5, 0), 1, (1, 0.5, 0), 2], 3),
        ([(1.3, 0.5, 0), 1.2, (1.3, 1, 1), 1.2, (1.5, 1.8, 1), 1.4, (1.3, 0.5, 0), 2], 2),
    ),
    4: (
        ([(0.9, 0.6, 0), 1.5, (1, 1, 1), 1], 5),
        ([(0.9, 0.6, 0), 1, (1, 1.5, 1), 1, (0.9, 0.6, 0), 2.5], 3),
        ([(1, 1, 1), 1.5, (1, 1.5, 1), 1.5, (0.9, 0.6, 0), 1], 3),
    ),
}


@pytest.mark.parametrize(("marks", "attacks", "lowest"), [(5, 27, 64), (4, 28, 70)])
def test_owl_fights(marks: int, attacks: int, lowest: int) -> None:
    """The good boss fights last 90 s, and the shield's energy falls as low as they say and no lower."""
    steps = list(chain.from_iterable(chain.from_iterable(repeat(*phase)) for phase in OWLS[marks]))
    energy, seconds, levels = 100.0, 0.0, [100.0]
    for step in steps:
        telegraph, active, shield = step if isinstance(step, tuple) else (step, 0, 0)
        energy = min(100.0, energy + 10 * telegraph)
        energy = energy - 20 * active if shield else min(100.0, energy + 10 * active)
        levels.append(energy)
        seconds += telegraph + active
    assert seconds == pytest.approx(90)
    assert sum(isinstance(step, tuple) for step in steps) == attacks
    assert min(levels) == pytest.approx(lowest)
    assert f"lowest level is {lowest}" in _exemplar("game-one-button-boss", marks=marks).answer
