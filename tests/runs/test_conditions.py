"""Conditions from the reply to the verdict: what was sent and who served it is stored with every sample."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from sqlalchemy import select
from upstream import chat

from assay.core.verdict import ModelState
from assay.runs.watch.verdicts import Verdicts
from assay.store.schema import conditions, samples


def test_equal_conditions_are_stored_once(watching: Any) -> None:
    """Three days of ten samples under the same conditions: one row, named by every sample."""
    watching.until(3)
    with watching.engine.connect() as connection:
        rows = connection.execute(select(conditions.c.id, conditions.c.body)).all()
        named = connection.execute(select(samples.c.conditions)).scalars().all()
    assert len(rows) == 1
    assert set(named) == {rows[0].id}
    assert len(named) == 30
    assert "set by case" in rows[0].body


def test_an_errored_sample_has_no_conditions(watching_sqlite: Any) -> None:
    """No reply says who served it."""
    watching_sqlite.on(0, lambda prompt, before: 400)
    with watching_sqlite.engine.connect() as connection:
        assert set(connection.execute(select(samples.c.conditions)).scalars()) == {None}


def test_a_refused_parameter_freezes_and_is_told(watching_sqlite: Any) -> None:
    """The endpoint refuses a parameter from the seventh day on, and the model answers worse without it."""
    watching = watching_sqlite
    sent = {"reasoning": {"effort": "low"}}
    watching.suite = replace(watching.suite, parameters=sent, digest="f" * 64)
    watching.until(6)
    told = 0

    def refusing(prompt: str, before: int) -> Any:
        nonlocal told
        told += 1
        refusal = {"error": {"code": 400, "message": '"a" does not support thinking'}}
        return refusal if told <= 4 else "no"

    ended, _ = watching.on(6, refusing)
    verdict = ended.verdicts[0]
    assert verdict.state is ModelState.OK
    assert len(verdict.held) == 2
    assert [each.kind for each in verdict.conditions_changed] == ["parameters"]
    assert [change.verdict.model for change in ended.changes] == ["test/a"]


def test_a_swapped_model_is_told_on_its_first_day(watching_sqlite: Any) -> None:
    """Another served model that scores as before is a change that somebody is told of, once."""

    def swapped(prompt: str, before: int) -> Any:
        return chat("right", model="totally-other-model", system_fingerprint="fp9")

    for day in range(6):
        watching_sqlite.on(day, lambda prompt, before: chat("right", model="good"))
    ended, _ = watching_sqlite.on(6, swapped)
    assert [(each.kind, each.after) for each in ended.verdicts[0].conditions_changed] == [
        ("served model", "totally-other-model")
    ]
    assert len(ended.changes) == 1
    ended, _ = watching_sqlite.on(7, swapped)
    assert ended.changes == ()
    report = Verdicts(watching_sqlite.engine, watching_sqlite.suite.digest).day(0, date(2026, 11, 8))
    assert report.verdict.conditions_changed[0].since == date(2026, 11, 7)
