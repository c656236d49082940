"""Analyst: must the second step hold the choice fixed, and do the missing outcomes spoil it?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.front_door.scene import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.options.disputes import dispute
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import dag


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem; each point as its affirmer and its denier put it; two ways to lose outcomes."""

    stem: str
    needless: tuple[str, str]
    harmless: tuple[str, str]
    kept: str
    lost: str
    option: str


WORDINGS = (
    Words(
        "A working paper by {setting} estimates, step by step, the effect of a choice on {units} (they {x}, "
        "or they {x_no}); the end is that they {y}, and effects are differences in shares. Step "
        "A goes from the choice to {m}, step B from {m} to the end. {motive}. {sole}. Luck is all that "
        "moves {m} apart from the choice. {m_up} is known for all, the end for seven tenths. {loss}. There "
        "is no more to know.\n\n{a} in the first reading: '{a0} {a1}'\n{b} in the second: '{b0} "
        "{b1}'\n\nBoth speak of step B. Which reading is sound on which point?",
        (
            "Were the end known for all, comparing the levels of {m} would be enough, with the choice "
            "left out.",
            "Were the end known for all, comparing the levels of {m} would not be enough, with the choice "
            "left out.",
        ),
        (
            "At a given choice, the seven tenths serve as well as all would.",
            "At a given choice, the seven tenths do not serve as all would.",
        ),
        "Whether the end came to be known hung on the choice and on {m}, and on nothing beyond these",
        "Whether the end came to be known hung on the choice and on the end itself, and on nothing beyond "
        "these",
        "On leaving out the choice, {first}; on the seven tenths, {second}.",
    ),
    Words(
        "{a} and {b} share a desk at {setting}, and a puzzle. Their {units} went one of two ways: they {x}, "
        "or they {x_no}. They want what {m} does to the share {who} {y}, as a difference, for half of a "
        "front-door calculation. The desk's rule book reads: {sole_low}; {m} has no cause but the way taken "
        "and "
        'accident; {motive_low}; {loss_low}; these are all the causes there are.\n\n"{a1} {a0}" That is '
        '{a}. "{b1} {b0}" That is {b}.\n\nTell them who is right, point by point.',
        (
            "And the confounding of {m} with the outcome is nil even when both ways are thrown together.",
            "And the confounding of {m} with the outcome is nil no longer when both ways are thrown "
            "together.",
        ),
        (
            "Dropping rows without an outcome does no damage, once rows are split by the way taken.",
            "Dropping rows without an outcome does damage, even once rows are split by the way taken.",
        ),
        "a row lacks its outcome more often for one way than for the other, and more often at '{m_low}' "
        "than at '{m_high}'",
        "a row lacks its outcome more often for one way than for the other, and more often if the outcome "
        "did not occur",
        "Dropping rows: {second} is right. Throwing ways together: {first} is right.",
    ),
    Words(
        "Summary of a dispute, prepared for {setting}.\nBackground: for {units}, nothing was prescribed. "
        "They {x}, or they {x_no}. {motive}.\nCausal chain: decision, then {m}, then the result (they {y}). "
        "{sole}. Apart from the decision, what {m} turns out to be is haphazard.\nData: decision and {m} "
        "for everyone; the result where it was handed in. {loss}.\nNot on the list: nothing, it is "
        "complete.\n{a} holds: {a0} {a1}\n{b} holds: {b0} {b1}\nAsked for: a ruling on both claims, which "
        "concern the link from {m} to the result, measured as a difference in shares.",
        (
            "With all results in hand, the simple association of {m} and result would be the causal effect.",
            "With all results in hand, the simple association of {m} and result would not be the causal "
            "effect.",
        ),
        (
            "Stratified by decision, the results handed in give the effect that all results would give.",
            "Stratified by decision, the results handed in give an effect that all results would not give.",
        ),
        "Handing in was a habit where {m} came to '{m_high}', and more of one side of the decision than of "
        "the other",
        "Handing in was a habit where the result had come about, and more of one side of the "
        "decision than of the other",
        "Simple association: {first}. Results handed in: {second}.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the choice's motive bears on the outcome, and what made outcomes go missing."""
    number, state, voices = rng.randrange(len(WORDINGS)), rng.choice(PAIRS), dispute(rng)
    words, fields = WORDINGS[number], scene.words()
    said = {
        f"{who}{point}": pair[not voices.affirms(place, point)].format(**fields)
        for place, who in enumerate("ab")
        for point, pair in enumerate((words.needless, words.harmless))
    }
    a, b = voices.names
    motive = scene.whim if state[0] else scene.hidden
    loss = (words.kept if state[1] else words.lost).format(**fields)
    stem = words.stem.format(
        a=a,
        b=b,
        m_up=fields["M"],
        motive=motive,
        motive_low=_lowered(motive),
        sole_low=_lowered(scene.sole),
        loss=loss,
        loss_low=loss,
        **said,
        **fields,
    )

    def say(option: Pair) -> str:
        first, second = voices.holders(option)
        return words.option.format(first=first, second=second)

    def claims(option: Pair) -> tuple[Claim, ...]:
        return (
            Claim(ValidAdjustment(("M",), "Y", ()), option[0]),
            Claim(ValidAdjustment(("M",), "Y", ("S", "X")), option[1]),
        )

    first = (
        f"The motive has no way to the outcome, so {scene.m} and the outcome share no cause even across "
        "choices."
        if state[0]
        else f"The motive joins choice and outcome, so across choices {scene.m} and the outcome share it."
    )
    second = (
        f"Outcomes went missing by choice and {scene.m}, both of which the step holds fixed."
        if state[1]
        else "Outcomes went missing by what they were, which distorts every comparison of the rest."
    )
    answers = crossed(
        state,
        say,
        claims,
        topics=("leaving out the choice", "the missing outcomes"),
        why=f"{first} {second}",
        kinds=reflexes(False, None),
    )
    arrows = "X>M M>Y X>S" + (" R>X" if state[0] else " U>X U>Y") + (" M>S" if state[1] else " Y>S")
    told = f"needless={state[0]} harmless={state[1]}"
    return Draft(
        dag(arrows, hidden="R" if state[0] else "U"),
        stem,
        answers,
        f"front-door/analyst/{number}",
        scene.name,
        told,
    )


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]
