"""Exam results from stored marks: series with ranks, unofficial sittings, standings and comparisons."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np
import orjson
from sqlalchemy import Engine

from assay.core.errors import NotFound
from assay.core.exam import Prompting, SessionState
from assay.core.model import Model
from assay.core.question import SourceKind
from assay.exam.series import all_series, is_simulated, unknown_series
from assay.exam.tally import counted, lacking, metering, standings, tally
from assay.grading.model_family import excluded
from assay.ranking.board.pairs import Comparisons, rank_ranges
from assay.ranking.exam.hierarchy import CountedSitting, Hierarchy, compare_models, fit, marks_of
from assay.ranking.exam.relative import ReferenceSittings, relative
from assay.ranking.exam.scores import missing_for_publication, score, summarise_scores, variance
from assay.results.exam import (
    DrawSizeComparison,
    DrawSizeRow,
    DrawSizeTrial,
    ExamResults,
    Identity,
    ModelRatio,
    ModelResult,
    OfficialSeries,
    PromptingComparison,
    PromptingRow,
    Rank,
    ScoreDifference,
    SeriesResult,
    SubjectMean,
)
from assay.results.exam_sitting import ReferenceBasis, Relative, SittingResult, SittingRow
from assay.results.published import document
from assay.store.engine import reading, writing
from assay.store.exam.answers import list_sittings, questions_of_source
from assay.store.exam.marks import count_marks
from assay.store.exam.series import Entrant, keep_standings, standing_document, version_of

SAME = 1e-9
"""Models whose means differ by less share a rank."""


def read_results(
    engine: Engine,
    judge: str,
    *,
    reference: Identity | None = None,
    draw: str | None = None,
    series: str | None = None,
    simulated_judge: bool = False,
) -> ExamResults:
    """Return the results of all exams under a judge, or of one series.

    `reference` replaces the pinned reference of each series that contains it, and is the reference of the
    unofficial sittings. `draw` limits the results to a named draw. Raises NotFound for an unknown reference,
    draw or series.
    """
    known = all_series(engine)
    if series is not None and series not in {official.name for official, _ in known}:
        raise unknown_series(series, [official.name for official, _ in known])
    rows = [_sitting_result(engine, sitting, judge) for sitting in list_sittings(engine, draw=draw)]
    if draw is not None and not rows:
        raise NotFound(f"unknown draw {draw!r}: no session has sat a draw of this name")
    _check_reference(reference, rows)
    official = tuple(
        _series_result(rules, entrants, rows, judge, reference)
        for rules, entrants in known
        if series in (None, rules.name) and draw in (None, rules.draw_name)
    )
    ranked = [model for result in official for model in result.models]
    unofficial = [] if series is not None else _unofficial(rows, judge)
    if reference is not None:
        every = [*unofficial, *ranked]
        unofficial = [
            _with_relative(model, _most_sat(every, reference, model.prompting)) for model in unofficial
        ]
    unofficial.sort(key=lambda model: model.identity)
    public = questions_of_source(engine, SourceKind.EXAMPLE)
    shown = [row for model in (*ranked, *unofficial) for row in model.sittings]
    examples = sum(public.get(row.sitting.session, 0) for row in shown)
    return ExamResults(judge, simulated_judge, official, tuple(unofficial), count_marks(engine), examples)


def results_of_main_judge(engine: Engine) -> ExamResults:
    """Return the results of all exams under the judge that gave most marks; NotFound without a mark."""
    marks = count_marks(engine)
    if not marks:
        raise NotFound("no exam was marked yet: run `assay exam mark SESSION`")
    judge = max(marks, key=lambda name: marks[name])
    return read_results(engine, judge, simulated_judge=judge.startswith("simulated/"))


def read_standings(engine: Engine, judge: str, *, now: float) -> list[dict[str, Any]]:
    """Return the standings of every series under a judge; unchanged series are read from stored standings."""
    return [_read_standing(engine, series, entrants, judge, now) for series, entrants in all_series(engine)]


def _read_standing(
    engine: Engine, series: OfficialSeries, entrants: Sequence[Entrant], judge: str, now: float
) -> dict[str, Any]:
    with reading(engine) as connection:
        stored = standing_document(connection, series.id, judge)
        # Read before the figures: figures that are newer than their version are only computed once more.
        version = version_of(connection, series.id)
    if stored is not None:
        standing: dict[str, Any] = orjson.loads(stored)
        return standing
    standing = series_document(read_series(engine, series, entrants, judge))
    with writing(engine) as connection:
        keep_standings(connection, series.id, judge, version, orjson.dumps(standing).decode(), now=now)
    return standing


def read_series(
    engine: Engine, series: OfficialSeries, entrants: Sequence[Entrant], judge: str
) -> SeriesResult:
    """Return the results of one series under a judge."""
    rows = [_sitting_result(engine, sitting, judge) for sitting in list_sittings(engine, series=series.id)]
    return _series_result(series, entrants, rows, judge, None)


def series_document(series: SeriesResult) -> dict[str, Any]:
    """Return a series' rules and figures without single sittings, as they are stored and served."""
    standing: dict[str, Any] = document(series)
    for model in standing["models"]:
        del model["sittings"]
    return standing


def _series_result(
    series: OfficialSeries,
    entrants: Sequence[Entrant],
    rows: Sequence[SittingResult],
    judge: str,
    reference: Identity | None,
) -> SeriesResult:
    """Return the results of a series; sittings of other series or against its rules are left out."""
    own: dict[Identity, list[SittingResult]] = {entrant.identity: [] for entrant in entrants}
    for row in rows:
        sitting = row.sitting
        identity = Identity(sitting.organisation_name, sitting.model)
        follows_rules = sitting.drawn == series.allocation and sitting.prompting is series.prompting
        if sitting.series == series.id and identity in own and follows_rules:
            own[identity].append(row)
    models = []
    for organisation, identity, *_ in entrants:
        group = _Sittings(identity, organisation, series.name, series.prompting, own[identity])
        missing = missing_for_publication([row.state for row in group.rows], least=series.sittings)
        models.append(_model_result(group, judge, missing))
    ranked = sorted(
        (model for model in models if model.published and model.score is not None),
        key=lambda model: (-(model.score.mean if model.score else 0.0), model.identity),
    )
    divisor = reference if reference is not None and reference in own else series.reference
    others = sorted((model for model in models if not model.published), key=lambda model: model.identity)
    if not ranked:
        return SeriesResult(series, divisor, tuple(others), (), None)
    fitted = fit(marks_of([_counted(model.sittings) for model in ranked]))
    pairs = compare_models(tuple(str(model.identity) for model in ranked), fitted)
    first = next((row for row, model in enumerate(ranked) if model.identity == divisor), None)
    placed = [_place(model, row, fitted, pairs, first) for row, model in enumerate(ranked)]
    sat = None if first is None else ranked[first]
    compared = tuple(_with_relative(model, sat) for model in (*placed, *others))
    differences = _differences([model.identity for model in ranked], pairs)
    return SeriesResult(series, divisor, compared, differences, fitted.sitting_sd)


def _differences(ranked: Sequence[Identity], pairs: Comparisons) -> tuple[ScoreDifference, ...]:
    """Return the difference in S of each pair of ranked models, the better one first."""
    matrices = (pairs.difference, pairs.low, pairs.high, pairs.p, pairs.p_holm)
    return tuple(
        ScoreDifference(first, second, *(float(matrix[row, column]) for matrix in matrices))
        for (row, first), (column, second) in combinations(enumerate(ranked), 2)
    )


def _place(
    model: ModelResult, row: int, fitted: Hierarchy, pairs: Comparisons, reference: int | None
) -> ModelResult:
    """Return a published model with its score, R and rank from the model of all marks."""
    values = [sitting.score.value for sitting in model.sittings if sitting.counts and sitting.score]
    reach = rank_ranges(fitted.means, pairs)[row]
    assert reach is not None
    above = int(np.count_nonzero(fitted.means > fitted.means[row] + SAME))
    ratio = None if reference in (None, row) else fitted.ratio(row, reference)
    return replace(
        model,
        score=summarise_scores(values, fitted.score(row)),
        relative=ModelRatio(100.0, None) if row == reference else ratio and ModelRatio(*ratio),
        rank=Rank(above + 1, reach),
    )


def _counted(rows: Iterable[SittingResult]) -> list[CountedSitting]:
    return [(row.questions, row.sitting.drawn) for row in rows if row.counts]


def _sitting_result(engine: Engine, sitting: SittingRow, judge: str) -> SittingResult:
    rows = tally(engine, sitting.session, judge)
    questions, without_stars = counted(rows), lacking(rows)
    complete = without_stars == 0 and sitting.state is not SessionState.OPEN
    return SittingResult(
        sitting,
        standings(rows),
        without_stars,
        questions,
        score(questions, sitting.drawn) if complete else None,
        None,
        metering(rows),
    )


@dataclass(frozen=True, slots=True)
class _Sittings:
    """The sittings of one model under one prompting; `series` is None for unofficial ones."""

    identity: Identity
    organisation: int
    series: str | None
    prompting: Prompting
    rows: Sequence[SittingResult]


def _unofficial(rows: Sequence[SittingResult], judge: str) -> list[ModelResult]:
    groups: dict[tuple[str, int, Prompting, bool], list[SittingResult]] = defaultdict(list)
    for row in rows:
        sitting = row.sitting
        if sitting.series is None:
            key = sitting.model, sitting.organisation, sitting.prompting, sitting.simulated
            groups[key].append(row)
    return [
        _model_result(
            _Sittings(
                Identity(group[0].sitting.organisation_name, model), organisation, None, prompting, group
            ),
            judge,
            (),
        )
        for (model, organisation, prompting, _), group in groups.items()
    ]


def _model_result(group: _Sittings, judge: str, missing: tuple[str, ...]) -> ModelResult:
    counting = [row for row in group.rows if row.counts]
    values = [row.score.value for row in counting if row.score is not None]
    model = group.identity.model
    return ModelResult(
        group.identity,
        group.organisation,
        group.series,
        group.prompting,
        is_simulated(model),
        tuple(group.rows),
        summarise_scores(values, fit(marks_of([_counted(counting)])).score(0)) if counting else None,
        None,
        None,
        {},
        None,
        _subjects(counting),
        missing,
        sum(row.state.abandoned for row in group.rows),
        sum(row.state.void for row in group.rows),
        len({row.sitting.draw for row in counting}),
        _kinship(judge, model),
    )


def _subjects(sittings: Iterable[SittingResult]) -> tuple[SubjectMean, ...]:
    scores: dict[str, list[float]] = defaultdict(list)
    for sitting in sittings:
        for subject in sitting.subjects:
            if subject.score is not None:
                scores[subject.code].append(subject.score)
    return tuple(SubjectMean(code, sum(own) / len(own), len(own)) for code, own in scores.items())


def _kinship(judge: str, model: str) -> str | None:
    """Return why a judge would not mark a model on a panel; an exam has one judge, so this is only shown."""
    first, second = (Model(*name.partition("/")[::2]) for name in (judge, model))
    return excluded(first, second, "family")


def _check_reference(reference: Identity | None, rows: Sequence[SittingResult]) -> None:
    known = {Identity(row.sitting.organisation_name, row.sitting.model) for row in rows}
    if reference is not None and reference not in known:
        names = ", ".join(sorted(map(str, known))) or "there are no sittings yet"
        raise NotFound(f"reference {str(reference)!r} has no sitting: give one of the models ({names})")


def _most_sat(models: Sequence[ModelResult], identity: Identity, prompting: Prompting) -> ModelResult | None:
    """Return the result of a model under a prompting that has the most sittings."""
    own = [
        model
        for model in models
        if model.identity == identity and model.prompting is prompting and model.score
    ]
    return max(own, key=lambda model: model.score.n if model.score else 0, default=None)


def _with_relative(model: ModelResult, other: ModelResult | None) -> ModelResult:
    """Return a model's results with R of each sitting relative to another model, the reference."""
    if other is None:
        return model
    counting = [row for row in other.sittings if row.counts]
    reference = ReferenceSittings(
        str(other.identity),
        tuple((row.sitting.draw, row.questions) for row in counting),
        tuple(row.score for row in counting if row.score is not None),
    )
    is_reference = (model.identity, model.series) == (other.identity, other.series)

    def relative_of(row: SittingResult) -> Relative | None:
        if row.score is None or (is_reference and not row.counts):
            return None
        if is_reference:
            return Relative(100.0, ReferenceBasis.ITSELF, row.score.n, None)
        return relative(row.sitting.draw, row.questions, row.score, row.sitting.drawn, reference)

    rows = tuple(replace(row, relative=relative_of(row)) for row in model.sittings)
    bases = Counter(row.relative.basis for row in rows if row.counts and row.relative is not None)
    return replace(model, sittings=rows, bases=bases, reference=other.identity)


def by_prompting(results: ExamResults) -> PromptingComparison:
    """Return S of each model under each prompting, with mean and population variance (tables 2 and 8)."""
    groups: dict[tuple[Identity, bool], list[ModelResult]] = defaultdict(list)
    for model in results.models:
        if model.score is not None:
            groups[model.identity, model.simulated].append(model)
    rows = []
    for (identity, simulated), models in groups.items():
        values: dict[Prompting, list[float]] = defaultdict(list)
        draws = set()
        for model in models:
            for sitting in model.sittings:
                if sitting.counts and sitting.score is not None:
                    values[model.prompting].append(sitting.score.value)
                    draws.add(sitting.sitting.draw)
        scores = {prompting: fmean(own) for prompting, own in values.items()}
        all_three = list(scores.values()) if len(scores) == len(Prompting) else []
        rows.append(
            PromptingRow(
                identity.model,
                identity.organisation,
                simulated,
                {prompting: scores.get(prompting) for prompting in Prompting},
                sum(all_three) / len(all_three) if all_three else None,
                variance(all_three, "population"),
                len(draws),
            )
        )
    return PromptingComparison(results, tuple(rows))


def by_draw_size(results: ExamResults) -> DrawSizeComparison:
    """Return R of each model in each sitting by the size of the draw, with sample variance (table 9)."""
    rows = []
    for model in results.models:
        trials = sorted(
            (
                DrawSizeTrial(row.sitting.session, row.sitting.n, row.relative.value, row.relative.basis)
                for row in model.sittings
                if row.counts and row.relative is not None
            ),
            key=lambda trial: trial.n,
        )
        values = [trial.relative for trial in trials]
        rows.append(
            DrawSizeRow(
                model.identity.model,
                model.identity.organisation,
                model.prompting,
                model.simulated,
                tuple(trials),
                sum(values) / len(values) if values else None,
                variance(values, "sample"),
            )
        )
    return DrawSizeComparison(results, tuple(rows))
