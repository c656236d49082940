"""Bundle consistency: whether a model's right answers keep together by concept or are scattered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.ranking.keyed.answers import Answers
from assay.ranking.measured import BoolArray, FloatArray
from assay.stats.poisson_binomial import at_least


@dataclass(frozen=True, slots=True)
class KRight:
    """How many bundles have exactly `k` questions right, and how many would if rights were scattered."""

    k: int
    bundles: int
    expected: float


@dataclass(frozen=True, slots=True)
class Consistency:
    """How many questions of a bundle a model has right together.

    A bundle counts once for each epoch in which all its questions were answered (invalid ones are not right);
    `left_out` are those with an error, an ungraded or an absent answer. `mean` is the mean k, `whole` the
    share of bundles with all questions right. Expected figures suppose that the model is right on each
    question with its own accuracy on that variant, independently of the bundle. `dispersion` is the variance
    of k over what that gives: 1 for scattered rights, up to the size of a bundle where concepts are known
    whole or not at all. `p` is one-sided, for more than 1. All None without a bundle.
    """

    bundles: int
    left_out: int
    spread: tuple[KRight, ...]
    mean: float | None
    whole: float | None
    whole_expected: float | None
    dispersion: float | None
    p: float | None


def consistency(
    answers: Answers, model: int, rng: np.random.Generator, *, replicates: int = 2000
) -> Consistency:
    """Return how one model's rights keep together. Only bundles of two questions or more are counted."""
    numbers = answers.bundles
    members = [np.flatnonzero(numbers == bundle) for bundle in range(len(answers.concepts))]
    members = [places for places in members if len(places) > 1]
    answered, right = answers.answered[:, model], answers.right[:, model]
    whole = np.array(
        [[answered[epoch, places].all() for places in members] for epoch in range(answers.epochs)]
    )
    asked = np.array([(answers.status[:, model][:, places] != 0).any(axis=1) for places in members]).T
    left_out = int(np.count_nonzero(asked & ~whole)) if members else 0
    if not members or not whole.any():
        return Consistency(0, left_out, (), None, None, None, None, None)
    counting = np.zeros(right.shape, dtype=np.bool_)
    for bundle, places in enumerate(members):
        counting[np.ix_(whole[:, bundle], places)] = True
    rates = _rates(answers, right, counting)
    kept = [
        (epoch, places) for bundle, places in enumerate(members) for epoch in np.flatnonzero(whole[:, bundle])
    ]
    reached = [(int(right[epoch, places].sum()), len(places)) for epoch, places in kept]
    spread = _spread([k for k, _ in reached], [tuple(rates[places].tolist()) for _, places in kept])
    full = sum(_exactly(tuple(rates[places].tolist()))[-1] for _, places in kept)
    dispersion, p = _dispersion(answers, right, counting, rng, replicates)
    n = len(kept)
    return Consistency(
        bundles=n,
        left_out=left_out,
        spread=spread,
        mean=sum(k for k, _ in reached) / n,
        whole=sum(k == size for k, size in reached) / n,
        whole_expected=full / n,
        dispersion=dispersion,
        p=p,
    )


def _rates(answers: Answers, right: BoolArray, counting: BoolArray) -> FloatArray:
    """Return for each question (Q,) the accuracy on its variant, over the bundles that count."""
    rates = np.zeros(len(answers.questions))
    for variant in answers.variants:
        places = np.array([each.variant == variant for each in answers.questions])
        n = int(counting[:, places].sum())
        rates[places] = (right & counting)[:, places].sum() / n if n else 0.0
    return rates


def _spread(reached: list[int], chances: list[tuple[float, ...]]) -> tuple[KRight, ...]:
    most = max(len(each) for each in chances)
    expected = np.zeros(most + 1)
    for each in chances:
        exactly = _exactly(each)
        expected[: len(exactly)] += exactly
    return tuple(KRight(k, reached.count(k), float(expected[k])) for k in range(most + 1))


@lru_cache(maxsize=4096)
def _exactly(chances: tuple[float, ...]) -> tuple[float, ...]:
    """Return the chance of each number of independent events (Poisson-binomial)."""
    tails = [at_least(k, chances) for k in range(len(chances) + 2)]
    return tuple(max(0.0, tails[k] - tails[k + 1]) for k in range(len(chances) + 1))


def _dispersion(
    answers: Answers, right: BoolArray, counting: BoolArray, rng: np.random.Generator, replicates: int
) -> tuple[float | None, float | None]:
    """Return the variance of k over its mean when each variant's rights are dealt out anew, and its p.

    Questions are dealt with all their epochs together, for the epochs of one question are alike.
    """
    times = counting.sum(axis=0)
    there = np.flatnonzero(times)
    share = (right & counting).sum(axis=0)[there] / times[there]
    bundle = np.unique(answers.bundles[there], return_inverse=True)[1]
    names = answers.variants
    variant = np.array([names.index(answers.questions[q].variant) for q in there])
    dealt = np.zeros((replicates, int(bundle.max()) + 1))
    for each in np.unique(variant):
        mine = np.flatnonzero(variant == each)
        hands = rng.permuted(np.tile(share[mine], (replicates, 1)), axis=1)
        dealt += hands @ np.eye(dealt.shape[1])[bundle[mine]]
    observed = _squares(np.bincount(bundle, weights=share)[None])[0]
    drawn = _squares(dealt)
    if drawn.max() <= 1e-9:
        return None, None
    more = int(np.count_nonzero(drawn >= observed - 1e-9))
    return float(observed / drawn.mean()), (1 + more) / (replicates + 1)


def _squares(totals: npt.NDArray[Any]) -> FloatArray:
    found: FloatArray = ((totals - totals.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return found
