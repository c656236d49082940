"""The gold figures of the generalist suite's reasoning and research cases, recomputed by a second route."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import duckdb
import pytest
from own_suites import own_suite
from scipy import stats

from assay.core.case import Exemplar

SUITE = own_suite("generalist")
CASES = {case.id: case for name in ("reasoning", "research") for case in SUITE.use_case(name).cases}


def _best(case: str) -> Exemplar:
    return next(exemplar for exemplar in CASES[case].exemplars if exemplar.marks == 5)


def _table(case: str) -> list[list[str]]:
    """Return the cells of the rows of the prompt's table that hold a number."""
    rows = [line for line in CASES[case].messages[0].content.split("\n") if line.startswith("|")]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return [row for row in cells if any(re.fullmatch(r"[\d.]+", cell) for cell in row)]


def test_standby_and_mechanics() -> None:
    """The middle chains of the two estimates come out as the ideals say."""
    kwh = 900 * 0.3 * (8_760 - 230 * 9) / 1_000
    assert (round(kwh), round(kwh * 0.15 * 0.25), round(135 * 15 * 230 / 3_600)) == (1_806, 68, 129)
    on_duty = 6_000 * 4 / 150 * 40 / 60 / 6
    assert (round(on_duty), round(on_duty * 1.4 / 0.85 * 1.15), 6_000 * 6 / 1_200) == (18, 34, 30)
    assert pytest.approx(1.9, abs=0.03) == 300 / 160


def test_drifting_loggers() -> None:
    """Thirty penalty days, one working day of slack for the visits, and part delivery is cheapest."""

    def working_days(first: date, last: date) -> int:
        days = (first + timedelta(n) for n in range((last - first).days))
        return sum(day.weekday() < 5 for day in days)

    start, fix = date(2026, 6, 1), date(2026, 7, 13)
    limit = start + timedelta(days=75)
    assert 10 / 4 * 30 == 75 and start.weekday() == fix.weekday() == 0
    late = working_days(start, fix)
    assert (late, working_days(fix, limit), 600 / 25) == (30, 25, 24)
    assert (600 * 35, late * 1_500, 0.3 * late * 1_500) == (21_000, 45_000, 13_500)
    assert (fix - start).days * 4 / 30 == 5.6


def test_press_orders() -> None:
    """Trying all orders gives 65, 25 of them with the menu before the calendar, each rule being needed."""
    jobs = ("menu", "poster", "leaflet", "cover", "flyers", "calendar", "tickets")
    kept, broken_once = [], [0] * 6
    for order in itertools.permutations(jobs):
        at = {job: n for n, job in enumerate(order)}
        glossy = sorted(at[job] for job in ("menu", "poster", "calendar"))
        rules = (
            at["tickets"] == at["poster"] + 1,
            at["cover"] < at["leaflet"],
            all(two - one > 1 for one, two in itertools.pairwise(glossy)),
            at["calendar"] > 0,
            at["flyers"] < 6,
            at["menu"] > at["calendar"] or at["leaflet"] > at["calendar"],
        )
        if all(rules):
            kept.append(at)
        elif sum(rules) == 5:
            broken_once[rules.index(False)] += 1
    assert (len(kept), sum(at["menu"] < at["calendar"] for at in kept)) == (65, 25)
    assert [65 + extra for extra in broken_once] == [334, 109, 177, 88, 73, 103]


def test_press_orders_listed() -> None:
    """The forty orders that the best exemplar lists are different ones."""
    listed = re.findall(r"\b[MPCLVF]{6}\b", _best("reasoning-press-orders").answer)
    assert len(set(listed)) == len(listed) == 40


def test_night_in_antwerp() -> None:
    """Minute by minute with the time zone database, the shift pays 250.47 for 9 hours."""
    zone = ZoneInfo("Europe/Brussels")

    def moment(day: int, hour: int, minute: int) -> datetime:
        return datetime(2025, 10, day, hour, minute, tzinfo=zone).astimezone(UTC)

    now, end = moment(25, 21, 30), moment(26, 6, 15)
    breaks = (moment(26, 0, 40), moment(26, 1, 25))
    paid, pay = 0, 0.0
    while now < end:
        if not breaks[0] <= now < breaks[1]:
            paid += 1
            local = now.astimezone(zone)
            night = 0.25 * (local.hour >= 22 or local.hour < 5)
            pay += 18.40 * (1 + night + 0.4 * (local.weekday() == 6) + 0.2 * (paid > 480)) / 60
        now += timedelta(minutes=1)
    assert (paid, round(pay, 2)) == (540, 250.47)
    assert CASES["reasoning-night-in-antwerp"].graders[0].parameters["expect"] == "250.47"


def test_two_address_readers() -> None:
    """Paired, the difference is significant in three ways; unpaired it is not."""
    only_a, only_b = 840 - 770, 810 - 770
    plain, corrected = 30**2 / 110, 29**2 / 110
    found = [
        stats.chi2.sf(plain, 1),
        stats.chi2.sf(corrected, 1),
        stats.binomtest(only_a, only_a + only_b).pvalue,
    ]
    assert [round(p, 4) for p in found] == [0.0042, 0.0057, 0.0054]
    unpaired = 0.03 / math.sqrt(0.825 * 0.175 * 2 / 1_000)
    assert 2 * stats.norm.sf(unpaired) == pytest.approx(0.077, abs=0.001)
    half = 1.96 * math.sqrt(110 - 30**2 / 1_000) / 1_000
    assert (round(0.03 - half, 4), round(0.03 + half, 4)) == (0.0095, 0.0505)


def test_forty_worst_pickers() -> None:
    """The figures give the ideal's expectation, and luck alone lowers the worst and raises the rest."""
    mean = 0.1 * 4.8 + 0.1 * 3.4 + 0.8 * 2.1
    kept = [(2.9 - mean) / (3.4 - mean), (2.3 - mean) / (2.1 - mean)]
    assert [round(mean + share * (4.8 - mean), 2) for share in kept] == [3.52, 3.65]
    random = Random(7)
    skill = [random.gauss(2.5, 0.75) for _ in range(400)]
    march, may = ([rate + random.gauss(0, 0.8) for rate in skill] for _ in range(2))
    ranked = sorted(range(400), key=lambda one: -march[one])

    def fall(group: Sequence[int]) -> float:
        return sum(march[one] - may[one] for one in group) / len(group)

    assert fall(ranked[:40]) > fall(ranked[40:80]) > 0 > fall(ranked[80:])


def test_opera_on_the_lawn() -> None:
    """The tree gives 37,420 before the fee, and the fee is worth paying up to 11,420."""

    def lawn(rain: float) -> float:
        return 60_000 * (1 - rain) - 25_000 * rain

    says_rain = 0.4 * 0.85 + 0.6 * 0.2
    held = says_rain * max(22_000, lawn(0.34 / says_rain)) + (1 - says_rain) * max(
        22_000, lawn(0.06 / (1 - says_rain))
    )
    assert (round(lawn(0.4)), round(held), round(held - lawn(0.4))) == (26_000, 37_420, 11_420)
    assert pytest.approx(0.06) == 0.4 * 0.15


def test_every_channel_rose() -> None:
    """The prompt's query, run on such visits, gives the prompt's table."""
    prompt = CASES["reasoning-every-channel-rose"].messages[0].content
    found = re.search(r"```sql\n(.*?)```", prompt, re.DOTALL)
    assert found
    wanted = _table("reasoning-every-channel-rose")
    with duckdb.connect() as database:
        database.execute("CREATE TABLE visits (visit_id INT, month TEXT, channel TEXT)")
        database.execute("CREATE TABLE orders (order_id INT, visit_id INT UNIQUE)")
        next_visit = 0
        for month, channel, visits, orders, _ in wanted:
            if channel:
                database.execute(
                    "INSERT INTO visits SELECT ? + range, ?, ? FROM range(?)",
                    [next_visit, month, channel, int(visits)],
                )
                database.execute(
                    "INSERT INTO orders SELECT ? + range, ? + range FROM range(?)",
                    [next_visit, next_visit, int(orders)],
                )
                next_visit += int(visits)
        rows = database.execute(found[1]).fetchall()
    assert [[str(cell or "") for cell in row[:4]] for row in rows] == [row[:4] for row in wanted]
    assert [round(float(row[4]), 1) for row in rows] == [float(row[4]) for row in wanted]
    may = {row[1]: int(row[2]) / 70_000 for row in wanted[:3]}
    assert sum(may[row[1]] * int(row[3]) / int(row[2]) for row in wanted[4:7]) == pytest.approx(
        0.0526, abs=1e-4
    )


def test_scribe_and_meters() -> None:
    """Wilson intervals of the pilot's notes, and the alarms of 350 volunteers carried over to 4,100."""
    bounds = [stats.binomtest(k, 300).proportion_ci(method="wilson") for k in (9, 2)]
    assert [(round(b.low, 3), round(b.high, 3)) for b in bounds] == [(0.016, 0.056), (0.002, 0.024)]
    assert [round(4_100 / 350 * n) for n in (9, 2, 7)] == [105, 23, 82]
    assert [round(4_100 / 350 * n * 1.5) for n in (9, 2, 7)] == [158, 35, 123]


def test_parish_registers() -> None:
    """Costs and days of the three products."""
    scriva = 100_000 * 0.09 + 320_000 * 0.06 + 252_000 * 0.05
    kodeks = 24_000 + 2 * 6 * 1_900 + 150 * 0.5 * 24
    assert (round(scriva), round(kodeks), round(420_000 * 0.03)) == (40_800, 48_600, 12_600)
    days = (420_000 / 6_000, 420_000 / 1_800, 420_000 / 3_600)
    assert days[0] == 70 and days[1] > 200 > days[2] and math.ceil(days[2] / 20) == 6


def test_pallet_on_the_ramp() -> None:
    """Ten and three readings five minutes apart bound the time above 8 degrees by 55 and 75 minutes."""
    readings = [range(7 * 60 + 10, 7 * 60 + 21, 5), range(9 * 60 + 40, 10 * 60 + 26, 5)]
    assert [len(each) for each in readings] == [3, 10]
    assert sum(each[-1] - each[0] for each in readings) == 55
    assert sum(each[-1] - each[0] + 10 for each in readings) == 75
    unloaded, accepted, cold = 11 * 60 + 35 - 120, 10 * 60 + 2, 10 * 60 + 28
    assert (accepted - unloaded, cold - accepted, 11 * 60 + 22 - 60 - cold) == (27, 26, -6)


def test_ledger_by_monday() -> None:
    """Each of the four bookings balances, and what is owned equals what was earned."""
    entries = [
        {"processor": 9830, "fees": 170, "seller": -8800, "commission": -1200},
        {"bank": 9830, "processor": -9830},
        {"seller": 8800, "bank": -8800},
        {"seller": 2640, "commission": 360, "bank": -3000},
    ]
    assert all(sum(entry.values()) == 0 for entry in entries)
    total = {
        name: sum(entry.get(name, 0) for entry in entries)
        for name in ("bank", "seller", "commission", "fees", "processor")
    }
    assert total == {"bank": -1970, "seller": 2640, "commission": -840, "fees": 170, "processor": 0}
    assert total["bank"] + total["seller"] == -total["commission"] - total["fees"] == 670


def test_rail_vibration_store() -> None:
    """Sizes with two copies, a day in memory, and the backlog that a burst leaves."""
    rows = 2_400 * 86_400 * 400
    assert [round(rows * size * 2 / 1e12, 2) for size in (14, 38)] == [2.32, 6.3]
    assert rows * 38 * 2 > 6e12 and round(6e12 / (rows * 38 * 2) * 400, 1) == 380.7
    assert round(2_400 * 86_400 * 14 / 1e9, 1) == 2.9
    assert round(3_000 * 300 / (21_000 - 2_400)) == 48 and round(31_000 * 21 / 26) == 25_038
