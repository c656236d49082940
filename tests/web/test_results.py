"""Official series over HTTP: opening sessions, and the results of an organisation."""

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
    """The series `spring` with one sitting of ten questions; the reference is a rival's model."""
    add_organisation(served.room.engine, RIVAL)
    new = NewSeries("spring", f"{RIVAL}/rival/best", 10, sittings=1)
    made = make_series(served.room.engine, new, now=NOW, by="op")
    register(served.room.engine, "spring", ["Lovelace Labs/lab/one"], now=NOW, by="op")
    return made.id


def sit(room: Room, organisation: str, model: str, stars: int, series: int | None) -> None:
    """Store a finished sitting of ten questions, of which the first `stars` have full marks."""
    with reading(room.engine) as connection:
        rows = connection.execute(text("SELECT discipline, min(id) FROM questions GROUP BY discipline"))
        draw = add_draw(room.engine, {code: [number] for code, number in rows.tuples()})
        query = text("SELECT id FROM organisations WHERE name = :name")
        number = connection.execute(query, {"name": organisation}).scalar_one()
    answers = [Answered()] * 10
    session = add_session(room.engine, number, draw, answers, n=10, model=model, owner=RIVAL, series=series)
    add_marks(room.engine, session, {row: 3 if row <= stars else 0 for row in range(1, 11)})


def test_an_examiner_opens_a_session_of_a_series(served: Served, series: int) -> None:
    """Fields that the series fixes may be left out; another model, n or series is refused."""
    token = served.token(people(served.room)["examiner"])
    body = {"candidate": served.room.ada, "model": "lab/one", "series": "spring"}
    opened = served.send("POST", "/sessions", body, token=token)
    assert (opened.status, opened.json["series"], opened.json["quota"]) == (201, "spring", 10)
    for change, status in (({"model": "rival/best"}, 403), ({"n": 1}, 409), ({"series": "autumn"}, 404)):
        assert served.send("POST", "/sessions", body | change, token=token).status == status


def test_results_name_organisation_rank_and_reference(served: Served, series: int) -> None:
    """Only the organisation's own published models are listed, without unofficial sittings."""
    room = served.room
    sit(room, "Lovelace Labs", "lab/one", 6, series)
    sit(room, "Lovelace Labs", "lab/one", 10, None)
    sit(room, RIVAL, "rival/best", 8, series)
    reply = served.send("GET", "/results", token=served.token(people(room)["viewer"])).json
    (spring,) = reply["series"]
    assert (spring["reference"], spring["ranked"]) == ({"organisation": RIVAL, "model": "rival/best"}, 2)
    (own,) = spring["results"]
    assert (own["organisation"], own["model"]) == ("Lovelace Labs", "lab/one")
    assert own["rank"]["place"] == 2
    assert own["score"]["mean"] == pytest.approx(60.0)
    assert own["relative"]["value"] == pytest.approx(75.0)
    low, high = own["relative"]["interval"]
    assert low < 75.0 < high
