"""Numeric: one table of starters and finishers, two stories, and the effect had nobody been lost."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction

from assay.causal.concepts.selection_attrition.scenes import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.draws import until
from assay.causal.options.numbered import Figure
from assay.causal.options.readings import offered
from assay.causal.queries import Term, adjusted, adjusted_difference, crude, p
from assay.causal.scm import Scm, binary
from assay.causal.wording.figures import points
from assay.causal.wording.graphs import sentence
from assay.causal.wording.tables import table
from assay.causal.wording.telling import fields

Cell = tuple[int, int]
Counts = Mapping[Cell, tuple[int, int, int]]
Rows = dict[tuple[int, ...] | int, Fraction]
BEFORE = 0.4

STEMS = (
    "{Setting} followed {units}, some with {arm1}, some with {arm0}. Further, {sign} was recorded for all "
    "{that} began. About its place in time: {timing}. Some {units} {lost}; given the arm and {sign}, which "
    "ones these were had nothing to do with the outcome.\n\n{table}\n\nRead the table as exact shares of a "
    "very large population. By how much would the share {that} {y} differ, {arm1} minus {arm0}, if all "
    "{that} began had one arm or the other and none were lost?",
    "Worksheet. Unit: one of the {units} {that} began ({setting}). X = 1 is {arm1}, X = 0 is {arm0}; L is "
    "{sign}; "
    "success: they {y}.\nFact 1: {timing}.\nFact 2: those {that} {lost} are a random part of those with the "
    "same X and "
    "the same L.\n\n{table}\n\nCompute the total effect of X on the share of success, in percentage "
    "points, in the "
    "whole of those {that} began, sampling error aside.",
    '"We know how many started, how many stayed, and how many of these {y}," writes an editor about '
    "{setting}. "
    '"Can one figure for {arm1} against {arm0} be had that does not suffer from the {units} {that} {lost}?" '
    "It can: the "
    "losses are explained by the arm and {sign} in full, in the sense that nothing else behind them bears "
    "on the "
    "outcome. Note that {timing}.\n\n{table}\n\nWhich figure is the total effect for all who started "
    "(treat counts "
    "as expectations)?",
)
TIMING = (
    (
        "{before}, and nothing else that matters entered the choice of arm",
        "the arm was not drawn by lot, for {before}; no other criterion was used",
    ),
    (
        "the arm was decided by lot, and {after}",
        "lots had been drawn for the arm, whereas {after}",
    ),
)


def world(counts: Counts, before: bool) -> Scm:
    """Return the model whose expectations the table shows; `before` tells whether L steers X or follows it.

    `counts` gives for each (x, l) who began, who stayed, and of these those with the outcome.
    """
    began = {cell: Fraction(n) for cell, (n, _, _) in counts.items()}
    everyone = sum(began.values())
    by_l = [began[0, level] + began[1, level] for level in (0, 1)]
    by_x = [began[level, 0] + began[level, 1] for level in (0, 1)]
    if before:
        first = [
            binary("L", "", by_l[1] / everyone),
            binary("X", "L", {level: began[1, level] / by_l[level] for level in (0, 1)}),
        ]
    else:
        first = [
            binary("X", "", by_x[1] / everyone),
            binary("L", "X", {level: began[level, 1] / by_x[level] for level in (0, 1)}),
        ]
    stay: Rows = {cell: Fraction(m, n) for cell, (n, m, _) in counts.items()}
    hit: Rows = {cell: Fraction(k, m) for cell, (_, m, k) in counts.items()}
    return Scm((*first, binary("R", "X L", stay), binary("Y", "X L", hit)))


def target() -> Term:
    """Return the effect had nobody been lost."""
    return p({"Y": 1}, do={"X": 1, "R": 1}) - p({"Y": 1}, do={"X": 0, "R": 1})


def own_mix() -> Term:
    """Return the difference with each arm's finishers weighted to the arm's own starters."""
    one, other = (adjusted({"Y": 1}, {"X": x}, ["L"], within={"R": 1}, weights={"X": x}) for x in (1, 0))
    return one - other


def figures_of(before: bool) -> tuple[Figure, list[Figure]]:
    """Return the figure asked for and the readings that compete with it."""
    pooled = adjusted_difference("X", "Y", ["L"], within={"R": 1})
    strata = [crude("X", "Y", given={"R": 1, "L": level}) for level in (0, 1)]
    common = "finishers' shares weighted to the mix of all who began"
    own = "finishers' shares weighted to the mix with which each arm itself began, or came to have"
    pool = [
        Figure(crude("X", "Y", given={"R": 1}), "the plain difference among finishers", Kind.REFLEX),
        Figure(
            adjusted_difference("X", "Y", ["L"], within={"R": 1}, weights={"R": 1}),
            "finishers' shares weighted to the mix of all finishers",
        ),
        Figure((strata[0] + strata[1]) / 2, "the mean of the two rows' differences, unweighted"),
        Figure(
            p({"Y": 1, "R": 1}, {"X": 1}) - p({"Y": 1, "R": 1}, {"X": 0}),
            "the difference with everybody lost counted as a failure",
            Kind.REFLEX,
        ),
        Figure(
            p({"X": 1}, {"Y": 1, "R": 1}) - p({"X": 1}, {"Y": 0, "R": 1}),
            "the difference in the share of the first arm between successes and failures",
            Kind.REVERSED,
        ),
    ]
    if before:
        return Figure(pooled, common), [Figure(own_mix(), own, Kind.MISAPPLIED), *pool]
    return Figure(own_mix(), own), [Figure(pooled, common, Kind.MISAPPLIED), *pool]


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw the story and the key's rank, then counts in which the key has that rank among four readings."""
    number, before, rank = rng.randrange(len(STEMS)), rng.random() < BEFORE, rng.randrange(4)
    central = rng.random() < 0.5
    asked, pool = figures_of(before)

    def attempt() -> Draft | None:
        counts = _counts(rng, before)
        scm = world(counts, before)
        answers = offered(
            rng,
            scm,
            asked,
            pool,
            rank,
            central=central,
            show=points,
            places=3,
            least=Fraction(12, 1000),
            target=target(),
        )
        if answers is None:
            return None
        texts = fields(scene)
        timing = rng.choice(TIMING[not before]).format(**texts)
        stem = STEMS[number].format(**texts, timing=timing, table=_table(scene, counts, number))
        return Draft(
            scm,
            stem,
            answers,
            f"selection-attrition/numeric/{number}",
            scene.name,
            f"before={before} rank={rank}",
            (("plain difference among finishers", pool[1].term), ("asked for", asked.term)),
        )

    return until(attempt)


def _counts(rng: random.Random, before: bool) -> Counts:
    """Draw who began, stayed and succeeded in each cell; a random arm has as many as the other."""
    half = 10 * rng.randint(60, 140)
    found = {}
    for x in (0, 1):
        size = half if not before else 10 * rng.randint(50, 150)
        high = size * rng.randint(15, 85) // 100
        for level, n in ((0, size - high), (1, high)):
            m = n * rng.randint(35, 95) // 100
            found[x, level] = (n, m, m * rng.randint(8, 92) // 100)
    return found


def _table(scene: Scene, counts: Counts, number: int) -> str:
    arms = ("X = 0", "X = 1") if number == 1 else (scene.arm0, scene.arm1)
    header = ("Arm", "L" if number == 1 else sentence(scene.sign), "Began", "Stayed", "Stayed and succeeded")
    rows = [
        [arms[x], (scene.low, scene.high)[level], *(f"{n:,}" for n in counts[x, level])]
        for x in (1, 0)
        for level in (0, 1)
    ]
    return table(header, rows)
