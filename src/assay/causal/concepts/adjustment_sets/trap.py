"""Trap: a late entry that is harmless or an early one that is not; a small set that does or a hub that does "
"not."""

from __future__ import annotations

import random

from assay.causal.concepts.adjustment_sets.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import dag
from assay.causal.wording.graphs import sentence
from assay.causal.wording.telling import Telling, fields

WORDINGS = (
    Telling(
        "Two proposals are on the table at {setting}, where {units} {who} {x} are compared with {units} "
        "{who} {x_no}. Wanted: the total effect on whether they {y}. The generous proposal holds fixed {a}, "
        "{b} and {d}; the thrifty one {b} and nothing else.\n\nFacts about {d}: {first} It leaves its own "
        "mark on the outcome.\n\nFacts about the others: {a_b}. {b_x}. {a_y}. {second} Besides what is said "
        "here, there are no common causes.\n\nWhat do the proposals yield?",
        (
            "it was put on record last, a year after the step, from a certificate; what the certificate "
            "states was so from the outset and could be altered by no one.",
            "it was put on record first, a month before the step; but as the step had been announced by "
            "then, what was put on record had already been altered in preparation for it.",
        ),
        (
            "The effect of {a} is huge, larger than all others together, and the choice strongly goes with "
            "it; this is entirely because the choosers were shown {b}.",
            "Nearly the whole tie between {a} and the choice passes through {b}, the hub of it all; "
            "nearly, since some choosers took a look at {a} directly.",
        ),
        ("the generous one is free of bias", "the generous one has a bias"),
        ("the thrifty one is free of bias", "the thrifty one has a bias"),
    ),
    Telling(
        "Podcast, episode 31. Guest: a methodologist from {setting}.\n\nHost: So it is about {units}. Some "
        "{x}, some {x_no}, and you follow up which of them {y}. You would like the whole effect.\nGuest: "
        "Yes. {a_b}. {a_y}. {b_x}. {second}\nHost: And the column on {d}?\nGuest: It plays a role in the "
        "outcome. {first}\nHost: Nothing else lurking?\nGuest: Nothing. I can run it with all three columns "
        "or with {b} by itself. Now tell me, listeners, how does either run come out?",
        (
            "If you look at the dates you will shudder: it was filled in after everything was over. The "
            "people who did so looked it up in the register of births, so to speak. Whatever happened, it "
            "would say the same.",
            "If you look at the dates you will be reassured: it was filled in before anything had begun. But "
            "who was to get what had been fixed long ago, and this was among the first things to be arranged "
            "accordingly.",
        ),
        (
            "You will find {a} tied to the choice as closely as can be. That is all the work of {b}; take it "
            "away and they have nothing to do with each other.",
            "You will find {a} hardly tied to the choice at all once {b} is given. A little, however, "
            "because of a footnote in the rules, which mentions {a}.",
        ),
        ("the run with all three is correct", "the run with all three is incorrect"),
        ("the run with one is correct", "the run with one is incorrect"),
    ),
    Telling(
        "Protocol deviation form. Site: {setting}. Population: {units}. Arms (not randomised): {x}; {x_no}. "
        "Primary outcome: {y}. Estimand: total effect.\n\nPlanned model: {b}, {a}, {d}. Fallback model: "
        "{b}.\n\nNotes on {d} (a predictor of the primary outcome): {first}\nNotes on {b} and {a}: {second} "
        "{a_y}. {a_b}. {b_x}.\nNotes on other variables: irrelevant to arm or to outcome.\n\nAssess both "
        "models.",
        (
            "entered retrospectively, at close-out. Source documents show that it describes a state of "
            "affairs which is the same under both arms and which also existed before.",
            "entered prospectively, at sign-up. Source documents show that sites knew the arm in advance and "
            "were instructed to change this very thing for one of the arms.",
        ),
        (
            "crude tables show a dramatic imbalance in {a} between the arms. Whoever drew up the arms did so "
            "from a sheet that lists {b} without mention of {a}.",
            "adjusted tables show a trifling imbalance in {a} between the arms. Whoever drew up the arms did "
            "so from a sheet that lists {b} and, in small print, {a}.",
        ),
        ("planned model unbiased", "planned model biased"),
        ("fallback model unbiased", "fallback model biased"),
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the large set and the small one are valid, with cues that say the opposite."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words, texts = WORDINGS[number], fields(scene)
    third = "D>Y" if state[0] else "X>D D>Y"
    direct = "" if state[1] else "A>X"
    return Draft(
        dag(f"A>B B>X A>Y X>Y {third} {direct}"),
        words.tell(texts, state),
        crossed(
            state,
            lambda option: words.say(texts, option),
            _claims,
            topics=("the large set", "the small set"),
            why=_why(scene, state),
            kinds=reflexes(second=not state[1]),
        ),
        f"adjustment-sets/trap/{number}",
        scene.name,
        f"large={state[0]} small={state[1]}",
    )


def _claims(option: Pair) -> tuple[Claim, ...]:
    return (
        Claim(ValidAdjustment(("X",), "Y", ("A", "B", "D")), option[0]),
        Claim(ValidAdjustment(("X",), "Y", ("B",)), option[1]),
    )


def _why(scene: Scene, state: Pair) -> str:
    """Explain what is true of the story."""
    first = (
        f"{sentence(scene.d)} is not affected by the choice, late as it was written down: it does no harm."
        if state[0]
        else f"{sentence(scene.d)} was changed because of the choice, early as it was written down: holding "
        f"it fixed takes away part of the effect."
    )
    second = (
        f"Strong as it is, the link of {scene.a} with the choice runs through {scene.b} alone, which blocks "
        f"it."
        if state[1]
        else f"Weak as it is, a link of {scene.a} with the choice bypasses {scene.b} and stays open."
    )
    return f"{first} {second}"
