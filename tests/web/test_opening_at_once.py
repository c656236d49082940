"""Sessions of one organisation opened at the same time, by two processes' worth of service, share nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from exam_room import room
from exam_server import people, serving
from sqlalchemy import Engine

FAMILIES, N, ASKED = 4, 10, 12


def test_sessions_opened_at_once_never_share_a_question(engine: Engine) -> None:
    """Twelve are asked for at two services while the bank has questions for four: four are opened, apart."""
    made = room(engine, FAMILIES)
    examiner = people(made)["examiner"]
    wanted = {"candidate": made.ada, "model": "lab/one", "n": N}
    with serving(made) as one, serving(made) as other, ThreadPoolExecutor(ASKED) as pool:
        token = one.token(examiner)

        def asked(number: int) -> int:
            service = one if number % 2 else other
            return service.send("POST", "/sessions", wanted, token=token).status

        statuses = sorted(pool.map(asked, range(ASKED)))
    assert statuses == [201] * FAMILIES + [409] * (ASKED - FAMILIES)
    drawn = "SELECT count(family), count(DISTINCT family) FROM draw_questions"
    with engine.connect() as connection:
        assert tuple(connection.exec_driver_sql(drawn).one()) == (FAMILIES * N, FAMILIES * N)
