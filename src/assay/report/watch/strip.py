"""A model's days as a row of lettered marks: one per day, or one per week if there are many days."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from assay.core.verdict import UseCaseState as State
from assay.report.numerals import thousands
from assay.watch.judgement import Judgement

MOST_DAYS = 62
"""The largest number of days that are shown one by one; with more, each mark is a week."""

LETTERS = {State.GAP: "–", State.CALIBRATING: "c", State.OK: "·", State.SUSPICIOUS: "s", State.COOKED: "C"}
HELD = {State.OK: "~", State.SUSPICIOUS: "ŝ", State.COOKED: "Ĉ"}
"""The letters of states that were carried over in some or all use cases."""

SEVERITY = (State.COOKED, State.SUSPICIOUS, State.OK, State.CALIBRATING, State.GAP)


@dataclass(frozen=True, slots=True)
class StripMark:
    """One mark: its state (None before the model was first measured) and its tooltip.

    `held` is true if the state of some use case was carried over.
    """

    state: State | None
    text: str
    held: bool = False

    @property
    def letter(self) -> str:
        """The letter of the state, so that colour is never the only sign."""
        if self.state is None:
            return ""
        return HELD.get(self.state, LETTERS[self.state]) if self.held else LETTERS[self.state]

    @property
    def name(self) -> str:
        """The state's name in lower case, `none` before the first measurement."""
        name = "none" if self.state is None else self.state.name.lower()
        return f"{name} held" if self.held else name


Strip = tuple[tuple[StripMark, ...], ...]
"""Marks in groups that are kept together: the days of a week, or the weeks of a month."""


def strip(judged: Judgement, model: int, last: int, reasons: Mapping[int, str]) -> Strip:
    """Return a model's marks up to day `last`; `reasons` has the reasons why days were not judged.

    A week has the most serious state of its days, in the order COOKED, SUSPICIOUS, OK, CALIBRATING, GAP.
    """
    begun = first_day(judged, model)
    dates = [judged.history.date_of(day) for day in range(last + 1)]
    if len(dates) <= MOST_DAYS:
        marks = [(_week(when), _day(judged, model, day, begun, reasons)) for day, when in enumerate(dates)]
    else:
        weeks = groupby(range(last + 1), key=lambda day: _week(dates[day]))
        marks = [
            (monday.replace(day=1), _weekly(judged, model, monday, list(days), begun))
            for monday, days in weeks
        ]
    return tuple(tuple(mark for _, mark in group) for _, group in groupby(marks, key=lambda pair: pair[0]))


def first_day(judged: Judgement, model: int) -> int:
    """Return the position of the first day on which a model was measured; the number of days if none."""
    measured = judged.daily.gaps.attempted[model].nonzero()[0]
    return int(measured[0]) if measured.size else judged.history.days


def _sample_counts(judged: Judgement, model: int, day: int) -> str:
    """Return the counts of a model's judged samples on a day, such as `n 5: 4 ok, 1 invalid, ...`."""
    daily = judged.daily
    numbers = [
        int(column[model, :, day].sum()) for column in (daily.ok, daily.invalid, daily.error, daily.ungraded)
    ]
    parts = zip(numbers, ("ok", "invalid", "error", "ungraded"), strict=True)
    return f"n {thousands(sum(numbers))}: " + ", ".join(
        f"{thousands(number)} {name}" for number, name in parts
    )


def _day(judged: Judgement, model: int, day: int, begun: int, reasons: Mapping[int, str]) -> StripMark:
    when = judged.history.date_of(day).isoformat()
    if day < begun:
        return StripMark(None, f"{when}: not measured yet")
    state = State(judged.states[model, day])
    held = [
        use_case.name
        for use_case, carried in zip(
            judged.history.use_cases, judged.evidence.held[model, :, day], strict=True
        )
        if carried and state > State.CALIBRATING
    ]
    lines = [f"{when}: {state.name}", *_flagged_lines(judged, model, day)]
    lines += [f"carried over: {', '.join(held)}"] if held else []
    if day in reasons:
        lines.append(reasons[day])
    lines.append(_sample_counts(judged, model, day))
    return StripMark(state, "\n".join(lines), bool(held))


def _flagged_lines(judged: Judgement, model: int, day: int) -> Iterator[str]:
    for state in (State.COOKED, State.SUSPICIOUS):
        names = [
            use_case.name
            for use_case, use_case_state in zip(
                judged.history.use_cases, judged.evidence.state[model, :, day], strict=True
            )
            if use_case_state == state
        ]
        if names:
            yield f"{state.name.lower()}: {', '.join(names)}"


def _weekly(judged: Judgement, model: int, monday: date, days: list[int], begun: int) -> StripMark:
    title = f"Week of {monday.isoformat()}"
    states = [State(judged.states[model, day]) for day in days if day >= begun]
    if not states:
        return StripMark(None, f"{title}: not measured yet")
    worst = min(states, key=SEVERITY.index)
    tally = ", ".join(f"{states.count(state)} {state.name}" for state in SEVERITY if state in states)
    worst_days = [
        judged.history.date_of(day).isoformat()
        for day in days
        if day >= begun and judged.states[model, day] == worst and worst > State.OK
    ]
    attempted = int(judged.daily.gaps.attempted[model, days].sum())
    lines = [f"{title}: {worst.name} at worst", f"days: {tally}"]
    lines += [f"{worst.name} on {', '.join(worst_days)}"] if worst_days else []
    return StripMark(worst, "\n".join([*lines, f"{thousands(attempted)} samples attempted"]))


def _week(when: date) -> date:
    return when - timedelta(days=when.weekday())
