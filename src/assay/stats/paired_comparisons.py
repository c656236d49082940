"""Bradley-Terry strengths and Elo ratings of models from counts of paired comparisons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

ELO_SCALE = 400.0 / np.log(10.0)
"""Elo points per unit of strength: 400 points are odds of 10 to 1."""
ELO_CENTRE = 1000.0
ELO_K = 4.0
"""The most points that one comparison moves a rating by."""
ORDERS = 50
MOST_IN_TURN = 100_000
"""The most comparisons of one random order: Elo forgets earlier ones, and memory is limited."""
CLOSE = 1e-5
"""A step that moves no difference by more is the last: the next would move it by less than 1e-9."""
LONG = 0.5
"""Of shorter steps the range over all models limits the length, which is quicker than that over pairs."""
MOST_STEPS = 200
BLOCK = 2**18
"""The cells of win matrices that are fitted at once, so that they stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Comparisons of M models as counts.

    `wins` (M, M): wins[i, j] is how often i beat j. `ties` (M, M) is symmetric: how often i and j tied.
    """

    wins: FloatArray
    ties: FloatArray

    @classmethod
    def of(cls, first: IntArray, second: IntArray, points: FloatArray, models: int) -> PairCounts:
        """Count comparisons (N,) of models by number; `points` are 1 if the first won, 0 if the second, 0.5.

        Other points between 0 and 1 count as a part of a win of each.
        """
        tied = points == 0.5
        ahead = _count(first[~tied], second[~tied], points[~tied], models)
        behind = _count(second[~tied], first[~tied], 1.0 - points[~tied], models)
        ties = _count(first[tied], second[tied], np.ones(int(tied.sum())), models)
        return cls(ahead + behind, ties + ties.T)

    @property
    def halved(self) -> FloatArray:
        """The wins (M, M), with each tie as half a win of both models."""
        return self.wins + 0.5 * self.ties

    def resample(self, rng: np.random.Generator, replicates: int) -> FloatArray:
        """Return bootstrap replicates of `halved`, (replicates, M, M).

        Each count is drawn from a Poisson distribution with the count as its mean. This is the usual
        bootstrap with a number of comparisons that varies too, and strengths do not depend on that number. It
        treats comparisons as independent, so it is not for items that give several comparisons each. Source:
        J. Hanley and B. MacGibbon, Computer Methods and Programs in Biomedicine 83 (2006) 57-62.
        """
        models = len(self.wins)
        won, tied = np.flatnonzero(self.wins), np.flatnonzero(np.triu(self.ties))
        halved = np.zeros((replicates, models * models))
        halved[:, won] = rng.poisson(self.wins.ravel()[won], (replicates, len(won)))
        half = 0.5 * rng.poisson(self.ties.ravel()[tied], (replicates, len(tied)))
        halved[:, tied] += half
        halved[:, tied % models * models + tied // models] += half
        return halved.reshape(replicates, models, models)


def _count(winner: IntArray, loser: IntArray, weight: FloatArray, models: int) -> FloatArray:
    cells = np.bincount(winner * models + loser, weights=weight, minlength=models * models)
    return np.asarray(cells, dtype=np.float64).reshape(models, models)


def fit_bradley_terry(wins: FloatArray) -> FloatArray:
    """Return the strengths of models whose chances of winning are expit(strength i - strength j).

    `wins` is (M, M), or (B, M, M) for B fits at once: how often i beat j, ties split half and half. Strengths
    (natural logarithms of odds) have mean 0 over the models that have one. The maximum of the likelihood is
    finite only within a strongly connected part of "beat": models outside the largest such part are NaN, and
    so is everything if the largest part is one model. Raises ValueError for counts that are negative or not
    square. Source: R. Bradley and M. Terry, Biometrika 39 (1952) 324-345; L. Ford, American Mathematical
    Monthly 64 (1957) 28-33 for the condition.
    """
    given = np.asarray(wins, dtype=np.float64)
    if given.ndim not in (2, 3) or given.shape[-1] != given.shape[-2] or not (given >= 0.0).all():
        raise ValueError(f"wins of shape {given.shape!r}: give counts from 0 in (M, M) or (B, M, M)")
    batch = given.reshape((-1, *given.shape[-2:]))
    fitted = np.full(batch.shape[:2], np.nan)
    start = np.zeros(given.shape[-1]) if len(batch) < 2 else _start(batch.mean(axis=0))
    size = max(1, BLOCK // max(1, given.shape[-1] ** 2))
    for block in range(0, len(batch), size):
        wins = batch[block : block + size]
        among = _largest_parts(wins > 0.0)
        strengths = _maximise(wins * (among[:, :, None] & among[:, None, :]), among, start)
        fitted[block : block + size] = np.where(among, strengths, np.nan)
    return fitted.reshape(given.shape[:-1])


def _start(mean: FloatArray) -> FloatArray:
    """Return the strengths of the mean of a batch, 0 where unknown: the fits of a bootstrap are near them."""
    return np.nan_to_num(fit_bradley_terry(mean))


def _maximise(wins: FloatArray, among: BoolArray, start: FloatArray) -> FloatArray:
    """Return the strengths (B, M) by damped Newton steps on the counts; models not `among` keep 0.

    A step that changes no pair's difference by more than d is shortened to log(1 + d)/d of its length, which
    never overshoots for a logistic likelihood. Source: T. Sun and Q. Tran-Dinh, Mathematical Programming 178
    (2019) 145-213.
    """
    played = wins + wins.swapaxes(1, 2)
    own = wins.sum(axis=2)
    size = np.maximum(among.sum(axis=1), 1)
    strengths = np.where(among, start - (among * start).sum(axis=1, keepdims=True) / size[:, None], 0.0)
    ones = among[:, :, None] * among[:, None, :] / size[:, None, None]
    diagonal = np.arange(wins.shape[1])
    ones[:, diagonal, diagonal] += ~among
    for _ in range(MOST_STEPS):
        with np.errstate(over="ignore"):
            chance = 1.0 / (1.0 + np.exp(strengths[:, None, :] - strengths[:, :, None]))
        expected = played * chance
        score = own - expected.sum(axis=2)
        expected *= 1.0 - chance
        information = ones - expected
        information[:, diagonal, diagonal] += expected.sum(axis=2)
        step = np.linalg.solve(information, score[:, :, None])[:, :, 0]
        reach = np.ptp(step, axis=1)
        if reach.max() > LONG:
            apart = np.abs(step[:, :, None] - step[:, None, :])
            reach = np.where(played > 0.0, apart, 0.0).max(axis=(1, 2))
        damping = np.divide(np.log1p(reach), reach, out=np.ones(len(reach)), where=reach > 0.0)
        strengths += damping[:, None] * step
        if reach.max() <= CLOSE:
            break
    return strengths


def strong_parts(beat: BoolArray) -> IntArray:
    """Return the number of each model's strongly connected part, (M,), the largest part 0.

    `beat` (M, M) says whether i ever beat j. Two models are in one part if each leads to the other by a chain
    of wins. Of parts of equal size the one with the first model comes first.
    """
    _, labels = scipy.sparse.csgraph.connected_components(
        scipy.sparse.csr_array(beat), directed=True, connection="strong"
    )
    numbers, firsts, inverse, sizes = np.unique(
        labels, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.lexsort((firsts, -sizes))
    place = np.empty(len(numbers), dtype=np.int64)
    place[order] = np.arange(len(numbers))
    parts: IntArray = place[inverse.reshape(-1)]
    return parts


def _largest_parts(beat: BoolArray) -> BoolArray:
    """Return which models are in the largest strongly connected part of each graph, (B, M).

    Most graphs of a bootstrap are connected, which a search from the first model in both directions shows.
    A part of one model is none.
    """
    among = _reached(beat) & _reached(beat.swapaxes(1, 2))
    for place in np.flatnonzero(~among.all(axis=1)):
        largest = strong_parts(beat[place]) == 0
        among[place] = largest if largest.sum() > 1 else False
    return among


def _reached(beat: BoolArray) -> BoolArray:
    """Return the models that a chain of wins leads to from the first model, (B, M)."""
    reached = np.zeros(beat.shape[:2], dtype=np.bool_)
    reached[:, 0] = True
    while True:
        more = reached | (beat & reached[:, :, None]).any(axis=1)
        if (more == reached).all():
            return reached
        reached = more


def elo_ratings(strengths: FloatArray) -> FloatArray:
    """Return strengths on the scale of Elo: 400 points are odds of 10 to 1, and the mean model has 1000.

    These ratings do not depend on the order of the comparisons. NaN stays NaN.
    """
    ratings: FloatArray = ELO_CENTRE + ELO_SCALE * np.asarray(strengths, dtype=np.float64)
    return ratings


def sequential_elo(
    first: IntArray,
    second: IntArray,
    points: FloatArray,
    models: int,
    rng: np.random.Generator,
    *,
    orders: int = ORDERS,
    k: float = ELO_K,
) -> FloatArray:
    """Return Elo ratings updated one comparison at a time, in each of several random orders: (orders, M).

    Every model starts at 1000. After a comparison the first model gains k times (its points - its expected
    points), and the second loses as much. The mean over orders is independent of the order up to chance; the
    spread over orders shows what a single order hides. Of more than `MOST_IN_TURN` comparisons each order has
    a random choice of so many. Source: A. Elo, The Rating of Chessplayers (1978).
    """
    drawn = min(len(points), MOST_IN_TURN)
    shuffled = np.stack([rng.choice(len(points), drawn, replace=False) for _ in range(orders)], axis=1)
    return elo_of_sequences(first[shuffled], second[shuffled], points[shuffled], models, k=k)


def elo_of_sequences(
    first: IntArray, second: IntArray, points: FloatArray, models: int, *, k: float = ELO_K
) -> FloatArray:
    """Return the Elo ratings (B, M) of B sequences of comparisons, (N, B); NaN points are skipped."""
    sequences = first.shape[1]
    ratings = np.full((sequences, models), ELO_CENTRE)
    every = np.arange(sequences)
    for one, other, scored in zip(first, second, points, strict=True):
        expected = scipy.special.expit((ratings[every, one] - ratings[every, other]) / ELO_SCALE)
        gain = np.where(np.isnan(scored), 0.0, k * (scored - expected))
        ratings[every, one] += gain
        ratings[every, other] -= gain
    return ratings
