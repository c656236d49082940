"""Base: was the covariate there before the choice, or made by it, and do the remaining records mislead?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.confounding.scenes import Scene
from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import dag
from assay.causal.wording.graphs import sentence

STATES = tuple((before, harmless) for before in (True, False) for harmless in (True, False))
GRAPHS = {
    (True, True): "Z>X Z>Y X>Y S",
    (True, False): "Z>X Z>Y X>Y X>S Y>S",
    (False, True): "X>Z Z>Y X>Y S",
    (False, False): "X>Z Z>Y X>Y X>S Y>S",
}


@dataclass(frozen=True, slots=True)
class Words:
    """One independent wording of the stem and of the four answers; `{...}` are filled from scene and state."""

    stem: str
    harmless: str
    harmful: str
    fixed: str
    free: str
    fine: str
    spoiled: str


WORDINGS = (
    Words(
        "{Setting} wants to know what it does to {units} that they {x}. Those that {x} are set beside those that "
        "{x_no}, and the share that {y} is compared.\n\nTwo things about the records deserve attention. The first "
        "is {z} ({z_low} or {z_high}). {when}. {bears}. The second is that the file only holds {units} that "
        "{follow_up}. {lost}.\n\nThe question put to you is about the total effect on all {units}. How should "
        "the file be used?",
        "Whether that happened was decided by a lottery of the records office that looked at nothing else",
        "It happened more often where the change had been made, and more often where the outcome had occurred",
        "compare within levels of {z}",
        "compare the groups as they stand, without splitting by {z}",
        "the gaps in the file do no harm",
        "the gaps in the file still distort the result",
    ),
    Words(
        "An analyst at {setting} has been asked one thing: among {units}, what difference in how many {y} is due to "
        "the fact that some {x} while others {x_no}?\n\nShe notes that {z} was recorded as {z_low} or {z_high}. {when}. "
        "{bears}. She also notes that {units} are in her data if they {follow_up}, and not otherwise. {lost}.\n\n"
        "She is after the overall difference that the choice makes for everybody. Which plan describes her "
        "situation correctly?",
        "Missing ones were dropped by a random number generator to save storage",
        "Both the choice itself and how things turned out made it likelier that a record exists",
        "{z} belongs in the adjustment",
        "{z} must stay out of the adjustment",
        "restricting to the recorded {units} is innocuous",
        "restricting to the recorded {units} leaves a bias behind",
    ),
    Words(
        "Minutes of a review at {setting}. Item 4: the comparison of {units} that {x} with {units} that {x_no}; "
        'outcome: whether they {y}.\n\nOn {z} (coded {z_low} / {z_high}), the committee heard: "{when}. {bears}." '
        'On completeness, it heard: "We can only use {units} that {follow_up}. {lost}."\n\nThe target, as minuted, is '
        "the total effect of the one course of action against the other in the whole population. Which summary "
        "should the committee adopt?",
        "Who is missing was settled by drawing slips from a box, so nothing about them was involved",
        "Completeness depended on which course had been taken and, separately, on the outcome",
        "stratifying on {z} is needed",
        "stratifying on {z} would be a mistake",
        "the incomplete file is not a further problem",
        "the incomplete file is a further problem that this does not cure",
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw which of the two issues are real, each of four combinations being as likely as another."""
    number = rng.randrange(len(WORDINGS))
    words, state = WORDINGS[number], rng.choice(STATES)
    fields = {
        "setting": scene.setting,
        "Setting": sentence(scene.setting),
        "units": scene.units,
        "x": scene.x,
        "x_no": scene.x_no,
        "y": scene.y,
        "z": scene.z,
        "z_low": scene.z_low,
        "z_high": scene.z_high,
        "bears": scene.bears,
        "follow_up": scene.follow_up,
    }
    stem = words.stem.format(
        when=scene.before if state[0] else scene.after,
        lost=words.harmless if state[1] else words.harmful,
        **fields,
    )
    answers = tuple(_answer(words, fields, option, state) for option in STATES)
    return Draft(
        dag(GRAPHS[state]),
        stem,
        answers,
        f"confounding/base/{number}",
        scene.name,
        f"before={state[0]} harmless={state[1]}",
    )


def _answer(
    words: Words, fields: dict[str, str], option: tuple[bool, bool], state: tuple[bool, bool]
) -> Answer:
    first = (words.fixed if option[0] else words.free).format(**fields)
    second = (words.fine if option[1] else words.spoiled).format(**fields)
    text = f"{sentence(first)}; {second}."
    over = ("Z",) if option[0] else ()
    other = () if option[0] else ("Z",)
    claims = (
        Claim(ValidAdjustment(("X",), "Y", over), True),
        Claim(ValidAdjustment(("X",), "Y", other), False),
        Claim(ValidAdjustment(("X",), "Y", (*over, "S")), option[1]),
    )
    why = _why(fields["z"], state)
    if option == state:
        return right(text, *claims, why=why)
    if option[0] == state[0]:
        return wrong(
            Kind.PARTIAL,
            text,
            *claims,
            why=f"Right about {fields['z']}, wrong about the missing records. {why}",
        )
    if option[1] == state[1]:
        kind = Kind.REFLEX if option[0] else Kind.MISAPPLIED
        return wrong(
            kind, text, *claims, why=f"Right about the missing records, wrong about {fields['z']}. {why}"
        )
    return wrong(Kind.REVERSED, text, *claims, why=f"Both points are the wrong way round. {why}")


def _why(z: str, state: tuple[bool, bool]) -> str:
    """Explain what is true of the story."""
    first = (
        f"{sentence(z)} was there before the choice, bore on it and bears on the outcome: a common cause, to be held fixed."
        if state[0]
        else f"{sentence(z)} was changed by the choice: holding it fixed takes away part of the effect that is asked for."
    )
    second = (
        "Records went missing at random, so selection opens no path."
        if state[1]
        else "Being on file is a common effect of choice and outcome: selecting on it joins them, whatever is adjusted for."
    )
    return f"{first} {second}"
