"""Two stored runs on the same cases: what flipped, how far the score moved, whether luck explains it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sqlalchemy import Engine

from assay.calls.asking import ASKED
from assay.core.errors import InvalidInput
from assay.core.model import Model
from assay.core.suite import Suite
from assay.ranking.comparison import PASS, RunDifference, compare_runs
from assay.store.runs import StoredRun, read_run
from assay.store.scores import SampleCounts, count_samples
from assay.store.suites import read_suite

NAMED = 8
"""A message names at most so many models."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: a model in a run, its samples of the common cases by status.

    n = ok + invalid + error + ungraded. `scored` cases of the whole run have a score; `elsewhere` answers to
    the common cases came from another provider than the pin.
    """

    run: StoredRun
    model: Model
    ok: int
    invalid: int
    error: int
    ungraded: int
    scored: int
    elsewhere: int

    @property
    def n(self) -> int:
        """All samples of the cases that both runs scored."""
        return self.ok + self.invalid + self.error + self.ungraded


@dataclass(frozen=True, slots=True)
class ComparedRuns:
    """Run B held against run A, case by case. `difference` is in scores of 0-1, as are `scores`.

    `scores` holds each case of the suite that either run has a score of, with the score in A and in B (None
    where it has none). `remarks` say what else, beside the model, may have made the difference.
    """

    suite: Suite
    a: Side
    b: Side
    difference: RunDifference
    scores: tuple[tuple[str, float | None, float | None], ...]
    remarks: tuple[str, ...]

    @property
    def simulated(self) -> bool:
        """Whether a simulated model answered in either run."""
        return self.a.run.simulated or self.b.run.simulated


def read_comparison(
    engine: Engine,
    a: int,
    b: int,
    *,
    model_a: str | None = None,
    model_b: str | None = None,
    threshold: float = PASS,
) -> ComparedRuns:
    """Compare two runs of one suite version, a model of each; without names each run's only model is meant.

    A case's score is the mean over its epochs; an invalid answer counts 0, errored and ungraded ones are left
    out and counted. InvalidInput for runs of different suites or versions, for calibrations, for a
    choice of models that is not clear, and for a run against itself; NotFound for a run that is not there.
    """
    runs = read_run(engine, a), read_run(engine, b)
    _check(*runs)
    subjects = _subject(runs[0], model_a, "a"), _subject(runs[1], model_b, "b")
    if a == b and subjects[0][0] == subjects[1][0]:
        raise InvalidInput(
            f"run {a} against itself shows nothing: name two of its models with --model-a and --model-b"
        )
    suite = read_suite(engine, runs[0].suite)
    counts = count_samples(engine, sorted({a, b}), base={})
    means = [_means(counts, run, row, len(suite.cases)) for run, (row, _) in zip(runs, subjects, strict=True)]
    common = ~np.isnan(means[0]) & ~np.isnan(means[1])
    sides = [
        _side(counts, run, row, model, common, int(np.count_nonzero(~np.isnan(mean))))
        for run, (row, model), mean in zip(runs, subjects, means, strict=True)
    ]
    names = [case.id for case in suite.cases]
    found = compare_runs(names, means[0], means[1], threshold=threshold)
    scores = tuple(
        (name, _known(old), _known(new))
        for name, old, new in zip(names, means[0], means[1], strict=True)
        if not (np.isnan(old) and np.isnan(new))
    )
    told = tuple(_remarks(suite, sides[0], sides[1], found))
    return ComparedRuns(suite, sides[0], sides[1], found, scores, told)


def _check(a: StoredRun, b: StoredRun) -> None:
    for run in (a, b):
        if run.kind == "calibrate":
            raise InvalidInput(f"run {run.id} calibrated a judge: it has no answers of a model to compare")
        if run.kind in ASKED:
            raise InvalidInput(f"run {run.id} is of kind {run.kind!r}: it has no samples to compare")
    if a.suite_name != b.suite_name:
        raise InvalidInput(
            f"run {a.id} is of suite {a.suite_name!r}, run {b.id} of {b.suite_name!r}: "
            "two runs compare on the same cases only"
        )
    if a.suite != b.suite:
        raise InvalidInput(
            f"run {a.id} is of {a.suite_name} {a.suite_version}, run {b.id} of {b.suite_name} "
            f"{b.suite_version}: cases or graders changed between the versions, so their scores do not "
            "compare; run the models again on one version"
        )


def _subject(run: StoredRun, name: str | None, which: str) -> tuple[int, Model]:
    """Return the model of a run that is meant, with its row; `imported/` may be left out of a name."""
    if name is not None:
        found = [(row, model) for row, model in run.models if name in (model.name, _plain(model))]
        if not found:
            raise InvalidInput(f"run {run.id} has no model {name!r}: it has {_listed(run)}")
        return found[0]
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
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _means(counts: SampleCounts, run: StoredRun, row: int, cases: int) -> npt.NDArray[np.float64]:
    """Return the cases' mean scores, 0-1, NaN without one."""
    here = (counts.run == run.id) & (counts.model == row)
    answered, total = np.zeros(cases), np.zeros(cases)
    np.add.at(answered, counts.case[here], (counts.ok + counts.invalid)[here])
    np.add.at(total, counts.case[here], counts.total[here])
    mean = np.divide(total, 100.0 * answered, out=np.full(cases, np.nan), where=answered > 0)
    # A mean of scores of 100 may come out a hair over 1.
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
    here = (counts.run == run.id) & (counts.model == row) & common[counts.case]
    ok, invalid, error, ungraded, elsewhere = (
        int(column[here].sum())
        for column in (counts.ok, counts.invalid, counts.error, counts.ungraded, counts.elsewhere)
    )
    return Side(run, model, ok, invalid, error, ungraded, scored, elsewhere)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _remarks(suite: Suite, a: Side, b: Side, found: RunDifference) -> Iterator[str]:
    for side in (a, b):
        if side.run.status != "finished":
            why = "" if side.run.reason is None else f" ({side.run.reason})"
            yield f"run {side.run.id} {side.run.status}{why}: only what came back is compared"
        if side.elsewhere:
            yield (
                f"{side.elsewhere} of {side.n} answers of run {side.run.id} came from another provider "
                "than the pin"
            )
    if a.model.name == b.model.name and a.model.fingerprint != b.model.fingerprint:
        yield f"{a.model.name} was asked with another pin or other parameters in run {b.run.id}"
    missing = {*found.only_a, *found.only_b}
    judged = [case for case in suite.cases if any(spec.judged for spec in case.graders)]
    if any(case.id not in missing for case in judged):
        yield from _judges(a.run, b.run)
    if not found.cases:
        yield "no case has a score in both: there is nothing to compare"


def _judges(a: StoredRun, b: StoredRun) -> Iterator[str]:
    ours, theirs = ({model.name for _, model in run.judges} for run in (a, b))
    if ours != theirs:
        yield (
            f"judged by different models (run {a.id}: {', '.join(sorted(ours)) or 'nobody'}; "
            f"run {b.id}: {', '.join(sorted(theirs)) or 'nobody'}): a difference may be the judges'"
        )
