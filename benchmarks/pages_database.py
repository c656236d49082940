"""A SQLite database of simulated watch days, as large as the benchmark of the pages needs. Prints JSON.

Every model answers every case once a day. Most models are stable, every fifth one falls on some day, one has
an outage and one is rerouted for four days; the judge moves on some days. About 1 % of the samples errored,
1 % are invalid and 0.2 % ungraded.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Engine, func, insert, select

from assay.core.canonical import digest
from assay.core.case import Case, Grading
from assay.core.conditions import Conditions, sent_parameters
from assay.core.model import Model, Pin
from assay.core.suite import Suite
from assay.files.suite_folder import find_suite, load_suite
from assay.grading import registry
from assay.runs.plan import plan_run
from assay.runs.watch.issued import keep
from assay.runs.watch.verdicts import Verdicts
from assay.store.engine import open_database, writing
from assay.store.ledger import write
from assay.store.rows import CallRow, ConditionsRow, GradeRow, SampleRow
from assay.store.runs import keep_models
from assay.store.schema import (
    calls,
    conditions,
    grades,
    issued_verdicts,
    marks,
    models,
    run_models,
    runs,
    samples,
)
from assay.store.suites import keep_suite
from assay.store.verdicts import keep_verdicts
from assay.watch.wording import verdict_on

OK, INVALID, ERROR, UNGRADED = range(4)
HOME, ELSEWHERE = "Simulated Home", "Simulated Elsewhere"
SENT = {"max_tokens": 0, "reasoning_effort": "low", "temperature": 0}
LAST_DAY = date(2026, 11, 30)
JUDGE = Model("simulated", "judge")
RATIONALE = "Simulated: the mark follows the planned quality of the answer."
WORDINGS = 32
"""The number of beginnings and of ends that the answers to a case are put together from."""


def watched_suite(cases: int) -> Suite:
    """Return the built-in daily suite with one sample a case and day, and `cases` cases.

    Cases beyond its own are copies with numbered ids; the suite then has another version and digest.
    """
    daily = load_suite(find_suite("daily"), graders=registry)
    own, count = len(daily.cases), len(daily.use_cases)
    use_cases = []
    for place, use_case in enumerate(daily.use_cases):
        more = len(range(place, max(0, cases - own), count))
        copies = [
            replace(case, id=f"{case.id}-{2 + number // len(use_case.cases)}")
            for number, case in zip(range(more), _repeated(use_case.cases), strict=False)
        ]
        use_cases.append(replace(use_case, base=1, full=1, cases=(*use_case.cases, *copies)))
    suite = replace(daily, use_cases=tuple(use_cases))
    if cases <= own:
        return suite
    ids = [case.id for case in suite.cases]
    return replace(suite, version=f"{daily.version}-{cases}", digest=digest([daily.digest, ids]))


def _repeated(cases: Sequence[Case]) -> Iterator[Case]:
    while True:
        yield from cases


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The planned samples, arrays of shape (models, cases, days).

    `value` is the grade, 0-1 in quarters, and `status` one of OK, INVALID, ERROR and UNGRADED. `usual` marks
    samples with the case's usual value. `rerouted` marks answers of another provider than the pin. `settings`
    (models, days) is the number of the served fingerprint. `fell_on` (models,) is the first day of a fall, or
    the number of days.
    """

    value: np.ndarray
    status: np.ndarray
    usual: np.ndarray
    rerouted: np.ndarray
    settings: np.ndarray
    fell_on: np.ndarray


def plan_outcomes(suite: Suite, count: int, days: int, rng: np.random.Generator) -> Outcomes:
    """Plan the outcome of every sample of `count` models."""
    shape = (count, len(suite.cases), days)
    usual = rng.choice([1.0, 0.75, 0.5, 0.0], p=[0.82, 0.09, 0.05, 0.04], size=(*shape[:2], 1))
    restless = (rng.random((count, 1, days)) < 0.1) & (rng.random(shape) < 0.05)
    unsteady = (rng.random((*shape[:2], 1)) < 0.1) & (rng.random(shape) < 0.5)
    value = np.maximum(usual - 0.25 * restless - 0.25 * unsteady, 0.0)
    fell_on = np.full(count, days)
    falling = np.arange(3, count, 5)
    fell_on[falling] = (days * rng.uniform(0.3, 0.95, len(falling))).astype(int)
    fell_on[falling[:1]] = max(0, days - 3)
    lasting = np.where(rng.random(count) < 0.5, days, rng.integers(10, 60, count))
    day = np.arange(days)
    down = (day >= fell_on[:, None]) & (day < (fell_on + lasting)[:, None])
    names = [use_case.name for use_case in suite.use_cases]
    place = np.array([names.index(case.use_case) for case in suite.cases])
    hit = (rng.random((count, len(names))) < 0.6)[:, place]
    severity = rng.uniform(0.25, 0.6, size=(count, 1, 1))
    failed = down[:, None, :] & hit[:, :, None] & (rng.random(shape) < severity)
    value = np.where(failed, 0.25 * (rng.random(shape) < 0.5), value)
    judged = np.array([case.use_case in _judged(suite) for case in suite.cases])
    drawn = rng.random(shape)
    blank = (rng.random((count, 1, days)) < 0.2) & (rng.random(shape) < 0.05)
    status = np.select(
        [drawn < 0.01, blank, (drawn < 0.014) & judged[:, None]], [ERROR, INVALID, UNGRADED], OK
    )
    status[1 % count, :, days * 2 // 3] = ERROR
    rerouted = np.zeros(shape, dtype=bool)
    first = days * 3 // 4
    rerouted[2 % count, :, first : first + 4] = rng.random((shape[1], min(4, days - first))) < 0.7
    new = np.where(rng.random(count) < 0.1, rng.integers(0, days, count), days)
    return Outcomes(
        value, status, value == usual, rerouted & (status != ERROR), (day >= new[:, None]) * 1, fell_on
    )


def _judged(suite: Suite) -> set[str]:
    return {use_case.name for use_case in suite.use_cases if use_case.grading is not Grading.DETERMINISTIC}


def wordings(case: Case, rng: np.random.Generator) -> tuple[list[str], list[str]]:
    """Return beginnings and ends of answers to a case, from the words of its prompt and exemplars."""
    texts = [message.content for message in case.messages] + [known.answer for known in case.exemplars]
    words = np.array(re.findall(r"[^\W\d_]{2,}", " ".join(texts)) or ["answer"], dtype=object)

    def text(least: int, most: int) -> str:
        sentences: list[str] = []
        size = int(rng.integers(least, most))
        while sum(map(len, sentences)) + len(sentences) < size:
            sentences.append(" ".join(rng.choice(words, int(rng.integers(6, 14)))).capitalize() + ".")
        return " ".join(sentences)[:size]

    return [text(110, 330) for _ in range(WORDINGS)], [text(70, 230) for _ in range(WORDINGS)]


@cache
def evidence(grader: str, quarters: int, case: str) -> str:
    """Return a grade's evidence in the grader's own shape; `quarters` of 4 parts are right."""
    mark = 1 + quarters
    parts = [(f"{case} part {part + 1}", part < quarters) for part in range(4)]
    shapes: dict[str, dict[str, Any]] = {
        "rubric": {
            "judges": [{"judge": JUDGE.name, "mark": mark, "rationale": RATIONALE, "mode": "json"}],
            "missing": [],
            "scale": [1.0, 5.0],
            "mean": float(mark),
        },
        "number": {
            "expected": "42",
            "value": "42" if quarters == 4 else str(17 + quarters),
            "where": "at the end",
            "words": "42" if quarters == 4 else str(17 + quarters),
            "verdict": "equal" if quarters == 4 else "a different number",
        },
        "json_fields": {
            "document": "a fenced block",
            "verdict": f"{quarters} of 4 fields are right",
            "fields": [
                {
                    "path": path,
                    "type": "text",
                    "score": float(right),
                    "verdict": "equal" if right else "other",
                }
                for path, right in parts
            ],
        },
        "code_tests": {
            "passed": quarters,
            "tests": 4,
            "failed": [{"test": test, "error": "AssertionError"} for test, right in parts if not right],
            "sandbox": "wasm",
        },
        "constraints": {
            "mode": "strict",
            "followed": quarters,
            "of": 4,
            "constraints": [
                {"kind": kind, "followed": right, "counted": 1, "wanted": "at least 1", "variant": "as it is"}
                for kind, right in parts
            ],
        },
        "contains": {
            "wanted": 4,
            "met": quarters,
            "forbidden found": 0,
            "all": [{"pattern": pattern, "found": right} for pattern, right in parts],
        },
    }
    return json.dumps(shapes.get(grader, {"verdict": f"{quarters} of 4 parts are right"}))


class Days:
    """The rows of simulated days; `rows` are the models' rows and `judge` that of the judge."""

    def __init__(
        self, suite: Suite, rows: Sequence[tuple[int, Model]], judge: int, planned: Outcomes, seed: int
    ) -> None:
        rng = np.random.default_rng([seed, 1])
        self.suite, self.rows, self.judge, self.planned, self._rng = suite, rows, judge, planned, rng
        self.first = LAST_DAY - timedelta(days=planned.value.shape[2] - 1)
        self._texts = [wordings(case, rng) for case in suite.cases]
        count = len(rows)
        self._fixed = rng.integers(0, WORDINGS, size=(2, len(suite.cases), count))
        self._judged = [case.use_case in _judged(suite) for case in suite.cases]
        self._graders = [
            next((spec.name for spec in case.graders if spec.judged), case.graders[0].name)
            for case in suite.cases
        ]
        self._hashes = [
            [hashlib.sha256(f"{model.name} {case.id}".encode()).digest() for _, model in rows]
            for case in suite.cases
        ]
        self._prompts = [sum(len(part.content) for part in case.messages) // 4 for case in suite.cases]
        plan = plan_run(suite, [model for _, model in rows])
        self._plan = replace(
            plan, judges=((judge, JUDGE),), panel=replace(plan.panel, judges=(JUDGE.name,))
        ).described()

    def begin(self, day: int) -> float:
        """Return the time at which a day's run begins, in UTC seconds since 1970."""
        when = datetime.combine(self.first + timedelta(days=day), datetime.min.time(), UTC)
        return when.timestamp() + 6 * 3600.0

    def runs(self, day: int, watch: int, calibration: int) -> list[dict[str, Any]]:
        """Return the rows of a day's run and of the calibration of its judge."""
        began = self.begin(day)
        shifts = {name: round(float(self._rng.normal(0.0, 0.05)), 2) for name in sorted(_judged(self.suite))}
        if day % 97 == 40:
            shifts[min(shifts)] = 0.4
        calibrated = {
            "judges": [self.judge],
            "frozen": day == 0,
            "max_tokens": self._plan["panel"]["max_tokens"],
            "reference": 2,
            "shifts": shifts if day else dict.fromkeys(shifts, 0.0),
        }
        kinds = (
            (watch, "watch", {**self._plan, "calibrations": [calibration]}, began, began + 600.0),
            (calibration, "calibrate", calibrated, began + 0.1, began + 5.0),
        )
        return [
            {
                "id": number,
                "kind": kind,
                "suite": self.suite.digest,
                "day": (self.first + timedelta(days=day)).isoformat(),
                "plan": json.dumps(plan, separators=(",", ":")),
                "status": "finished",
                "simulated": 1,
                "created_at": start,
                "finished_at": end,
            }
            for number, kind, plan, start, end in kinds
        ]

    def conditions(self, model: Model, judged: bool, rerouted: bool, settings: int) -> ConditionsRow:
        """Return the conditions of a model's samples."""
        return _conditions(self.suite.digest, model.name, judged, rerouted, settings)

    def samples(self, day: int, run: int) -> Iterator[tuple[SampleRow, CallRow, GradeRow | None]]:
        """Yield a day's samples, each with its call and its grade."""
        planned, began, count = self.planned, self.begin(day), len(self.rows)
        drawn = self._rng.integers(0, WORDINGS, size=(len(self.suite.cases), count)).tolist()
        same = (self._rng.random((len(self.suite.cases), count)) < 0.85) & planned.usual[:, :, day].T
        latency = np.round(self._rng.lognormal(0.7, 0.5, size=(len(self.suite.cases), count)), 3).tolist()
        quarters = (4.0 * planned.value[:, :, day]).round().astype(int).tolist()
        status, rerouted = planned.status[:, :, day].tolist(), planned.rerouted[:, :, day].tolist()
        settings, unchanged = planned.settings[:, day].tolist(), same.tolist()
        for case in range(len(self.suite.cases)):
            for model, (row, subject) in enumerate(self.rows):
                position = case * count + model
                end = int(self._fixed[1, case, model]) if unchanged[case][model] else drawn[case][model]
                yield self._sample(
                    (run, position, row, case),
                    status[model][case],
                    quarters[model][case],
                    self._answer(case, int(self._fixed[0, case, model]), end, quarters[model][case]),
                    self.conditions(subject, self._judged[case], rerouted[model][case], settings[model]),
                    (subject.name, rerouted[model][case], settings[model]),
                    (began + 0.1 * position, latency[case][model]),
                    self._hashes[case][model],
                )

    def _answer(self, case: int, beginning: int, end: int, quarters: int) -> str:
        beginnings, ends = self._texts[case]
        result = 42 if quarters == 4 else 17 + quarters
        return f"{beginnings[beginning]}\n\n{ends[end]}\nANSWER: {result}"

    def _sample(
        self,
        place: tuple[int, int, int, int],
        status: int,
        quarters: int,
        answer: str,
        under: ConditionsRow,
        served: tuple[str, bool, int],
        times: tuple[float, float],
        request: bytes,
    ) -> tuple[SampleRow, CallRow, GradeRow | None]:
        run, position, model, case = place
        started, latency = times
        name = ("ok", "invalid", "error", "ok")[status]
        failed, blank = status == ERROR, status in (ERROR, INVALID)
        prompt, completion = self._prompts[case], 1 if blank else len(answer) // 4
        score = {OK: 25.0 * quarters, INVALID: 0.0}.get(status)
        sample = SampleRow(
            run, position, model, case, 0, name, score, int(served[1]), started + latency,
            None if failed else under.id,
        )  # fmt: skip
        call = CallRow(
            run, position, "subject", model, request, 1, name,
            "server error" if failed else "empty answer" if blank else None,
            "simulated: internal error" if failed else None,
            500 if failed else 200,
            None if failed else prompt, None if failed else completion, None, None,
            None if failed else (0.25 * prompt + 2.0 * completion) / 1e6,
            None if failed else ELSEWHERE if served[1] else HOME,
            None if failed else served[0],
            None if failed else _fingerprint(served[2]),
            None if failed else "stop", None if failed else "stop",
            started, latency, None if blank else answer,
        )  # fmt: skip
        if blank:
            return sample, call, None
        ungraded = status == UNGRADED
        grade = GradeRow(
            run, position, 0, self._graders[case],
            None if ungraded else quarters / 4.0,
            "no judge gave a readable mark" if ungraded else None,
            evidence(self._graders[case], quarters, self.suite.cases[case].id),
        )  # fmt: skip
        return sample, call, grade


def _fingerprint(settings: int) -> str:
    return "simulated" if settings == 0 else f"simulated-{settings + 1}"


@cache
def _conditions(suite: str, model: str, judged: bool, rerouted: bool, settings: int) -> ConditionsRow:
    under = Conditions(
        parameters=sent_parameters(SENT),
        provider=ELSEWHERE if rerouted else HOME,
        model=model,
        fingerprint=_fingerprint(settings),
        judge=JUDGE.name if judged else None,
        suite=suite,
    )
    return ConditionsRow(under.id, under.digest.hex(), under.body)


def fill(engine: Engine, suite: Suite, days: Days) -> None:
    """Insert the runs, samples, calls and grades of all days, one transaction a day."""
    for day in range(days.planned.value.shape[2]):
        watch, calibration = 2 * day + 1, 2 * day + 2
        measured = list(days.samples(day, watch))
        judged = {case.use_case in _judged(suite) for case in suite.cases}
        under = {
            days.conditions(model, by_judge, rerouted, int(days.planned.settings[place, day]))
            for place, (_, model) in enumerate(days.rows)
            for by_judge in judged
            for rerouted in {False, bool(days.planned.rerouted[place, :, day].any())}
        }
        asked = [
            {"run": watch, "ordinal": ordinal, "model": row} for ordinal, (row, _) in enumerate(days.rows)
        ]
        with writing(engine) as connection:
            connection.execute(insert(runs), days.runs(day, watch, calibration))
            connection.execute(
                insert(run_models), [*asked, {"run": calibration, "ordinal": 0, "model": days.judge}]
            )
            write(connection, conditions, sorted(under))
            write(connection, calls, [call for _, call, _ in measured])
            write(connection, samples, [sample for sample, _, _ in measured])
            write(connection, grades, [grade for _, _, grade in measured if grade is not None])


def issue(engine: Engine, suite: Suite, days: Days, last: int) -> None:
    """Record the verdicts of the last days, as the watch does at the end of each day."""
    verdicts = Verdicts(engine, suite.digest)
    judged, count = verdicts.judgement, verdicts.stored.history.days
    for day in range(max(0, count - last), count):
        records = [
            keep(row, verdict_on(judged, model, day), judged.thresholds)
            for model, row in enumerate(verdicts.stored.models)
        ]
        issued_at = days.begin(day) + 660.0
        keep_verdicts(engine, suite.digest, records, clock=lambda at=issued_at: at)  # type: ignore[misc]


def make(path: Path, *, count: int, days: int, cases: int, seed: int, issued: int) -> dict[str, Any]:
    """Make the database, and return its shape with the seconds that its parts took."""
    started = time.perf_counter()
    suite = watched_suite(cases)
    engine = open_database(str(path))
    subjects = [
        Model("simulated", f"m{number:02d}", pin=Pin(("simulated-home",)), weights="closed")
        for number in range(count)
    ]
    planned = plan_outcomes(suite, count, days, np.random.default_rng([seed, 0]))
    [(judge, _)] = keep_models(engine, [JUDGE])
    rows = keep_models(engine, subjects)
    simulated = Days(suite, rows, judge, planned, seed)
    keep_suite(engine, suite, clock=lambda: simulated.begin(0))
    fill(engine, suite, simulated)
    filled = time.perf_counter()
    issue(engine, suite, simulated, issued)
    tables = (models, runs, conditions, samples, calls, grades, marks, issued_verdicts)
    with engine.connect() as connection:
        counts = {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in tables
        }
    engine.dispose()
    falls = {
        subjects[place].name: (simulated.first + timedelta(days=int(day))).isoformat()
        for place, day in enumerate(planned.fell_on)
        if day < days
    }
    return {
        "path": str(path),
        "suite": f"{suite.name} {suite.version}",
        "digest": suite.digest,
        "first_day": simulated.first.isoformat(),
        "last_day": LAST_DAY.isoformat(),
        "models": count,
        "days": days,
        "cases": len(suite.cases),
        "rows": counts,
        "megabytes": round(path.stat().st_size / 1e6),
        "falls": falls,
        "seconds": {
            "rows": round(filled - started, 1),
            "verdicts": round(time.perf_counter() - filled, 1),
        },
    }


def main() -> None:
    """Make the database that the arguments describe."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", nargs="?", type=Path, help="a new file (default: in a temporary folder)")
    parser.add_argument("--models", type=int, default=60)
    parser.add_argument("--days", type=int, default=400)
    parser.add_argument("--cases", type=int, default=83, help="50 or fewer: the daily suite as it is")
    parser.add_argument("--seed", type=int, default=61)
    parser.add_argument(
        "--issued", type=int, default=400, help="number of last days whose verdicts are recorded as issued"
    )
    options = parser.parse_args()
    path = options.path or Path(tempfile.mkdtemp(prefix="assay-pages-")) / "pages.db"
    if path.exists():
        parser.error(f"{str(path)!r} exists: give a new file")
    path.parent.mkdir(parents=True, exist_ok=True)
    made = make(
        path,
        count=options.models,
        days=options.days,
        cases=options.cases,
        seed=options.seed,
        issued=options.issued,
    )
    print(json.dumps(made, indent=2))


if __name__ == "__main__":
    main()
