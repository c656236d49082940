"""Base: was the covariate there before the choice, or made by it, and do the remaining records mislead?"""

from __future__ import annotations

import random

from assay.causal.concepts.confounding.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import dag
from assay.causal.wording.graphs import sentence
from assay.causal.wording.telling import Telling, fields

GRAPHS = {
    (True, True): "Z>X Z>Y X>Y S",
    (True, False): "Z>X Z>Y X>Y X>S Y>S",
    (False, True): "X>Z Z>Y X>Y S",
    (False, False): "X>Z Z>Y X>Y X>S Y>S",
}
WORDINGS = (
    Telling(
        "{Setting} wants to know what difference it makes to {units} whether they {x} or {x_no}. The former "
        "are set beside the latter, and the share {that} {y} is compared.\n\nTwo things about the records "
        "deserve attention. The first is {z} ({z_low} or {z_high}). {first}. {bears}. Nothing that matters "
        "for the outcome, other than what has just been said, had a part in the choice. The second is that "
        "the file is confined to {units} {that} {follow_up}. {second}.\n\nThe question put to you is about "
        "the total effect on all {units}. How should the file be used?",
        ("{before}", "{after}"),
        (
            "Which {units} met that condition came down to a number drawn beforehand, blind to everything",
            "It was met more often where the change had been made, and on either side more often where the "
            "outcome occurred",
        ),
        ("compare within levels of {z}", "compare the groups as they stand, without splitting by {z}"),
        ("the gaps in the file do no harm", "the gaps in the file can still distort the result"),
    ),
    Telling(
        "An analyst at {setting} has been asked one thing: among {units}, what difference in how many {y} is "
        "due to the fact that some {x} while others {x_no}?\n\nShe notes that {z} was recorded as {z_low} or "
        "{z_high}. {first}. {bears}. Beyond this, the choice owed nothing to any cause of the outcome. She "
        "also notes that {units} are in her data if they {follow_up}, and not otherwise. "
        "{second}.\n\nShe is after the overall difference that the choice makes for everybody. Which plan "
        "describes her situation correctly?",
        ("{before}", "{after}"),
        (
            "An overflowing disk, purged without looking at any content, accounts for the missing ones",
            "Both the choice itself and how things turned out made it likelier that a record exists",
        ),
        ("{z} belongs in the adjustment", "{z} must stay out of the adjustment"),
        (
            "restricting to the recorded {units} is innocuous",
            "restricting to the recorded {units} leaves room for bias",
        ),
    ),
    Telling(
        "Minutes of a review at {setting}. Item 4: the comparison of {units} {that} {x} with {units} {that} "
        "{x_no}; outcome: whether they {y}.\n\nOn {z} (coded {z_low} / {z_high}), the committee heard: "
        '"{first}. {bears}. Apart from that, whoever chose was guided by things of no consequence for the '
        'outcome." On completeness, it heard: "We can use {units} {that} {follow_up}, and no others. '
        '{second}."'
        "\n\nThe target, as minuted, is the total effect of the one course of action against the other in "
        "the whole population. Which summary should the committee adopt?",
        ("{before}", "{after}"),
        (
            "Which records are missing was settled by drawing slips from a box, whatever stood in them",
            "Completeness depended on which course had been taken and, separately, on the outcome",
        ),
        ("stratifying on {z} is needed", "stratifying on {z} would be a mistake"),
        (
            "the incomplete file is not a further problem",
            "the incomplete file is a further problem that this does not cure",
        ),
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw which of the two issues are real, each of four combinations being as likely as another."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words, texts = WORDINGS[number], fields(scene)
    return Draft(
        dag(GRAPHS[state]),
        words.tell(texts, state),
        crossed(
            state,
            lambda option: words.say(texts, option),
            _claims,
            topics=(scene.z, "the missing records"),
            why=_why(scene.z, state),
            kinds=reflexes(first=True),
        ),
        f"confounding/base/{number}",
        scene.name,
        f"before={state[0]} harmless={state[1]}",
    )


def _claims(option: Pair) -> tuple[Claim, ...]:
    over, other = (("Z",), ()) if option[0] else ((), ("Z",))
    return (
        Claim(ValidAdjustment(("X",), "Y", over), True),
        Claim(ValidAdjustment(("X",), "Y", other), False),
        Claim(ValidAdjustment(("X",), "Y", (*over, "S")), option[1]),
    )


def _why(z: str, state: Pair) -> str:
    """Explain what is true of the story."""
    first = (
        f"{sentence(z)} was there before the choice, bore on it and bears on the outcome: a common cause, to "
        "be held fixed."
        if state[0]
        else f"{sentence(z)} was changed by the choice: holding it fixed takes away part of the effect that "
        "is asked for."
    )
    second = (
        "What is missing was lost blindly, so selection opens no path."
        if state[1]
        else "Being on file is a common effect of choice and outcome: selecting on it joins them, whatever "
        "is adjusted for."
    )
    return f"{first} {second}"
