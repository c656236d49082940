"""Stored standings: computed once, read without any answer, and never outdated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from exam_rows import NOW, Answered, add_draw, add_marks, add_organisation, add_session, fill_bank
from sqlalchemy import Engine, event, text

from assay.core.exam import EXAM_JUDGE
from assay.exam.opening import close_by_operator
from assay.exam.results import read_series, read_standings, series_document
from assay.exam.series import NewSeries, all_series, make_series, register, void_sitting
from assay.exam.tally import exclude_positions
from assay.store.engine import reading, writing
from assay.store.exam.series import exams_state

JUDGE = EXAM_JUDGE


class Stage:
    """A series of four questions: `lab/one`, its reference, has one marked sitting and one open one."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.bank = fill_bank(engine, {"law": 20, "history": 20})
        self.lab = add_organisation(engine)
        new = NewSeries("spring", "lab/lab/one", allocation="law=2,history=2", sittings=1)
        self.series = make_series(engine, new, now=NOW, by="op").id
        self.session = self.sit(0)
        self.open = self.sit(1, state="open", opened=4e9)

    def sit(self, row: int, **more: Any) -> str:
        """Store a sitting of the series with 9 of 12 stars."""
        draw = add_draw(self.engine, {code: ids[2 * row : 2 * row + 2] for code, ids in self.bank.items()})
        given = [Answered()] * (3 if more.get("state") == "open" else 4)
        session = add_session(self.engine, self.lab, draw, given, n=4, series=self.series, **more)
        add_marks(self.engine, session, {1: 3, 2: 0, 3: 3})
        if len(given) == 4:
            add_marks(self.engine, session, {4: 3})
        return session

    def read(self) -> dict[str, Any]:
        """Return the series' standings as a service reads them."""
        return read_standings(self.engine, JUDGE, now=NOW)[0]

    def fresh(self) -> dict[str, Any]:
        """Return the standings computed from all answers."""
        (series, entrants), *_ = all_series(self.engine)
        return series_document(read_series(self.engine, series, entrants, JUDGE))

    def state(self) -> tuple[int, ...]:
        """Return the counters of all series."""
        with reading(self.engine) as connection:
            return exams_state(connection)


@pytest.fixture
def stage(engine: Engine) -> Stage:
    """A stage on a database of either kind."""
    return Stage(engine)


@contextmanager
def statements(engine: Engine) -> Iterator[list[str]]:
    """Collect the SQL statements that are sent."""
    sent: list[str] = []

    def note(*arguments: Any) -> None:
        sent.append(arguments[2])

    event.listen(engine, "before_cursor_execute", note)
    yield sent
    event.remove(engine, "before_cursor_execute", note)


def test_the_second_reading_reads_no_answer(stage: Stage) -> None:
    """The second reading returns the same document from the stored standings."""
    with statements(stage.engine) as first:
        document = stage.read()
    assert any("FROM sessions JOIN draw_questions" in one for one in first)
    with statements(stage.engine) as second:
        assert stage.read() == document
    for table in ("answers", "exam_marks", "draw_questions", "served", "exam_exclusions"):
        assert not any(table in one for one in second), table
    assert document == stage.fresh()


def close(stage: Stage) -> None:
    close_by_operator(stage.engine, stage.open, now=NOW)


def remark(stage: Stage) -> None:
    add_marks(stage.engine, stage.session, {2: 3})


def exclude(stage: Stage) -> None:
    exclude_positions(stage.engine, stage.session, [2], reason="x", by="op", now=NOW)


def register_model(stage: Stage) -> None:
    register(stage.engine, "spring", ["lab/lab/two"], now=NOW, by="op")


def sit_again(stage: Stage) -> None:
    stage.sit(2)


def void(stage: Stage) -> None:
    void_sitting(stage.engine, stage.session, reason="x", by="op", now=NOW)


@pytest.mark.parametrize("change", [close, remark, exclude, register_model, sit_again, void])
def test_every_change_of_a_figure_is_visible_at_once(stage: Stage, change: Callable[[Stage], None]) -> None:
    """Closing, marking, excluding, registering, sitting and voiding update the standings."""
    before = stage.read()
    change(stage)
    after = stage.read()
    assert after != before
    assert after == stage.fresh()


@pytest.mark.parametrize("change", [close, remark, exclude, register_model, sit_again, void])
def test_every_change_of_a_figure_changes_the_state(stage: Stage, change: Callable[[Stage], None]) -> None:
    """Reading changes no counter; every event that changes a figure raises one."""
    before = stage.state()
    stage.read()
    assert stage.state() == before
    change(stage)
    assert stage.state() != before


def test_stored_standings_do_not_expire(stage: Stage) -> None:
    """Years later they are still read without any answer."""
    stage.read()
    with statements(stage.engine) as sent:
        read_standings(stage.engine, JUDGE, now=NOW + 1e9)
    assert not any("answers" in one for one in sent)


def test_another_judge_has_standings_of_its_own(stage: Stage) -> None:
    """A judge without marks ranks no model."""
    assert stage.read()["ranked"] == 1
    assert read_standings(stage.engine, "openai/other", now=NOW)[0]["ranked"] == 0
    assert stage.read()["ranked"] == 1


def test_standings_of_an_older_version_are_computed_again(stage: Stage) -> None:
    """A stored document with another version is not used."""
    document = stage.read()
    with writing(stage.engine) as connection:
        connection.execute(text("UPDATE exam_standings SET version = '0.0.0.0'"))
    with statements(stage.engine) as sent:
        assert stage.read() == document
    assert any("answers" in one for one in sent)
