"""How often a judge accepts right and wrong answers: measured from a judged run of the workspace."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sqlalchemy import Engine

from assay.core.case import Case
from assay.core.errors import InvalidInput, Problem
from assay.frontier.selection.judged import MeasuredJudge, measure_judge, residual_noise
from assay.store.marks import RunMark, read_marks
from assay.store.runs import read_run
from assay.store.samples import StoredSample, read_samples
from assay.store.suites import read_suite

BATCH = 500
RIGHT = 1.0


class JudgedAnswer(NamedTuple):
    """One answer of known quality with its mark, in the judge's own unit."""

    prompt: str
    quality: float
    mark: float


@dataclass(frozen=True, slots=True)
class JudgeRates:
    """A judge's rates: a mark of `accept` or more accepts, quality of `right` or more is right.

    `noise` is what its marks are off by, in quality's unit: None where quality does not vary, or marks do
    not rise with it. `price` is what one judgement costs, None where unknown: the measured judge is then
    free, and `notes` say so. `left_out` counts by reason the answers that say nothing. Of a table's rows
    some were refused: `problems`.
    """

    judge: str
    metric: str | None
    accept: float
    right: float
    measured: MeasuredJudge
    noise: float | None
    price: float | None
    left_out: Mapping[str, int]
    notes: tuple[str, ...]
    problems: tuple[Problem, ...] = ()


def run_judge_rates(
    engine: Engine,
    number: int,
    *,
    judge: str | None = None,
    metric: str | None = None,
    accept: float | None = None,
    right: float = RIGHT,
    price: float | None = None,
    level: float = 0.95,
) -> JudgeRates:
    """Return how a judge of a stored run does against the run's own checks.

    An answer is right when every check of its case that counts (weight above 0, no judge) gives `right` or
    more. `accept` is needed unless all marks are 0 or 1. Without a `price` it is what its calls cost, over
    its marks. InvalidInput where no judge marked the run, several did and none is named, or no judged answer
    was checked.
    """
    run = read_run(engine, number)
    marks = _one_judge(read_marks(engine, [number]), number, judge, metric)
    accept = accepted_from(accept, [mark.row.value for mark in marks if mark.row.value is not None])
    cases = read_suite(engine, run.suite).cases
    by_position = {mark.row.position: mark for mark in marks}
    found: list[JudgedAnswer] = []
    left = {"no readable mark": 0, "no check that counts": 0}
    spent: list[float | None] = []
    for sample in _samples(engine, number):
        mark = by_position.get(sample.row.position)
        if mark is None:
            continue
        spent += [
            call.cost for call in sample.calls if call.purpose != "subject" and call.model == mark.row.judge
        ]
        case = cases[sample.row.case_ordinal]
        quality = _checked(case, sample)
        if mark.row.value is None:
            left["no readable mark"] += 1
        elif quality is None:
            left["no check that counts"] += 1
        else:
            found.append(JudgedAnswer(case.id, quality, mark.row.value))
    if not found:
        raise InvalidInput(
            f"no answer of run {number} has both a mark and a check that counts: a judge's errors show where "
            "the truth is known; add a check to the cases, or give a table with 'quality' and 'judged'"
        )
    if price is None and spent and None not in spent:
        price = math.fsum(each for each in spent if each is not None) / len(marks)
    rates = rates_of(found, accept, right, price, level, judge=marks[0].judge, metric=marks[0].row.metric)
    simulated = run.simulated or marks[0].judge.startswith("simulated/")
    told = ("the judge or the models are simulated: no figure here is of a real one",) if simulated else ()
    return replace(
        rates, left_out={name: count for name, count in left.items() if count}, notes=(*told, *rates.notes)
    )


def rates_of(
    found: Sequence[JudgedAnswer],
    accept: float,
    right: float,
    price: float | None,
    level: float,
    *,
    judge: str,
    metric: str | None,
) -> JudgeRates:
    """Return the rates of judged answers whose quality is known; unknown prices are told."""
    measured = measure_judge(
        [each.quality >= right for each in found],
        [each.mark >= accept for each in found],
        [each.prompt for each in found],
        price=price or 0.0,
        level=level,
    )
    try:
        noise = residual_noise([each.quality for each in found], [each.mark for each in found])
    except InvalidInput:
        noise = None
    notes = []
    if price is None:
        notes.append("what a judgement costs is unknown: the judge counts as free, and costs are too low")
    if measured.right and measured.wrong and measured.true_positive.low <= measured.false_positive.high:
        notes.append("its intervals on right and on wrong answers overlap: it may tell nothing")
    notes.append("measured on these answers: other models' mistakes may fool it more, or less")
    return JudgeRates(judge, metric, accept, right, measured, noise, price, {}, tuple(notes))


def _one_judge(found: Sequence[RunMark], number: int, judge: str | None, metric: str | None) -> list[RunMark]:
    """Return the marks of one judge for one metric."""
    judges = sorted({mark.judge for mark in found})
    if not judges:
        raise InvalidInput(f"no judge marked run {number}: `assay grade {number} --judge ...` has it judged")
    if judge is None and len(judges) > 1:
        raise InvalidInput(f"{len(judges)} judges marked run {number}: name one of {', '.join(judges)}")
    if judge is not None and judge not in judges:
        raise InvalidInput(f"judge {judge!r} gave no marks in run {number}: there are {', '.join(judges)}")
    mine = [mark for mark in found if mark.judge == (judge or judges[0])]
    metrics = sorted({mark.row.metric for mark in mine})
    if metric is None and len(metrics) > 1:
        raise InvalidInput(f"{mine[0].judge} marked several metrics: name one of {', '.join(metrics)}")
    if metric is not None and metric not in metrics:
        raise InvalidInput(f"{mine[0].judge} did not mark {metric!r}: there are {', '.join(metrics)}")
    return [mark for mark in mine if mark.row.metric == (metric or metrics[0])]


def accepted_from(accept: float | None, marks: Sequence[float]) -> float:
    """Return the least mark that accepts; 1 where marks are 0 and 1."""
    if accept is not None:
        return accept
    if set(marks) <= {0.0, 1.0}:
        return 1.0
    raise InvalidInput(
        f"marks go from {min(marks):g} to {max(marks):g}: say from which mark on the judge accepts"
    )


def _samples(engine: Engine, number: int) -> Iterator[StoredSample]:
    after = -1
    while True:
        batch = list(read_samples(engine, number, after=after, limit=BATCH))
        yield from batch
        if len(batch) < BATCH:
            return
        after = batch[-1].row.position


def _checked(case: Case, sample: StoredSample) -> float | None:
    """Return the least grade of the checks that count; None where one is missing or there are none."""
    values: dict[str, list[float | None]] = {}
    for grade in sample.grades:
        values.setdefault(grade.grader, []).append(grade.value)
    counting = {spec.name for spec in case.graders if spec.weight > 0 and not spec.judged}
    checks = [value for name in sorted(counting) for value in values.get(name, [None])]
    known = [value for value in checks if value is not None]
    return min(known) if checks and len(known) == len(checks) else None
