"""Analyst: is the gap in uptake the share of compliers, and does the ratio speak for more than them?"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.instruments.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.draws import chance, until
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.options.disputes import dispute
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim, answer
from assay.causal.queries import Compare, counterfactual, crude, effect, p
from assay.causal.scm import Scm, binary, levels
from assay.causal.wording.filled import filled


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: stem, the two facts when true and when false, and two ways to say who is right."""

    stem: str
    steady: tuple[str, str]
    even: tuple[str, str]
    same: str
    split: str


WORDINGS = (
    Words(
        "{P0} and {n0} are reading the same evaluation. {Setting} had found that among {units} {that} "
        "{offered} more {x} than among the rest. {drawn}. {sealed}. Taking it up was voluntary.\n\nTwo "
        "findings of an earlier panel are quoted: {steady}. {even}.\n\n{p0} claims that the gap in uptake "
        "is the very share of {units} in whom {offer} brings about the uptake; {n0} denies it. On the other "
        "point, {p1} claims that the contrast of the arms in success, over that gap, must be the effect "
        "that the uptake has across the whole population, while {n1} thinks that it need not be. Success "
        "means that they {y}. Whose assessment is accurate?",
        (
            "as private talks brought out, not one of them was put off by being approached",
            "as private talks brought out, a few who had planned on it were put off by being approached",
        ),
        (
            "The benefit, checked for each sort apart, was one and the same, whatever made them take it up",
            "The benefit, checked for each sort apart, was largest in the eager and hardly there in the "
            "reluctant",
        ),
        "{0} on the gap in uptake and on the reach of the ratio as well.",
        "{0} on the gap in uptake, {1} on the reach of the ratio.",
    ),
    Words(
        "Transcript. Topic: {setting}, {units}, and what follows if they {x}.\nCHAIR: Nobody contests "
        "these points. {drawn}; in this way "
        "some {offered}. {sealed}. Uptake was free on both sides, and the success we count is that they "
        "{y}.\nCHAIR: Further, {even}. "
        "And {steady}.\n{P1}: Then the usual ratio is bound to be the mean effect in everyone, compliers or "
        "not.\n{N1}: It may be another figure.\n{P0}: The "
        "proportion of compliers can be read off: uptake with {offer} minus uptake without.\n{N0}: That "
        "cannot be read off so.\n"
        "The chair must record who was right about the ratio and who about the proportion.",
        (
            "every person who would act without {offer} would also act with it",
            "some persons who would act without {offer} would out of defiance not act with it",
        ),
        (
            "what the uptake does is the same for those who shun it, those who follow and those who lead",
            "what the uptake does is small for those who shun it, middling for those who follow and big "
            "for those who lead",
        ),
        "About the proportion {0} and about the ratio {0} again.",
        "About the proportion {0} and about the ratio {1}.",
    ),
    Words(
        "A press officer must choose whom to quote. The study, by {setting}, is an encouragement design: "
        "{drawn}. Its subjects are {units}; its encouragement, {offer}. {sealed}. It is known how many {x} "
        "in each arm and how many {y}.\n\nWhat else is known came from diaries kept by subjects of both "
        "arms. {steady}. {even}.\n\nAccording to {n1}, dividing the arms' difference in results by their "
        "difference in uptake may well miss the average effect over all subjects; {p1} says that it cannot. "
        "According to {p0}, the arms' difference in uptake counts precisely the subjects whom {offer} won "
        "over; {n0} objects to that. Who may be quoted on which point?",
        (
            "They show that the encouragement, if it moved anyone, pushed towards the uptake",
            "They show that the encouragement pushed most one way and yet turned a stubborn few the "
            "opposite way",
        ),
        (
            "They also show equal gains from the uptake in willing, wavering and unwilling subjects",
            "They also show gains from the uptake that grow from unwilling over wavering to willing subjects",
        ),
        "On winning over: {0}. On the average: {0}.",
        "On winning over: {0}. On the average: {1}.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether anybody defies the offer, and whether all gain alike; apart from that, who says what."""
    number, state, quarrel = rng.randrange(len(WORDINGS)), rng.choice(PAIRS), dispute(rng)
    words = WORDINGS[number]
    world = until(lambda: _world(rng, state))
    names = {
        "p0": quarrel.holder(0, True),
        "n0": quarrel.holder(0, False),
        "p1": quarrel.holder(1, True),
        "n1": quarrel.holder(1, False),
    }
    facts = {"steady": words.steady[not state[0]], "even": words.even[not state[1]]}
    stem = filled(words.stem, scene, **names, **{name: filled(text, scene) for name, text in facts.items()})

    def say(option: Pair) -> str:
        who = quarrel.holders(option)
        return (words.same if who[0] == who[1] else words.split).format(*who)

    answers = crossed(
        state,
        say,
        _claims,
        topics=("the gap in uptake", "the reach of the ratio"),
        why=_why(state),
        kinds=reflexes(first=True, second=False),
    )
    return Draft(
        world,
        stem,
        answers,
        f"instruments/analyst/{number}",
        scene.name,
        f"steady={state[0]} even={state[1]}",
        (
            ("gap in uptake", crude("Z", "X")),
            ("compliers", p({"C": 1})),
            ("average effect", effect("X", "Y")),
        ),
    )


def _claims(option: Pair) -> tuple[Claim, ...]:
    one, none = (counterfactual({"Y": 1}, {"X": x}) for x in (1, 0))
    return (
        Claim(Compare(crude("Z", "X"), "=", p({"C": 1})), option[0]),
        Claim(Compare(crude("Z", "Y"), "=", (one - none) * crude("Z", "X")), option[1]),
    )


def _world(rng: random.Random, state: Pair) -> Scm | None:
    """Draw a model: C is 0 for those who refuse, 1 comply, 2 take it anyway, 3 defy the offer."""
    tenth = Fraction(1, 10)
    mix = (3, 4, 3, 0) if state[0] else (2, 4, 3, 1)
    low, gain = chance(rng, tenth, 2 * tenth, tenth / 2), chance(rng, 2 * tenth, 3 * tenth, tenth / 2)
    gains = [gain] * 4 if state[1] else [tenth / 2, gain, gain + tenth * 2, gain + tenth * 2]
    does: dict[tuple[int, ...] | int, Fraction] = {
        (z, c): Fraction(c == 2 or (c == 1 and z == 1) or (c == 3 and z == 0))
        for z in (0, 1)
        for c in range(4)
    }
    world = Scm(
        (
            binary("Z"),
            levels("C", "", {(): [tenth * share for share in mix]}, hidden=True),
            binary("X", "Z C", does),
            binary(
                "Y", "X C", {(x, c): low + tenth / 2 * c + gains[c] * x for x in (0, 1) for c in range(4)}
            ),
        )
    )
    route = Derived(world)
    return world if all(answer(route, claim.query) == claim.answer for claim in _claims(state)) else None


def _why(state: Pair) -> str:
    first = (
        "Nobody defies the offer, so uptake with it minus uptake without it counts the compliers."
        if state[0]
        else "Some defy the offer, so the gap in uptake is compliers minus defiers and falls short of the "
        "compliers."
    )
    second = (
        "All gain alike, so whatever the weights, the ratio is everybody's effect."
        if state[1]
        else "Gains differ by sort, and the ratio weighs only those whom the offer moves: it need not be "
        "everybody's effect."
    )
    return f"{first} {second}"
