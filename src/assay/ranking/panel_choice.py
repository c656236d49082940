"""Cheaper panels of judges, chosen by nested cross-validation: never on the answers that evaluate them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.ranking.panel import (
    PanelStudy,
    bootstrap_draws,
    gain_over,
    judge_losses,
    replicated,
    vote_losses,
)
from assay.ranking.reference_marks import BoolArray, FloatArray, IntArray
from assay.results.judge_panel import CheaperPanel, VoteRule

FOLDS = 5
LEAST_ITEMS = 40
"""With fewer items, panels chosen on four fifths of them are too uncertain."""

MOST = 3
"""The default of the largest size of a cheaper panel."""

PANELS, CELLS = 4_000, 20_000_000
"""The limits of the number of panels, and of panels times answers, which bound time and memory."""

BLOCK = 2_000_000
"""Losses that are computed at once."""

WEIGHTED = (False, True)
SMALL = 1e-6


@dataclass(frozen=True, slots=True)
class PanelChoices:
    """The best panel of each size, and the one that is recommended; none with too few answers."""

    sizes: tuple[CheaperPanel, ...]
    chosen: CheaperPanel | None
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Pick:
    """A panel (its row in the list of panels), and whether its vote is weighted."""

    panel: int
    weighted: bool


@dataclass(slots=True)
class _Trial:
    """The losses of all panels on the answers that all judges marked.

    `members` (S, J) are the panels by size; the last one has all judges. `folds` (A,) numbers each answer's
    fold; the answers of an item share one. Answers with the same marks and reference are one pattern:
    `patterns` (J + 1, U) has its marks and its reference, `pattern` (A,) each answer's pattern, and `counts`
    (U, folds) its number of answers in each fold.
    """

    study: PanelStudy
    chosen: BoolArray
    members: BoolArray
    folds: IntArray
    cost: FloatArray
    single: FloatArray
    patterns: FloatArray
    pattern: IntArray
    counts: FloatArray
    _fitted: dict[frozenset[int] | None, tuple[npt.NDArray[np.float32], FloatArray]] = field(
        default_factory=dict
    )

    def losses(self, pick: _Pick, without: frozenset[int]) -> FloatArray:
        """Return the losses (A,) of one panel whose weights are fitted without some folds."""
        losses, _ = self._losses(without if pick.weighted else None)
        return np.asarray(losses[pick.panel][self.pattern], dtype=np.float64)

    def _losses(self, without: frozenset[int] | None) -> tuple[npt.NDArray[np.float32], FloatArray]:
        """Return the losses by pattern (S, U) and their sums by fold (S, folds); None is a plain vote."""
        if without not in self._fitted:
            weights = None if without is None else self._weights(without)
            marks, reference = self.patterns[:-1], self.patterns[-1]
            step = max(1, BLOCK // len(reference))
            parts = [
                vote_losses(self.study, marks, reference, self.members[start : start + step], weights)[0]
                for start in range(0, len(self.members), step)
            ]
            loss = np.concatenate(parts)
            # Only the plain vote and the last fitted weights are kept, which bounds memory.
            for name in [name for name in self._fitted if name is not None and without is not None]:
                del self._fitted[name]
            self._fitted[without] = loss.astype(np.float32), loss @ self.counts
        return self._fitted[without]

    def _weights(self, without: frozenset[int]) -> FloatArray:
        """Return the weights of the judges' votes: log odds of being right, or inverse squared error."""
        train = ~np.isin(self.folds, list(without))
        loss = self.single[:, train]
        if not self.study.categorical:
            return np.asarray(1.0 / (loss.mean(axis=1) + SMALL), dtype=np.float64)
        others = len(self.study.marks.categories) - 1
        right = (loss.shape[1] - loss.sum(axis=1) + 1.0) / (loss.shape[1] + 2.0)
        odds: FloatArray = np.log(others * right / (1.0 - right))
        return np.maximum(0.0, odds)

    @property
    def sizes(self) -> IntArray:
        """The number of judges of each panel, (S,)."""
        return np.asarray(self.members.sum(axis=1), dtype=np.int64)

    def best(self, train: frozenset[int], weighted: bool, without: frozenset[int]) -> dict[int, _Pick]:
        """Return the panel of each size with the smallest loss on the training folds, then the cheapest."""
        sums = self._losses(without if weighted else None)[1]
        means = sums[:, sorted(train)].sum(axis=1) / len(self.folds)
        picks: dict[int, _Pick] = {}
        for size in np.unique(self.sizes).tolist():
            rows = np.flatnonzero(self.sizes == size)
            order = np.lexsort((rows, self.cost[rows], np.round(means[rows], 12)))
            picks[size] = _Pick(int(rows[order[0]]), weighted)
        return picks


def cheaper_panels(study: PanelStudy, rng: np.random.Generator, most: int = MOST) -> PanelChoices:
    """Choose panels of 1 to `most` judges, and estimate how good panels chosen in this way are.

    Outer folds of items evaluate; within the other folds, inner folds choose the rule of the vote (equal
    weights, or weights fitted to the training answers) for each size, and for `chosen` the size: the
    cheapest, or smallest, within one standard error of the best. The members are those that do best on all
    training answers. Raises InvalidInput for `most` below 1. Source: S. Varma and R. Simon, BMC
    Bioinformatics 7 (2006) 91 (nested cross-validation); S. Nitzan and J. Paroush, International Economic
    Review 23 (1982) 289-297 (log-odds weights).
    """
    if most < 1:
        raise InvalidInput(f"invalid largest size {most!r}: give 1 or more judges")
    items = study.marks.items
    chosen = study.common
    marked = len(np.unique(items[chosen]))
    if study.reference is None or marked < LEAST_ITEMS:
        needed = f"{LEAST_ITEMS} items that all judges and the reference marked are needed, not {marked}"
        why = "cheaper panels are chosen only with a reference" if study.reference is None else needed
        return PanelChoices((), None, (f"no cheaper panels: {why}",))
    trial, remarks = _trial(study, chosen, rng, most)
    estimate = _nested(trial)
    draws = bootstrap_draws(items, rng)
    everyone = _Pick(len(trial.members) - 1, weighted=False)
    whole = replicated(study, trial.losses(everyone, frozenset()), items[chosen], draws)

    def row(name: int | None) -> CheaperPanel:
        loss, picks = estimate[name]
        final = picks[-1]
        values = replicated(study, loss, items[chosen], draws)
        gain, interval = gain_over(study, values, whole)
        members = np.flatnonzero(trial.members[final.panel])
        cost = float(trial.cost[final.panel])
        same = sum(pick.panel == final.panel for pick in picks[:-1]) / (len(picks) - 1)
        return CheaperPanel(
            len(members),
            tuple(study.marks.judges[member] for member in members),
            _rule(study, final, len(members)),
            float(values[0]),
            gain,
            interval,
            same,
            None if _unknown_costs(study) else 1000.0 * cost,
        )

    sizes = [name for name in estimate if name is not None]
    return PanelChoices(tuple(row(size) for size in sizes), row(None), tuple(remarks))


def _rule(study: PanelStudy, pick: _Pick, size: int) -> VoteRule:
    if size == 1:
        return "single"
    if pick.weighted:
        return "weighted"
    return "majority" if study.categorical else "mean"


def _unknown_costs(study: PanelStudy) -> bool:
    return any(study.marks.costs.get(judge) is None for judge in study.marks.judges)


def _trial(
    study: PanelStudy, chosen: BoolArray, rng: np.random.Generator, most: int
) -> tuple[_Trial, list[str]]:
    judges, answers = len(study.marks.judges), int(chosen.sum())
    limit = max(1, min(PANELS, CELLS // answers))
    asked = most = min(most, judges - 1)
    while most > 1 and sum(comb(judges, size) for size in range(1, most + 1)) > limit:
        most -= 1
    remarks = []
    if most < asked:
        remarks.append(f"panels of more than {most} judges are left out: there are too many of them")
    members = np.array([*_panels(judges, most), np.ones(judges, dtype=np.bool_)])
    costs = np.array([study.marks.costs.get(judge) or 0.0 for judge in study.marks.judges])
    if _unknown_costs(study):
        costs = np.ones(judges)
        remarks.append("costs are unknown: a panel with fewer judges counts as cheaper")
    _, item = np.unique(study.marks.items[chosen], return_inverse=True)
    item = item.reshape(-1)
    fold = rng.permutation(int(item.max()) + 1) % FOLDS
    single = judge_losses(study)[:, chosen]
    stacked = np.vstack([study.marks.marks[:, chosen], study.marks.reference[chosen]])
    patterns, pattern = np.unique(stacked, axis=1, return_inverse=True)
    pattern = pattern.reshape(-1)
    counts = np.zeros((patterns.shape[1], FOLDS))
    np.add.at(counts, (pattern, fold[item]), 1.0)
    trial = _Trial(study, chosen, members, fold[item], members @ costs, single, patterns, pattern, counts)
    return trial, remarks


def _panels(judges: int, most: int) -> Iterator[BoolArray]:
    for size in range(1, most + 1):
        for members in combinations(range(judges), size):
            panel = np.zeros(judges, dtype=np.bool_)
            panel[list(members)] = True
            yield panel


def _nested(trial: _Trial) -> dict[int | None, tuple[FloatArray, list[_Pick]]]:
    """Return by size (None: the chosen size) the held-out losses (A,), and the picks of each outer fold.

    The last pick is the one from all folds.
    """
    sizes = [*np.unique(trial.sizes).tolist(), None]
    losses = {size: np.zeros(len(trial.folds)) for size in sizes}
    picks: dict[int | None, list[_Pick]] = {size: [] for size in sizes}
    for outer in (*range(FOLDS), None):
        held = frozenset() if outer is None else frozenset((outer,))
        train = frozenset(range(FOLDS)) - held
        decided = _decide(trial, train, held)
        for size in sizes:
            picks[size].append(decided[size])
            if outer is not None:
                rows = trial.folds == outer
                losses[size][rows] = trial.losses(decided[size], held)[rows]
    return {size: (losses[size], picks[size]) for size in sizes}


def _decide(trial: _Trial, train: frozenset[int], held: frozenset[int]) -> dict[int | None, _Pick]:
    """Return the pick of each size, and under None that of the chosen size, from the training folds alone."""
    inner = {
        (size, weighted): np.full(len(trial.folds), np.nan)
        for size in np.unique(trial.sizes).tolist()
        for weighted in WEIGHTED
    }
    for fold in sorted(train):
        without = held | {fold}
        rows = trial.folds == fold
        for weighted in WEIGHTED:
            for size, pick in trial.best(train - {fold}, weighted, without).items():
                inner[size, weighted][rows] = trial.losses(pick, without)[rows]
    used = np.isin(trial.folds, list(train))
    means = {name: float(loss[used].mean()) for name, loss in inner.items()}
    finals = {weighted: trial.best(train, weighted, held) for weighted in WEIGHTED}
    decided: dict[int | None, _Pick] = {}
    for size in finals[False]:
        # A weighted vote must do better than the plain one; of one judge they are the same.
        weighted = size > 1 and means[size, True] < means[size, False]
        decided[size] = finals[weighted][size]
    decided[None] = decided[_choose_size(trial, decided, inner, used)]
    return decided


def _choose_size(
    trial: _Trial,
    decided: dict[int | None, _Pick],
    inner: dict[tuple[int, bool], FloatArray],
    used: BoolArray,
) -> int:
    """Return the size of the cheapest panel whose loss is within one standard error of the smallest."""
    losses = {size: inner[size, pick.weighted][used] for size, pick in decided.items() if size is not None}
    best = min(losses, key=lambda size: (float(losses[size].mean()), size))
    items = trial.study.marks.items[trial.chosen][used]
    near = [size for size in losses if _within_one_error(losses[size] - losses[best], items)]
    return min(near, key=lambda size: (float(trial.cost[decided[size].panel]), size))


def _within_one_error(difference: FloatArray, items: IntArray) -> bool:
    """Return whether a mean difference is at most its standard error, items being independent."""
    mean = float(difference.mean())
    totals = np.bincount(np.unique(items, return_inverse=True)[1].reshape(-1), difference - mean)
    count = len(totals)
    error = float(np.sqrt((totals**2).sum() * count / max(1, count - 1))) / len(difference)
    return mean <= error
