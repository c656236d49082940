"""Analyst: does one hidden parent, once measured, disarm the early covariate, and would nothing do as "
"well?"""

from __future__ import annotations

import random

from assay.causal.concepts.m_bias.scenes import Scene
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
        "{a} and {b} advise {setting} on {units}: some {x}, others {x_no}, and the total effect on whether "
        "they {y} is wanted. Known beforehand were {m} and {v}; not recorded was {u}.\n\nWhat the advisers "
        "know: {u_x}. {v_y}. {second} {M} has no effect of its own, but it reflects {u}. {first} Nothing "
        "else bears on more than one of these things.\n\n{a} thinks that {a1}, and adds that {a2}. {b} "
        "thinks that {b1}, and adds that {b2}.\n\nWhich verdict on the two is accurate?",
        (
            "Beyond this, it reflects {v} and pure accident.",
            "Beyond this, it reflects {v} and also luck of a kind that later shows in the result, "
            "unrecorded.",
        ),
        (
            "On the choice, {v} had no influence.",
            "On the choice, too, {v} had an influence.",
        ),
        (
            (
                "a model with both {m} and {v} is unbiased",
                "a model with both {m} and {v} is biased",
            ),
            ("a model with neither is unbiased", "a model with neither is biased"),
        ),
        "With both in the model: {one} is right. With neither: {other} is right.",
    ),
    Debate(
        "Blog post, comments section. The post is about {setting}, {units} {who} {x}, {units} {who} {x_no}, "
        "and how many of either {y}. The diagram in it has these arrows: from {u} (latent) to the choice and "
        "to {m}; from {v} (measured) to the result and to {m}; from the choice to the result. The text below "
        "the diagram "
        'completes it: {first} {second}\n\n{a}, first comment: "{A1}. And {a2}."\n{b}, second comment: '
        '"{B1}. And {b2}."\n\nThe author, who is after the total effect, sorts out who was right.',
        (
            "no other arrow ends in {m}.",
            "one more arrow ends in {m}; it starts from a latent cause of the result.",
        ),
        (
            "No arrow joins {v} with the choice.",
            "One more arrow runs from {v} to the choice.",
        ),
        (
            (
                "stratifying on {m} and {v} at once works",
                "stratifying on {m} and {v} at once does not work",
            ),
            ("the unstratified comparison works", "the unstratified comparison does not work"),
        ),
        "On stratifying: {one}. On not stratifying: {other}.",
    ),
    Debate(
        "Arbitration. Parties: {a} and {b}. Matter: how to analyse {units} of {setting} {who} {x} against "
        "those {who} {x_no}, with regard to whether they {y} (overall effect).\n\nFindings of fact. (i) {U} "
        "was never recorded; {u_x_low_case}. (ii) {V} was recorded in advance; {v_y_low_case}. {second} "
        "(iii) {M} was recorded in advance and acts on neither choice nor result. {first} (iv) There are no "
        "further common causes.\n\nSubmissions. {a}: that {a1}; that {a2}. {b}: that {b1}; that "
        "{b2}.\n\nFor whom should the arbitrator find on each submission?",
        (
            "It is made up of (i), (ii) and noise.",
            "It is made up of (i), (ii) and a further, unrecorded determinant of the result.",
        ),
        (
            "It was ignored in the choice.",
            "It was considered in the choice.",
        ),
        (
            (
                "holding fixed (ii) and (iii) together is sound",
                "holding fixed (ii) and (iii) together is unsound",
            ),
            (
                "holding fixed none of them is sound",
                "holding fixed none of them is unsound",
            ),
        ),
        "First submission: find for {one}. Second submission: find for {other}.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw who says what, then whether both covariates do, and whether none does."""
    number, between = rng.randrange(len(WORDINGS)), dispute(rng)
    state = rng.choice(PAIRS)
    words, texts = WORDINGS[number], fields(scene)
    third = "" if state[0] else "R>M R>Y"
    chosen = "" if state[1] else "V>X"
    return Draft(
        dag(f"U>X U>M V>M V>Y X>Y {third} {chosen}", hidden="U" if state[0] else "U R"),
        words.tell(texts, state, between),
        crossed(
            state,
            lambda option: words.say(texts, option, between),
            _claims,
            topics=("using both", "using neither"),
            why=_why(scene, state),
            kinds=reflexes(first=None, second=False),
        ),
        f"m-bias/analyst/{number}",
        scene.name,
        f"both={state[0]} neither={state[1]}",
    )


def _claims(option: Pair) -> tuple[Claim, ...]:
    return (
        Claim(ValidAdjustment(("X",), "Y", ("M", "V")), option[0]),
        Claim(ValidAdjustment(("X",), "Y", ()), option[1]),
    )


def _why(scene: Scene, state: Pair) -> str:
    """Explain what is true of the story."""
    first = (
        f"What {scene.m} opens passes through {scene.v}, which is held fixed as well: the path is closed "
        f"again."
        if state[0]
        else f"{sentence(scene.m)} also opens a path through an unrecorded cause, which {scene.v} does not "
        f"close."
    )
    second = (
        f"{sentence(scene.v)} does not bear on the choice, so nothing is open if nothing is held fixed."
        if state[1]
        else f"{sentence(scene.v)} bears on choice and result, so the plain comparison is confounded."
    )
    return f"{first} {second}"
