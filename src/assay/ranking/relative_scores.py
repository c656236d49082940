"""Absolute and relative scores of models (equations 1 and 2 of seed 003), with intervals and rank ranges."""

from __future__ import annotations

from collections import Counter

import numpy as np
import scipy

from assay.core.errors import InvalidInput
from assay.ranking.board.pairs import rank_ranges
from assay.ranking.exam.hierarchy import SittingMarks, compare_models, fit
from assay.ranking.exam.relative import ReferenceSittings, relative
from assay.ranking.exam.scores import MOST_STARS, score
from assay.ranking.score_table import ScoreSource, ScoreTable
from assay.results.exam_sitting import CountedQuestion, ReferenceBasis, Relative
from assay.results.rank import EquatedScore, EquatingModel, ScoredModel, ScoreRanking
from assay.stats.intervals import Interval
from assay.stats.item_response import fit_rasch, fit_two_parameter

SAME = 1e-9
"""Models whose scores differ by less share a rank."""


def rank_scores(
    source: ScoreSource, reference: str | None = None, equating: EquatingModel = EquatingModel.RASCH
) -> ScoreRanking:
    """Return the models of a source ranked by their scores; see `score_models`."""
    models = score_models(source.table, reference, source.marks, equating)
    return ScoreRanking(source.about, reference or models[0].model, models)


def score_models(
    table: ScoreTable,
    reference: str | None = None,
    marks: SittingMarks | None = None,
    equating: EquatingModel = EquatingModel.RASCH,
) -> tuple[ScoredModel, ...]:
    """Return the scores of all models, best first, relative to a reference (default: the best model).

    `marks` are the marks of each sitting, if models had several sittings; the interval of S then includes
    the variation between sittings. S weighs each stratum by its number of items. Where models have scores on
    different items there is an equated score too, by the model `equating`. Raises InvalidInput for an
    unknown reference. Source: seed 003, equations 1 and 2; docs/methodology/rank.md.
    """
    fitted = fit(table.marks() if marks is None else marks)
    if reference is not None and reference not in table.models:
        raise InvalidInput(f"unknown reference {reference!r}: give one of {', '.join(table.models)}")
    best = int(np.argmax(fitted.means))
    place = best if reference is None else table.models.index(reference)
    pairs = compare_models(table.models, fitted)
    ranges = rank_ranges(fitted.means, pairs)
    relatives = relative_to(table, place)
    equated = [None] * len(table.models) if table.complete else equate(table, equating)
    rows = [
        ScoredModel(
            model=model,
            rank=1 + int(np.count_nonzero(fitted.means > fitted.means[row] + SAME)),
            ranks=ranges[row],
            n=int(table.scored[row].sum()),
            score=100.0 * float(fitted.means[row]),
            score_interval=fitted.score(row),
            relative=relatives[row],
            equated=equated[row],
        )
        for row, model in enumerate(table.models)
    ]
    return tuple(sorted(rows, key=lambda row: (row.rank, row.model)))


def equate(table: ScoreTable, equating: EquatingModel, level: float = 0.95) -> list[EquatedScore | None]:
    """Return each model's expected score over the whole bank, with its interval on the logit scale.

    Source: docs/methodology/item-statistics.md.
    """
    fit_items = fit_rasch if equating is EquatingModel.RASCH else fit_two_parameter
    values, errors = fit_items(table.scores).bank_scores()
    reach = float(scipy.special.ndtri(0.5 + level / 2.0)) * errors / (values * (1.0 - values))
    ends = 100.0 * scipy.special.expit(scipy.special.logit(values) + np.array([-1.0, 1.0])[:, None] * reach)
    return [
        EquatedScore(100.0 * float(value), Interval(float(low), float(high), level), equating)
        for value, low, high in zip(values, *ends, strict=True)
    ]


def relative_to(table: ScoreTable, reference: int) -> tuple[Relative | None, ...]:
    """Return R of each model relative to the model at place `reference`; None if that scores 0.

    Models are compared on the items that both have (`relative` says on what each R rests).
    """
    weights = Counter(table.strata)
    counted = [
        tuple(
            CountedQuestion(int(item), table.strata[item], MOST_STARS * float(scores[item]))
            for item in np.flatnonzero(~np.isnan(scores))
        )
        for scores in table.scores
    ]
    own = [score(questions, weights) for questions in counted]
    theirs = own[reference]
    assert theirs is not None  # every model of a table has a score
    sittings = ReferenceSittings(table.models[reference], ((0, counted[reference]),), (theirs,))
    same = [bool((scored == table.scored[reference]).all()) for scored in table.scored]
    results: list[Relative | None] = []
    for row, questions in enumerate(counted):
        mine = own[row]
        assert mine is not None
        if row == reference:
            results.append(Relative(100.0, ReferenceBasis.ITSELF, len(questions), None))
        else:
            results.append(relative(0 if same[row] else 1, questions, mine, weights, sittings))
    return tuple(results)
