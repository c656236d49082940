"""Selection of the structures that the counts support, by the likelihood of held-out prompts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.wording import counted
from assay.frontier.mixture import structures
from assay.frontier.mixture.cells import CellTables, CodedCounts, code_counts, log_sum
from assay.frontier.mixture.em import Climb, MixtureState, fit_structure
from assay.frontier.mixture.families import Families, families, member_shifts
from assay.frontier.mixture.structures import Structure, StructureKind

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
TOPICS = (2, 4, 7, 12)
LEAST_BY_TOPIC = 15
"""A number of topics is tried only if each topic has at least this many prompts on average."""
FAR_BEHIND = 40.0
LOST = 10.0
DECAY, SIMPLER = 2.0, 1.0
"""A candidate's share falls by e^-2 for each standard error behind; a simpler candidate gains e^1."""
MOST_KEPT, LEAST_SHARE = 3, 0.08
NEAR = 8.0
"""The smallest standard error of a difference, in nats."""


@dataclass(frozen=True, slots=True)
class CountsView:
    """The original counts, or counts with each family of models as one model.

    `of` (L,) is each model's column in the counts `correct` and `answers` (N, F). `constant` (N,) is what
    pooling adds to each prompt's log likelihood. `name` is empty for the original counts.
    """

    name: str
    of: IntArray
    correct: IntArray
    answers: IntArray
    constant: FloatArray
    counts: CodedCounts
    cells: CellTables


@dataclass(frozen=True, slots=True)
class StructureCandidate:
    """A structure on a view of the counts."""

    view: CountsView
    structure: Structure

    @property
    def name(self) -> str:
        """The candidate's name in notes."""
        return self.structure.name + self.view.name


@dataclass(frozen=True, slots=True)
class StructureChoice:
    """The kept candidates with their shares, and the held-out log likelihood of every candidate by name."""

    kept: tuple[StructureCandidate, ...]
    shares: tuple[float, ...]
    held_out: dict[str, float]


def make_view(correct: IntArray, answers: IntArray, grouped: Families | None = None) -> CountsView:
    """Return a view of counts (N, L)."""
    if grouped is None:
        counts = code_counts(correct, answers)
        return CountsView(
            "",
            np.arange(correct.shape[1]),
            correct,
            answers,
            np.zeros(len(answers)),
            counts,
            CellTables(counts),
        )
    counts = code_counts(grouped.correct, grouped.answers)
    name = f", {counted(grouped.correct.shape[1], 'family', 'families')}"
    rates = (grouped.correct + 0.5) / (grouped.answers + 1.0)
    gain = member_shifts(correct, answers, grouped.of, rates).gain
    constant = grouped.constant + gain / len(answers)
    return CountsView(
        name, grouped.of, grouped.correct, grouped.answers, constant, counts, CellTables(counts)
    )


def make_views(correct: IntArray, answers: IntArray) -> tuple[CountsView, ...]:
    """Return the counts with each family as one model, if there are families, and the original counts."""
    grouped = families(correct, answers)
    if grouped.correct.shape[1] == correct.shape[1]:
        return (make_view(correct, answers),)
    return make_view(correct, answers, grouped), make_view(correct, answers)


def choose_structures(correct: IntArray, answers: IntArray, rng: np.random.Generator) -> StructureChoice:
    """Return the candidates to be averaged: the best by held-out likelihood, and simpler ones close to it.

    Topics and specialists are tried on the views on which one line for each model is not far behind the best
    view; the number of topics grows as long as that helps.
    """
    halves = np.array_split(rng.permutation(len(correct)), 2)
    trial = _Trial(halves, rng)
    views = make_views(correct, answers)
    for view in views:
        trial.simple(view)
    best = max(trial.additive.values())
    for view in views:
        if trial.additive[view.name] > best - FAR_BEHIND:
            trial.rich(view)
    return _weigh(trial.candidates, trial.values)


class _Trial:
    """Fits candidates on either half of the prompts and scores them on the other."""

    def __init__(self, halves: list[IntArray], rng: np.random.Generator) -> None:
        self.halves, self.rng = halves, rng
        self.candidates: list[StructureCandidate] = []
        self.values: list[FloatArray] = []
        self.bases: dict[tuple[str, int], MixtureState] = {}
        self.additive: dict[str, float] = {}

    def simple(self, view: CountsView) -> None:
        """Try structures of one topic."""
        models = view.counts.models
        if models > 1:
            self._try(view, structures.equal(models))
            self._try(view, structures.equal_capped(models))
        self.additive[view.name] = self._try(view, structures.additive(models))
        if models > 1:
            self._try(view, structures.capped(models))

    def rich(self, view: CountsView) -> None:
        """Try specialists and topics."""
        models = view.counts.models
        if models < 3:
            return
        self._try(view, structures.specialists(models))
        best = self.additive[view.name]
        self._try(view, structures.topics_capped(models, 2))
        for topics in TOPICS:
            if len(view.answers) < topics * LEAST_BY_TOPIC:
                break
            score = self._try(view, structures.by_topic(models, topics))
            if score < best - (LOST if topics > 2 else FAR_BEHIND):
                break
            best = max(best, score)

    def _try(self, view: CountsView, structure: Structure) -> float:
        held_out = view.constant.copy()
        for half, (train, test) in enumerate((self.halves[::-1], self.halves)):
            counts, base = view.counts.take(train), self.bases.get((view.name, half))
            state = fit_structure(counts, view.cells, structure, self.rng, base)
            if structure.kind is StructureKind.ADDITIVE and not structure.capped:
                self.bases[view.name, half] = state
            held_out[test] += log_sum(Climb(view.counts.take(test), view.cells, structure).by_class(state))
        self.candidates.append(StructureCandidate(view, structure))
        self.values.append(held_out)
        return float(held_out.sum())


def _weigh(candidates: list[StructureCandidate], values: list[FloatArray]) -> StructureChoice:
    """Weigh candidates by their distance behind the best, in standard errors."""
    totals = np.array([value.sum() for value in values])
    best = int(totals.argmax())
    held_out = {candidate.name: float(total) for candidate, total in zip(candidates, totals, strict=True)}
    scores = np.zeros(len(candidates))
    for index, value in enumerate(values):
        behind = values[best] - value
        error = max(NEAR, float(behind.std() * np.sqrt(len(behind))))
        simpler = np.sign(_size(candidates[best]) - _size(candidates[index]))
        scores[index] = -DECAY * float(behind.sum()) / error + (SIMPLER if simpler > 0 else 0.3 * simpler)
    order = np.argsort(-scores, kind="stable")[:MOST_KEPT]
    shares = np.exp(scores[order] - scores[order[0]])
    shares = shares / shares.sum()
    order, shares = order[shares > LEAST_SHARE], shares[shares > LEAST_SHARE]
    return StructureChoice(
        tuple(candidates[index] for index in order), tuple((shares / shares.sum()).tolist()), held_out
    )


def _size(candidate: StructureCandidate) -> float:
    """Return a number that orders candidates from simple to rich: lines, and a little for further classes."""
    return candidate.structure.lines + 0.1 * candidate.structure.topics
