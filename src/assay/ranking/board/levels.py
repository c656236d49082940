"""The levels of a causal suite compared: accuracies, pairs of models that differ, and discrimination."""

from __future__ import annotations

import numpy as np

from assay.ranking.board.cells import over
from assay.ranking.board.keyed import REPLICATES, resample_bundles, right_shares
from assay.ranking.board.keyed_answers import Answers
from assay.ranking.board.measured import FloatArray
from assay.ranking.board.pairs import compare
from assay.results.causal_calibration import LevelItem, LevelResult, LevelScore
from assay.stats.intervals import clustered_share
from assay.stats.item_response import item_rest_correlation


def compare_levels(
    answers: Answers, rng: np.random.Generator, *, replicates: int = REPLICATES, alpha: float = 0.05
) -> tuple[LevelResult, ...]:
    """Return the models' results on each level, lowest first.

    Twins and questions without a level are left out. Pairs of models are tested as on the keyed board, with
    Holm's correction over the pairs of one level. Discrimination is that of `assay rank items`: the
    correlation with the models' mean on the other questions of all levels.
    """
    answers = answers.originals
    staged = [place for place, question in enumerate(answers.questions) if question.level is not None]
    if not staged:
        return ()
    answers = answers.take(questions=np.array(staged))
    discrimination = item_rest_correlation(right_shares(answers))
    levels = np.array([question.level for question in answers.questions])
    results = []
    for level, seed in zip(sorted(set(levels.tolist())), rng.spawn(len(set(levels.tolist()))), strict=True):
        chosen = np.flatnonzero(levels == level)
        found = answers.take(questions=chosen)
        results.append(_level(found, level, discrimination[chosen], seed, replicates, alpha))
    return tuple(results)


def _level(
    answers: Answers,
    level: int,
    discrimination: FloatArray,
    rng: np.random.Generator,
    replicates: int,
    alpha: float,
) -> LevelResult:
    draws = resample_bundles(answers, rng, replicates)
    comparisons = compare(answers.models, draws.exact, draws, 1.0 - alpha)
    upper = np.triu(np.ones_like(comparisons.p, dtype=np.bool_), 1)
    shares = right_shares(answers)
    models = tuple(_score(answers, place, 1.0 - alpha) for place in range(len(answers.models)))
    accuracies = [model.accuracy for model in models if model.accuracy is not None]
    known = discrimination[~np.isnan(discrimination)]
    means = over(shares, 0)
    return LevelResult(
        level=level,
        questions=len(answers.questions),
        models=models,
        mean=sum(accuracies) / len(accuracies) if accuracies else None,
        pairs=int((upper & ~np.isnan(comparisons.difference)).sum()),
        different=int((upper & comparisons.significant(alpha)).sum()),
        discrimination=float(known.mean()) if len(known) else None,
        constant=sum(_constant(shares[:, place]) for place in range(len(answers.questions))),
        reversed=int((known < 0.0).sum()),
        items=tuple(
            LevelItem(question.id, _known(means[place]), _known(discrimination[place]))
            for place, question in enumerate(answers.questions)
        ),
    )


def _score(answers: Answers, model: int, level: float) -> LevelScore:
    answered, right = answers.answered[:, model], answers.right[:, model]
    n, hits = (np.bincount(answers.bundles, mask.sum(axis=0)) for mask in (answered, right))
    total = int(n.sum())
    if not total:
        return LevelScore(answers.models[model], 0, 0, None, None)
    interval = clustered_share(hits, n, level=level)
    return LevelScore(answers.models[model], int(hits.sum()), total, float(hits.sum()) / total, interval)


def _constant(shares: FloatArray) -> bool:
    known = shares[~np.isnan(shares)]
    return len(known) > 1 and bool(np.ptp(known) == 0.0)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
