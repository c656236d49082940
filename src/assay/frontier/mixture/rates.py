"""Draws of success rates given all counts, averaged over structures and spreads and checked by refits.

A branch is a candidate structure with its share. Its arms are the same structure with different kinds of
spread of the cells, weighted by how well they fit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import scipy

from assay.frontier.mixture.adjustment import Z90, OracleInterval, oracle
from assay.frontier.mixture.cells import (
    MAIN_KINDS,
    REACH,
    STEP,
    CellTable,
    CellTables,
    CodedCounts,
    code_counts,
)
from assay.frontier.mixture.em import Climb, MixtureState, climb, fit_structure, with_kinds
from assay.frontier.mixture.families import member_shifts
from assay.frontier.mixture.model_selection import StructureCandidate, StructureChoice, choose_structures
from assay.frontier.mixture.structures import StructureKind

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
POINT_PRIOR = 0.5
"""Prior probability that cells lie on their line; the rest is shared by the other kinds of spread."""
FREE_PENALTY = 15.0
"""Nats that a free mixture of all kinds must gain over one kind, because it has that many more parameters."""
FIRST_STEPS, SECOND_STEPS, REFIT_STEPS = 3, 10, 5
"""Steps of expectation-maximisation for every kind, for the likeliest kinds, and for the kinds of a refit."""
MOST_ARMS, FAR_BEHIND = 5, 25.0
LEAST_WEIGHT = 1e-3
REFITS = 6
REFIT_DRAWS = 20
BRANCH_DRAWS = 60
LEAST_REFITTED = 0.25
BIAS_SHARE = 0.5
REFIT_WIDTH = 1.5
NAIVE_SHARE = 0.05
LEAST_WIDTH = 0.003


@dataclass(frozen=True, slots=True)
class Arm:
    """One structure with one `main` kind of spread (None: all kinds), and its weight among all arms."""

    state: MixtureState
    weight: float
    main: int | None


def fit_arms(
    counts: CodedCounts, cells: CellTables, state: MixtureState, mains: list[int | None] | None = None
) -> list[Arm]:
    """Return the structure with each kind of spread that is likely given the counts. Weights sum to 1.

    If `mains` are given, only these kinds are fitted.
    """
    steps = Climb(counts, cells, state.structure)
    if mains is not None:
        fits = [(main, climb(steps, with_kinds(state, main), REFIT_STEPS)) for main in mains]
    else:
        every_kind: list[int | None] = [*range(MAIN_KINDS), None]
        fits = [(main, climb(steps, with_kinds(state, main), FIRST_STEPS)) for main in every_kind]
        scores = np.array([_log_posterior(fit.score, main) for main, fit in fits])
        likeliest = [
            index for index in np.argsort(-scores)[:MOST_ARMS] if scores[index] > scores.max() - FAR_BEHIND
        ]
        fits = [fits[index] for index in dict.fromkeys([*likeliest, 0])]
        fits = [(main, climb(steps, fit, SECOND_STEPS)) for main, fit in fits]
    scores = np.array([_log_posterior(fit.score, main) for main, fit in fits])
    weights = scipy.special.softmax(scores)
    likely = [
        (fit, weight, main)
        for (main, fit), weight in zip(fits, weights, strict=True)
        if weight > LEAST_WEIGHT
    ]
    total = sum(weight for _, weight, _ in likely)
    return [Arm(fit, weight / total, main) for fit, weight, main in likely]


def _log_posterior(score: float, main: int | None) -> float:
    if main is None:
        return score - FREE_PENALTY
    prior = POINT_PRIOR if main == 0 else (1.0 - POINT_PRIOR) / (MAIN_KINDS - 1)
    return score + float(np.log(prior))


def draw_state(
    counts: CodedCounts, cells: CellTables, state: MixtureState, number: int, rng: np.random.Generator
) -> FloatArray:
    """Return draws (S, N, L) of success rates given the counts, under one state."""
    logs = Climb(counts, cells, state.structure).by_class(state)
    chances = np.exp(logs - logs.max(axis=1, keepdims=True)).cumsum(axis=1)
    chances /= chances[:, -1:]
    prompts, classes = chances.shape
    ascending = (chances + np.arange(prompts)[:, None]).ravel()
    picked = np.searchsorted(ascending, rng.random((number, prompts)) + np.arange(prompts))
    picked = np.minimum(picked - np.arange(prompts) * classes, classes - 1)
    line = state.logits().transpose(0, 2, 1).reshape(classes, -1)[picked]
    caps = np.repeat(state.structure.cap, classes // state.structure.topics)[picked]
    rates = np.empty(line.shape)
    for cap in np.unique(caps):
        under_cap = caps == cap
        code = np.broadcast_to(counts.code, line.shape)[under_cap]
        rates[under_cap] = cap * _draw_rates(cells.at(float(cap)), state.kinds, line[under_cap], code, rng)
    return rates


def _draw_rates(
    table: CellTable, kinds: FloatArray, line: FloatArray, code: IntArray, rng: np.random.Generator
) -> FloatArray:
    """Draw rates given the logits of lines and the codes (M, L)."""
    grid_line = np.rint((line + REACH) / STEP).astype(np.int64)
    chances = table.joint(kinds)
    lines, codes, size = chances.shape
    np.cumsum(chances, axis=2, out=chances)
    chances /= chances[..., -1:]
    chances += np.arange(lines * codes).reshape(lines, codes, 1)
    ascending = chances.ravel()
    row = grid_line * codes + code
    grid_rate = np.searchsorted(ascending, row + rng.random(row.shape)) - row * size
    offset = np.clip(grid_rate, 0, size - 1) - grid_line
    jittered = (offset != 0) if kinds[0] > 0.3 else np.ones(offset.shape, dtype=np.bool_)
    jitter = (rng.random(offset.shape) - 0.5) * jittered
    return np.asarray(scipy.special.expit(line + STEP * (offset + jitter)))


def draw_arms(
    counts: CodedCounts, cells: CellTables, arms: list[Arm], number: int, rng: np.random.Generator
) -> FloatArray:
    """Return draws (S, N, L) from all arms, in proportion to their weights."""
    numbers = split(number, np.array([arm.weight for arm in arms]))
    parts = [
        draw_state(counts, cells, arm.state, part, rng)
        for arm, part in zip(arms, numbers, strict=True)
        if part
    ]
    return np.concatenate(parts)


def split(number: int, weights: FloatArray) -> list[int]:
    """Split a number into integer parts that sum to it, in proportion to weights."""
    edges = np.rint(weights.cumsum() / weights.sum() * number).astype(np.int64)
    return [int(part) for part in np.diff(np.concatenate([[0], edges]))]


@dataclass(frozen=True, slots=True)
class Branch:
    """A candidate with its share and its arms, and the counts (N, L) of all models."""

    candidate: StructureCandidate
    share: float
    arms: list[Arm]
    correct: IntArray
    answers: IntArray

    def draws(self, number: int, rng: np.random.Generator) -> FloatArray:
        """Return draws (S, N, L)."""
        view = self.candidate.view
        drawn = draw_arms(view.counts, view.cells, self.arms, number, rng)
        if not view.name:
            return drawn
        shifts = member_shifts(self.correct, self.answers, view.of, drawn.mean(axis=0))
        odds = np.exp(shifts.draw(number, rng))[:, None, :]
        drawn = drawn[:, :, view.of]
        return np.asarray(drawn * odds / (1.0 + drawn * (odds - 1.0)))


@dataclass(frozen=True, slots=True)
class DrawnRates:
    """Draws (S, N, L), and the oracle with its 90 % interval, to which the draws must still be adjusted.

    `by_structure` has the median and the ends of the 90 % interval for each structure alone.
    """

    draws: FloatArray
    oracle: OracleInterval
    by_structure: dict[str, tuple[float, float, float]]
    choice: StructureChoice

    @property
    def disagree(self) -> bool:
        """Whether two of the kept structures have intervals that do not overlap."""
        intervals = list(self.by_structure.values())
        return any(
            first[1] > second[2] or second[1] > first[2] for first in intervals for second in intervals
        )


def draw_rates(correct: IntArray, answers: IntArray, draws: int, rng: np.random.Generator) -> DrawnRates:
    """Return draws of the cells' success rates given counts of shape (N, L)."""
    observed = answers > 0
    choice = choose_structures(correct, answers, rng)
    pairs = zip(choice.kept, choice.shares, strict=True)
    branches = [
        Branch(candidate, share, _fit_branch(candidate, rng), correct, answers) for candidate, share in pairs
    ]
    by_structure = {
        branch.candidate.name: tuple(
            np.quantile(oracle(branch.draws(BRANCH_DRAWS, rng), observed), [0.5, 0.05, 0.95])
        )
        for branch in branches
    }
    drawn = _draw_branches(branches, draws, rng)
    values = oracle(drawn, observed)
    middle = float(sum(branch.share * by_structure[branch.candidate.name][0] for branch in branches))
    truths = drawn[(2 * np.arange(REFITS) + 1) * len(drawn) // (2 * REFITS)]
    errors = np.array([_refit_error(branches, correct, answers, truth, rng) for truth in truths])
    naive = float(np.where(observed, correct / np.maximum(answers, 1), 0.0).max(axis=1).mean())
    point = middle - BIAS_SHARE * float(errors.mean())
    extra_width = Z90 * np.sqrt(
        (REFIT_WIDTH * errors.std(ddof=1)) ** 2 + (NAIVE_SHARE * (naive - point)) ** 2 + LEAST_WIDTH**2
    )
    low, high = np.quantile(values, [0.05, 0.95])
    low, high = point - np.hypot(middle - low, extra_width), point + np.hypot(high - middle, extra_width)
    floor = _floor(correct, answers)
    interval = OracleInterval(max(point, floor), float(max(low, floor)), float(high))
    return DrawnRates(drawn, interval, by_structure, choice)


def _floor(correct: IntArray, answers: IntArray) -> float:
    """Return the lower limit (95 %) of the mean rate of all models, below which no oracle lies."""
    models = np.maximum((answers > 0).sum(axis=1), 1)
    share = correct / np.maximum(answers, 1)
    variance = (
        (correct + 0.5)
        * (answers - correct + 0.5)
        / (answers + 1.0) ** 2
        / np.maximum(answers, 1)
        * (answers > 0)
    )
    error = np.sqrt((variance.sum(axis=1) / models**2).sum()) / len(answers)
    return float((share.sum(axis=1) / models).mean() - Z90 * error)


def _draw_branches(branches: list[Branch], number: int, rng: np.random.Generator) -> FloatArray:
    """Return draws of all branches in proportion to their shares, in random order."""
    numbers = split(number, np.array([branch.share for branch in branches]))
    parts = [branch.draws(part, rng) for branch, part in zip(branches, numbers, strict=True) if part]
    return np.concatenate(parts)[rng.permutation(number)]


def _fit_branch(candidate: StructureCandidate, rng: np.random.Generator) -> list[Arm]:
    view, structure = candidate.view, candidate.structure
    arms = fit_arms(view.counts, view.cells, fit_structure(view.counts, view.cells, structure, rng))
    if structure.kind is StructureKind.TOPICS and not structure.capped:
        return fit_arms(view.counts, view.cells, max(arms, key=lambda arm: arm.weight).state)
    return arms


def _refit_error(
    branches: list[Branch], correct: IntArray, answers: IntArray, truth: FloatArray, rng: np.random.Generator
) -> float:
    """Return the oracle's error of the branches refitted to new counts of one draw (N, L)."""
    new_correct = rng.binomial(answers, truth)
    refits = []
    for branch in branches:
        if branch.share < LEAST_REFITTED:
            continue
        view = branch.candidate.view
        member = np.eye(int(view.of.max()) + 1, dtype=np.int64)[view.of]
        view_correct = new_correct @ member
        counts = code_counts(view_correct, view.answers)
        cells = CellTables(counts)
        arms = fit_arms(counts, cells, branch.arms[0].state, _refit_kinds(branch.arms))
        refitted_view = replace(view, correct=view_correct, counts=counts, cells=cells)
        candidate = replace(branch.candidate, view=refitted_view)
        refits.append(Branch(candidate, branch.share, arms, new_correct, answers))
    observed = answers > 0
    middle = sum(
        refit.share * float(np.median(oracle(refit.draws(REFIT_DRAWS, rng), observed))) for refit in refits
    )
    return float(middle / sum(refit.share for refit in refits) - oracle(truth[None], observed)[0])


def _refit_kinds(arms: list[Arm]) -> list[int | None]:
    """Return the kinds of spread that a refit may choose: the likeliest, its neighbours, the point mass."""
    best = max(arms, key=lambda arm: arm.weight).main
    kinds: list[int | None] = [0, best] if best != 0 else [0]
    if best is None or best == 0:
        others = [arm.main for arm in sorted(arms, key=lambda arm: -arm.weight) if arm.main not in (None, 0)]
        return list(dict.fromkeys([*kinds, *(others[:2] or [1])]))
    return list(dict.fromkeys([*kinds, max(best - 1, 1), min(best + 1, MAIN_KINDS - 1)]))
