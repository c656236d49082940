"""Official series over HTTP: opening for one, and what an organisation reads of its results."""

from __future__ import annotations

import pytest
from exam_room import NOW, Room
from exam_rows import Answered, add_draw, add_marks, add_organisation, add_session
from exam_server import Served, people
from sqlalchemy import text

from assay.exam.series import NewSeries, make_series, register
from assay.store.engine import reading

RIVAL = "Rivals"


@pytest.fixture
def series(served: Served) -> int:
    """The series `spring` of one sitting of ten questions, whose reference is a rival's."""
    add_organisation(served.room.engine, RIVAL)
    new = NewSeries("spring", f"{RIVAL}/rival/best", 10, sittings=1)
    made = make_series(served.room.engine, new, now=NOW, by="op")
    register(served.room.engine, "spring", ["Lovelace Labs/lab/one"], now=NOW, by="op")
    return made.id


def sit(room: Room, organisation: str, model: str, stars: int, series: int | None) -> None:
    """Store a finished sitting of ten questions, so many of them with full marks."""
    with reading(room.engine) as connection:
        rows = connection.execute(text("SELECT discipline, min(id) FROM questions GROUP BY discipline"))
        draw = add_draw(room.engine, {code: [number] for code, number in rows.tuples()})
        query = text("SELECT id FROM organisations WHERE name = :name")
        number = connection.execute(query, {"name": organisation}).scalar_one()
    given = [Answered()] * 10
    session = add_session(room.engine, number, draw, given, n=10, model=model, owner=RIVAL, series=series)
    add_marks(room.engine, session, {row: 3 if row <= stars else 0 for row in range(1, 11)})


def test_an_examiner_opens_a_session_of_a_series(served: Served, series: int) -> None:
    """It says which; what the series fixes may be left out; another model, or n, is refused."""
    token = served.token(people(served.room)["examiner"])
    body = {"candidate": served.room.ada, "model": "lab/one", "series": "spring"}
    opened = served.send("POST", "/sessions", body, token=token)
    assert (opened.status, opened.json["series"], opened.json["quota"]) == (201, "spring", 10)
    for change, status in (({"model": "rival/best"}, 403), ({"n": 1}, 409), ({"series": "autumn"}, 404)):
        assert served.send("POST", "/sessions", body | change, token=token).status == status


def test_results_name_organisation_rank_and_reference(served: Served, series: int) -> None:
    """The own published models only, with what they are compared with; unofficial sittings are not told."""
    room = served.room
    sit(room, "Lovelace Labs", "lab/one", 6, series)
    sit(room, "Lovelace Labs", "lab/one", 10, None)
    sit(room, RIVAL, "rival/best", 8, series)
    reply = served.send("GET", "/results", token=served.token(people(room)["viewer"])).json
    (told,) = reply["series"]
    assert (told["reference"], told["ranked"]) == ({"organisation": RIVAL, "model": "rival/best"}, 2)
    (own,) = told["results"]
    assert (own["organisation"], own["model"]) == ("Lovelace Labs", "lab/one")
    assert own["rank"]["place"] == 2
    assert own["score"]["mean"] == pytest.approx(60.0)
    assert own["relative"]["value"] == pytest.approx(75.0)
    low, high = own["relative"]["interval"]
    assert low < 75.0 < high
