"""Which element of a list answers which expected one: by place, in any order, or by a key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.grading.fields.typed import Comparison, Outcome


@dataclass(frozen=True, slots=True)
class Element:
    """One expected element: its comparison, and its key where elements are matched by key."""

    compare: Comparison
    key: Comparison | None
    shown: str


Matching = Callable[[Sequence[Element], Sequence[Any]], tuple[float, list[str]]]


def in_order(elements: Sequence[Element], got: Sequence[Any]) -> tuple[float, list[str]]:
    """Pair elements by their place."""
    score, wrong = 0.0, []
    for at, element in enumerate(elements):
        outcome = element.compare(got[at]) if at < len(got) else Outcome(0.0, "absent")
        score += outcome.score
        if outcome.score < 1:
            wrong.append(f"[{at}]: {outcome.verdict}")
    return score, wrong


def in_any_order(elements: Sequence[Element], got: Sequence[Any]) -> tuple[float, list[str]]:
    """Pair the best matches first; each element of the answer counts once."""
    outcomes = [[element.compare(item) for item in got] for element in elements]
    pairs = sorted(
        (
            (outcome.score, -row, -column)
            for row, line in enumerate(outcomes)
            for column, outcome in enumerate(line)
        ),
        reverse=True,
    )
    rows: dict[int, float] = {}
    columns: set[int] = set()
    for score, row, column in pairs:
        if score > 0 and -row not in rows and -column not in columns:
            rows[-row] = score
            columns.add(-column)
    wrong = []
    for row, element in enumerate(elements):
        if row not in rows:
            wrong.append(f"{element.shown}: absent")
        elif rows[row] < 1:
            wrong.append(f"{element.shown}: in part")
    return sum(rows.values()), wrong


def by_key(by: str) -> Matching:
    """Return the matching that pairs elements by one of their keys."""

    def match(elements: Sequence[Element], got: Sequence[Any]) -> tuple[float, list[str]]:
        score, wrong = 0.0, []
        for element in elements:
            assert element.key is not None
            fitting = [
                item
                for item in got
                if isinstance(item, Mapping) and by in item and element.key(item[by]).score == 1
            ]
            if len(fitting) != 1:
                wrong.append(f"{element.shown}: {'absent' if not fitting else f'{len(fitting)} times'}")
                continue
            outcome = element.compare(fitting[0])
            score += outcome.score
            if outcome.score < 1:
                wrong.append(f"{element.shown}: {outcome.verdict}")
        return score, wrong

    return match
