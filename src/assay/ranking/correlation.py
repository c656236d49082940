"""Correlations of one ranking of models with others, on the models that both have (seed 003, table 3)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from assay.results.study import RankingCorrelation, ScorePoint
from assay.stats.p_values import holm
from assay.stats.rank_correlation import LEAST, correlate_ranks, reliability

Scores = Mapping[str, float]
NamedScores = tuple[str, Scores, Scores]
"""A ranking: its name, scores by model, and standard errors by model (empty if they are not known)."""


def correlate_rankings(
    first: NamedScores, others: Sequence[NamedScores], rng: np.random.Generator
) -> tuple[RankingCorrelation, ...]:
    """Return the correlation of one ranking with each of the others, corrected over all of them.

    Source: docs/methodology/correlation.md.
    """
    rows = [_correlate(first, other, rng) for other in others]
    tested = [place for place, row in enumerate(rows) if row.p is not None]
    adjusted = holm([rows[place].p or 0.0 for place in tested])
    for place, p in zip(tested, adjusted, strict=True):
        rows[place] = replace(rows[place], p_holm=float(p))
    return tuple(rows)


def _correlate(first: NamedScores, second: NamedScores, rng: np.random.Generator) -> RankingCorrelation:
    models = [model for model in first[1] if model in second[1]]
    x, y = ([side[1][model] for model in models] for side in (first, second))
    shares = [
        reliability(values, [side[2][model] for model in models])
        if models and all(model in side[2] for model in models)
        else None
        for side, values in ((first, x), (second, y))
    ]
    fitted = correlate_ranks(x, y, rng) if len(models) >= LEAST else None
    known = [share for share in shares if share is not None]
    corrected = None
    if fitted is not None and known:
        corrected = max(-1.0, min(1.0, fitted.rho / math.sqrt(math.prod(known))))
    return RankingCorrelation(
        first=first[0],
        second=second[0],
        n=len(models),
        rho=None if fitted is None else fitted.rho,
        rho_interval=None if fitted is None else fitted.rho_interval,
        p=None if fitted is None else fitted.rho_p,
        p_holm=None,
        tau=None if fitted is None else fitted.tau,
        tau_interval=None if fitted is None else fitted.tau_interval,
        tau_p=None if fitted is None else fitted.tau_p,
        exact=fitted is not None and fitted.exact,
        least=None if fitted is None else fitted.least,
        first_reliability=shares[0],
        second_reliability=shares[1],
        corrected=corrected,
        reason=None if fitted is not None else _reason(first[0], second[0], x, y),
        points=tuple(ScorePoint(model, *pair) for model, *pair in zip(models, x, y, strict=True)),
    )


def _reason(first: str, second: str, x: Sequence[float], y: Sequence[float]) -> str:
    if len(x) < LEAST:
        return f"{len(x)} models have both scores, and a correlation needs {LEAST}"
    constant = first if len(set(x)) == 1 else second
    return f"all models have the same score in {constant!r}"
