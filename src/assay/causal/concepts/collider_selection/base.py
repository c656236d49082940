"""Base: can a covariate repair a selected file, and would everybody's data do without it?"""

from __future__ import annotations

import random

from assay.causal.concepts.collider_selection.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import dag
from assay.causal.wording.telling import Telling, fields

WORDINGS = (
    Telling(
        "Of all {units} known to {setting}, some {x} and some {x_no}. Did that make a difference to how "
        "many {y}? The only data at hand come from {file}: they cover {units} {who} {s}. How common either "
        "level of {c} is among all {units} has been published. {first} {c_bears}. As for which of them took "
        "the step in the first place: {second} Assume that these are all the connections there are.\n\nTwo "
        "questions come up. Could the total effect be read from {file} by comparing {units} of equal {c}? "
        "And if data on all {units} could be bought, though without {c}, would a simple comparison do?",
        (
            "Taking the step made it easier to get in, and {c} mattered for it too ({c_low} or "
            "{c_high}); given these two, getting in was a matter of luck.",
            "Taking the step made it easier to get in, and so did {u}, which nobody has ever measured. "
            "{u_bears}.",
        ),
        (
            "{c} did not enter into that, and neither did anything else that bears on the result.",
            "{c} entered into that, whereas no other thing did that bears on the result.",
        ),
        (
            "{units} of equal {c} in the selected data can be compared",
            "{units} of equal {c} in the selected data cannot be compared",
        ),
        ("complete data would do as they are", "complete data would not do as they are"),
    ),
    Telling(
        "Dear colleague, you ask about {units} at {setting}. Part of them {x}, others {x_no}, and you would "
        "like to learn what difference this made to the share {who} {y}. I can offer you {file}, nothing "
        "more, so you will be looking at those {who} {s}.\n\nWho are these? {first} You will find {c} among "
        "the columns, and rightly so. {c_bears}. (What portion of all {units} each of its levels makes up, "
        "any almanac will tell you, so weights are no worry.) How did it come about that some took that "
        "course and others did not? {second} That is the whole story, as far as causes go.\n\nMy assistant "
        "asks what I would tell you about a stratification of {file} by {c}, and about the plain contrast "
        "in a census, should there be one. What should I tell you, if it is the overall effect that you are "
        "after?",
        (
            "Those who compiled it went by two things, the course taken and {c}, and for the rest they threw "
            "darts.",
            "Those who compiled it went by two things, the course taken and their impression of {u}, of "
            "which no trace is left on paper. {u_bears}.",
        ),
        (
            "It was settled by casting lots, one for each case and all alike.",
            "Those who settled it looked at {c}, then cast lots with odds to match.",
        ),
        ("the stratified file gives the effect", "the stratified file does not give the effect"),
        ("the census would give it unstratified", "the census would not give it unstratified"),
    ),
    Telling(
        "Design note for an evaluation ({setting}).\n\nPopulation: {units}.\nContrast: {x} / "
        "{x_no}.\nEndpoint: {y}.\nTarget: total effect in the population.\nSource: {file}, i.e. those {who} "
        "{s}.\nEntry into the source: {first}\nUptake: {second}\nOther remarks: {c_bears}. No further "
        "common causes. Population shares of the levels of {c}: known from a register.\n\nTwo analyses are "
        "proposed. P: the contrast within levels of {c}, in the source, weighted by those shares. Q: the "
        "contrast without any levels, in a random sample of the population, if money for one is found. "
        "Which line of the reviewers' form should be ticked?",
        (
            "more probable after the step, and more probable at one level of {c} than at the other; "
            "independent of all else once both are known.",
            "more probable after the step, and more probable with rising {u} (not on file). {u_bears}.",
        ),
        (
            "every unit had the same odds, whatever its {c} or other features.",
            "odds varied between levels of {c}, and with nothing else of relevance.",
        ),
        ("P is free of bias", "P is not free of bias"),
        ("Q is free of bias", "Q is not free of bias"),
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether selection runs through the covariate, and whether the choice does."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words, texts = WORDINGS[number], fields(scene)
    entry = "C>S" if state[0] else "U>S U>Y"
    choice = "" if state[1] else "C>X"
    return Draft(
        dag(f"C>Y X>Y X>S {entry} {choice}", hidden="" if state[0] else "U"),
        words.tell(texts, state),
        crossed(
            state,
            lambda option: words.say(texts, option),
            _claims,
            topics=("the selected data", "the complete data"),
            why=_why(scene, state),
            kinds=reflexes(first=False),
        ),
        f"collider-selection/base/{number}",
        scene.name,
        f"repaired={state[0]} plain={state[1]}",
    )


def _claims(option: Pair) -> tuple[Claim, ...]:
    return (
        Claim(ValidAdjustment(("X",), "Y", ("C", "S")), option[0]),
        Claim(ValidAdjustment(("X",), "Y", ()), option[1]),
    )


def _why(scene: Scene, state: Pair) -> str:
    """Explain what is true of the story."""
    first = (
        f"Selection joins the step with {scene.c} alone, so holding {scene.c} fixed closes what it opened, "
        "and the population's shares give the weights."
        if state[0]
        else f"Selection joins the step with {scene.u}, which is not on file: no stratum of {scene.c} closes "
        "that path."
    )
    second = (
        "Nothing that bears on the outcome had a part in the choice, so without selection the groups compare."
        if state[1]
        else f"{scene.c} bears on the choice and on the outcome, so without it the groups do not compare."
    )
    return f"{first} {second[:1].upper()}{second[1:]}"
