"""Analyst: are both links of the g-formula sound, when somebody may have seen what was not recorded?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.time_varying_confounding.scene import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.options.disputes import dispute
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import dag


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem; how decisions were made without and with the unrecorded thing; both points."""

    stem: str
    even: str
    uneven: str
    told: str
    untold: str
    early: tuple[str, str]
    late: tuple[str, str]
    option: str


WORDINGS = (
    Words(
        "{a} and {b} go through the g-formula that {setting} has computed for its {units}. Decision one: "
        "they {first}, or they {first_no}. Then {reading} was read. {Reacts}. Decision two: they "
        "{second}, or they {second_no}. The end: whether they {y}. {hidden}.\n\nOn decision one they "
        "know: {one}. On decision two: {two}. They know of nothing else.\n\n{a}: '{a0} {a1}'\n{b}: '{b0} "
        "{b1}'\n\nWho has the better of which argument?",
        "a marble was drawn for each, and the marble settled it",
        "those who made it had a feeling for {u}, and let it settle the matter",
        "it rested on {reading} and on decision one, with some noise",
        "it rested on {reading} and on decision one, and on a feeling for {u}",
        (
            "The factor for decision one is sound, since a bare comparison shows what that decision led "
            "to in all.",
            "The factor for decision one is unsound, since a bare comparison does not show what that "
            "decision led to in all.",
        ),
        (
            "Given decision one and {reading}, a comparison of both sides of decision two shows what that "
            "one led to.",
            "Given decision one and {reading}, a comparison of both sides of decision two does not show "
            "what that one led to.",
        ),
        "{first} on decision one; {second} on decision two.",
    ),
    Words(
        "Two opinions were obtained by {setting} on an analysis with inverse probability weights. The "
        "{units}: at stage I they {first} or they {first_no}, at stage II they {second} or they "
        "{second_no}; finally it is seen whether they {y}. Ahead of stage II one takes {reading} ({low}, "
        "{high}), of which it is said: {reacts_low}; and furthermore: {hidden_low}.\nStage I in detail: "
        "{one}.\nStage II in detail: {two}.\nNo detail has been left out. The weights at stage I use "
        "nothing; those at stage II use {reading} and stage I.\n\nOpinion by {a}. {a1} {a0}\nOpinion by "
        "{b}. {b1} {b0}\n\nWhich parts of the opinions hold?",
        "a shuffled list said who was to go which way, and it was obeyed",
        "an experienced hand said who was to go which way, by an impression of {u}",
        "an algorithm said who was to go which way; stage I and {reading} were its sole inputs, apart "
        "from a random term",
        "an experienced hand said who was to go which way, by stage I, {reading} and an impression of {u}",
        (
            "At stage I no weights are called for: the total effect of that stage is there without them.",
            "At stage I these weights do not suffice: the total effect of that stage is distorted.",
        ),
        (
            "At stage II the weights remove all confounding of that stage's effect.",
            "At stage II the weights leave some confounding of that stage's effect.",
        ),
        "The part on stage II by {second} holds, and the part on stage I by {first}.",
    ),
    Words(
        "Panel discussion, {setting} presenting. Slide 1: {units}, round A: {first} versus {first_no}. "
        "Slide 2: {reading}; {reacts_low}; {hidden_low}. Slide 3: {units}, round B: {second} versus "
        "{second_no}. Slide 4: the end point, that they {y}. Slide 5, how it was decided in round A: "
        "{one}. Slide 6, how it was decided in round B: {two}. Slide 7: 'there are no other common "
        "causes'.\nPanellist {a}: {a0} {a1}\nPanellist {b}: {b0} {b1}\nThe chair sums up what can be "
        "upheld:",
        "by the parity of a hash, the same as tossing a coin",
        "by persons who could tell {u} at sight",
        "by last time's decision and slide 2's record, and otherwise by a throw of dice",
        "by last time's decision and slide 2's record, and otherwise by persons who could tell {u} at sight",
        (
            "For round A, an unadjusted contrast delivers its overall effect.",
            "For round A, an unadjusted contrast misses its overall effect.",
        ),
        (
            "For round B, adjusting for slide 2's record and round A delivers the effect.",
            "For round B, adjusting for slide 2's record and round A misses the effect.",
        ),
        "Round A as {first} says, round B as {second} says.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw for each decision whether it followed the unrecorded thing, and apart from it who says so."""
    number, state, voices = rng.randrange(len(WORDINGS)), rng.choice(PAIRS), dispute(rng)
    words, fields = WORDINGS[number], scene.words()
    said = {
        f"{who}{point}": pair[not voices.affirms(place, point)].format(**fields)
        for place, who in enumerate("ab")
        for point, pair in enumerate((words.early, words.late))
    }
    a, b = voices.names
    stem = words.stem.format(
        a=a,
        b=b,
        one=(words.even if state[0] else words.uneven).format(**fields),
        two=(words.told if state[1] else words.untold).format(**fields),
        hidden_low=scene.hidden[:1].lower() + scene.hidden[1:],
        reacts_low=scene.reacts[:1].lower() + scene.reacts[1:],
        **said,
        **fields,
    )

    def say(option: Pair) -> str:
        first, second = voices.holders(option)
        return words.option.format(first=first, second=second)

    def claims(option: Pair) -> tuple[Claim, ...]:
        return (
            Claim(ValidAdjustment(("A",), "Y", ()), option[0]),
            Claim(ValidAdjustment(("B",), "Y", ("A", "L")), option[1]),
        )

    first = (
        "The first decision was left to chance, so a bare comparison gives its total effect."
        if state[0]
        else (
            f"The first decision went by {scene.u}, which bears on the outcome: a bare comparison is "
            "confounded."
        )
    )
    second = (
        f"The second decision went by what is recorded, so it is unconfounded given {scene.reading} and the "
        "first."
        if state[1]
        else f"The second decision went by {scene.u} as well, which no record can make up for."
    )
    answers = crossed(
        state,
        say,
        claims,
        topics=("the first decision", "the second decision"),
        why=f"{first} {second}",
        kinds=reflexes(None, True),
    )
    arrows = "A>L A>B L>B A>Y B>Y U>L U>Y" + ("" if state[0] else " U>A") + ("" if state[1] else " U>B")
    told = f"first={state[0]} second={state[1]}"
    template = f"time-varying-confounding/analyst/{number}"
    return Draft(dag(arrows, hidden="U"), stem, answers, template, scene.name, told)
