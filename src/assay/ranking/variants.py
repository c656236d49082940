"""Variants of models compared on common questions: as a whole, by group, and all promptings of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.ranking.exam.hierarchy import fit
from assay.ranking.exam.scores import variance
from assay.ranking.score_table import ScoreTable
from assay.results.study import WHOLE, PromptedModel, VariantDifference
from assay.stats.intervals import Interval
from assay.stats.p_values import holm

FloatArray = npt.NDArray[np.float64]
LEAST = 2
"""Fewer common questions give no test."""
UNEQUAL = 1e-12


@dataclass(frozen=True, slots=True)
class VariantScores:
    """Scores of M models on N items under one variant, 0-1: `scores` (M, N), NaN for none."""

    name: str
    models: tuple[str, ...]
    items: tuple[str, ...]
    scores: FloatArray
    strata: tuple[str, ...]

    def of(self, model: str) -> dict[str, float]:
        """Return a model's scores by item."""
        row = self.scores[self.models.index(model)]
        return {item: float(value) for item, value in zip(self.items, row, strict=True) if value == value}


@dataclass(frozen=True, slots=True)
class VariantTest:
    """The difference of two columns of scores in points, with its standard error, interval and p."""

    difference: float
    error: float
    interval: Interval
    p: float


def compare_variants(base: VariantScores, others: Sequence[VariantScores]) -> tuple[VariantDifference, ...]:
    """Return each variant less the base, over all questions and in each group.

    Models of the same name are compared; a variant with one model is compared with a base with one model
    under any names. Holm's correction is over all wholes, and apart from that over all groups. Raises
    InvalidInput if no model has both. Source: docs/methodology/variants.md.
    """
    wholes: list[VariantDifference] = []
    groups: list[VariantDifference] = []
    strata = {
        item: group for arm in (*others, base) for item, group in zip(arm.items, arm.strata, strict=True)
    }
    for other in others:
        for first, second in _pairs(base, other):
            left, right = base.of(first), other.of(second)
            items = [item for item in base.items if item in left and item in right]
            kinds = [strata[item] for item in items]
            row = VariantDifference(
                second, base.name, other.name, WHOLE, len(items), None, None, None, None, None, None, None
            )
            wholes.append(_tested(row, left, right, items, kinds))
            names = sorted({strata[item] for item in {**left, **right}})
            if len(names) > 1:
                for name in names:
                    own = [item for item in items if strata[item] == name]
                    named = replace(row, group=name, n=len(own))
                    groups.append(_tested(named, left, right, own, [name] * len(own)))
    return (*_corrected(wholes), *_corrected(groups))


def _pairs(base: VariantScores, other: VariantScores) -> list[tuple[str, str]]:
    if len(base.models) == len(other.models) == 1:
        return [(base.models[0], other.models[0])]
    pairs = [(model, model) for model in other.models if model in base.models]
    if not pairs:
        raise InvalidInput(
            f"{base.name!r} and {other.name!r} have no model in common: name one model of each, as in "
            f"--variant {other.name}=SOURCE@{other.models[0]}"
        )
    return pairs


def _tested(
    row: VariantDifference,
    left: dict[str, float],
    right: dict[str, float],
    items: Sequence[str],
    strata: Sequence[str],
) -> VariantDifference:
    first, second = (np.array([side[item] for item in items]) for side in (left, right))
    if not items:
        return replace(row, reason="no question in common")
    means = 100.0 * float(first.mean()), 100.0 * float(second.mean())
    scored = replace(row, base_score=means[0], score=means[1], difference=means[1] - means[0])
    if len(items) < LEAST:
        return replace(scored, reason=f"one question in common: a test needs {LEAST}")
    test = paired_test(first, second, strata)
    return replace(scored, difference=test.difference, interval=test.interval, p=test.p)


def paired_test(
    first: FloatArray, second: FloatArray, strata: Sequence[str], level: float = 0.95
) -> VariantTest:
    """Return the second column of scores (N,) less the first, in points, from the model of all marks.

    p is the larger of the model's t test and 2^(1 - k), the smallest p of the sign test on the k questions
    on which the two differ. Source: `ranking.exam.hierarchy`; docs/methodology/variants.md.
    """
    names = tuple(map(str, range(len(first))))
    fitted = fit(ScoreTable(("first", "second"), names, np.stack([first, second]), tuple(strata)).marks())
    difference, estimated = fitted.difference(1, 0)
    half = estimated.half_width(level)
    unequal = int(np.count_nonzero(np.abs(second - first) > UNEQUAL))
    p = min(1.0, max(estimated.p(difference), 2.0 ** (1 - unequal)))
    return VariantTest(
        difference,
        float(np.sqrt(estimated.variance)),
        Interval(difference - half, difference + half, level),
        p,
    )


def _corrected(rows: Sequence[VariantDifference]) -> list[VariantDifference]:
    tested = [row for row in rows if row.p is not None]
    adjusted = iter(holm([row.p or 0.0 for row in tested]))
    return [row if row.p is None else replace(row, p_holm=float(next(adjusted))) for row in rows]


def compare_promptings(
    arms: Sequence[VariantScores],
) -> tuple[tuple[PromptedModel, ...], tuple[VariantDifference, ...]]:
    """Return each model's scores by prompting, and the paired tests of all pairs of promptings.

    Scores, mean and variance are over the questions with a score under every prompting of the model; if there
    are none, over each prompting's own questions, without a test. Source: seed 003, tables 2 and 8;
    docs/methodology/variants.md.
    """
    models = list(dict.fromkeys(model for arm in arms for model in arm.models))
    prompted, differences = [], []
    for model in models:
        row, tests = _prompted(
            model, [arm for arm in arms if model in arm.models], [arm.name for arm in arms]
        )
        prompted.append(row)
        differences += tests
    return tuple(prompted), tuple(_corrected(differences))


def _prompted(
    model: str, own: Sequence[VariantScores], names: Sequence[str]
) -> tuple[PromptedModel, list[VariantDifference]]:
    given = {arm.name: arm.of(model) for arm in own}
    strata = {item: group for arm in own for item, group in zip(arm.items, arm.strata, strict=True)}
    common = [item for item in next(iter(given.values())) if all(item in side for side in given.values())]
    values = {
        name: 100.0 * float(np.mean([side[item] for item in common or side])) for name, side in given.items()
    }
    tests = []
    for first, second in combinations(own, 2):
        row = VariantDifference(
            model, first.name, second.name, WHOLE, len(common), None, None, None, None, None, None, None
        )
        kinds = [strata[item] for item in common]
        tests.append(_tested(row, given[first.name], given[second.name], common, kinds))
    complete = len(own) == len(names) > 1
    scores = list(values.values())
    return (
        PromptedModel(
            model,
            {name: values.get(name) for name in names},
            len(common) or None,
            sum(scores) / len(scores) if complete else None,
            variance(scores, "population") if complete else None,
            _chance(given, common, [strata[item] for item in common]) if complete else None,
        ),
        tests,
    )


def _chance(given: dict[str, dict[str, float]], common: Sequence[str], strata: Sequence[str]) -> float | None:
    """Return the expected population variance of k equal scores: sum of the pairs' error variances / k^2."""
    if len(common) < LEAST:
        return None
    columns = [np.array([side[item] for item in common]) for side in given.values()]
    errors = [paired_test(first, second, strata).error for first, second in combinations(columns, 2)]
    return sum(error**2 for error in errors) / len(columns) ** 2
