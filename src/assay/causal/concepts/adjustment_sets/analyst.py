"""Analyst: does the early circumstance suffice, and can another pair stand in for it?"""

from __future__ import annotations

import random

from assay.causal.concepts.adjustment_sets.scenes import Scene
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
        "The data of {setting} have to be trimmed, and {a} and {b} disagree about how far one can go. At "
        "issue are {units} {who} {x} or {x_no}, and the total effect of that on whether they {y}.\n\nCommon "
        "ground: {a_text}. {b_x}. {a_y}. {A_var} also steers {d}, which in turn has a part in the choice but "
        "none in the outcome. {second} {first} There are no other common causes.\n\n{a}: {A1}; {a2}.\n"
        "{b}: {B1}; {b2}.\n\nWhich account of who is right holds?",
        (
            "{B_var} has a part in the choice but none in the outcome.",
            "{B_var} has a part in the choice and one in the outcome.",
        ),
        (
            "Those are all the roads from {a_var} to the choice.",
            "There is also a direct road from {a_var} to the choice.",
        ),
        (
            (
                "{a_var} is enough if the rest is deleted",
                "{a_var} is not enough if the rest is deleted",
            ),
            (
                "{b_var} and {d} will do if {a_var} is deleted",
                "{b_var} and {d} will not do if {a_var} is deleted",
            ),
        ),
        "Keeping {a_var}: {one} is right. Deleting it: {other} is right.",
    ),
    Debate(
        'Slack thread at {setting}, channel "causal".\n\nPinned: we study {units}; step = "{x}", no step = '
        '"{x_no}", outcome = "{y}"; estimand = total effect. {a_text}. {a_y}. {b_x}. {D} is influenced by '
        "{a_var} and influences whether the step is taken; it has no other consequences. {first} {second} "
        "End of list.\n\n{a}: imo {a1}. also, {a2}\n{b}: nope. {b1}. and {b2}\n\nWho gets a thumbs-up for "
        "which claim?",
        (
            "{B_var}: influences whether the step is taken; it has no other consequences either.",
            "{B_var}: influences whether the step is taken; it also has consequences for the outcome as "
            "such.",
        ),
        (
            "{A_var} bears on the taking of the step by way of these two and otherwise leaves it alone.",
            "{A_var} bears on the taking of the step by way of these two and on top of that by itself.",
        ),
        (
            (
                "a model with just {a_var} is fine",
                "a model with just {a_var} is off",
            ),
            (
                "a model with just {b_var} and {d} is fine",
                "a model with just {b_var} and {d} is off",
            ),
        ),
        "First claim: thumbs-up for {one}. Second claim: thumbs-up for {other}.",
    ),
    Debate(
        "Privacy review. {Setting} may keep one item or two items per record of its {units}, no more. The "
        "items serve to find out the overall effect of a step (they {x}) against its omission (they {x_no}) "
        "on an outcome (they {y}). Experts {a} and {b} were heard.\n\nUndisputed: {b_x}. {a_text}. {a_y}. "
        "With {d}, things are like this: {a_var} shapes it, it enters into the choice, and that is where "
        "its role ends. {first} {second} No further variables have to be considered.\n\n{a} stated that "
        "{a1}, and that {a2}. {b} stated that {b1}, and that {b2}.\n\nWhose statements are to be upheld?",
        (
            "The role of {b_var} ends with the choice, too.",
            "The role of {b_var} does not end with the choice; the outcome reacts to it as well.",
        ),
        (
            "Had {b_var} and {d} been set by decree, {a_var} would no longer have mattered for the choice.",
            "Had {b_var} and {d} been set by decree, {a_var} would still have mattered for the choice.",
        ),
        (
            (
                "the purpose is met by one item, {a_var}",
                "the purpose is missed by one item, {a_var}",
            ),
            (
                "the purpose is met by two items, {b_var} and {d}",
                "the purpose is missed by two items, {b_var} and {d}",
            ),
        ),
        "On the one item, {one} is to be upheld; on the two items, {other}.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw who says what, then whether the early circumstance suffices and whether the pair does."""
    number, between = rng.randrange(len(WORDINGS)), dispute(rng)
    state = rng.choice(PAIRS)
    words, given = WORDINGS[number], fields(scene)
    texts = {name: text for name, text in given.items() if name.lower() not in ("a", "b")}
    texts |= {
        "a_var": scene.a,
        "b_var": scene.b,
        "A_var": sentence(scene.a),
        "B_var": sentence(scene.b),
        "a_text": scene.a_b,
    }
    working = "" if state[0] else "B>Y"
    direct = "" if state[1] else "A>X"
    return Draft(
        dag(f"A>B A>D A>Y B>X D>X X>Y {working} {direct}"),
        words.tell(texts, state, between),
        crossed(
            state,
            lambda option: words.say(texts, option, between),
            _claims,
            topics=(scene.a, "the pair"),
            why=_why(scene, state),
            kinds=reflexes(first=True),
        ),
        f"adjustment-sets/analyst/{number}",
        scene.name,
        f"one={state[0]} pair={state[1]}",
    )


def _claims(option: Pair) -> tuple[Claim, ...]:
    return (
        Claim(ValidAdjustment(("X",), "Y", ("A",)), option[0]),
        Claim(ValidAdjustment(("X",), "Y", ("B", "D")), option[1]),
    )


def _why(scene: Scene, state: Pair) -> str:
    """Explain what is true of the story."""
    first = (
        f"{sentence(scene.b)} does not act on the outcome, so {scene.a} blocks every open path."
        if state[0]
        else f"{sentence(scene.b)} acts on choice and outcome, a path that {scene.a} does not block."
    )
    second = (
        f"{sentence(scene.a)} reaches the choice through {scene.b} and {scene.d} alone: the pair blocks it."
        if state[1]
        else f"{sentence(scene.a)} also reaches the choice directly, which the pair cannot block."
    )
    return f"{first} {second}"
