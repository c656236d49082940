"""How far judges agree, and what each of them favours: from a run's marks, or from a table of marks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sqlalchemy import Engine

from assay.grading.model_family import family
from assay.results.agreement import (
    Agreement,
    AgreementFigures,
    AnswersFigure,
    DistanceAlpha,
    JudgeFigures,
    LengthPreference,
    OwnPreference,
    PositionPreference,
)
from assay.stats.agreement import Scale as Distance
from assay.stats.agreement import krippendorff_alpha
from assay.stats.judge_bias import Verbosity, above_others, verbosity
from assay.stats.resample import BootstrapDraws
from assay.studies.judge_pairs import compare_pairs
from assay.studies.judge_remarks import checked, missing
from assay.studies.marks import MarkMatrix, read_file
from assay.studies.own import own_preferences
from assay.studies.positions import in_one_order, position_biases
from assay.studies.run_marks import read_run_marks

SEED = 20_260_101
REPLICATES, FEWEST = 2000, 200
DRAWN = 5_000_000
"""Replicates times what is drawn stay at or under this while `FEWEST` allows: memory grows with it."""

MOST_ANSWERS = 25_000
"""Above this many answers nothing is drawn: intervals would be narrower than anything they tell."""


def run_agreement(
    engine: Engine, number: int, *, judges: Sequence[str] = (), metric: str | None = None
) -> Agreement:
    """Return how far the judges of a run agree on a metric; without one, on that which most judges marked.

    Answers without visible text are not among them: no judge is asked about those. NotFound for a run
    that is not there, InvalidInput for one that no two judges marked.
    """
    found = read_run_marks(engine, number, judges, metric)
    simulated = found.run.simulated or any(judge.provider == "simulated" for _, judge in found.run.judges)
    return Agreement(
        measure(found.marks),
        run=number,
        suite=found.run.suite_name,
        version=found.run.suite_version,
        metric=found.metric,
        others=found.others,
        simulated=simulated,
    )


def file_agreement(path: Path, *, judges: Sequence[str] = (), categories: Sequence[str] = ()) -> Agreement:
    """Return how far the judges of a table agree; wrong rows are told and good ones kept.

    `categories` declares the marks there can be, in order. InvalidInput where no row is good, no two judges
    marked the same answer, or all pairs use different codings of their marks.
    """
    found = read_file(path, judges, categories)
    return Agreement(
        measure(found.marks),
        file=path,
        rows=found.table.rows,
        problems=found.problems,
        ignored=found.table.ignored,
    )


def measure(marks: MarkMatrix, *, seed: int = SEED) -> AgreementFigures:
    """Return all that marks say about their judges. Draws come from a generator of this seed."""
    positions = position_biases(marks) if marks.pairwise else {}
    given = (~np.isnan(marks.table)).sum(axis=1)
    marks = in_one_order(marks) if marks.pairwise else marks
    there = ~np.isnan(marks.table)
    answers, shared = int(there.any(axis=0).sum()), int((there.sum(axis=0) > 1).sum())
    replicates = _replicates(answers)
    by_item = _replicates(len({answer.item for answer in marks.answers}))
    counts = (REPLICATES, by_item, by_item, by_item, replicates)
    streams = np.random.default_rng(seed).spawn(len(counts))
    draws = [
        BootstrapDraws(stream, count) if replicates else None
        for stream, count in zip(streams, counts, strict=True)
    ]
    pairs = compare_pairs(marks, draws[0])
    remarks = list(checked(marks, pairs, shared, known=bool(positions)))
    mixed = any(pair.refused for pair in pairs)
    measured = marks.scale.ordered and not mixed and shared > 0
    apart = above_others(marks.table, _by_item(marks, draws[1])) if measured else ()
    model, kin = own_preferences(marks, draws[2]) if measured else ({}, {})
    wordy = _verbosity(marks, draws[3]) if measured else {}
    judges = tuple(
        JudgeFigures(
            judge=judge,
            family=family(marks.models[judge]) if judge in marks.models else None,
            marks=int(given[row]),
            unread=marks.unread.get(judge, 0),
            mean=float(np.nanmean(marks.table[row])) if marks.scale.ordered and there[row].any() else None,
            above_others=AnswersFigure.of(apart[row]) if apart else None,
            own_model=OwnPreference.of(model.get(judge)),
            own_family=OwnPreference.of(kin.get(judge)),
            verbosity=LengthPreference.of(wordy.get(judge)),
            position=PositionPreference.of(positions.get(judge)),
        )
        for row, judge in enumerate(marks.judges)
    )
    alphas = () if mixed or not shared else _alphas(marks, draws[4])
    remarks += missing(marks, measured=measured, wordy=bool(wordy), answers=answers, most=MOST_ANSWERS)
    return AgreementFigures(
        kind=marks.scale.kind,
        ordered=marks.scale.ordered,
        categories=marks.scale.categories,
        pairwise=marks.pairwise,
        judges=judges,
        pairs=pairs,
        alphas=alphas,
        answers=answers,
        shared=shared,
        replicates=replicates,
        remarks=tuple(remarks),
    )


def _replicates(answers: int) -> int:
    if answers > MOST_ANSWERS:
        return 0
    return max(FEWEST, min(REPLICATES, DRAWN // max(answers, 1)))


def _by_item(marks: MarkMatrix, draws: BootstrapDraws | None) -> BootstrapDraws | None:
    """Return draws of whole items: what several models answered to one prompt hangs together."""
    if draws is None:
        return None
    places: dict[str, int] = {}
    clusters = [places.setdefault(answer.item, len(places)) for answer in marks.answers]
    return BootstrapDraws(draws.rng, draws.replicates, draws.level, np.array(clusters))


def _verbosity(marks: MarkMatrix, draws: BootstrapDraws | None) -> dict[str, Verbosity]:
    """Return each judge's liking for length, where at least one item has answers of different lengths."""
    if np.isnan(marks.lengths).all():
        return {}
    places: dict[str, int] = {}
    prompts = np.array([places.setdefault(answer.item, len(places)) for answer in marks.answers])
    found = verbosity(marks.table, marks.lengths, prompts, draws)
    return {
        judge: each for judge, each in zip(marks.judges, found, strict=True) if each.slope.value is not None
    }


def _alphas(marks: MarkMatrix, draws: BootstrapDraws | None) -> tuple[DistanceAlpha, ...]:
    """Return alpha by every distance that the scale has: of names nominal, of numbers all three.

    With two categories all three are the same.
    """
    distances: list[Distance] = ["nominal"] if marks.scale.codes else []
    if marks.scale.ordered and len(marks.scale.codes) != 2:
        distances += ["ordinal", "interval"] if marks.scale.kind == "numbers" else ["ordinal"]
    return tuple(DistanceAlpha.of(name, krippendorff_alpha(marks.table, name, draws)) for name in distances)
