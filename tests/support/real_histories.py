"""Recorded histories made into long-form tables, imported and judged; run as a script, it prints them.

    python tests/support/real_histories.py FOLDER

prints every figure of docs/methodology/real-histories.md, from the recordings in FOLDER.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import duckdb
from scipy.stats import beta
from sqlalchemy import Engine

from assay.core.ask import Message
from assay.core.case import Case, GraderSpec
from assay.core.verdict import ModelState, UseCaseState
from assay.grading.contains import contains
from assay.results.imports import ImportReport
from assay.results.watch import DayReport
from assay.runs.imports.import_table import import_table
from assay.runs.watch.verdicts import Verdicts
from assay.store.engine import open_database
from assay.watch.paired import day_on_day
from assay.watch.sequential import LEAST_DAYS

HOW_TO = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "import-history.md"
FELL = (ModelState.SUSPICIOUS, ModelState.COOKED)
LOW = 0.05
DETECTORS = ("seed", "golden", "paired", "overnight", "sequential")


def converted(data: Path, folder: Path) -> None:
    """Run the SQL of the how-to page on the recordings; the tables are written into a folder."""
    statements = re.findall(
        r"^```sql\n(.*?)^```", HOW_TO.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    with duckdb.connect() as connection:
        for statement in statements:
            placed = re.sub(r"FROM '", f"FROM '{data}/", statement)
            connection.execute(re.sub(r"TO '", f"TO '{folder}/", placed))


@dataclass(frozen=True, slots=True)
class Judged:
    """An imported history and every model's reports, day by day."""

    report: ImportReport
    verdicts: Verdicts

    def days(self, model: str) -> list[DayReport]:
        """Return a model's reports."""
        (place,) = self.verdicts.of(model)
        return list(self.verdicts.history(place))


def judged(engine: Engine, table: Path, *, suite: str, version: str = "1") -> Judged:
    """Import a table and judge it."""
    report = import_table(engine, table, suite=suite, version=version, clock=time.time)
    return Judged(report, Verdicts(engine, report.digest))


@dataclass(frozen=True, slots=True)
class Signs:
    """What each detector said of one day: True for a fall, None where it could say nothing."""

    seed: bool | None
    golden: bool | None
    paired: bool | None
    overnight: bool | None
    sequential: bool | None


def signs(days: list[DayReport]) -> list[Signs]:
    """Return what each detector said, day by day. McNemar and the paired test speak at p <= 0.05."""
    found = []
    scored = 0
    for each in days:
        verdict = each.verdict
        there = verdict.state is not ModelState.GAP
        golden = [case.golden_state for case in verdict.use_cases if case.golden_state is not None]
        found.append(
            Signs(
                seed=verdict.state in FELL if there and verdict.state is not ModelState.CALIBRATING else None,
                golden=any(state >= UseCaseState.SUSPICIOUS for state in golden) if golden else None,
                paired=None if verdict.paired is None else verdict.paired.p <= LOW,
                overnight=verdict.fell_overnight <= LOW if there and scored else None,
                sequential=each.sequential.alarm if there and scored >= LEAST_DAYS else None,
            )
        )
        scored += there
    return found


def alarms(found: list[Signs]) -> dict[str, tuple[int, int]]:
    """Return, by detector, on how many days it told of a fall, and on how many it could."""
    told = {}
    for name in DETECTORS:
        said = [getattr(each, name) for each in found if getattr(each, name) is not None]
        told[name] = (sum(said), len(said))
    return told


PRIMES = ({"all": [r"\[yes\]|^\W*yes\b"], "none": [r"\[no\]|^\W*no\b"]}, "prime")
COMPOSITES = ({"all": [r"\[no\]|^\W*no\b"], "none": [r"\[yes\]|^\W*yes\b"]}, "composite")
OPINIONS = ({"all": [r"\([A-Z]\)"], "none": ["refused"]}, "opinionqa")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One model and release on one data set: shares of right answers, as recorded and by our grader."""

    dataset: str
    service: str
    release: str
    n: int
    recorded: float
    graded: float
    differing: int


def snapshots(data: Path) -> Iterator[Snapshot]:
    """Grade the recorded texts with `contains`, and yield both figures."""
    marks: dict[tuple[str, str, str], list[tuple[float, float]]] = {}
    for parameters, dataset in (PRIMES, COMPOSITES, OPINIONS):
        spec = GraderSpec("contains", parameters)
        case = Case(dataset, dataset, (Message("user", ""),), (spec,))
        rows = duckdb.execute(
            f"SELECT service, release, answer, recorded_score FROM '{data}/llmdrift_generations.parquet' "
            "WHERE dataset = ?",
            [dataset],
        ).fetchall()
        for service, release, answer, recorded in rows:
            grade = contains.read(case, spec, answer, ())
            assert grade.value is not None
            marks.setdefault((dataset, service, release), []).append((recorded, grade.value))
    for key, pairs in sorted(marks.items()):
        n = len(pairs)
        yield Snapshot(
            *key,
            n,
            sum(recorded for recorded, _ in pairs) / n,
            sum(value for _, value in pairs) / n,
            sum(recorded != value for recorded, value in pairs),
        )


DIP = (date(2026, 3, 5), date(2026, 3, 6), date(2026, 3, 7))
OPUS = "anthropic/claude-opus-4-6"
BROKEN_DAY = 5
"""The position of 2026-02-25 in the coding history."""

VARIANTS = {
    "as recorded": "SELECT * FROM '{table}'",
    "the broken run alone on its day": (
        "SELECT * FROM '{table}' WHERE run NOT IN ('2026-02-25-0723', '2026-02-25-1521')"
    ),
    "alone, errors counted as wrong answers": (
        "SELECT * REPLACE ('ok' AS status) FROM '{table}' "
        "WHERE run NOT IN ('2026-02-25-0723', '2026-02-25-1521')"
    ),
    "without the column run": "SELECT * EXCLUDE (run) FROM '{table}'",
}
"""Ways to record the same coding history, by what they show of its broken run."""

VERSIONS = {
    "10 questions": "questions = 10",
    "100 questions": "questions = 100",
    "50 questions": "questions = 50",
}
"""The versions of the scenarios, by the number of their questions."""


REPEATED = """
SELECT dataset, count(*) - count(DISTINCT item_id) {recorded}
WHERE service = 'gpt-4' AND release = '2023-03' GROUP BY dataset
"""
MISREAD = """
SELECT dataset, contains(lower(answer), '[yes]') AS both, count(*) {recorded}
WHERE service = 'gpt-3.5-turbo' AND release = '2023-03' AND contains(lower(answer), '[no]')
  AND (dataset, recorded_score) IN (('prime', 1), ('composite', 0)) GROUP BY ALL ORDER BY ALL
"""


def rewritten(table: Path, query: str) -> Path:
    """Write what a query makes of a table, and return the new table."""
    made = table.with_name(f"{table.stem}-{len(list(table.parent.iterdir()))}.parquet")
    duckdb.execute(f"COPY ({query.format(table=table)}) TO '{made}'")
    return made


def added(told: Iterable[dict[str, tuple[int, int]]]) -> dict[str, tuple[int, int]]:
    """Add up alarms and denominators by detector."""
    total = dict.fromkeys(DETECTORS, (0, 0))
    for each in told:
        total = {name: (count + each[name][0], days + each[name][1]) for name, (count, days) in total.items()}
    return total


def _bounded(told: dict[str, tuple[int, int]]) -> str:
    """Return alarms of days by detector, with the largest daily rate that 95 % confidence leaves."""
    said = []
    for name, (count, days) in told.items():
        bound = "" if not days else f" (at most {beta.ppf(0.95, count + 1, days - count):.0%})"
        said.append(f"{name} {count} of {days}{bound}")
    return ", ".join(said)


def _cell(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _print_days(days: list[DayReport]) -> None:
    heads = ["Day", "Left out", "n", "error", "Score", "Baseline", "z", "Verdict", "Golden"]
    heads += ["Paired p", "McNemar p", "Sequential"]
    print("| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|")
    for each in days:
        verdict, level = each.verdict, each.sequential
        case = verdict.use_cases[0]
        baseline = case.baseline
        cells = [
            f"{verdict.day:%m-%d}",
            str(verdict.runs_left_out or ""),
            str(verdict.counts.n),
            str(verdict.errored or ""),
            _cell(case.score, ".1f"),
            _cell(baseline.mean if baseline else None, ".1f"),
            _cell(baseline.z if baseline else None, ".1f"),
            str(verdict.state),
            "-" if case.golden_state is None else case.golden_state.name,
            _cell(verdict.paired.p if verdict.paired else None, ".2g"),
            format(verdict.fell_overnight, ".2g"),
            f"ALARM since {level.since:%m-%d}" if level.since else format(level.level, ".2g"),
        ]
        print("| " + " | ".join(cells) + " |")


def _print_coding(engine: Engine, table: Path) -> None:
    for name, query in VARIANTS.items():
        found = judged(engine, rewritten(table, query), suite=name)
        days = found.days(OPUS)
        if name == "as recorded":
            print(f"\n# The coding suite: {found.report.rows} rows, {found.report.runs} runs\n")
            _print_days(days)
            beside = [
                said for each, said in zip(days, signs(days), strict=True) if each.verdict.day not in DIP
            ]
            print(f"\nalarms, days: {alarms(signs(days))}\nbeside the dip: {_bounded(alarms(beside))}\n")
        verdict = days[BROKEN_DAY].verdict
        case = verdict.use_cases[0]
        drop = case.baseline.drop if case.baseline else None
        print(f"02-25 {name}: {verdict.state}, score {_cell(case.score, '.1f')}, drop {_cell(drop, '.3f')}")


def _print_means(engine: Engine, table: Path) -> None:
    print("\n# The daily means\n")
    for version, condition in {"one version": "true", **VERSIONS}.items():
        made = rewritten(table, f"SELECT * FROM '{{table}}' WHERE {condition}")
        found = judged(engine, made, suite="means", version=version)
        report, totals = found.report, []
        print(f"{version}: {report.rows} rows, {report.runs} runs, {report.first} to {report.last}")
        for model in found.verdicts.names():
            days = found.days(model)
            totals.append(alarms(signs(days)))
            scored = [each for each in days if each.verdict.state is not ModelState.GAP]
            highest = max(each.sequential.level for each in days)
            low = [each.verdict.paired.p for each in days if each.verdict.paired]
            print(
                f"  {model}: {len(scored)} days, {totals[-1]}, highest level {highest:.2g}, "
                f"lowest paired p {_cell(min(low, default=None), '.2g')}"
            )
            for each in scored:
                if each.verdict.state in FELL:
                    falls = [
                        (case.use_case, round(case.score or 0, 1), round(case.baseline.z or 0, 1))
                        for case in each.verdict.use_cases
                        if case.baseline and case.state >= UseCaseState.SUSPICIOUS
                    ]
                    print(f"    {each.verdict.day} {each.verdict.state}: {falls}")
        print(f"  alarms, days: {_bounded(added(totals))}")


def _print_snapshots(engine: Engine, table: Path, data: Path) -> None:
    print("\n# Two snapshots\n")
    found = judged(engine, table, suite="snapshots")
    for model in found.verdicts.names():
        days = found.days(model)
        print(f"{model}: {days[0].verdict.state} on the first date, {days[-1].verdict.state} on the last")
        for case in days[-1].verdict.use_cases:
            fell = sum(flip.after < flip.before for flip in case.flips)
            rose = len(case.flips) - fell
            print(
                f"  {case.use_case}: {case.score:.1f}, {fell} fell, {rose} rose, "
                f"p of a fall {day_on_day(case.flips):.2g}"
            )
    recorded = f"FROM '{data}/llmdrift_generations.parquet'"
    print(
        duckdb.execute(f"SELECT min(timestamp), max(timestamp), any_value(temperature) {recorded}").fetchall()
    )
    print("repeated questions in one cell:", duckdb.execute(REPEATED.format(recorded=recorded)).fetchall())
    print("dataset, says both, marks misread:", duckdb.execute(MISREAD.format(recorded=recorded)).fetchall())
    for each in snapshots(data):
        print(
            f"{each.dataset} {each.service} {each.release}: recorded {each.recorded:.3f}, "
            f"graded {each.graded:.3f}, {each.differing} of {each.n} differ"
        )


def main(data: Path) -> None:
    """Print all."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        converted(data, folder)
        engine = open_database(str(folder / "assay.db"))
        _print_coding(engine, folder / "isclaudedumb.parquet")
        _print_means(engine, folder / "dailybench.parquet")
        _print_snapshots(engine, folder / "llmdrift.parquet", data)
        engine.dispose()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
