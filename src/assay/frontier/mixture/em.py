"""Expectation-maximisation of one structure: lines, shares of prompts by class, shares of kinds of spread."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import scipy

from assay.frontier.mixture.cells import (
    GRID,
    KINDS,
    MAIN_KINDS,
    REACH,
    STEP,
    TINY,
    CellTables,
    CodedCounts,
    log_sum,
)
from assay.frontier.mixture.structures import CAPS, Structure, StructureKind, additive, by_topic

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
LONGEST = 0.7
"""The largest change of a line's parameter in one step."""
VARIANCES = np.array([4.0, 0.1, 1.0])
"""Initial prior variances of level, log slope and logit ceiling; they are estimated."""
LEAST_VARIANCES = np.array([1e-3, 1e-3, 1e-2])
CEILING = 4.0
TAIL_COST = 2.0
"""A tail has a share only if its expected number of cells is above this."""
HURRY = 2.0
"""Shares of kinds change by this power of the expectation-maximisation step, which alone is slow."""
SMOOTH = np.array([0.25, 0.5, 0.25])
POOLED = 8.0
"""Weight (in prompts) of the distribution of ease over all topics in the distribution of one topic."""


@dataclass(frozen=True, slots=True)
class MixtureState:
    """The parameters of a structure, and the log likelihood `score` before the last step.

    `lines` (J, 3) have level, log slope and logit of the ceiling, with prior `variances` (3,); `classes`
    (T, U) are shares of prompts, and `kinds` (KINDS,) are shares of the kinds of spread; kinds that are not
    `free` have no share.
    """

    structure: Structure
    lines: FloatArray
    classes: FloatArray
    kinds: FloatArray
    free: npt.NDArray[np.bool_]
    variances: FloatArray
    score: float = -np.inf

    def logits(self) -> FloatArray:
        """Return the lines' logits (T, L, U), without caps."""
        return _line(self.lines, self.structure.ease)[0][self.structure.line]


def with_kinds(state: MixtureState, main: int | None) -> MixtureState:
    """Return the state with one main kind of spread, or all of them for None, and the tails."""
    free = np.ones(KINDS, dtype=np.bool_)
    if main is not None:
        free[:MAIN_KINDS] = False
        free[main] = True
    kinds = np.where(free, 1.0, 0.0)
    kinds[MAIN_KINDS:] = 0.002
    kinds[:MAIN_KINDS] *= (1.0 - kinds[MAIN_KINDS:].sum()) / kinds[:MAIN_KINDS].sum()
    return replace(state, kinds=kinds, free=free, score=-np.inf)


def _pairs(structure: Structure) -> tuple[IntArray, IntArray, IntArray]:
    """Return the distinct pairs of line and cap, as lines (V,) and caps (V,), and the pair of each (T, L)."""
    caps, cap_index = np.unique(structure.cap, return_inverse=True)
    number = len(caps)
    pair = structure.line + structure.lines * cap_index[:, None]
    return np.tile(np.arange(structure.lines), number), np.repeat(np.arange(number), structure.lines), pair


def _line(lines: FloatArray, ease: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return logits (V, U) of ceiling * logistic(level + slope * ease), and slopes (V, U, 3)."""
    slope = np.exp(lines[:, 1])[:, None]
    linear = lines[:, :1] + slope * ease
    log_rate = -np.log1p(np.exp(-lines[:, 2:])) - np.logaddexp(0.0, -linear)
    complement = np.maximum(-np.expm1(log_rate), 1e-12)
    logit = log_rate - np.log(complement)
    by_linear = scipy.special.expit(-linear) / complement
    by_ceiling = scipy.special.expit(-lines[:, 2:]) / complement
    inside = np.abs(logit) < REACH
    slopes = np.stack([by_linear, by_linear * slope * ease, by_ceiling], axis=2) * inside[:, :, None]
    return np.clip(logit, -REACH + 1e-9, REACH - 1e-9), slopes


class Climb:
    """Expectation-maximisation of the penalised likelihood of one structure on one set of counts."""

    def __init__(self, counts: CodedCounts, cells: CellTables, structure: Structure) -> None:
        self.counts, self.structure = counts, structure
        self.transposed_design = counts.design.T.tocsr()
        self.line_of_pair, self.cap_of_pair, self.pair = _pairs(structure)
        self.tables = np.stack([cells.at(float(cap)).tables for cap in np.unique(structure.cap)], axis=1)
        pairs, number = self.pair.size, len(self.line_of_pair)
        self.gather = scipy.sparse.csr_matrix(
            (np.ones(pairs), (self.pair.ravel(), np.arange(pairs))), (number, pairs)
        )
        self.merge = scipy.sparse.csr_matrix(
            (np.ones(number), (self.line_of_pair, np.arange(number))), (structure.lines, number)
        )
        self.kin = np.unique(structure.kin, return_inverse=True)[1]

    def _mixed(self, kinds: FloatArray) -> FloatArray:
        """Return the probability (caps, grid, C) of each code given the line, for shares of the kinds."""
        return np.asarray(np.tensordot(kinds, self.tables, 1) + TINY)

    def _tables(
        self, state: MixtureState, mixed: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray, IntArray, FloatArray]:
        logit, slopes = _line(state.lines, self.structure.ease)
        logit, slopes = logit[self.line_of_pair], slopes[self.line_of_pair]
        position = (logit + REACH) / STEP
        low = np.minimum(position.astype(np.int64), len(GRID) - 2)
        fraction = (position - low)[..., None]
        logs = np.log(mixed)
        gradients = np.gradient(logs, STEP, axis=1)
        cap_of_pair = self.cap_of_pair[:, None]
        value = logs[cap_of_pair, low] * (1.0 - fraction) + logs[cap_of_pair, low + 1] * fraction
        slope = gradients[cap_of_pair, low] * (1.0 - fraction) + gradients[cap_of_pair, low + 1] * fraction
        return value, slope, slopes, low, fraction

    def by_class(self, state: MixtureState, value: FloatArray | None = None) -> FloatArray:
        """Return each prompt's log likelihood in each class (N, T * U), shares of classes included."""
        if value is None:
            value = self._tables(state, self._mixed(state.kinds))[0]
        table = value[self.pair].transpose(1, 3, 0, 2)
        logs = self.counts.design @ table.reshape(-1, state.classes.size)
        return np.asarray(logs + np.log(state.classes.ravel() + 1e-300))

    def step(self, state: MixtureState, membership: FloatArray | None = None) -> MixtureState:
        """Return the state after one step; `membership` (N, T * U) replaces the expected classes."""
        mixed = self._mixed(state.kinds)
        value, slope, slopes, low, fraction = self._tables(state, mixed)
        if membership is None:
            logs = self.by_class(state, value)
            total = log_sum(logs)
            membership = np.exp(logs - total[:, None])
            score = float(total.sum())
        else:
            score = -np.inf
        topics, ease = state.classes.shape
        codes = self.counts.codes
        by_code = self.transposed_design @ membership
        by_code = by_code.reshape(-1, codes, topics, ease).transpose(2, 0, 3, 1)
        expected = (self.gather @ by_code.reshape(-1, ease * codes)).reshape(-1, ease, codes)
        lines, variances = self._lines(state, expected, slope, slopes)
        kinds = self._kinds(state, self._on_grid(expected, low, fraction) / mixed)
        classes = _classes(membership.sum(axis=0).reshape(topics, ease))
        return MixtureState(self.structure, lines, classes, kinds, state.free, variances, score)

    def _lines(
        self, state: MixtureState, expected: FloatArray, slope: FloatArray, slopes: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        gradient = np.einsum("vu,vui->vi", (expected * slope).sum(axis=2), slopes)
        curvature = np.einsum("vu,vui,vuj->vij", (expected * slope**2).sum(axis=2), slopes, slopes)
        gradient = self.merge @ gradient
        curvature = (self.merge @ curvature.reshape(len(curvature), 9)).reshape(-1, 3, 3)
        relatives = np.bincount(self.kin).astype(np.float64)
        prior_mean = np.stack(
            [np.bincount(self.kin, state.lines[:, column]) / relatives for column in range(3)], axis=1
        )[self.kin]
        prior_mean[:, 1:] = state.lines[:, 1:].mean(axis=0)
        alone = (relatives == 1.0)[self.kin]
        prior_variances = np.where(alone[:, None], VARIANCES, state.variances)
        precision = 1.0 / prior_variances
        anchor = np.array([0.0, 0.0, CEILING])
        prior_mean = np.where(alone[:, None], anchor, prior_mean)
        gradient -= (state.lines - prior_mean) * precision
        # A weak prior on the common slope and ceiling.
        gradient -= (prior_mean - anchor) * np.array([0.0, 1.0, 0.5]) / len(gradient)
        curvature = (
            curvature + np.eye(3) * (precision + np.array([0.0, 1.0, 0.5]) / len(gradient))[:, None, :]
        )
        moved = state.lines + np.clip(
            np.linalg.solve(curvature, gradient[..., None])[..., 0], -LONGEST, LONGEST
        )
        if alone.all():
            return moved, state.variances
        posterior_variance = np.linalg.inv(curvature)[:, [0, 1, 2], [0, 1, 2]]
        squares = ((moved - prior_mean) ** 2 + posterior_variance)[~alone]
        freedom = max(len(squares) - len(np.unique(self.kin[~alone])), 1)
        variances = (squares.sum(axis=0) + 2.0 * VARIANCES * 0.05) / (freedom + 2.0)
        return moved, np.maximum(variances, LEAST_VARIANCES)

    def _on_grid(self, expected: FloatArray, low: IntArray, fraction: FloatArray) -> FloatArray:
        """Return expected numbers of cells (V, U, C) moved to the grid's points beside their lines."""
        caps, size, codes = self.tables.shape[1:]
        point = (self.cap_of_pair[:, None] * size + low).ravel()
        upper = fraction.ravel()
        weights, points = np.stack([1.0 - upper, upper], axis=1), np.stack([point, point + 1], axis=1)
        ends = np.arange(0, 2 * len(point) + 1, 2)
        spread = scipy.sparse.csr_matrix((weights.ravel(), points.ravel(), ends), (len(point), caps * size)).T
        return np.asarray(spread @ expected.reshape(-1, codes)).reshape(caps, size, codes)

    def _kinds(self, state: MixtureState, ratio: FloatArray) -> FloatArray:
        """Return new shares of kinds; `ratio` has expected numbers of cells over their probabilities."""
        cells = state.kinds * (self.tables.reshape(KINDS, -1) @ ratio.ravel())
        total = cells.sum()
        cells[:MAIN_KINDS] *= (cells[:MAIN_KINDS] / np.maximum(total * state.kinds[:MAIN_KINDS], 1e-12)) ** (
            HURRY - 1.0
        )
        cells *= total / cells.sum()
        cells[MAIN_KINDS:] = np.maximum(cells[MAIN_KINDS:] - TAIL_COST, 1e-4 * cells[MAIN_KINDS:])
        return np.asarray(np.where(state.free, cells, 0.0) / cells[state.free].sum())


def _classes(counts: FloatArray) -> FloatArray:
    """Return shares of classes (T, U) from expected numbers of prompts, smoothed along ease and pooled."""
    padded = np.pad(counts, ((0, 0), (1, 1)), mode="edge")
    padded[:, 0] = padded[:, -1] = 0.0
    smooth = sum(SMOOTH[place] * padded[:, place : place + counts.shape[1]] for place in range(3))
    smooth = np.asarray(smooth) + 0.02 / counts.shape[1]
    pooled = smooth.sum(axis=0) / smooth.sum()
    topic = counts.sum(axis=1) + 0.3
    if len(counts) > 1:
        smooth = smooth + POOLED * pooled
    share = smooth / smooth.sum(axis=1, keepdims=True)
    return np.asarray(share * (topic / topic.sum())[:, None])


def climb(steps: Climb, state: MixtureState, number: int, gain: float = 0.1) -> MixtureState:
    """Return the state after `number` steps, or fewer if one gains less than `gain` nats."""
    before = -np.inf
    for _ in range(number):
        state = steps.step(state)
        if state.score - before < gain and state.score > before:
            break
        before = state.score
    return state


STEPS = 30
ROUNDS = 25
STARTS = 3


def plain_start(counts: CodedCounts, structure: Structure) -> MixtureState:
    """Return lines at the models' own shares with equal slopes, and a wide distribution of ease."""
    right = counts.right[counts.code].sum(axis=0) + 0.5
    answers = counts.answers[counts.code].sum(axis=0) + 1.0
    level = np.log(right / (answers - right + 0.5))
    lines = np.tile([0.0, 0.0, CEILING], (structure.lines, 1))
    lines[:, 0] = level.mean()
    models = counts.models
    if structure.lines >= models > 1:
        lines[:, 0] = level[structure.line[0]][np.arange(structure.lines) % models]
    if structure.kind is StructureKind.SPECIALISTS:
        lines[:models, 0] = level - 1.0
        lines[models, 0] = 3.0
    ease = np.exp(-(structure.ease**2) / 8.0)
    classes = np.tile(ease / ease.sum(), (structure.topics, 1)) / structure.topics
    if structure.kind is StructureKind.SPECIALISTS:
        classes[0] *= 0.5 * structure.topics
        classes[1:] *= 0.5 * structure.topics / (structure.topics - 1)
    state = MixtureState(structure, lines, classes, np.ones(KINDS), np.ones(KINDS, dtype=np.bool_), VARIANCES)
    return with_kinds(state, None)


def topic_start(
    counts: CodedCounts, cells: CellTables, structure: Structure, base: MixtureState, rng: np.random.Generator
) -> MixtureState:
    """Return topics by k-means of the counts' residuals from a fit of one line for each model (`base`)."""
    base_climb = Climb(counts, cells, base.structure)
    logs = base_climb.by_class(base)
    member = np.exp(logs - logs.max(axis=1, keepdims=True))
    member /= member.sum(axis=1, keepdims=True)
    rate = member @ scipy.special.expit(base.logits()[0]).T
    answers = counts.answers[counts.code]
    residuals = (counts.right[counts.code] - answers * rate) / np.sqrt(answers * rate * (1.0 - rate) + 0.5)
    topic = _clusters(residuals, structure.topics, rng)
    ease = np.exp(
        -(((base.structure.ease[:, None] - structure.ease) / (structure.ease[1] - structure.ease[0])) ** 2)
    )
    ease /= ease.sum(axis=1, keepdims=True)
    at_ease = member @ ease
    topic_chances = np.full((len(topic), structure.topics), 0.02)
    topic_chances[np.arange(len(topic)), topic] += 1.0
    topic_chances /= topic_chances.sum(axis=1, keepdims=True)
    lines = np.tile(base.lines, (structure.topics, 1))
    classes = np.full((structure.topics, len(structure.ease)), 1.0 / (structure.topics * len(structure.ease)))
    state = MixtureState(structure, lines, classes, base.kinds, base.free, base.variances)
    topic_climb = Climb(counts, cells, structure)
    membership = (topic_chances[:, :, None] * at_ease[:, None, :]).reshape(len(topic), -1)
    for _ in range(3):
        state = topic_climb.step(state, membership)
    return state


def capped_start(base: MixtureState, structure: Structure) -> MixtureState:
    """Return the topics of `base` with half of the prompts under a cap below 1."""
    share = np.where(structure.cap == 1.0, 0.5, 0.5 / (len(np.unique(structure.cap)) - 1))
    classes = np.tile(base.classes, (structure.topics // base.structure.topics, 1)) * share[:, None]
    return replace(with_kinds(base, None), structure=structure, classes=classes)


def _clusters(points: FloatArray, number: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return the cluster (N,) of each row by k-means, the best of several starts."""
    best, clusters = np.inf, np.zeros(len(points), dtype=np.int64)
    squares = (points**2).sum(axis=1)
    for _ in range(STARTS):
        centres = points[rng.choice(len(points), number, replace=len(points) < number)]
        for _ in range(ROUNDS):
            distance = squares[:, None] - 2.0 * points @ centres.T + (centres**2).sum(axis=1)
            nearest = distance.argmin(axis=1)
            sizes = np.bincount(nearest, minlength=number)
            sums = np.stack([np.bincount(nearest, column, number) for column in points.T], axis=1)
            centres = np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], centres)
        inertia = float(distance.min(axis=1).sum())
        if inertia < best:
            best, clusters = inertia, nearest
    return clusters


def fit_structure(
    counts: CodedCounts,
    cells: CellTables,
    structure: Structure,
    rng: np.random.Generator,
    base: MixtureState | None = None,
) -> MixtureState:
    """Fit the structure to counts with all kinds of spread.

    Topics start from a fit of one line for each model, which is `base` if it is given.
    """
    start = _start(counts, cells, structure, rng, base)
    return climb(Climb(counts, cells, structure), start, STEPS if structure.topics > 1 else 2 * STEPS)


def _start(
    counts: CodedCounts,
    cells: CellTables,
    structure: Structure,
    rng: np.random.Generator,
    base: MixtureState | None,
) -> MixtureState:
    if structure.kind is not StructureKind.TOPICS:
        return plain_start(counts, structure)
    if structure.capped:
        uncapped = by_topic(counts.models, structure.topics // len(CAPS))
        return capped_start(fit_structure(counts, cells, uncapped, rng, base), structure)
    base = base or fit_structure(counts, cells, additive(counts.models), rng)
    return topic_start(counts, cells, structure, base, rng)
