"""Base: was the offer given by chance, does it act by uptake alone, when uptake itself is people's choice?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.instruments.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import Separated, ValidAdjustment
from assay.causal.scm import Dag, dag
from assay.causal.wording.filled import filled
from assay.causal.wording.graphs import sentence


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, and what an answer says of the assignment and of the ways the offer acts."""

    stem: str
    fair: str
    tilted: str
    single: str
    double: str


WORDINGS = (
    Words(
        "Some {units} {x}, some {x_no}, and {setting} would like to learn what difference that makes. No "
        "one can be made to do it: some {offered}, the others were not, and in either group everybody then "
        "did as they pleased. Enthusiasm, which nobody measured, moved people to go ahead and also helped "
        "the outcome along; the outcome is whether they {y}.\n\n{assigned}. {acts}.\n\nA consultant "
        "proposes to take the difference in the outcome between those with and those without {offer}, and "
        "to divide it by the difference in uptake. Which verdict on the two steps is sound?",
        "The difference in the outcome is the doing of {offer}",
        "The difference in the outcome is not just the doing of {offer}",
        "no route past the uptake stands in the way of the division",
        "a route past the uptake stands in the way of the division",
    ),
    Words(
        "From a methods memorandum. Population: {units} known to {setting}. Exposure: whether they {x} or "
        "{x_no}. Endpoint: whether they {y}. Design: a part of the population {offered}; the rest served as "
        "reference. Adherence was poor on both sides, and it went with unrecorded motivation that bears on "
        "the "
        "endpoint as well.\n\nNote 1. {acts}.\nNote 2. {assigned}.\n\nThe reviewers must say whether the "
        "two groups of "
        "the design are exchangeable at the start, and whether {offer} satisfies the exclusion restriction "
        "for this "
        "exposure. What should they write?",
        "Exchangeable groups at the start",
        "Groups not exchangeable at the start",
        "exclusion is satisfied",
        "exclusion is violated",
    ),
    Words(
        '"Forget about who {x} and who {x_no}," said the older of the two. "That was up to them, and the '
        "eager ones "
        "differ in ways we cannot see. Start from the fact that some {units} {offered} and others were "
        'left out."\n\n'
        '"How did {setting} settle who would be left out?"\n\n"{assigned}."\n\n"And what does {offer} do '
        "to somebody "
        'who takes no further step?"\n\n"{acts}."\n\n"So if we count how many {y} with {offer} and how '
        "many without "
        'it, what have we got, and may we blame all of it on the uptake?"\n\nWhich reply is correct?',
        "The contrast of the two counts is a fair test of {offer}",
        "The contrast of the two counts mixes {offer} with who was given it",
        "what {offer} does, it does through the uptake",
        "what {offer} does, it does partly around the uptake",
    ),
    Words(
        "Three remarks were left in the margin of a draft report on {units}.\n\n(i) It was their own "
        "decision whether "
        "they {x}; whoever is inclined to do so is also more likely to be among those {that} {y}, with or "
        "without it.\n"
        "(ii) On {offer}, by which the report means that some {offered}: {assigned}.\n(iii) Also on "
        "{offer}: {acts}.\n\n"
        "The report, written for {setting}, wants to use {offer} as an instrument. Judge the two "
        "requirements "
        "separately: that the instrument shares no cause with the outcome, and that it reaches the outcome "
        "through the "
        "treatment alone.",
        "No shared cause of instrument and outcome",
        "A shared cause of instrument and outcome",
        "no path of its own from instrument to outcome",
        "a path of its own from instrument to outcome",
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the offer was given by chance and whether it acts by the uptake alone."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words = WORDINGS[number]
    stem = filled(
        words.stem,
        scene,
        assigned=scene.drawn if state[0] else scene.picked,
        acts=scene.sealed if state[1] else scene.leaks,
    )

    def say(option: Pair) -> str:
        first = words.fair if option[0] else words.tilted
        second = words.single if option[1] else words.double
        return sentence(filled(f"{first}; {second}.", scene))

    answers = crossed(
        state,
        say,
        _claims,
        topics=("how the offer was given", "the ways in which it acts"),
        why=_why(scene, state),
        kinds=reflexes(first=True),
    )
    return Draft(
        world(state),
        stem,
        answers,
        f"instruments/base/{number}",
        scene.name,
        f"drawn={state[0]} sealed={state[1]}",
    )


def world(state: Pair) -> Dag:
    """Return the graph: Z the offer, X the uptake, U what moves uptake and outcome, H the prospects."""
    arrows = "Z>X X>Y U>X U>Y H>Y" + ("" if state[0] else " H>Z") + ("" if state[1] else " Z>Y")
    return dag(arrows, hidden="U H")


def _claims(option: Pair) -> tuple[Claim, ...]:
    return (
        Claim(ValidAdjustment(("Z",), "Y", ()), option[0]),
        Claim(Separated("Z", "Y", ("X", "U", "H")), option[1]),
    )


def _why(scene: Scene, state: Pair) -> str:
    first = (
        f"Chance settled who had {scene.offer}, so nothing else separates the two groups."
        if state[0]
        else f"Who had {scene.offer} went with their prospects, a common cause of the offer and the outcome."
    )
    second = (
        f"By itself {scene.offer} does nothing to the outcome: exclusion holds."
        if state[1]
        else f"The outcome is touched by {scene.offer} without the uptake: exclusion fails."
    )
    return f"{first} {second}"
