"""Exposure rates, quotas, the exposure ledger and alarms about drained banks."""

from __future__ import annotations

import logging
import uuid

import pytest
from exam_room import NOW, Room, add_organisation, add_user, room
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, text

from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.times import DAY_SECONDS
from assay.exam.exposure import (
    change_limits,
    change_quota,
    exposure_ledger,
    register_vendor,
    vendor_of,
)
from assay.exam.opening import Opening, close, open_session
from assay.store.bank.draw import most_draws
from assay.store.engine import open_database, writing
from assay.store.exam.serving import RawStatements


@pytest.fixture
def filled(engine: Engine) -> Room:
    """Six families of each subject."""
    return room(engine, families=6)


def stranger(at: Room, name: str) -> str:
    """Return a candidate of another organisation."""
    return add_user(at.engine, add_organisation(at.engine, name), "cy")


def test_a_question_is_left_out_until_enough_other_draws(filled: Room) -> None:
    """With a rate of one half, two organisations share no question, and a third gets some again."""
    change_limits(filled.engine, exposure_rate=0.5)
    sessions = [filled.open(30), filled.open(30, candidate=stranger(filled, "B"))]
    families = filled.count(
        "SELECT COUNT(DISTINCT family) FROM draw_questions d JOIN sessions s ON s.draw = d.draw "
        "WHERE s.id IN (:a, :b)",
        a=sessions[0],
        b=sessions[1],
    )
    assert families == 60
    filled.open(30, candidate=stranger(filled, "C"))
    ledger = exposure_ledger(filled.engine)
    assert (ledger.most_draws, ledger.draws) == (2, 3)


def test_a_bank_too_small_for_the_exposure_rate_is_refused(filled: Room) -> None:
    """The refusal names discipline, rate and command; nothing is drawn."""
    change_limits(filled.engine, exposure_rate=0.1)
    filled.open(40)
    with pytest.raises(Conflict, match=r"at most 10% of the draws \(`assay exam limits`\).*law has 2 of 4"):
        filled.open(40, candidate=stranger(filled, "B"))
    assert exposure_ledger(filled.engine).draws == 1


def test_returned_questions_do_not_count(filled: Room) -> None:
    """The questions of a session closed before anything was served can be drawn for others."""
    change_limits(filled.engine, exposure_rate=0.1)
    session = filled.open(60)
    with writing(filled.engine) as connection:
        close(RawStatements(connection), session, now=NOW + 1)
    filled.open(60, candidate=stranger(filled, "B"))


def test_the_operator_has_no_limits(filled: Room) -> None:
    """Its own sittings may repeat every question, whatever the quota."""
    change_limits(filled.engine, exposure_rate=0.1, quota=10)
    own = add_user(filled.engine, add_organisation(filled.engine, "Us", operator=True), "ref")
    filled.open(60, candidate=own)
    filled.open(60, candidate=own)


def test_a_quota_holds_for_the_whole_organisation(filled: Room) -> None:
    """Two candidates share it; the refusal says when enough is free again, and from then on it is."""
    change_limits(filled.engine, quota=30, period_days=7, exposure_rate=1.0)
    filled.open(20)
    with pytest.raises(Conflict, match=r"has used 20 of its quota of 30 questions in 7 days.*2026-11-27"):
        filled.open(20, candidate=filled.bob, now=NOW + DAY_SECONDS)
    filled.open(20, candidate=filled.bob, now=NOW + 7 * DAY_SECONDS + 1)


def test_a_session_larger_than_the_quota_is_refused(filled: Room) -> None:
    """The refusal does not name a date, because waiting does not help."""
    change_limits(filled.engine, quota=30)
    with pytest.raises(Conflict, match="more than the whole quota"):
        filled.open(40)


def test_an_organisation_can_have_its_own_quota(filled: Room) -> None:
    """It replaces the common quota and can be removed."""
    change_limits(filled.engine, quota=10)
    change_quota(filled.engine, "Lovelace Labs", 40)
    filled.open(40)
    change_quota(filled.engine, "Lovelace Labs", None)
    with pytest.raises(Conflict, match="40 of its quota of 10"):
        filled.open(10)
    with pytest.raises(NotFound, match="'nobody'"):
        change_quota(filled.engine, "nobody", 1)


def test_a_drained_discipline_raises_an_alarm(filled: Room, caplog: pytest.LogCaptureFixture) -> None:
    """The service's log and the ledger name organisation and discipline."""
    change_limits(filled.engine, drain_share=0.5)
    with caplog.at_level(logging.WARNING, "assay.exam"):
        filled.open(20)
        assert caplog.messages == []
        filled.open(10)
    assert len(caplog.messages) == 10
    assert "'Lovelace Labs' has met 3 of the 6 questions of economics (50%)" in "".join(caplog.messages)
    assert {(each.met, each.drawable) for each in exposure_ledger(filled.engine).alarms} == {(3, 6)}


def test_the_ledger_counts_what_was_served(filled: Room) -> None:
    """Questions that were drawn but not served are not counted."""
    session = filled.open(20)
    with writing(filled.engine) as connection:
        for position in (1, 2, 3):
            connection.execute(
                text("INSERT INTO served (session, position, at) VALUES (:session, :position, :at)"),
                {"session": session, "position": position, "at": NOW},
            )
    assert [
        (row.organisation, row.vendor, row.questions) for row in exposure_ledger(filled.engine).exposures
    ] == [("Lovelace Labs", "simulated", 3)]
    register_vendor(filled.engine, "simulated", retention="nothing", source="it is ours", now=NOW)
    assert exposure_ledger(filled.engine).exposures[0].retention == "nothing"


@pytest.mark.parametrize(
    ("model", "vendor"),
    [
        ("openrouter/openai/gpt-5-mini", "openai"),
        ("openai/gpt-5-mini", "openai"),
        ("local/llama3", "local"),
        ("gpt-5", "gpt-5"),
        ("openrouter/auto", "openrouter"),
    ],
)
def test_the_vendor_is_part_of_the_models_name(model: str, vendor: str) -> None:
    """Behind a router it is the part after the router."""
    assert vendor_of(model) == vendor


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"exposure_rate": 0.0}, "invalid exposure rate 0.0"),
        ({"exposure_rate": 1.5}, "invalid exposure rate 1.5"),
        ({"quota": 0}, "invalid quota 0"),
        ({"period_days": 0}, "invalid period days 0"),
    ],
)
def test_an_invalid_limit_is_refused(filled: Room, changes: dict[str, float], told: str) -> None:
    """Nothing is changed."""
    before = change_limits(filled.engine)
    with pytest.raises(InvalidInput, match=told):
        change_limits(filled.engine, **changes)
    assert change_limits(filled.engine) == before


@given(rate=st.floats(0.01, 1), draws=st.integers(1, 10_000))
def test_the_most_draws_are_the_rate_rounded_up(rate: float, draws: int) -> None:
    """At least one draw may contain a question, and less than one more than the rate allows."""
    most = most_draws(rate, draws)
    assert most >= 1
    assert rate * draws - 1e-6 <= most < rate * draws + 1


@pytest.mark.slow
def test_no_question_exceeds_the_rate_in_a_thousand_sittings() -> None:
    """1,000 organisations draw 10 of 150 questions each; the rate of 7.5 % holds, and the draws stay even.

    Without a limit the most exposed of the 15 questions of a discipline is in about 9 % of the draws by
    chance, so the rate is set below that. Even draws give 1 in 15 (6.7 %).
    """
    engine = open_database(":memory:")
    at = room(engine, families=15)
    change_limits(engine, exposure_rate=0.075, quota=10)
    for number in range(1000):
        opening = Opening(candidate=stranger(at, f"organisation {number}"), model="local/llama3", n=10)
        with writing(engine) as connection:
            open_session(connection, opening, session=str(uuid.uuid4()), seed=number, now=NOW)
    ledger = exposure_ledger(engine)
    fewest = at.count("SELECT MIN(n) FROM (SELECT COUNT(*) AS n FROM exposures GROUP BY family) AS counted")
    engine.dispose()
    assert ledger.draws == 1000
    assert ledger.most_draws <= 75
    assert fewest >= 50
