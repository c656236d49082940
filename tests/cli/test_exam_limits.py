"""`assay exam limits`, `exposure` and `vendor`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Assay
from exam_room import room
from schemas import valid

from assay.store.engine import open_database


@pytest.fixture
def service(folder: Path, assay: Assay) -> Assay:
    """A workspace with an organisation, two candidates and six families of each subject."""
    engine = open_database(str(folder / "assay.db"))
    room(engine, families=6)
    engine.dispose()
    return assay


def open_one(service: Assay, n: int) -> None:
    """Open a session of the organisation's candidate."""
    ended = service("exam", "open", "--candidate", "Lovelace Labs/ada", "--model", "local/m", "--n", f"{n}")
    assert ended.status == 0, ended.err


def test_limits_are_shown_and_changed(service: Assay) -> None:
    """Without options they are shown; what is given is changed and the rest kept."""
    before = valid("exam-limits", service("exam", "limits", "--json"))
    assert before == {"exposure_rate": 0.2, "quota": 3000, "period_days": 30, "drain_share": 0.25}
    after = valid("exam-limits", service("exam", "limits", "--quota", "90", "--days", "7", "--json"))
    assert after == {**before, "quota": 90, "period_days": 7}
    assert "drain share" in service("exam", "limits").out


def test_an_organisations_own_quota(service: Assay) -> None:
    """The quota is set for one organisation only; contradictory options are refused."""
    assert service("exam", "limits", "--organisation", "Lovelace Labs", "--quota", "10").status == 0
    refused = service("exam", "open", "--candidate", "Lovelace Labs/ada", "--model", "local/m", "--n", "20")
    assert (refused.status, "used 0 of its quota of 10 questions" in refused.err) == (2, True)
    assert service("exam", "limits", "--organisation", "Lovelace Labs", "--common").status == 0
    open_one(service, 20)
    assert "give one" in service("exam", "limits", "--organisation", "Lovelace Labs").err
    assert "--organisation NAME" in service("exam", "limits", "--common").err


def test_a_drained_bank_ends_with_status_1(service: Assay) -> None:
    """The ledger is printed all the same."""
    assert service("exam", "exposure", "--json").status == 0
    open_one(service, 20)
    ended = service("exam", "exposure", "--json")
    assert ended.status == 1
    assert {each["met"] for each in valid("exam-exposure", ended)["alarms"]} == {2}
    assert "alarm: 'Lovelace Labs' has met 2 of the 6 questions of" in service("exam", "exposure").err


def test_a_vendor_is_registered(service: Assay) -> None:
    """The vendor's policy is in the ledger; an empty one is refused."""
    given = ("exam", "vendor", "openai", "--source", "contract of May 2026", "--retention")
    assert service(*given, "none").status == 0
    assert "invalid retention" in service(*given, " ").err
