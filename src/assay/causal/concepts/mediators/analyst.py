"""Analyst: what does holding the mediator fixed show, and do the known outcomes show the total effect?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.mediators.scene import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.options.disputes import dispute
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import dag


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem; each point as its affirmer and its denier put it; the kept outcomes.

    `kept` tells that outcomes were kept without regard to anything, `gated` that the mediator decided.
    """

    stem: str
    direct: tuple[str, str]
    total: tuple[str, str]
    kept: str
    gated: str
    option: str


WORDINGS = (
    Words(
        "At {setting}, chance alone settled which {units} took the step (they {x}) and which did not "
        "(they {x_no}). The result that counts is whether they {y}. {Moves}. {Bears}. {confound}. "
        "{keep}.\n\n{a} and {b} have the file before them. {a}: '{a0} {a1}' {b}: '{b0} {b1}'\n\nBoth take "
        "it that nothing else is amiss. Whose assessment is accurate?",
        (
            "If I look only at {units} with one and the same {m}, what difference is left is due to the "
            "step bypassing {m}.",
            "Looking only at {units} with one and the same {m} leaves a difference that is partly not the "
            "step's doing.",
        ),
        (
            "And for the effect as a whole, those with a known result will do.",
            "And for the effect as a whole, those with a known result will not do.",
        ),
        "Results were obtained for four tenths of them, namely those whose number had come up in a draw when "
        "the follow-up was budgeted",
        "Results were obtained for four tenths of them, chiefly for those with '{m_high}'",
        "{first} on what equal {m} shows; {second} on the known results.",
    ),
    Words(
        "Radio feature, transcript. HOST: An experiment by {setting}, properly shuffled: some {units} "
        "{x}, some {x_no}. Afterwards one asks how many {y}. Our guests, {a} and {b}, read it "
        "differently. Let me give the background that neither disputes. {keep}. {Moves}. {confound}. "
        "{Bears}.\n{a_up}: {a1} {a0}\n{b_up}: {b1} {b0}\nHOST: Each listener may judge who had the better "
        "of it, taking the background as complete.\n\nWho had?",
        (
            "Put {m} into the regression and the coefficient that remains is a genuine effect, the one "
            "that does not use {m}.",
            "Put {m} into the regression and the coefficient that remains is no effect at all, not even "
            "the one that does not use {m}.",
        ),
        (
            "The records that came back give the overall effect without distortion.",
            "The records that came back give a distorted overall effect.",
        ),
        "Only part of the records came back, a part fixed by a list of page numbers drawn up before "
        "anything had happened",
        "Only part of the records came back, for a record was far likelier to be sent where there had been "
        "'{m_high}'",
        "About the regression, {first} had the better of it; about the records that came back, {second}.",
    ),
    Words(
        "{a} drafted a section for {setting}; {b} wrote comments in the margin. The study: {units} were "
        "allotted blindly to two courses, so that some {x} while others {x_no}; noted was whether they "
        "{y}.\nFacts stated in the methods: {moves_low}. {Bears}. {confound}. {keep}. (No other mechanism "
        "of error is known.)\nDraft, by {a}: '{a0} {a1}'\nMargin, by {b}: '{b0} {b1}'\n\nThe editor must "
        "settle both points. Which ruling is correct?",
        (
            "Within strata of {m} the arms remain comparable, so strata reveal the direct effect.",
            "Within strata of {m} the arms are no longer comparable, so strata do not reveal the direct "
            "effect.",
        ),
        (
            "The complete cases tell us the total effect.",
            "The complete cases do not tell us the total effect.",
        ),
        "The outcome was ascertained in a subset that the printer's random pattern had marked on the "
        "forms in advance",
        "The outcome was ascertained in a subset, entry to which was governed by {m} as it had turned out",
        "Strata: {first} is right. Complete cases: {second} is right.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw the two facts, and apart from them who affirms which."""
    number, state, voices = rng.randrange(len(WORDINGS)), rng.choice(PAIRS), dispute(rng)
    words, fields = WORDINGS[number], scene.words()
    said = {
        f"{who}{point}": pair[not voices.affirms(place, point)].format(**fields)
        for place, who in enumerate("ab")
        for point, pair in enumerate((words.direct, words.total))
    }
    a, b = voices.names
    stem = words.stem.format(
        a=a,
        b=b,
        a_up=a.upper(),
        b_up=b.upper(),
        confound=scene.alone if state[0] else scene.shared,
        keep=(words.kept if state[1] else words.gated).format(**fields),
        moves_low=scene.moves[:1].lower() + scene.moves[1:],
        **said,
        **fields,
    )

    def say(option: Pair) -> str:
        first, second = voices.holders(option)
        return words.option.format(first=first, second=second, **fields)

    def claims(option: Pair) -> tuple[Claim, ...]:
        return (
            Claim(ValidAdjustment(("X", "M"), "Y", ()), option[0]),
            Claim(ValidAdjustment(("X",), "Y", ("S",)), option[1]),
        )

    answers = crossed(
        state,
        say,
        claims,
        topics=(f"equal {scene.m}", "the known outcomes"),
        why=_why(scene, state),
        kinds=reflexes(True, None),
    )
    arrows = "X>M M>Y X>Y S" + ("" if state[0] else " U>M U>Y") + ("" if state[1] else " M>S")
    told = f"direct={state[0]} kept={state[1]}"
    return Draft(
        dag(arrows, hidden="" if state[0] else "U"),
        stem,
        answers,
        f"mediators/analyst/{number}",
        scene.name,
        told,
    )


def _why(scene: Scene, state: Pair) -> str:
    first = (
        f"{scene.m.capitalize()} and the outcome share no cause, so at equal {scene.m} what remains is a "
        "direct effect."
        if state[0]
        else (
            f"{scene.m.capitalize()} and the outcome share a hidden cause, in which the arms differ at "
            f"equal {scene.m}."
        )
    )
    second = (
        "Which outcomes are known has nothing to do with the step or what followed."
        if state[1]
        else (
            f"Which outcomes are known depends on {scene.m}, which the step moves: keeping those holds "
            f"{scene.m} partly fixed."
        )
    )
    return f"{first} {second}"
