"""Analyst: would strata of one trial have shown what another did, and is the remainder one number?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.mediation.figured import ONE_NUMBER, held, shares, with_hidden
from assay.causal.concepts.mediation.scene import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.options.disputes import dispute
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.wording.figures import percent
from assay.causal.wording.tables import table


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, each point as its affirmer and its denier put it, and the options."""

    stem: str
    strata: tuple[str, str]
    rest: tuple[str, str]
    option: str


WORDINGS = (
    Words(
        "Two trials by {setting}. Trial 1 assigned {units} by lot, so that some {x} and some {x_no}, and "
        "let {m} take its course. Trial 2 assigned by lot both the step and the level of {m}, and found "
        "these shares of {units} {who} {y}:\n\n{table}\n\n{background}. Beyond what is said here, no two "
        "things have a cause in common; the populations are alike.\n\n{a}: '{a0} {a1}'\n{b}: '{b0} "
        "{b1}'\n\nWho sees it correctly?",
        (
            "Had we split the data of trial 1 by {m}, we would have met the same four shares, up to noise.",
            "Had we split the data of trial 1 by {m}, we would have met other shares, not just by noise.",
        ),
        (
            "The total effect less the direct effect in the table leaves one figure, no matter which row "
            "supplies the direct effect.",
            "The total effect less the direct effect in the table leaves a figure that depends on which "
            "row supplies the direct effect.",
        ),
        "{first} as to splitting trial 1; {second} as to what is left.",
    ),
    Words(
        "A quarrel at {setting}, as told by the office manager: 'We had put the {units} in two piles with "
        "our eyes shut. Those in one {x}, those in the other {x_no}, and we noted how many {y}. {m_up} we "
        "noted as well. {background}; other than that, nothing lies behind both {m} and the outcome. Next "
        "year we repeated it with both things under our thumb, piles and {m} alike, and the outcome "
        "was:\n\n{table}\n\nEver "
        'since, {a} and {b} have been at odds. {a} says: "{a1} {a0}" Whereupon {b}: "{b1} {b0}" They '
        "are both good with numbers. But who is right about what?'",
        (
            "The first year would do by itself, since comparing the piles at each level of {m} tells what "
            "the second year told.",
            "The first year would not do by itself, since comparing the piles at each level of {m} does not "
            "tell what the second year told.",
        ),
        (
            "And pinning {m} removes the same number of points from the effect of the piles at either level.",
            "And pinning {m} removes a different number of points from the effect of the piles at each "
            "level.",
        ),
        "On what pinning removes it is {second}, on the first year it is {first}.",
    ),
    Words(
        "Submitted to the ombudsman for statistics, {setting}.\n\nUndisputed facts. (i) In an original "
        "study {units} were randomised to two courses: they {x}, or they {x_no}. (ii) {background}. (iii) "
        "There are no confounders beyond what is said here. (iv) A later factorial experiment on the same "
        "population randomised the course and {m} jointly. The share {who} {y} was:\n\n{table}\n\nPosition "
        "of {a}. {a0} {a1}\nPosition of {b}. {b0} {b1}\n\nThe ombudsman is asked for a finding on each of "
        "the two points.",
        (
            "The factorial experiment was superfluous: regressing on course and {m}, interaction included, "
            "in the original data reproduces its table, noise apart.",
            "The factorial experiment was necessary: regressing on course and {m}, interaction included, in "
            "the original data yields another table, noise apart.",
        ),
        (
            "The part of the course's effect that fixing {m} eliminates, counted in points, is a single "
            "quantity.",
            "The part of the course's effect that fixing {m} eliminates, counted in points, is not a "
            "single quantity.",
        ),
        "Original data: for {first}. Part eliminated: for {second}.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether mediator and outcome share a hidden cause, and whether step and mediator add."""
    number, state, voices = rng.randrange(len(WORDINGS)), rng.choice(PAIRS), dispute(rng)
    words, fields, drawn = WORDINGS[number], scene.words(), shares(rng, state[1])
    model = with_hidden(drawn, hidden=not state[0])
    said = {
        f"{who}{point}": pair[not voices.affirms(place, point)].format(**fields)
        for place, who in enumerate("ab")
        for point, pair in enumerate((words.strata, words.rest))
    }
    a, b = voices.names
    rows = [
        (level, *(percent(drawn[(x, m)], 0) for x in (0, 1)))
        for m, level in enumerate((scene.m_low, scene.m_high))
    ]
    stem = words.stem.format(
        a=a,
        b=b,
        m_up=fields["M"],
        background=scene.alone if state[0] else scene.shared,
        table=table((scene.m.removeprefix("the "), scene.x_no, scene.x), rows),
        **said,
        **fields,
    )

    def say(option: Pair) -> str:
        first, second = voices.holders(option)
        return words.option.format(first=first, second=second)

    def claims(option: Pair) -> tuple[Claim, ...]:
        return Claim(ValidAdjustment(("X", "M"), "Y", ()), option[0]), Claim(ONE_NUMBER, option[1])

    gains = [percent(drawn[(1, m)] - drawn[(0, m)], 0).removesuffix("%") for m in (0, 1)]
    first = (
        f"{scene.m.capitalize()} and the outcome share no cause, so strata of a trial of the step show what "
        "setting both shows."
        if state[0]
        else (
            f"{scene.m.capitalize()} and the outcome share a hidden cause, so strata differ in more than "
            "the step."
        )
    )
    second = (
        f"With {scene.m} held, the step adds {gains[0]} or {gains[1]} points (first, second row): what is "
        f"left of the total {'is one number' if state[1] else 'depends on the level'}."
    )
    answers = crossed(
        state,
        say,
        claims,
        topics=("the strata", "the remainder"),
        why=f"{first} {second}",
        kinds=reflexes(True, None),
    )
    told = f"strata={state[0]} adding={state[1]}"
    derivation = ((f"direct effect, {scene.m_low}", held(0)), (f"direct effect, {scene.m_high}", held(1)))
    return Draft(model, stem, answers, f"mediation/analyst/{number}", scene.name, told, derivation)
