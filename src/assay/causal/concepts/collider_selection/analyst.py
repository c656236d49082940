"""Analyst: is a restricted file a problem, and is the covariate a common cause or a common effect?"""

from __future__ import annotations

import random

from assay.causal.concepts.collider_selection.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.options.disputes import dispute
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import dag
from assay.causal.wording.graphs import sentence
from assay.causal.wording.telling import Debate, fields

WORDINGS = (
    Debate(
        "{Setting} has hired two evaluators, {a} and {b}. Some {units} {x}, others {x_no}. By how much did "
        "the former course change the share {who} {y}? The data: {units} {who} {s}.\n\n{first} "
        '{second} Everything else may be taken as unrelated to the step.\n\n{a} writes: "{A1}, and {a2}." '
        '{b} writes: "{B1}, and {b2}."\n\nThe total effect in all {units} is at issue. Which assessment '
        "stands up, and on which matter?",
        (
            "An old hand explains that one had to pass two doors to get into {file}: at the first they asked "
            "about the step, at the second about the outcome.",
            "An old hand explains that one had to pass two doors to get into {file}: at the first they asked "
            "about the step, at the second they flipped a coin.",
        ),
        (
            "{C} was known beforehand and had a say in which of them took the step. {c_bears}.",
            "{C} was noted at the end; the step changes it, and so does {u}, which is on no record. "
            "{u_bears}.",
        ),
        (
            (
                "the restriction to these data is a source of bias",
                "the restriction to these data is not a source of bias",
            ),
            ("{c} should be held fixed", "{c} should not be held fixed"),
        ),
        "The data: {one} is right. The covariate: {other} is right.",
    ),
    Debate(
        "Panel debate on {file} ({setting}). Everybody agrees on the aim: the overall effect, on whether "
        "{units} {y}, of having been among those {who} {x} rather than those {who} {x_no}.\n\nThe moderator "
        "sums up the background. {second} Then there is the restriction to {units} {who} {s}: {first} For "
        "the rest, the two groups are alike.\n\n{a} takes the floor: {a2}. On the restriction, {a1}. {b} "
        "contradicts: {b2}. On the restriction, {b1}.\n\nWho, in the light of the background, has argued "
        "correctly?",
        (
            "in one group it was mainly cases with the outcome that came in, in the other mainly cases "
            "without it.",
            "in one group it was a tenth of all cases that came in, in the other nine tenths, and in both "
            "they were taken blindfold.",
        ),
        (
            "In spring, before any step was taken, {c} was measured; it then guided the hands of "
            "those who dealt out the step. {c_bears}.",
            "In autumn, when all was over, {c} was measured; it had been shaped by the step and, separately, "
            "by {u}, for which there is no yardstick. {u_bears}.",
        ),
        (
            (
                "one has to object that it spoils the comparison",
                "one can reply that it does not spoil the comparison",
            ),
            (
                "the analysis has to be broken down by {c}",
                "the analysis has to be kept free of {c}",
            ),
        ),
        "On the restriction {one}; on {c} {other}.",
    ),
    Debate(
        "{a} and {b} have quarrelled by e-mail over {units} ({setting}). Outcome: {y}. Groups: {x}; {x_no}. "
        "Wanted: the average effect over the entire population, mediated or not.\n\nEnclosed is what the "
        "owners of the data wrote: \"You receive {file}. {first} The field '{c}' means this. {second} We "
        "know "
        'of no other links."\n\nFrom {a}: {A2}. Besides, {a1}.\nFrom {b}: {B2}. Besides, {b1}.\n\nSettle '
        "both quarrels.",
        (
            "A case is in it if its index exceeds nine, and the index counts the step as five and the "
            "outcome as five, with some random points on top.",
            "A case is in it if its index exceeds nine, and the index counts the step as five, with plenty "
            "of random points on top.",
        ),
        (
            "It was established first, and whoever assigned the step had it in mind. {c_bears}.",
            "It was established last. What it was owes something to the step and something to {u}; the "
            "latter we cannot observe. {u_bears}.",
        ),
        (
            (
                "the rule of admission distorts the contrast",
                "the rule of admission does not distort the contrast",
            ),
            (
                "the field '{c}' has to go into the model",
                "the field '{c}' has to be left out of the model",
            ),
        ),
        "Admission: {one} wins the quarrel. The field: {other} wins it.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw who says what, then whether the file is a collider and what the covariate is."""
    number, between = rng.randrange(len(WORDINGS)), dispute(rng)
    state = rng.choice(PAIRS)
    words, texts = WORDINGS[number], fields(scene)
    entry = "X>S Y>S" if state[0] else "X>S"
    covariate = "C>X C>Y" if state[1] else "X>C U>C U>Y"
    return Draft(
        dag(f"X>Y {entry} {covariate}", hidden="" if state[1] else "U"),
        words.tell(texts, state, between),
        crossed(
            state,
            lambda option: words.say(texts, option, between),
            _claims,
            topics=("the restriction", scene.c),
            why=_why(scene, state),
            kinds=reflexes(second=True),
        ),
        f"collider-selection/analyst/{number}",
        scene.name,
        f"restricted={state[0]} needed={state[1]}",
    )


def _claims(option: Pair) -> tuple[Claim, ...]:
    over, other = (("C",), ()) if option[1] else ((), ("C",))
    return (
        Claim(ValidAdjustment(("X",), "Y", over), True),
        Claim(ValidAdjustment(("X",), "Y", other), False),
        Claim(ValidAdjustment(("X",), "Y", (*over, "S")), not option[0]),
    )


def _why(scene: Scene, state: Pair) -> str:
    """Explain what is true of the story."""
    first = (
        "Step and outcome both decide who is in the data, so they are tied within the data by selection."
        if state[0]
        else "The step and chance decide who is in the data; that opens no path to the outcome."
    )
    second = (
        f"{sentence(scene.c)} bears on the choice and on the outcome: a common cause."
        if state[1]
        else f"{sentence(scene.c)} is a common effect of the step and of {scene.u}: holding it fixed opens a "
        "path."
    )
    return f"{first} {second}"
