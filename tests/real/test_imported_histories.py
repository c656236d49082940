"""Three recorded histories, converted by the how-to page's SQL, imported, and judged by every detector."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from real_histories import (
    DIP,
    FELL,
    OPUS,
    VARIANTS,
    VERSIONS,
    Judged,
    Signs,
    added,
    alarms,
    converted,
    judged,
    rewritten,
    signs,
    snapshots,
)
from sqlalchemy import Engine

from assay.core.verdict import ModelState, UseCaseState
from assay.results.watch import DayReport, ModelVerdict
from assay.store.engine import open_database
from assay.watch.paired import day_on_day

pytestmark = [pytest.mark.real, pytest.mark.slow]
BROKEN_DAY = date(2026, 2, 25)


@dataclass(frozen=True, slots=True)
class Tables:
    """The converted tables and a database to import them into."""

    engine: Engine
    folder: Path


@pytest.fixture(scope="module")
def tables(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    """The recordings as long-form tables, and an empty database."""
    folder = tmp_path_factory.mktemp("histories")
    converted(shared_data, folder)
    engine = open_database(str(folder / "assay.db"))
    yield Tables(engine, folder)
    engine.dispose()


@pytest.fixture(scope="module")
def coding(tables: Tables) -> Judged:
    """The coding suite by task, 2026-02-20 to 03-31."""
    return judged(tables.engine, tables.folder / "isclaudedumb.parquet", suite="coding")


@pytest.fixture(scope="module")
def coding_days(coding: Judged) -> list[DayReport]:
    """Its reports, day by day."""
    return coding.days(OPUS)


@pytest.fixture(scope="module")
def told(coding_days: list[DayReport]) -> dict[date, Signs]:
    """What each detector said on each of its days."""
    return {each.verdict.day: said for each, said in zip(coding_days, signs(coding_days), strict=True)}


def broken_day(tables: Tables, variant: str) -> ModelVerdict:
    """The verdict of 2026-02-25 when the history is recorded in this way."""
    table = rewritten(tables.folder / "isclaudedumb.parquet", VARIANTS[variant])
    return judged(tables.engine, table, suite=variant).verdicts.day(0, BROKEN_DAY).verdict


def test_all_of_it_is_imported(coding: Judged) -> None:
    """Every row is one sample, every recorded run one run, and the harness's failures are errors."""
    report = coding.report
    assert (report.rows, report.added, report.runs, report.cases) == (13_940, 13_940, 85, 164)
    assert (report.ok, report.error, report.ignored) == (13_889, 51, ())


def test_importing_it_again_adds_nothing(tables: Tables, coding: Judged) -> None:
    """The same recordings a second time are known, row by row."""
    again = judged(tables.engine, tables.folder / "isclaudedumb.parquet", suite="coding").report
    assert (again.known, again.added, again.runs) == (13_940, 0, 0)


def test_the_broken_run_is_left_out(coding_days: list[DayReport]) -> None:
    """The run with 45 of 164 errors is left out; its day is OK by the two others."""
    (verdict,) = (each.verdict for each in coding_days if each.verdict.day == BROKEN_DAY)
    assert (verdict.runs_left_out, verdict.errored) == (1, 45)
    assert (verdict.state, verdict.counts.n) == (ModelState.OK, 328)


def test_the_broken_run_alone_is_a_gap(tables: Tables) -> None:
    """Were it the day's only run, the day would be a gap, not a fall."""
    verdict = broken_day(tables, "the broken run alone on its day")
    assert (verdict.state, verdict.reason) == (ModelState.GAP, "45 of 164 samples errored")


def test_errors_taken_for_wrong_answers_blame_the_model(tables: Tables) -> None:
    """Recorded as wrong answers, the harness's failures read as a fall by 29 %."""
    verdict = broken_day(tables, "alone, errors counted as wrong answers")
    (use_case,) = verdict.use_cases
    assert verdict.state is ModelState.SUSPICIOUS
    assert use_case.baseline is not None
    assert use_case.baseline.drop == pytest.approx(0.286, abs=5e-4)


def test_the_dip_shows(coding_days: list[DayReport]) -> None:
    """The deep days of the dip are suspicious, and no other day of the forty is."""
    flagged = [each.verdict.day for each in coding_days if each.verdict.state in FELL]
    assert flagged == [DIP[0], DIP[2]]


@pytest.mark.parametrize(
    ("detector", "days"),
    [
        ("seed", [DIP[0], DIP[2]]),
        ("golden", [DIP[2]]),
        ("paired", list(DIP)),
        ("overnight", [DIP[0], DIP[2]]),
        ("sequential", [date(2026, 3, 9)]),
    ],
)
def test_when_each_detector_tells_of_the_dip(
    told: dict[date, Signs], detector: str, days: list[date]
) -> None:
    """Each tells of the dip and of nothing else; the sequential test only when it is over."""
    assert [day for day, said in told.items() if getattr(said, detector)] == days


def test_the_sequential_alarm_dates_the_dip(coding_days: list[DayReport]) -> None:
    """Its alarm of 03-09 names 03-04, the day before the dip, as the fall's likeliest first day."""
    (alarm,) = (each.sequential for each in coding_days if each.sequential.alarm)
    assert alarm.since == date(2026, 3, 4)


def test_false_alarms_beside_the_dip(told: dict[date, Signs]) -> None:
    """On the days beside the dip no detector but the late sequential alarm tells of a fall."""
    beside = [said for day, said in told.items() if day not in DIP]
    assert alarms(beside) == {
        "seed": (0, 32),
        "golden": (0, 24),
        "paired": (0, 32),
        "overnight": (0, 36),
        "sequential": (1, 30),
    }


def test_false_alarms_on_daily_means(tables: Tables) -> None:
    """Version by version nothing is flagged; few days can be judged at all."""
    counted = []
    for version, condition in VERSIONS.items():
        table = rewritten(
            tables.folder / "dailybench.parquet", f"SELECT * FROM '{{table}}' WHERE {condition}"
        )
        found = judged(tables.engine, table, suite="means", version=version)
        counted += [alarms(signs(found.days(model))) for model in found.verdicts.names()]
    assert added(counted) == {
        "seed": (0, 7),
        "golden": (0, 0),
        "paired": (0, 7),
        "overnight": (0, 28),
        "sequential": (0, 1),
    }


def test_a_change_of_questions_taken_for_one_version(tables: Tables) -> None:
    """Without new versions, the change of questions makes four false alarms."""
    found = judged(tables.engine, tables.folder / "dailybench.parquet", suite="means", version="one")
    assert found.report.ignored == ("questions", "metric")
    assert added(alarms(signs(found.days(model))) for model in found.verdicts.names()) == {
        "seed": (1, 15),
        "golden": (0, 1),
        "paired": (2, 16),
        "overnight": (0, 30),
        "sequential": (1, 11),
    }


def test_two_snapshots_make_no_verdict(tables: Tables) -> None:
    """Two dates calibrate for ever; McNemar between them sees what fell, case by case."""
    found = judged(tables.engine, tables.folder / "llmdrift.parquet", suite="snapshots")
    verdicts = found.verdicts
    last = {
        name: verdicts.day(place, verdicts.last_day).verdict for place, name in enumerate(verdicts.names())
    }
    assert {verdict.state for verdict in last.values()} == {ModelState.CALIBRATING}
    fallen = {
        (model, case.use_case)
        for model, verdict in last.items()
        for case in verdict.use_cases
        if day_on_day(case.flips) <= 1e-10
    }
    assert fallen == {
        ("openai/gpt-4", "prime"),
        ("openai/gpt-4", "opinionqa"),
        ("openai/gpt-3.5-turbo", "composite"),
    }
    assert {case.state for case in last["openai/gpt-4"].use_cases} == {UseCaseState.CALIBRATING}


def test_our_grader_on_the_recorded_texts(shared_data: Path) -> None:
    """It agrees with the recorded marks but where these take any `yes` in the text for the answer."""
    found = {
        (each.dataset, each.service, each.release): (each.differing, round(each.graded, 3))
        for each in snapshots(shared_data)
    }
    assert {key: value for key, value in found.items() if value[0]} == {
        ("composite", "gpt-3.5-turbo", "2023-03"): (69, 0.982),
        ("opinionqa", "gpt-3.5-turbo", "2023-03"): (9, 0.937),
        ("prime", "gpt-3.5-turbo", "2023-03"): (49, 0.05),
        ("prime", "gpt-3.5-turbo", "2023-06"): (1, 0.866),
    }
    assert len(found) == 12
