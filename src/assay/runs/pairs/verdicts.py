"""Stored verdicts on pairs of answers: of one run, or of all runs of a suite."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.core.model import Model
from assay.grading.pairs import PAIRS
from assay.ranking.pair_verdicts import PairVerdict
from assay.runs.board.names import named, shown
from assay.runs.pairs.plan import ORDERS, PairJob, PairPlan, read_answers, stored_plan
from assay.store.marks import read_marks
from assay.store.rows import MarkRow
from assay.store.runs import StoredRun, list_runs

BY_RULE = "rule"
"""The mode of a verdict that no judge gave."""


@dataclass(frozen=True, slots=True)
class PairVerdicts:
    """The verdicts of some comparisons of one suite.

    `replaced` counts those that a newer one on the same answers by the same judge replaces. `simulated` says
    whether a judge or a model is simulated.
    """

    runs: tuple[StoredRun, ...]
    verdicts: tuple[PairVerdict, ...]
    simulated: bool
    replaced: int


def pairs_runs(engine: Engine, suite: str) -> list[StoredRun]:
    """Return the comparisons of a suite, which is given by its digest, the oldest first."""
    return list_runs(engine, kind=PAIRS, suite=suite)[::-1]


def verdict_rows(engine: Engine, run: StoredRun) -> dict[PairJob, MarkRow]:
    """Return the stored verdicts of a run by what was asked."""
    numbers = {row: place for place, (row, _) in enumerate(run.models)}
    return {
        PairJob(mark.row.position, mark.row.ordinal, numbers[mark.row.judge]): mark.row
        for mark in read_marks(engine, [run.id])
    }


class _About(NamedTuple):
    """What a verdict is about: later ones with the same values replace it."""

    judge: str
    case: int
    epoch: int
    rows: frozenset[int]


def read_verdicts(engine: Engine, runs: Sequence[StoredRun], *, judges: Sequence[str] = ()) -> PairVerdicts:
    """Return the verdicts of some comparisons of one suite.

    The answers of two models to a case in an epoch count once for each judge: the newest verdicts in which
    both orders are readable. `judges` keeps the verdicts of these judges. Raises InvalidInput for a judge
    without verdicts and for runs of different suites, NotFound if no verdict is stored.
    """
    other = next((run for run in runs if run.suite != runs[0].suite), None)
    if other is not None:
        raise InvalidInput(
            f"runs {runs[0].id} and {other.id} compare answers of different suites: give runs of one suite"
        )
    plans = [stored_plan(engine, run) for run in runs]
    models: dict[int, Model] = {}
    for plan in plans:
        models |= plan.subjects
    names = named(models)
    newest: dict[_About, PairVerdict] = {}
    replaced = 0
    for run, plan in sorted(zip(runs, plans, strict=True), key=lambda pair: pair[0].id):
        for about, verdict in _of_run(engine, run, plan, names):
            replaced += about in newest
            if verdict.points is not None or about not in newest or newest[about].points is None:
                newest[about] = verdict
    verdicts = _only(tuple(newest.values()), judges)
    if not verdicts:
        raise NotFound(
            "no verdict on a pair of answers is stored yet: ask for them with `assay judge pairs RUN RUN`"
        )
    return PairVerdicts(tuple(runs), verdicts, any(run.simulated for run in runs), replaced)


def _only(verdicts: tuple[PairVerdict, ...], judges: Sequence[str]) -> tuple[PairVerdict, ...]:
    known = sorted({verdict.judge for verdict in verdicts})
    for judge in judges:
        if known and judge not in known:
            raise InvalidInput(f"judge {judge!r} compared no answers here: use one of {', '.join(known)}")
    return tuple(verdict for verdict in verdicts if not judges or verdict.judge in judges)


def _of_run(
    engine: Engine, run: StoredRun, plan: PairPlan, names: Mapping[int, str]
) -> Iterator[tuple[_About, PairVerdict]]:
    """Yield the verdicts of a run, each with its models in the order of their names."""
    by_pair: dict[tuple[int, int], dict[int, MarkRow]] = defaultdict(dict)
    for job, row in verdict_rows(engine, run).items():
        by_pair[job.pair, job.judge][job.order] = row
    lengths: dict[int, tuple[int, ...]] = {}
    used = sorted({pair // len(plan.pairs) for pair, _ in by_pair})
    texts = read_answers(engine, plan, [plan.entries[number] for number in used])
    for number, answers in zip(used, texts, strict=True):
        lengths[number] = tuple(len(answers.get(place, "")) for place in range(len(plan.contestants)))
    for (pair, judge), rows in sorted(by_pair.items()):
        entry, one, other = plan.locate(pair)
        size = lengths[pair // len(plan.pairs)]
        ahead, behind = (rows[order].value if order in rows else None for order in ORDERS)
        verdict = PairVerdict(
            item=plan.suite.cases[entry.case].id,
            first=names[plan.contestants[one].row],
            second=names[plan.contestants[other].row],
            judge=shown(run.models[judge][1].name),
            shown=ahead,
            swapped=None if behind is None else 1.0 - behind,
            lengths=(size[one], size[other]),
            by_rule=any(row.mode == BY_RULE for row in rows.values()),
            epoch=entry.epoch,
        )
        compared = frozenset((plan.contestants[one].row, plan.contestants[other].row))
        about = _About(verdict.judge, entry.case, entry.epoch, compared)
        yield about, verdict if verdict.first < verdict.second else verdict.turned()
