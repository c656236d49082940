"""Official series with marked sittings, written straight into a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exam_rows import NOW, Answered, add_draw, add_marks, add_organisation, add_session, fill_bank
from sqlalchemy import Engine

from assay.core.exam import Prompting
from assay.exam.series import NewSeries, make_series, register
from assay.store.bank.reviewers import add_reviewer
from assay.store.engine import writing
from assay.store.exam.human import ExpertMark, keep_assignments, keep_human_mark

SUBJECTS = ("law", "history")


class SatSeries:
    """A bank of law and history, an organisation `lab`, and series in which its models sit the same draws.

    Each of the three draws has `each` questions of either subject, which alternate.
    """

    def __init__(self, engine: Engine, each: int = 10) -> None:
        self.engine, self.each = engine, each
        bank = fill_bank(engine, dict.fromkeys(SUBJECTS, 3 * each))
        self.organisation = add_organisation(engine)
        self.draws = [
            add_draw(engine, {code: ids[place * each : (place + 1) * each] for code, ids in bank.items()})
            for place in range(3)
        ]

    def add(
        self,
        name: str,
        stars: Mapping[str, Sequence[int]],
        *,
        prompting: Prompting = Prompting.ZERO_SHOT,
    ) -> list[str]:
        """Add a series in which each model sits all draws, and return the sittings' sessions.

        A model's stars by the judge repeat in the order of questions.
        """
        allocation = ",".join(f"{code}={self.each}" for code in SUBJECTS)
        models = [f"lab/{model}" for model in stars]
        new = NewSeries(name, models[0], allocation=allocation, prompting=prompting)
        series = make_series(self.engine, new, now=NOW, by="tester").id
        register(self.engine, name, models, now=NOW, by="tester")
        n, sessions = len(SUBJECTS) * self.each, []
        for model, given in stars.items():
            for draw in self.draws:
                session = add_session(
                    self.engine,
                    self.organisation,
                    draw,
                    [Answered()] * n,
                    n=n,
                    model=model,
                    prompting=prompting.value,
                    series=series,
                )
                stars_by_place = {place: given[place % len(given)] for place in range(1, n + 1)}
                add_marks(self.engine, session, stars_by_place)
                sessions.append(session)
        return sessions

    def add_expert(self, name: str, session: str, stars: Mapping[int, int]) -> None:
        """Store an expert with the stars that he gave to answers of a sitting, by position."""
        expert = add_reviewer(
            self.engine, name=name, disciplines=[], daily_cap=99, hourly_rate=None, now=NOW
        ).id
        codes = {place: f"{name} {session} {place}" for place in stars}
        with writing(self.engine) as connection:
            assigned = [(code, session, place, expert) for place, code in codes.items()]
            keep_assignments(connection, assigned, now=NOW)
            for place, code in codes.items():
                keep_human_mark(connection, ExpertMark(code, stars[place], b"sealed", None, NOW))
