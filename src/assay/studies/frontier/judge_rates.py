"""A judge's rates of accepting right and wrong answers, measured from a judged run of the workspace."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sqlalchemy import Engine

from assay.core.case import Case
from assay.core.errors import InvalidInput, Problem
from assay.core.people import is_human
from assay.frontier.selection.judged import MeasuredJudge, measure_judge, residual_noise
from assay.store.marks import RunMark, read_marks
from assay.store.runs import read_run
from assay.store.samples import StoredSample, read_samples
from assay.store.suites import read_suite

BATCH = 500
RIGHT = 1.0


class JudgedAnswer(NamedTuple):
    """One answer of known quality with the judge's mark, in the judge's own unit."""

    prompt: str
    quality: float
    mark: float


@dataclass(frozen=True, slots=True)
class JudgeRates:
    """A judge's rates. A mark of `accept` or more accepts, and a quality of `right` or more is right.

    `noise` is the error of its marks in the unit of quality, None if quality does not vary or marks do not
    rise with it. `price` is the cost of one judgement, None if unknown; the measured judge is then free, with
    a note. `left_out` has the number of unusable answers by reason, and `problems` the bad rows of a table.
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
    """Return the rates of a stored run's judge, measured by the run's own checks.

    An answer is right if every check of its case that counts (weight above 0, without a judge) gives `right`
    or more. `accept` is needed unless all marks are 0 or 1. The default `price` is the cost of the judge's
    calls divided by the number of its marks. Raises InvalidInput if no judge marked the run, if several did
    and none is named, or if no judged answer was checked.
    """
    run = read_run(engine, number)
    given = [mark for mark in read_marks(engine, [number]) if mark.judge == judge or not is_human(mark.judge)]
    marks = _one_judge(given, number, judge, metric)
    accept = acceptance_threshold(accept, [mark.row.value for mark in marks if mark.row.value is not None])
    cases = read_suite(engine, run.suite).cases
    by_position = {mark.row.position: mark for mark in marks}
    judged: list[JudgedAnswer] = []
    left_out = {"no readable mark": 0, "no check that counts": 0}
    spent: list[float | None] = []
    for sample in _samples(engine, number):
        mark = by_position.get(sample.row.position)
        if mark is None:
            continue
        spent += [
            call.cost for call in sample.calls if call.purpose != "subject" and call.model == mark.row.judge
        ]
        case = cases[sample.row.case_ordinal]
        quality = _checked_quality(case, sample)
        if mark.row.value is None:
            left_out["no readable mark"] += 1
        elif quality is None:
            left_out["no check that counts"] += 1
        else:
            judged.append(JudgedAnswer(case.id, quality, mark.row.value))
    if not judged:
        raise InvalidInput(
            f"no answer of run {number} has both a mark and a check that counts, so the judge's errors are "
            "unknown: add a check to the cases, or give a table with the columns 'quality' and 'judged'"
        )
    if price is None and spent and None not in spent:
        price = math.fsum(cost for cost in spent if cost is not None) / len(marks)
    rates = rates_of(judged, accept, right, price, level, judge=marks[0].judge, metric=marks[0].row.metric)
    simulated = run.simulated or marks[0].judge.startswith("simulated/")
    notes = ("the judge or the models are simulated: no figure is of a real one",) if simulated else ()
    return replace(
        rates,
        left_out={reason: count for reason, count in left_out.items() if count},
        notes=(*notes, *rates.notes),
    )


def rates_of(
    answers: Sequence[JudgedAnswer],
    accept: float,
    right: float,
    price: float | None,
    level: float,
    *,
    judge: str,
    metric: str | None,
) -> JudgeRates:
    """Return the rates of judged answers of known quality, with a note if the price is unknown."""
    measured = measure_judge(
        [answer.quality >= right for answer in answers],
        [answer.mark >= accept for answer in answers],
        [answer.prompt for answer in answers],
        price=price or 0.0,
        level=level,
    )
    try:
        noise = residual_noise([answer.quality for answer in answers], [answer.mark for answer in answers])
    except InvalidInput:
        noise = None
    notes = []
    if price is None:
        notes.append("the price of a judgement is unknown: the judge counts as free, so costs are too low")
    if measured.right and measured.wrong and measured.true_positive.low <= measured.false_positive.high:
        notes.append(
            "its intervals on right and on wrong answers overlap: it may not distinguish right from wrong"
        )
    notes.append("measured on these answers: it may err more, or less, on other models' mistakes")
    return JudgeRates(judge, metric, accept, right, measured, noise, price, {}, tuple(notes))


def _one_judge(marks: Sequence[RunMark], number: int, judge: str | None, metric: str | None) -> list[RunMark]:
    """Return the marks of one judge for one metric."""
    judges = sorted({mark.judge for mark in marks})
    if not judges:
        raise InvalidInput(f"no judge marked run {number}: run `assay grade {number} --judge PROVIDER/MODEL`")
    if judge is None and len(judges) > 1:
        raise InvalidInput(f"{len(judges)} judges marked run {number}: name one of {', '.join(judges)}")
    if judge is not None and judge not in judges:
        raise InvalidInput(f"judge {judge!r} gave no marks in run {number}: use one of {', '.join(judges)}")
    own = [mark for mark in marks if mark.judge == (judge or judges[0])]
    metrics = sorted({mark.row.metric for mark in own})
    if metric is None and len(metrics) > 1:
        raise InvalidInput(f"{own[0].judge} marked several metrics: name one of {', '.join(metrics)}")
    if metric is not None and metric not in metrics:
        raise InvalidInput(f"{own[0].judge} did not mark {metric!r}: use one of {', '.join(metrics)}")
    return [mark for mark in own if mark.row.metric == (metric or metrics[0])]


def acceptance_threshold(accept: float | None, marks: Sequence[float]) -> float:
    """Return the least mark that accepts; by default 1 if all marks are 0 or 1."""
    if accept is not None:
        return accept
    if set(marks) <= {0.0, 1.0}:
        return 1.0
    raise InvalidInput(
        f"marks go from {min(marks):g} to {max(marks):g}: give the least mark with which the judge accepts"
    )


def _samples(engine: Engine, number: int) -> Iterator[StoredSample]:
    after = -1
    while True:
        batch = list(read_samples(engine, number, after=after, limit=BATCH))
        yield from batch
        if len(batch) < BATCH:
            return
        after = batch[-1].row.position


def _checked_quality(case: Case, sample: StoredSample) -> float | None:
    """Return the least grade of the checks that count; None if there are none or one has no grade."""
    values: dict[str, list[float | None]] = {}
    for grade in sample.grades:
        values.setdefault(grade.grader, []).append(grade.value)
    counting = {spec.name for spec in case.graders if spec.weight > 0 and not spec.judged}
    checks = [value for name in sorted(counting) for value in values.get(name, [None])]
    known = [value for value in checks if value is not None]
    return min(known) if checks and len(known) == len(checks) else None
