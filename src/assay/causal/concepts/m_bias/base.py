"""Base: is the early covariate a common cause or a mirror of two others, and is a second one needed?"""

from __future__ import annotations

import random

from assay.causal.concepts.m_bias.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import MinimalAdjustment
from assay.causal.scm import dag
from assay.causal.wording.graphs import sentence
from assay.causal.wording.telling import Telling, fields

WORDINGS = (
    Telling(
        "{Setting} has records on {units}, of which some {x} and some {x_no}. Two columns were filled in "
        "before that was decided: {m} ({m_low} or {m_high}) and {w}.\n\n{first} As regards {w}, {second} "
        "These are all the links that matter.\n\nSuppose you want the smallest analysis that gives the "
        "effect of the decision on the share {who} {y}. How do you treat the two columns?",
        (
            "Those who decided had {m} before them and were swayed by it, and it works on the result too, by "
            "the expectations that it creates.",
            "Those who decided did not know {m}, and it works on nothing. It does mirror two things that are "
            "missing from the files: {u} and {v}. {u_x}. {v_y}.",
        ),
        (
            "it pushed some towards the decision, and it puts a mark of its own on the result as well.",
            "it pushed some towards the decision; the result shows no mark of it beyond that.",
        ),
        ("{m} is part of the analysis", "{m} is no part of the analysis"),
        ("{w} is indispensable", "{w} is dispensable"),
    ),
    Telling(
        "From the log of a data team at {setting}.\n\n09:10 Brief received: effect of a choice ({x} / "
        "{x_no}) on {units}; result: {y}. No adjustment beyond what is required to remove bias.\n09:30 Found "
        "{m}, dated before the choice. {first}\n10:15 Found {w}, dated before the choice. {second}\n10:40 "
        "Checked for other influences; none.\n11:00 Decision on both items due.\n\nWhich decision is the "
        "right one?",
        (
            "Interviews: it was on everyone's desk when the choice was made and tipped the scales; "
            "afterwards it made those around act differently, which told on the result.",
            "Interviews: no one on either side had heard of it. It came about through {u} ({u_x}) and {v} "
            "({v_y}); we hold data on neither.",
        ),
        (
            "Interviews: it was weighed in the choice. Experts: it also changes the result directly.",
            "Interviews: it was weighed in the choice. Experts: it cannot change the result by itself.",
        ),
        ("adjust for {m}", "do not adjust for {m}"),
        ("{w} has to be adjusted for", "{w} does not have to be adjusted for"),
    ),
    Telling(
        "Viva voce. Candidate, here is a case. {Units} at {setting}; before anything else, one measures {m} "
        "and {w}. Then some {x}, and the rest {x_no}. In the end we see which of them {y}. I want the total "
        "effect, with as few variables in the model as validity allows.\n\nYour background knowledge: "
        "{first} And: {second} There is nothing more to know. What do you do about the first variable, what "
        "about the second?",
        (
            "the first has an arrow into the choice and an arrow into the result, and none from anywhere.",
            "the first has arrows from {u} and from {v}, and none out of it. {u_x}; moreover, "
            "{v_y_low_case}. Both are latent.",
        ),
        (
            "the second affects both the choice and, by another route, the result.",
            "the second affects the choice, and any route from it to the result leads through that.",
        ),
        ("the first is included in the model", "the first is excluded from the model"),
        ("without the second there is bias", "without the second there is no bias"),
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw what the early covariate is, and whether the second is a common cause."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words, texts = WORDINGS[number], fields(scene)
    early = "M>X M>Y" if state[0] else "U>X U>M V>M V>Y"
    second = "W>X W>Y" if state[1] else "W>X"
    return Draft(
        dag(f"{early} {second} X>Y", hidden="" if state[0] else "U V"),
        words.tell(texts, state),
        crossed(
            state,
            lambda option: words.say(texts, option),
            _claims,
            topics=(scene.m, scene.w),
            why=_why(scene, state),
            kinds=reflexes(first=True),
        ),
        f"m-bias/base/{number}",
        scene.name,
        f"early={state[0]} second={state[1]}",
    )


def _claims(option: Pair) -> tuple[Claim, ...]:
    over = tuple(name for name, chosen in zip("MW", option, strict=True) if chosen)
    return (Claim(MinimalAdjustment(("X",), "Y", over), True),)


def _why(scene: Scene, state: Pair) -> str:
    """Explain what is true of the story."""
    first = (
        f"{sentence(scene.m)} acts on choice and result: a common cause."
        if state[0]
        else f"{sentence(scene.m)} is a common effect of {scene.u} and {scene.v}: holding it fixed ties the "
        "choice to the result through them, leaving it out keeps that path closed."
    )
    second = (
        f"{sentence(scene.w)} acts on both as well, so it is needed."
        if state[1]
        else f"{sentence(scene.w)} acts on the choice alone, so no bias follows from leaving it out."
    )
    return f"{first} {second}"
