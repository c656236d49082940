"""Sessions of one organisation that two services open at the same time have different questions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from exam_room import room
from exam_server import people, serving
from sqlalchemy import Engine

FAMILIES, N, REQUESTS = 4, 10, 12


def test_sessions_opened_at_once_never_share_a_question(engine: Engine) -> None:
    """Of twelve requested sessions four are opened, because the bank has questions for four."""
    made = room(engine, FAMILIES)
    examiner = people(made)["examiner"]
    body = {"candidate": made.ada, "model": "lab/one", "n": N}
    with serving(made) as first, serving(made) as second, ThreadPoolExecutor(REQUESTS) as pool:
        token = first.token(examiner)

        def open_session(number: int) -> int:
            service = first if number % 2 else second
            return service.send("POST", "/sessions", body, token=token).status

        statuses = sorted(pool.map(open_session, range(REQUESTS)))
    assert statuses == [201] * FAMILIES + [409] * (REQUESTS - FAMILIES)
    drawn = "SELECT count(family), count(DISTINCT family) FROM draw_questions"
    with engine.connect() as connection:
        assert tuple(connection.exec_driver_sql(drawn).one()) == (FAMILIES * N, FAMILIES * N)
