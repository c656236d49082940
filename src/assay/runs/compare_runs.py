"""Comparing two stored runs on the same cases: changed cases, the change in score and its significance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sqlalchemy import Engine

from assay.calls.asking import ASKED
from assay.core.errors import InvalidInput
from assay.core.model import Model
from assay.core.suite import Suite
from assay.ranking.board.comparison import PASS, RunDifference, compare_runs
from assay.results.compare import ComparedCase, ComparedRun, FlippedCase, NamedCase, RunComparison
from assay.results.runs import RunKind, StatusCounts, SuiteKey
from assay.store.runs import StoredRun, read_run
from assay.store.scores import SampleCounts, count_samples
from assay.store.suites import read_suite

MOST_NAMED = 8
"""The most models that a message names."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of the comparison: a model in a run, with its samples of the common cases by status.

    `scored` counts the cases of the whole run that have a score, `elsewhere` the answers to the common cases
    that came from another provider than the pin.
    """

    run: StoredRun
    model: Model
    counts: StatusCounts
    scored: int
    elsewhere: int

    @property
    def published(self) -> ComparedRun:
        """The published form of the side."""
        run = self.run
        return ComparedRun(
            run.id, RunKind(run.kind), run.status, run.day, self.model.name, self.counts, self.scored
        )


def read_comparison(
    engine: Engine,
    a: int,
    b: int,
    *,
    model_a: str | None = None,
    model_b: str | None = None,
    threshold: float = PASS,
) -> RunComparison:
    """Compare two runs of one suite version, one model each; by default each run's only model.

    A case's score is the mean over its epochs; an invalid answer counts 0, errored and ungraded ones are left
    out and counted. InvalidInput for runs of different suites or versions, for calibrations, for an unclear
    choice of models, and for a run compared with itself; NotFound for an unknown run.
    """
    runs = read_run(engine, a), read_run(engine, b)
    _check(*runs)
    subjects = _subject(runs[0], model_a, "a"), _subject(runs[1], model_b, "b")
    if a == b and subjects[0][0] == subjects[1][0]:
        raise InvalidInput(
            f"run {a} cannot be compared with itself: name two of its models with --model-a and --model-b"
        )
    suite = read_suite(engine, runs[0].suite)
    counts = count_samples(engine, sorted({a, b}), base={})
    means = [_means(counts, run, row, len(suite.cases)) for run, (row, _) in zip(runs, subjects, strict=True)]
    common = ~np.isnan(means[0]) & ~np.isnan(means[1])
    sides = [
        _side(counts, run, row, model, common, int(np.count_nonzero(~np.isnan(mean))))
        for run, (row, model), mean in zip(runs, subjects, means, strict=True)
    ]
    shown = compare_runs([case.id for case in suite.cases], means[0], means[1], threshold=threshold)
    return _comparison(suite, sides[0], sides[1], means, shown)


def _comparison(
    suite: Suite, a: Side, b: Side, means: Sequence[npt.NDArray[np.float64]], shown: RunDifference
) -> RunComparison:
    """Return the published comparison: scores from 0 to 100, cases with their use case."""
    interval = shown.interval
    cases = {case.id: NamedCase(case.id, case.use_case) for case in suite.cases}
    fell, rose = (
        tuple(FlippedCase(cases[flip.case], _points(flip.before), _points(flip.after)) for flip in flips)
        for flips in (shown.fell, shown.rose)
    )
    return RunComparison(
        suite=SuiteKey.of(suite),
        visibility=suite.visibility,
        simulated=a.run.simulated or b.run.simulated,
        a=a.published,
        b=b.published,
        cases=shown.cases,
        mean_a=_maybe(shown.mean_a),
        mean_b=_maybe(shown.mean_b),
        difference=_maybe(shown.difference),
        low=None if interval is None else _points(interval.low),
        high=None if interval is None else _points(interval.high),
        level=0.95 if interval is None else interval.level,
        p=shown.p,
        threshold=_points(shown.threshold),
        binary=shown.binary,
        fell=fell,
        rose=rose,
        p_flips=shown.mcnemar,
        only_a=tuple(cases[name] for name in shown.only_a),
        only_b=tuple(cases[name] for name in shown.only_b),
        scores=tuple(
            ComparedCase(case, _maybe(old), _maybe(new))
            for case, old, new in zip(cases.values(), *means, strict=True)
            if not (np.isnan(old) and np.isnan(new))
        ),
        remarks=tuple(_remarks(suite, a, b, shown)),
    )


def _points(share: float) -> float:
    """Return a share as points from 0 to 100, rounded to 10 digits."""
    return round(100.0 * float(share), 10)


def _maybe(share: float | None) -> float | None:
    return None if share is None or np.isnan(share) else _points(share)


def _check(a: StoredRun, b: StoredRun) -> None:
    for run in (a, b):
        if run.kind == "calibrate":
            raise InvalidInput(f"run {run.id} calibrated a judge: it has no answers of a model")
        if run.kind in ASKED:
            raise InvalidInput(f"run {run.id} is of kind {run.kind!r}: it has no samples")
    if a.suite_name != b.suite_name:
        raise InvalidInput(
            f"run {a.id} is of suite {a.suite_name!r}, run {b.id} of {b.suite_name!r}: "
            "compare two runs of the same suite"
        )
    if a.suite != b.suite:
        raise InvalidInput(
            f"run {a.id} is of {a.suite_name} {a.suite_version}, run {b.id} of {b.suite_name} "
            f"{b.suite_version}: cases or graders changed between the versions, so their scores are not "
            "comparable; run the models again on one version"
        )


def _subject(run: StoredRun, name: str | None, which: str) -> tuple[int, Model]:
    """Return the chosen model of a run with its row; `imported/` may be left out of its name."""
    if name is not None:
        matching = [(row, model) for row, model in run.models if name in (model.name, _plain(model))]
        if not matching:
            raise InvalidInput(f"run {run.id} has no model {name!r}: use one of {_listed(run)}")
        return matching[0]
    if len(run.models) != 1:
        raise InvalidInput(
            f"run {run.id} has {len(run.models)} models ({_listed(run)}): choose one with --model, or "
            f"with --model-{which}"
        )
    return run.models[0]


def _plain(model: Model) -> str:
    return model.name.removeprefix("imported/")


def _listed(run: StoredRun) -> str:
    names = [_plain(model) for _, model in run.models]
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def _means(counts: SampleCounts, run: StoredRun, row: int, cases: int) -> npt.NDArray[np.float64]:
    """Return the mean scores of the cases, 0-1, NaN for a case without a score."""
    chosen = (counts.run == run.id) & (counts.model == row)
    answered, total = counts.sums(chosen, cases)
    mean = np.divide(total, 100.0 * answered, out=np.full(cases, np.nan), where=answered > 0)
    # Rounding can make a mean of scores of 100 slightly greater than 1.
    capped: npt.NDArray[np.float64] = np.minimum(mean, 1.0)
    return capped


def _side(
    counts: SampleCounts,
    run: StoredRun,
    row: int,
    model: Model,
    common: npt.NDArray[np.bool_],
    scored: int,
) -> Side:
    """Return a side with the counts of the common cases."""
    chosen = (counts.run == run.id) & (counts.model == row) & common[counts.case]
    return Side(
        run,
        model,
        counts.statuses(chosen),
        scored,
        int(counts.elsewhere[chosen].sum()),
    )


def _remarks(suite: Suite, a: Side, b: Side, shown: RunDifference) -> Iterator[str]:
    for side in (a, b):
        if side.run.status != "finished":
            reason = "" if side.run.reason is None else f" ({side.run.reason})"
            yield f"run {side.run.id} {side.run.status}{reason}: only its finished samples are compared"
        if side.elsewhere:
            yield (
                f"{side.elsewhere} of {side.counts.n} answers of run {side.run.id} came from another "
                "provider than the pin"
            )
    if a.model.name == b.model.name and a.model.fingerprint != b.model.fingerprint:
        yield f"{a.model.name} was asked with another pin or other parameters in run {b.run.id}"
    missing = {*shown.only_a, *shown.only_b}
    judged = [case for case in suite.cases if any(spec.judged for spec in case.graders)]
    if any(case.id not in missing for case in judged):
        yield from _judges(a.run, b.run)
    if not shown.cases:
        yield "no case has a score in both runs"


def _judges(a: StoredRun, b: StoredRun) -> Iterator[str]:
    judges_a, judges_b = ({model.name for _, model in run.judges} for run in (a, b))
    if judges_a != judges_b:
        yield (
            f"judged by different models (run {a.id}: {', '.join(sorted(judges_a)) or 'none'}; "
            f"run {b.id}: {', '.join(sorted(judges_b)) or 'none'}): the difference may be due to the judges"
        )
