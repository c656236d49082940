"""Sharing answers out among experts."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from assay.exam.coverage import CoverageTarget, assign
from assay.results.review import Reviewer
from assay.store.exam.human import AnswerToMark, Assignment

ANSWERS = [
    AnswerToMark(f"session {model}", position, ("law", "history")[position % 2], f"model {model}")
    for model in range(5)
    for position in range(40)
]
REVIEWERS = [Reviewer(number, f"{number}", (), 99, None, 0.0, None) for number in range(3)]


def chosen(target: CoverageTarget, before: list[Assignment], seed: int = 1) -> list[tuple[AnswerToMark, int]]:
    """Return what is chosen among a hundred answers a discipline."""
    return assign(ANSWERS, before, REVIEWERS, target, random.Random(seed))[0]


def kept(rows: list[tuple[AnswerToMark, int]]) -> list[Assignment]:
    """Return what was chosen as it is stored."""
    return [
        Assignment(f"{place}", one.session, one.position, who, one.discipline, one.model, None, None, None)
        for place, (one, who) in enumerate(rows)
    ]


@given(st.integers(1, 3), st.integers(1, 20), st.floats(0, 1), st.integers(0, 99))
def test_nobody_has_an_answer_twice_and_targets_are_met(
    experts: int, each: int, shared: float, seed: int
) -> None:
    """Each of the experts has exactly its answers of each discipline, none of them twice."""
    rows = chosen(CoverageTarget(experts, each, shared), [], seed)
    spots = [(one.session, one.position, who) for one, who in rows]
    assert len(set(spots)) == len(spots) == 2 * experts * each
    assert chosen(CoverageTarget(experts, each, shared), kept(rows), seed) == []


def test_the_shared_answers_are_those_asked_for() -> None:
    """Of 20 answers each, a quarter shared: 5 are marked by two, 30 by one."""
    rows = [one for one, _ in chosen(CoverageTarget(2, 20, 0.25), []) if one.discipline == "law"]
    assert Counter(Counter((one.session, one.position) for one in rows).values()) == {1: 30, 2: 5}


def test_models_take_turns() -> None:
    """Ten answers of five models are two of each."""
    rows = [one for one, _ in chosen(CoverageTarget(1, 10, 0.0), []) if one.discipline == "law"]
    assert set(Counter(one.model for one in rows).values()) == {2}
