"""The time of a panel of judges, compared with as many plain calls in the same run. Prints JSON.

Needs the mock upstream at `--base-url` (see docs/benchmarks.md). With `--verdicts` it also needs an upstream
whose answers all differ and that gives judges a verdict (`benchmarks/verdicts-nginx.conf`): the reply of the
plain mock contains no verdict, so every judge is asked a second time. Every run uses a fresh SQLite database.
Plain calls are samples that are asked, graded by a number and committed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from assay.core.ask import Message
from assay.core.case import Case, GraderSpec, Grading
from assay.core.judging import Panel
from assay.core.model import Model, Provider
from assay.core.suite import Suite, UseCase
from assay.results.runs import RunOutcome
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import plan_run
from assay.store.engine import open_database
from assay.store.marks import marks_by_judge
from assay.store.runs import keep_models, new_run
from assay.store.suites import keep_suite
from throughput import engine as plain_run

PROMPTS = 80
RUBRIC = (
    "5 - right and clear. 4 - right with a slip. 3 - half right. 2 - mostly wrong. 1 - wrong or no answer. "
    * 4
)
CRITERIA = "The answer names the product and shows how it was reached; a bare number costs one mark. " * 3


def judged_suite(cases: int) -> Suite:
    """Return a suite of this number of judged cases."""
    spec = GraderSpec("rubric", {"rubric": RUBRIC, "criteria": CRITERIA, "ideal": "42"}, judged=True)
    made = tuple(
        Case(
            id=f"case-{number}",
            use_case="judged",
            messages=(Message("user", f"What is 6 x 7? ({number})"),),
            graders=(spec,),
            max_tokens=64,
        )
        for number in range(cases)
    )
    use_case = UseCase("judged", "Judged", Grading.JUDGE, 1, 1, made)
    sent = {"temperature": 0}
    return Suite("panel", "1", "Panel", "public", (use_case,), "1" * 64, parameters=sent)


async def panel_run(
    subject_url: str,
    judge_url: str,
    answers: int,
    judges: int,
    in_flight: int,
    database: Path,
    cases: int | None = None,
) -> tuple[float, RunOutcome, int]:
    """Return the seconds of a judged run, its outcome, and the number of marks that could be parsed.

    Without `cases` there is one case for each answer, because all questions to a judge must be different.
    """
    cases = cases or answers
    store = open_database(str(database))
    providers = {
        "mock": Provider("mock", subject_url, concurrency=in_flight),
        "court": Provider("court", judge_url, concurrency=in_flight),
    }
    seats = [Model("court", f"judge-{number}") for number in range(judges)]
    panel = Panel(tuple(seat.name for seat in seats))
    plan = plan_run(judged_suite(cases), [Model("mock", "sim")], epochs=answers // cases, panel=panel)
    plan = replace(plan, judges=keep_models(store, seats))
    keep_suite(store, plan.suite, clock=time.time)
    run = new_run(
        store,
        kind="run",
        suite=plan.suite.digest,
        subjects=plan.models,
        plan=plan.described(),
        day=None,
        simulated=True,
        clock=time.time,
    )
    start = time.perf_counter()
    outcome = await conduct(RunContext(store, providers, {}), run, plan)
    seconds = time.perf_counter() - start
    readable = sum(marks_by_judge(store).values())
    assert outcome.counts.ok == answers, outcome
    return seconds, outcome, readable


def compare(
    options: argparse.Namespace, subject_url: str, judge_url: str, cases: int | None
) -> dict[str, object]:
    """Alternate judged runs with plain runs of as many calls; return seconds and ratios."""
    judged, plain, calls, readable = [], [], 0, 0
    for _ in range(options.rounds):
        with tempfile.TemporaryDirectory() as folder:
            seconds, outcome, readable = asyncio.run(
                panel_run(
                    subject_url,
                    judge_url,
                    options.answers,
                    options.judges,
                    options.in_flight,
                    Path(folder) / "assay.db",
                    cases,
                )
            )
        judged.append(seconds)
        calls = outcome.spend.calls
        samples = calls - calls % 500
        with tempfile.TemporaryDirectory() as folder:
            seconds = asyncio.run(
                plain_run(options.base_url, samples, options.in_flight, Path(folder) / "assay.db")
            )
        plain.append(seconds * calls / samples)
    ratios = [mine / floor for mine, floor in zip(judged, plain, strict=True)]
    return {
        "calls": calls,
        "readable_marks": readable,
        "judged_seconds": [round(seconds, 2) for seconds in judged],
        "plain_seconds": [round(seconds, 2) for seconds in plain],
        "ratio": [round(ratio, 3) for ratio in ratios],
        "median_ratio": round(statistics.median(ratios), 3),
    }


def main() -> None:
    """Measure the panel with the plain mock, and with one that gives verdicts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", default="http://127.0.0.1:18080/0/v1")
    parser.add_argument("--verdicts", help="the address of an upstream that answers judges with a verdict")
    parser.add_argument("--answers", type=int, default=10_000)
    parser.add_argument("--judges", type=int, default=4)
    parser.add_argument("--in-flight", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    found: dict[str, object] = {"answers": options.answers, "judges": options.judges}
    found["no_verdicts"] = compare(options, options.base_url, options.base_url, None)
    if options.verdicts:
        subjects, judges = f"{options.verdicts}/subject/v1", f"{options.verdicts}/judge/v1"
        found["verdicts"] = compare(options, subjects, judges, PROMPTS)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
