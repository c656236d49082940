"""Numeric: a fully known M; what does adjusting for its middle report, how far off is it, what is true?"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.m_bias.scenes import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.draws import chance, until
from assay.causal.options.numbered import Figure, figures
from assay.causal.queries import adjusted_difference, crude, effect
from assay.causal.scm import Scm, binary
from assay.causal.wording.figures import percent, points
from assay.causal.wording.telling import fields

ASKED = ("adjusted", "treated", "untreated", "bias", "effect")
LEFT_OUT = (3, 3, 3, 3, 8)
LEAST = Fraction(1, 100)
TENTH = Fraction(1, 10)
Rows = dict[tuple[int, ...] | int, Fraction]


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, and what is asked; the probabilities stand at their variables' names."""

    stem: str
    asks: dict[str, str]


WORDINGS = (
    Words(
        "A simulation for {setting} mimics {units}. Two hidden switches are thrown independently: U, "
        "standing for {u}, is on with probability {U}, and V, standing for {v}, with probability {V}. The "
        "share {who} {x} "
        'is {X1} with U on and {X0} with U off. {M} comes out as "{m_high}" rather than "{m_low}" in '
        "{M00} of cases with both switches off, {M10} with only U on, {M01} with only V on, {M11} with both "
        "on. Finally, the share {who} {y} is: {Y00} without the step and V off, {Y01} without the step and V "
        "on, {Y10} with the step and V off, {Y11} with the step and V on. Nothing else plays a "
        "part.\n\n{ask}",
        {
            "adjusted": "An analyst who sees neither switch takes the risk difference (with minus without "
            "the step) within both levels of {m} and averages the two, weighted by how frequent the levels "
            "are. What will the average be in a huge sample?",
            "treated": "Somebody to whom both switches are invisible takes the risk difference (with minus "
            "without the step) within each level of {m} and weights it by how many of those {who} {x} are at "
            "that level. Which number comes out in a huge sample?",
            "untreated": "Somebody to whom both switches are invisible takes the risk difference (with minus "
            "without the step) within each level of {m} and weights it by how many of those {who} {x_no} are "
            "at that level. Which number comes out in a huge sample?",
            "bias": "An analyst who sees neither switch standardises the risk difference (with minus without "
            "the step) to the distribution of {m}. In a huge sample, how far above (+) or below (−) the true "
            "effect on the population will the result be?",
            "effect": "An analyst wants the risk difference (with minus without the step) that an experiment "
            "on all {units} would show, and sees neither switch. In a huge sample, which value should the "
            "report give?",
        },
    ),
    Words(
        "You know a data-generating process in full. Units: {units} at {setting}. Binary variables: U ({u}), "
        "V "
        '({v}), M (1 if {m} is "{m_high}", 0 if "{m_low}"), X (1 if they {x}, 0 if they {x_no}), Y (1 if '
        "they "
        "{y}). U and V are independent.\n\n- P(U=1) = {U}; P(V=1) = {V}\n- P(X=1 | U): {X1} for U=1, {X0} "
        "for U=0\n- P(M=1 | U, V): {M11} for (1, 1), {M10} for (1, 0), {M01} for (0, 1), {M00} for (0, 0)\n- "
        "P(Y=1 | X, V): {Y11} for (1, 1), {Y10} for (1, 0), {Y01} for (0, 1), {Y00} for (0, 0)\n\n{ask}",
        {
            "adjusted": "Calculate the sum over m of P(M=m) times [P(Y=1 | X=1, M=m) − P(Y=1 | X=0, M=m)].",
            "treated": "Calculate the sum over m of P(M=m | X=1) times [P(Y=1 | X=1, M=m) − P(Y=1 | X=0, "
            "M=m)].",
            "untreated": "Calculate the sum over m of P(M=m | X=0) times [P(Y=1 | X=1, M=m) − P(Y=1 | X=0, "
            "M=m)].",
            "bias": "Calculate by how much the back-door formula with M as the covariate exceeds (+) or "
            "falls short of (−) the effect P(Y=1 | do(X=1)) − P(Y=1 | do(X=0)).",
            "effect": "Calculate P(Y=1 | do(X=1)) − P(Y=1 | do(X=0)).",
        },
    ),
    Words(
        "Note to the board of {setting}. Of our {units}, {U} are of type A as regards {u}, the others of "
        "type B; {V} are of type C as regards {v}, the others of type D; the one type says nothing about the "
        "other. We have no column for either.\n\nWe know from a special survey: of type A, {X1} {x}, of type "
        "B, {X0}; the "
        'remainder {x_no}. "{m_high}" is entered for {m} with {M11} of those of types A and C, {M10} of A '
        "and D, "
        "{M01} of B and C, {M00} of B and D. Results do not depend on A or B: among type C, {Y11} {y} after "
        "the step and {Y01} without it; among type D, {Y10} after the step and {Y00} without it.\n\n{ask}",
        {
            "adjusted": "The regular statistics will compare like with like as to {m}: within each entry, "
            "the share after the step minus the share without it, the entries weighted by their total "
            "numbers. Which figure must we expect there?",
            "treated": "The regular statistics will compare like with like as to {m}, by the share after the "
            "step minus the share without it, and will weight the entries by their numbers among the {units} "
            "{who} {x}. Which figure must we expect there?",
            "untreated": "The regular statistics will compare like with like as to {m}, by the share after "
            "the step minus the share without it, and will weight the entries by their numbers among the "
            "{units} {who} {x_no}. Which figure must we expect there?",
            "bias": "The regular statistics will compare like with like as to {m}, weighting the entries by "
            "their total numbers. What must be subtracted from their figure (share after the step minus "
            "share without) to arrive at what the step truly does on average?",
            "effect": "Which figure (share after the step minus share without) would the regular statistics "
            "have to show in order to state what the step truly does on average?",
        },
    ),
)


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw four figures, one of them to be asked for, then a process in which they differ."""
    number = rng.randrange(len(WORDINGS))
    left_out = rng.choices(ASKED, LEFT_OUT)[0]
    offered = [name for name in ASKED if name != left_out]
    asked = rng.choice(offered)

    def attempt() -> Draft | None:
        world = model(rng)
        found = {name: estimands()[name] for name in offered}
        key = found.pop(asked)
        answers = figures(world, key, list(found.values()), None, show=points, places=3, least=LEAST)
        if answers is None:
            return None
        return Draft(
            world,
            tell(WORDINGS[number], scene, world, asked),
            answers,
            f"m-bias/numeric/{number}",
            scene.name,
            f"asked={asked}",
            (
                ("plain difference", crude("X", "Y")),
                ("within the low level", crude("X", "Y", given={"M": 0})),
                ("within the high level", crude("X", "Y", given={"M": 1})),
            ),
        )

    return until(attempt)


def model(rng: random.Random) -> Scm:
    """Draw an M with strong legs."""

    def share() -> Fraction:
        return chance(rng, TENTH, 9 * TENTH, TENTH)

    low, high = chance(rng, TENTH, 2 * TENTH, TENTH), chance(rng, 8 * TENTH, 9 * TENTH, TENTH)
    chosen: Rows = dict(enumerate(rng.sample((low, high), 2)))
    extremes = [TENTH, 2 * TENTH, 8 * TENTH, 9 * TENTH]
    middle: Rows = {(u, v): rng.choice(extremes) for u in (0, 1) for v in (0, 1)}
    result: Rows = {(x, v): share() for x in (0, 1) for v in (0, 1)}
    half = (3 * TENTH, 4 * TENTH, 5 * TENTH, 6 * TENTH, 7 * TENTH)
    return Scm(
        (
            binary("U", "", rng.choice(half), hidden=True),
            binary("V", "", rng.choice(half), hidden=True),
            binary("X", "U", chosen),
            binary("M", "U V", middle),
            binary("Y", "X V", result),
        )
    )


def estimands() -> dict[str, Figure]:
    """Return the figures that can be asked for."""
    over, true = ("M",), effect("X", "Y")
    adjusted = adjusted_difference("X", "Y", over)
    return {
        "adjusted": Figure(adjusted, "what adjusting for the covariate reports", Kind.REFLEX),
        "treated": Figure(
            adjusted_difference("X", "Y", over, weights={"X": 1}),
            "what adjusting reports with the weights of those with the step",
            Kind.MISAPPLIED,
        ),
        "untreated": Figure(
            adjusted_difference("X", "Y", over, weights={"X": 0}),
            "what adjusting reports with the weights of those without the step",
            Kind.MISAPPLIED,
        ),
        "bias": Figure(adjusted - true, "how far adjusting leads away from the effect", Kind.REVERSED),
        "effect": Figure(true, "the effect, which the plain comparison shows without bias", Kind.PARTIAL),
    }


def tell(words: Words, scene: Scene, world: Scm, asked: str) -> str:
    """Return the stem."""
    shares = {
        f"{variable.name}{''.join(map(str, levels))}": percent(row[1], 0)
        for variable in world.variables
        for levels, row in variable.table.items()
    }
    texts = fields(scene) | shares
    return words.stem.format(**texts, ask=words.asks[asked].format(**texts))
