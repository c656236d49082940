"""`assay exam open`, `sessions` and `close`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Assay
from exam_room import Room, add_organisation, add_user, room
from fresh_database import fresh_sqlite
from schemas import valid


@pytest.fixture
def made(folder: Path) -> Room:
    """A room in the folder's database."""
    return room(fresh_sqlite(folder / "assay.db"))


def open_one(assay: Assay, *more: str) -> str:
    """Open a session for Ada and return its id."""
    ended = assay("exam", "open", "--candidate", "Lovelace Labs/ada", "--model", "a/b", "--n", "10", *more)
    assert ended.status == 0, ended.err
    return ended.out.strip()


def test_a_session_is_opened_and_listed(assay: Assay, made: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the id is on stdout; the list shows the candidate; both documents follow their schema."""
    session = open_one(assay)
    assert len(session) == 36
    (row,) = valid("exam-sessions", assay("exam", "sessions", "--json"))["sessions"]
    assert (row["id"], row["organisation"], row["candidate_name"]) == (session, "Lovelace Labs", "ada")
    monkeypatch.setenv("COLUMNS", "200")
    assert f"Lovelace Labs/ada  {session}" in assay("exam", "sessions").out


def test_options_reach_the_session(assay: Assay, made: Room) -> None:
    """Prompting, hours and minutes."""
    ended = assay(
        *("exam", "open", "--candidate", made.ada, "--model", "a/b", "--allocation", "law=2", "--json"),
        *("--prompting", "cot", "--hours", "2", "--question-minutes", "3"),
    )
    document = valid("exam-session", ended)
    assert (document["quota"], document["prompting"], document["question_seconds"]) == (2, "cot", 180)


def test_closing_ends_a_session(assay: Assay, made: Room) -> None:
    """Its state is printed, and its questions can be drawn again."""
    session = open_one(assay)
    assert valid("exam-session", assay("exam", "close", session, "--json"))["state"] == "closed"
    assert made.count("SELECT count(*) FROM exposures") == 0
    assert valid("exam-sessions", assay("exam", "sessions", "--state", "open", "--json"))["sessions"] == []


def test_the_operator_sits_a_named_draw_again(assay: Assay, made: Room) -> None:
    """The second opening needs no n."""
    operator = add_organisation(made.engine, "House", operator=True)
    add_user(made.engine, operator, "reference")
    opening = ("exam", "open", "--candidate", "House/reference", "--model", "a/b", "--draw", "spring")
    assert assay(*opening, "--n", "20").status == 0
    assert valid("exam-session", assay(*opening, "--json"))["quota"] == 20
    assert made.count("SELECT count(*) FROM draws") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("open", "--candidate", "nobody", "--model", "a/b", "--n", "10"), "nobody"),
        (("open", "--candidate", "Lovelace Labs/ada", "--model", "a/b"), "--n"),
        (("open", "--candidate", "Lovelace Labs/ada", "--model", "a/b", "--n", "11"), "multiple of 10"),
        (("open", "--candidate", "Lovelace Labs/ada", "--model", "a/b", "--n", "500"), "too few"),
        (("close", "nothing"), "unknown session 'nothing'"),
    ],
)
def test_invalid_input_ends_with_a_message(
    assay: Assay, made: Room, arguments: tuple[str, ...], message: str
) -> None:
    """Exit 2 and one message."""
    ended = assay("exam", *arguments)
    assert ended.status == 2
    assert message in ended.err
