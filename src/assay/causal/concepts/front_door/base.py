"""Base: does the front door's second step come out right, and does the door let the whole effect in?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.front_door.scene import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import Compare, PathCount, Paths, ValidAdjustment, term
from assay.causal.scm import dag
from assay.causal.wording.graphs import sentence

BESIDE = PathCount("X", "Y", Paths.CAUSAL) - PathCount("X", "M", Paths.CAUSAL) * PathCount(
    "M", ("Y"), Paths.CAUSAL
)


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, how a mediator with no cause of its own is told, and both facts either way."""

    stem: str
    clean: str
    second: tuple[str, str]
    whole: tuple[str, str]


WORDINGS = (
    Words(
        "For {setting} it matters whether {units} {y}. Some of them {x}; the others {x_no}. {hidden}. "
        "Comparing the two as they stand is therefore out of the question.\n\nIn between lies {m} "
        "('{m_low}' or '{m_high}'), which the choice moves and which moves the outcome. {route}. {cause}. "
        "Nothing else connects choice, {m} and outcome.\n\nThe plan has two steps: take the change of {m} "
        "with the choice from the plain comparison; take the change of the outcome with {m} from "
        "comparisons among {units} {who} chose alike; chain the two. What can be said about the second "
        "step, and about the chain if both steps came out right?",
        "As for {m} itself, chance and the choice are its only sources",
        ("the second step comes out right", "the second step comes out wrong"),
        ("the chain would cover the total effect", "the chain would cover part of the total effect"),
    ),
    Words(
        "To the editors. I write about the report on {units} that {setting} has put out, in which those "
        "{who} {x} and those {who} {x_no} are contrasted by way of {m}. Its authors cannot measure why "
        "people chose as they did ({hidden_low}). They hope to get round it: first choice to {m}, next "
        "{m} to outcome (that they {y}) at fixed choice, then both combined. On page 3 they say of the "
        "choice: '{route}.' On page 4 they say of {m}: '{cause}.' I have checked both sentences and know "
        "of no further links.\n\nReaders ought to learn two things: whether the part from {m} to outcome "
        "is free of confounding as handled; and whether a combination of sound parts would be all that "
        "the choice does, or less than all.",
        "Setting aside what the choice does to it, {m} varies by accident",
        ("that part is free of confounding", "that part is not free of confounding"),
        ("sound parts would make up all", "sound parts would make up less than all"),
    ),
    Words(
        "Interview for a post as analyst, {setting}. The candidate is shown a diagram of what the house "
        "knows about its {units}. A box 'choice' (they {x}, or they {x_no}), a box '{m}', a box 'outcome' "
        "(that they {y}), with arrows from the first to the second and from the second to the third. A "
        "note pinned beside it: {hidden_low}. A second note: {route_low}. A third: {cause_low}. 'That is "
        "everything,' says the interviewer. 'Now. Take the relation of {m} and outcome inside each group "
        "of choosers and average it with the groups' sizes. Is that the effect of {m}? And is whatever "
        "the choice does to the outcome done by way of {m}?'\n\nWhich reply gets the post?",
        "within a group of choosers, {m} is a plaything of luck",
        ("it is the effect of {m}", "it is not the effect of {m}"),
        ("what the choice does is done that way", "what the choice does is not all done that way"),
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the mediator shares a hidden cause with the outcome, and whether another route exists."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words, fields = WORDINGS[number], scene.words()
    cause = words.clean.format(**fields) if state[0] else scene.leak
    route = scene.sole if state[1] else scene.bypass
    stem = words.stem.format(
        cause=cause,
        route=route,
        cause_low=_lowered(cause),
        route_low=_lowered(route),
        hidden_low=_lowered(scene.hidden),
        **fields,
    )

    def say(option: Pair) -> str:
        first, second = words.second[not option[0]].format(**fields), words.whole[not option[1]]
        return sentence(f"{first}; {second}.")

    def claims(option: Pair) -> tuple[Claim, ...]:
        return (
            Claim(ValidAdjustment(("M",), "Y", ("X",)), option[0]),
            Claim(Compare(BESIDE, "=", term(0)), option[1]),
        )

    first = (
        f"Among those that chose alike, nothing joins {scene.m} and the outcome but the effect of the one "
        "on the other."
        if state[0]
        else f"A hidden cause joins {scene.m} and the outcome, and holding the choice fixed does not stop it."
    )
    second = (
        f"The choice reaches the outcome through {scene.m} alone."
        if state[1]
        else f"The choice has another way to the outcome, which {scene.m} does not show."
    )
    answers = crossed(
        state,
        say,
        claims,
        topics=("the second step", "the routes"),
        why=f"{first} {second}",
        kinds=reflexes(None, True),
    )
    arrows = "U>X U>Y X>M M>Y" + ("" if state[0] else " V>M V>Y") + ("" if state[1] else " X>Y")
    told = f"second={state[0]} sole={state[1]}"
    hidden = "U" if state[0] else "U V"
    return Draft(dag(arrows, hidden=hidden), stem, answers, f"front-door/base/{number}", scene.name, told)


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]
