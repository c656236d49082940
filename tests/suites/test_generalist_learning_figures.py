"""The gold figures of the generalist suite's learning cases, recomputed by a second route."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import threading
import time
from random import Random

import pytest
from own_suites import own_suite

from assay.core.case import Exemplar

SUITE = own_suite("generalist")
CASES = {case.id: case for case in SUITE.use_case("learning").cases}


def _best(case: str) -> Exemplar:
    return next(exemplar for exemplar in CASES[case].exemplars if exemplar.marks == 5)


def _table(case: str) -> list[list[str]]:
    """Return the cells of the rows of the prompt's table that hold a number."""
    rows = [line for line in CASES[case].messages[0].content.split("\n") if line.startswith("|")]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return [row for row in cells if any(re.fullmatch(r"[\d.]+", cell) for cell in row)]


def test_cheese_store_wave() -> None:
    """A slow lump shows a quarter of a day's swing five hours late, and a sixteenth of one of six hours."""

    def core(hours: float, steps: int = 6000) -> tuple[float, float]:
        """Return the core's swing and its delay behind air that swings by 2 degrees, stepped through time."""
        step, warmth, found = hours / steps, 0.0, []
        for at in range(20 * steps):
            warmth += step / 14.8 * (2 * math.cos(2 * math.pi * at / steps) - warmth)
            found.append(warmth)
        last = found[-steps:]
        return max(last), last.index(max(last)) * step

    swing, delay = core(24)
    assert (swing, delay) == (pytest.approx(0.5, abs=0.01), pytest.approx(5.03, abs=0.05))
    assert 11 + 2 * math.cos(2 * math.pi * 5 / 24) == pytest.approx(11.5, abs=0.03)
    swing, delay = core(6)
    assert (swing, delay) == (pytest.approx(0.129, abs=0.003), pytest.approx(1.44, abs=0.05))
    assert 2 * math.exp(-2 * math.log(4)) == 0.125
    assert 1 - math.exp(-72 / 14.8) > 0.99


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="tzset is POSIX only")
def test_tz_strings() -> None:
    """The four strings give the four offsets, and the reversed sign gives the opposite."""
    code = (
        "import os, time, sys\nfor s in sys.argv[1:]:\n os.environ['TZ'] = s; time.tzset()\n"
        " print(time.strftime('%z', time.localtime(0)))"
    )
    given = ["EAT-3", "<+0545>-5:45", "MST7", "<-0930>9:30", "EAT+3"]
    out = subprocess.run([sys.executable, "-c", code, *given], capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["+0300", "+0545", "-0700", "-0930", "-0300"]
    assert all(text in _best("learning-loggers-without-tzdata").answer for text in given[:4])


def test_twenty_in_every_row() -> None:
    """The rows add up, all have more than 20 people, and two of them give the diagnosis away."""
    shares = []
    for _, _, *numbers in _table("learning-twenty-in-every-row"):
        people, *counts = map(int, numbers)
        assert sum(counts) == people > 20
        shares.append(round(100 * max(counts) / people))
    assert shares == [44, 41, 43, 42, 100, 96]


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.parametrize(
    ("level", "deleted", "left"),
    [("READ COMMITTED", 1, [(1, 50), (2, 60)]), ("REPEATABLE READ", None, [(1, 50), (2, 60), (3, 50)])],
)
def test_berths_and_snapshots(
    level: str, deleted: int | None, left: list[tuple[int, int]], postgres_server: str
) -> None:
    """On a real PostgreSQL the DELETE removes one row at the default level and fails at the other."""
    psycopg = pytest.importorskip("psycopg")
    found: list[int | None] = []

    def delete() -> None:
        second.execute(f"BEGIN ISOLATION LEVEL {level}")
        try:
            found.append(second.execute("DELETE FROM berth WHERE price = 50").rowcount)
            second.execute("COMMIT")
        except psycopg.errors.SerializationFailure:
            found.append(None)
            second.execute("ROLLBACK")

    with (
        psycopg.connect(postgres_server, autocommit=True) as first,
        psycopg.connect(postgres_server, autocommit=True) as second,
    ):
        first.execute("CREATE TABLE berth (id int PRIMARY KEY, price int)")
        try:
            first.execute("INSERT INTO berth VALUES (1, 40), (2, 50), (3, 50)")
            first.execute("BEGIN")
            first.execute("UPDATE berth SET price = price + 10 WHERE id <= 2")
            thread = threading.Thread(target=delete)
            thread.start()
            waiting = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s AND wait_event_type = 'Lock'"
            with psycopg.connect(postgres_server, autocommit=True) as third:
                for _ in range(1_000):
                    if third.execute(waiting, (second.info.backend_pid,)).fetchone() == (1,):
                        break
                    time.sleep(0.01)
            first.execute("COMMIT")
            thread.join()
            assert found == [deleted]
            assert first.execute("SELECT * FROM berth ORDER BY id").fetchall() == left
        finally:
            first.execute("DROP TABLE berth")


def test_six_translators() -> None:
    """An assignment with the ideal's limits exists: 60 documents x 3, both systems, 15 and 15 a person."""
    done: dict[int, dict[str, set[int]]] = {person: {"A": set(), "B": set()} for person in range(6)}
    for document in range(60):
        people = [(document + step) % 6 for step in (0, 1, 3)]
        for person, system in zip(people, "AAB" if (document // 6) % 2 else "BBA", strict=True):
            done[person][system].add(document)
    assert all(len(each["A"]) == len(each["B"]) == 15 and not each["A"] & each["B"] for each in done.values())


def _margin(schools: int, pupils: int, rho: float) -> float:
    return 196 * math.sqrt(0.25 * (1 + (pupils - 1) * rho) / (schools * pupils))


def test_forty_schools_again() -> None:
    """Formula and simulation agree that the doubled sample has a margin near 6.3 points, not 2.2."""
    figures = [_margin(40, 25, 0.15), _margin(40, 50, 0.15), _margin(80, 25, 0.15), _margin(365, 25, 0.15)]
    assert [round(figure, 1) for figure in figures] == [6.6, 6.3, 4.7, 2.2]
    random, means = Random(20_261_120), []
    shape = (1 / 0.15 - 1) / 2  # of beta-distributed rates with this correlation within schools
    for _ in range(1_000):
        rates = [random.betavariate(shape, shape) for _ in range(40)]
        means.append(sum(random.random() < rate for rate in rates for _ in range(50)) / 2_000)
    mean = sum(means) / len(means)
    deviation = math.sqrt(sum((each - mean) ** 2 for each in means) / len(means))
    assert 196 * deviation == pytest.approx(6.33, rel=0.08)


def test_codes_after_excel() -> None:
    """12E4 and 120E3 are one number, and a double does not hold the SIM's twenty digits."""
    assert float("12E4") == float("120E3") and f"{float('12E4'):.2E}" == "1.20E+05"
    assert int(float("89480000001234567893")) != 89480000001234567893
    assert f"{float('89480000001234567893'):.3E}" == "8.948E+19"


def test_archive_after_quantum() -> None:
    """The smallest LMS signature (24-byte hash, height 5, w = 8) is over 512 bytes."""
    one_time = 4 + 24 + 26 * 24
    assert 4 + one_time + 4 + 5 * 24 == 780
