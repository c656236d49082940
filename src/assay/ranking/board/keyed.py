"""The keyed board: each model's rate of right letters, and which differences are significant.

Rates are over the visible answers and over all questions asked. The board also has a test against blind
guessing, and bundle consistency: whether right answers are concentrated in concepts or scattered.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.ranking.board.cells import over, ratio
from assay.ranking.board.keyed_answers import Answers, Names
from assay.ranking.board.measured import BoolArray, FloatArray, IntArray, Status
from assay.ranking.board.pairs import Comparisons, compare, rank_ranges
from assay.ranking.board.resampled import Resampled
from assay.ranking.board.score import answer_usage
from assay.ranking.board.twins import answers_to_twins
from assay.results.board_keyed import (
    KEYED_GROUPINGS,
    Accuracy,
    Chance,
    Consistency,
    KeyedGrouping,
    KeyedStanding,
    KRight,
    Part,
    Rights,
)
from assay.results.board_twins import ModelTwins
from assay.results.ranking import BoardSamples, RankRange
from assay.stats.intervals import clustered_share
from assay.stats.p_values import at_least
from assay.stats.resample import draw_counts

REPLICATES = 2000


@dataclass(frozen=True, slots=True)
class KeyedBoard:
    """Models by score, best first, then by name; models without one last.

    `comparisons` holds all pairs, in the order of the models' names, clustered by concept. `chance` is the
    expected rate of blind guessing on all questions. Intervals are at 1 - `alpha`, rank ranges at `alpha`
    over all pairs. `twins` has a line for each model, in the same order, if the suite has twins; they count
    nowhere else.
    """

    standings: tuple[KeyedStanding, ...]
    comparisons: Comparisons
    concepts: Names
    variants: Names
    questions: int
    epochs: int
    chance: float
    replicates: int
    alpha: float
    twins: tuple[ModelTwins, ...] = ()


def keyed_board(
    answers: Answers, rng: np.random.Generator, *, replicates: int = REPLICATES, alpha: float = 0.05
) -> KeyedBoard:
    """Compute the board of a keyed suite.

    The order of the models does not matter. Source: the causal part of seed 002; DESIGN, section 7;
    docs/methodology/keyed-board.md has every formula.
    """
    order = sorted(range(len(answers.models)), key=lambda place: answers.models[place])
    names = tuple(answers.models[place] for place in order)
    everything = answers.take(models=np.array(order))
    answers = everything.originals
    draws = resample_bundles(answers, rng, replicates)
    comparisons = compare(names, draws.exact, draws, 1.0 - alpha)
    ranks = rank_ranges(draws.exact, comparisons, alpha=alpha)
    seeds = rng.spawn(len(names))
    standings = [
        _standing(answers, place, float(draws.exact[place]), ranks[place], seeds[place], replicates, alpha)
        for place in range(len(names))
    ]
    standings.sort(key=lambda row: (row.score is None, -(row.score or 0.0), row.model))
    return KeyedBoard(
        standings=tuple(standings),
        comparisons=comparisons,
        concepts=answers.concepts,
        variants=answers.variants,
        questions=len(answers.questions),
        epochs=answers.epochs,
        chance=sum(question.chance for question in answers.questions) / len(answers.questions),
        replicates=replicates,
        alpha=alpha,
        twins=tuple(
            answers_to_twins(everything, names.index(row.model), level=1.0 - alpha) for row in standings
        )
        if everything is not answers
        else (),
    )


def rights_overall(answers: Answers, place: int, *, level: float = 0.95) -> Rights:
    """Return one model's right answers to all questions, with intervals over concepts."""
    everything = np.ones(len(answers.questions), dtype=np.bool_)
    return rights(answers, place, everything, answers.bundles, level=level)


def _standing(
    answers: Answers,
    place: int,
    score: float,
    ranks: RankRange | None,
    rng: np.random.Generator,
    replicates: int,
    alpha: float,
) -> KeyedStanding:
    whole = rights_overall(answers, place, level=1.0 - alpha)
    status = answers.status[:, place]
    taken = (status != Status.ABSENT) & (status != Status.ERROR)
    return KeyedStanding(
        model=answers.models[place],
        rights=whole,
        score=None if np.isnan(score) else score,
        ranks=ranks,
        chance=chance(answers, place, whole, alpha=alpha),
        consistency=consistency(answers, place, rng, replicates=replicates),
        **{
            grouping.field: _parts(answers, place, grouping, level=1.0 - alpha)
            for grouping in KEYED_GROUPINGS.values()
        },
        usage=answer_usage(
            latency=over(np.where(taken, answers.latency[:, place], np.nan), 0),
            tokens=over(np.where(taken, answers.tokens[:, place], np.nan), 0),
            status=status,
            cost=answers.cost[:, place],
        ),
    )


def _parts(answers: Answers, place: int, grouping: KeyedGrouping, *, level: float) -> tuple[Part, ...]:
    """Return one model's right answers by group; questions without the group are left out.

    A cluster is a bundle, but a question if the groups are the bundles themselves.
    """
    labels = [getattr(question, grouping.by) for question in answers.questions]
    clusters = np.arange(len(labels)) if grouping.by == "concept" else answers.bundles
    parts = []
    for name in grouping.ordered(dict.fromkeys(label for label in labels if label is not None)):
        chosen = np.array([label == name for label in labels])
        found = rights(answers, place, chosen, clusters, level=level)
        parts.append(Part(str(name), int(chosen.sum()), found))
    return tuple(parts)


def rights(
    answers: Answers, model: int, chosen: BoolArray, clusters: IntArray, *, level: float = 0.95
) -> Rights:
    """Count one model's right answers to the chosen questions (Q,) over all epochs.

    `clusters` (Q,) are the numbers of independent draws, from 0, for the intervals.
    """
    status, right = answers.status[:, model], answers.right[:, model]

    def by_cluster(mask: BoolArray) -> IntArray:
        totals = np.where(chosen, mask.sum(axis=0), 0)
        return np.bincount(clusters, weights=totals).astype(np.int64)

    hits = by_cluster(right)
    valid, asked = by_cluster(status == Status.OK), by_cluster(status != Status.ABSENT)
    return Rights(
        _accuracy(hits, valid, level),
        _accuracy(hits, asked, level),
        _samples(answers, model, chosen),
        right=int(hits.sum()),
        unread=int(np.count_nonzero((status == Status.OK) & ~answers.read[:, model] & chosen)),
    )


def _accuracy(right: IntArray, n: IntArray, level: float) -> Accuracy:
    total = int(n.sum())
    if not total:
        return Accuracy(None, None)
    return Accuracy(int(right.sum()) / total, clustered_share(right, n, level=level))


def _samples(answers: Answers, model: int, chosen: BoolArray) -> BoardSamples:
    status = answers.status[:, model][:, chosen]

    def of(mask: BoolArray) -> int:
        return int(np.count_nonzero(mask))

    return BoardSamples(
        n=of(status != Status.ABSENT),
        ok=of(status == Status.OK),
        invalid=of(status == Status.INVALID),
        truncated=of(answers.truncated[:, model][:, chosen] & (status == Status.INVALID)),
        error=of(status == Status.ERROR),
        ungraded=of(status == Status.UNGRADED),
    )


def chance(answers: Answers, model: int, counted: Rights, *, alpha: float = 0.05) -> Chance | None:
    """Test one model against guessing; None without a visible answer.

    Each question counts once, with the first visible answer, as a guesser may repeat its guess in every
    epoch. Guesses at different questions are independent, whatever the bundles, so the number of right
    answers is a sum of draws with probabilities 1/options: the test is exact.
    """
    visible = answers.status[:, model] == Status.OK
    asked = np.flatnonzero(visible.any(axis=0))
    if not len(asked):
        return None
    first = visible.argmax(axis=0)
    right = int(np.count_nonzero(answers.right[first[asked], model, asked]))
    chances = [answers.questions[place].chance for place in asked.tolist()]
    expected = sum(chances) / len(chances)
    p = at_least(right, chances)
    interval = counted.valid.interval
    above = p <= alpha and interval is not None and interval.low > expected
    return Chance(expected, len(asked), right, p, above)


def right_shares(answers: Answers) -> FloatArray:
    """Return each model's share of right answers to each question (M, Q) over its epochs; NaN without an
    answer.

    An invalid answer is not right; errors and ungraded samples are left out.
    """
    return over(np.where(answers.answered, answers.right.astype(np.float64), np.nan), 0)


def resample_bundles(answers: Answers, rng: np.random.Generator, replicates: int) -> Resampled:
    """Draw bundles with replacement, the same ones for all models, and score every model on each draw.

    A bundle keeps all its questions and epochs. The result has bundles instead of prompts.
    """
    shares = right_shares(answers)
    known = ~np.isnan(shares)
    member = np.eye(len(answers.concepts))[answers.bundles]
    total, count = np.where(known, shares, 0.0) @ member, known.astype(np.float64) @ member
    weights = draw_counts(rng, len(answers.concepts), replicates)
    exact = over(shares, -1)
    pull = total - np.nan_to_num(exact)[:, None] * count
    return Resampled(
        composites=ratio(weights @ total.T, weights @ count.T),
        exact=exact,
        basis=np.asarray(known.any(axis=1), dtype=np.int64),
        contribution=ratio(total, count),
        influence=pull * len(answers.concepts) / np.maximum(count.sum(axis=1), 1.0)[:, None],
    )


def consistency(
    answers: Answers, model: int, rng: np.random.Generator, *, replicates: int = 2000
) -> Consistency:
    """Return the bundle consistency of one model, over bundles of two questions or more."""
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
    rates = _expected_rates(answers, right, counting)
    kept = [
        (epoch, places) for bundle, places in enumerate(members) for epoch in np.flatnonzero(whole[:, bundle])
    ]
    reached = [(int(right[epoch, places].sum()), len(places)) for epoch, places in kept]
    spread = _right_counts([k for k, _ in reached], [tuple(rates[places].tolist()) for _, places in kept])
    full = sum(_exact_chances(tuple(rates[places].tolist()))[-1] for _, places in kept)
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


def _expected_rates(answers: Answers, right: BoolArray, counting: BoolArray) -> FloatArray:
    """Return, for each question (Q,), the accuracy on its variant over the bundles that count."""
    rates = np.zeros(len(answers.questions))
    for variant in answers.variants:
        places = np.array([question.variant == variant for question in answers.questions])
        n = int(counting[:, places].sum())
        rates[places] = (right & counting)[:, places].sum() / n if n else 0.0
    return rates


def _right_counts(reached: list[int], chances: list[tuple[float, ...]]) -> tuple[KRight, ...]:
    most = max(map(len, chances))
    expected = np.zeros(most + 1)
    for bundle in chances:
        exactly = _exact_chances(bundle)
        expected[: len(exactly)] += exactly
    return tuple(KRight(k, reached.count(k), float(expected[k])) for k in range(most + 1))


@lru_cache(maxsize=4096)
def _exact_chances(chances: tuple[float, ...]) -> tuple[float, ...]:
    """Return the probability of each number of independent events (Poisson-binomial)."""
    tails = [at_least(k, chances) for k in range(len(chances) + 2)]
    return tuple(max(0.0, tails[k] - tails[k + 1]) for k in range(len(chances) + 1))


def _dispersion(
    answers: Answers, right: BoolArray, counting: BoolArray, rng: np.random.Generator, replicates: int
) -> tuple[float | None, float | None]:
    """Return the variance of k over its mean under permutations of each variant's right answers, and its p.

    Questions are permuted with all their epochs, as the epochs of one question are alike.
    """
    times = counting.sum(axis=0)
    asked = np.flatnonzero(times)
    share = (right & counting).sum(axis=0)[asked] / times[asked]
    bundle = np.unique(answers.bundles[asked], return_inverse=True)[1]
    names = answers.variants
    variant = np.array([names.index(answers.questions[q].variant) for q in asked])
    totals = np.zeros((replicates, int(bundle.max()) + 1))
    for number in np.unique(variant):
        own = np.flatnonzero(variant == number)
        permuted = rng.permuted(np.tile(share[own], (replicates, 1)), axis=1)
        totals += permuted @ np.eye(totals.shape[1])[bundle[own]]
    observed = _squares(np.bincount(bundle, weights=share)[None])[0]
    drawn = _squares(totals)
    if drawn.max() <= 1e-9:
        return None, None
    more = int(np.count_nonzero(drawn >= observed - 1e-9))
    return float(observed / drawn.mean()), (1 + more) / (replicates + 1)


def _squares(totals: npt.NDArray[Any]) -> FloatArray:
    squares: FloatArray = ((totals - totals.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return squares
