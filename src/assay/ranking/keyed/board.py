"""The keyed board: how often each model chooses the right letter, and which differences are significant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.ranking.cells import over
from assay.ranking.keyed.accuracy import Rights, rights
from assay.ranking.keyed.answers import Answers, Names
from assay.ranking.keyed.bundles import Consistency, consistency
from assay.ranking.keyed.chance import Chance, chance
from assay.ranking.keyed.resampled import resample_bundles
from assay.ranking.measured import IntArray, Status
from assay.ranking.pairs import Comparisons, compare
from assay.ranking.rank_range import RankRange, rank_ranges
from assay.ranking.takes import Average, average, total_cost

REPLICATES = 2000


@dataclass(frozen=True, slots=True)
class Part:
    """A model's rights on one variant or one concept, by its name; `questions` belong to it."""

    name: str
    questions: int
    rights: Rights


@dataclass(frozen=True, slots=True)
class KeyedStanding:
    """One model on the board.

    `score` is the mean over questions of how often its answers were right, invalid ones being not right and
    errors left out: ranks are made of it, and `ranks` is None without it. `cost` is the total in USD, None
    when that of any answered sample is unknown (`cost_unknown` of them).
    """

    model: str
    rights: Rights
    score: float | None
    ranks: RankRange | None
    chance: Chance | None
    consistency: Consistency
    variants: tuple[Part, ...]
    concepts: tuple[Part, ...]
    tokens: Average
    latency: Average
    cost: float | None
    cost_unknown: int


@dataclass(frozen=True, slots=True)
class KeyedBoard:
    """Models by score, best first, then by name; models without one last.

    `comparisons` holds all pairs, in the order of the models' names, clustered by concept. `chance` is what
    blind guessing reaches on all questions. Intervals are at 1 - `alpha`, rank ranges at `alpha` over all
    pairs.
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


def keyed_board(
    answers: Answers, rng: np.random.Generator, *, replicates: int = REPLICATES, alpha: float = 0.05
) -> KeyedBoard:
    """Compute the board of a keyed suite.

    Models may come in any order: with the same `rng` seed the figures are the same. Source: the causal
    part of seed 002; DESIGN, section 7; docs/methodology/keyed-board.md has every formula.
    """
    order = sorted(range(len(answers.models)), key=lambda place: answers.models[place])
    names = tuple(answers.models[place] for place in order)
    answers = _ordered(answers, order)
    draws = resample_bundles(answers, rng, replicates)
    comparisons = compare(names, draws.exact, draws, 1.0 - alpha)
    ranks = rank_ranges(draws.exact, comparisons, alpha=alpha)
    seeds = rng.spawn(len(names))
    standings = [
        _standing(answers, place, float(draws.exact[place]), ranks[place], seeds[place], replicates, alpha)
        for place in range(len(names))
    ]
    standings.sort(key=lambda each: (each.score is None, -(each.score or 0.0), each.model))
    return KeyedBoard(
        standings=tuple(standings),
        comparisons=comparisons,
        concepts=answers.concepts,
        variants=answers.variants,
        questions=len(answers.questions),
        epochs=answers.epochs,
        chance=sum(1.0 / each.options for each in answers.questions) / len(answers.questions),
        replicates=replicates,
        alpha=alpha,
    )


def _ordered(answers: Answers, order: list[int]) -> Answers:
    return Answers(
        tuple(answers.models[place] for place in order),
        answers.questions,
        *(
            getattr(answers, name)[:, order]
            for name in ("status", "right", "read", "truncated", "tokens", "latency", "cost")
        ),
    )


def rights_overall(answers: Answers, place: int, *, level: float = 0.95) -> Rights:
    """Return one model's rights on all questions, with intervals over concepts."""
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
    cost, unknown = total_cost(status, answers.cost[:, place])
    return KeyedStanding(
        model=answers.models[place],
        rights=whole,
        score=None if np.isnan(score) else score,
        ranks=ranks,
        chance=chance(answers, place, whole, alpha=alpha),
        consistency=consistency(answers, place, rng, replicates=replicates),
        variants=_parts(answers, place, "variant", answers.bundles, 1.0 - alpha),
        concepts=_parts(answers, place, "concept", np.arange(len(answers.questions)), 1.0 - alpha),
        tokens=average(over(np.where(taken, answers.tokens[:, place], np.nan), 0)),
        latency=average(over(np.where(taken, answers.latency[:, place], np.nan), 0)),
        cost=cost,
        cost_unknown=unknown,
    )


def _parts(answers: Answers, place: int, by: str, clusters: IntArray, level: float) -> tuple[Part, ...]:
    """Return one model's rights on each variant (clustered by bundle) or concept (by question)."""
    labels = [getattr(each, by) for each in answers.questions]
    found = []
    for name in dict.fromkeys(labels):
        chosen = np.array([label == name for label in labels])
        found.append(Part(name, int(chosen.sum()), rights(answers, place, chosen, clusters, level=level)))
    return tuple(found)
