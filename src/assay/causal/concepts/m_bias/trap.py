"""Trap: what looks like an M is broken, what looks like a common cause is an M, and the same once more."""

from __future__ import annotations

import random

from assay.causal.concepts.m_bias.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import dag
from assay.causal.wording.graphs import sentence
from assay.causal.wording.telling import Telling, fields

WORDINGS = (
    Telling(
        "A report of {setting} compares {units} {who} {x} with {units} {who} {x_no}. The result is whether "
        "they {y}; the total effect is of interest. Two covariates, both older than the choice, are up for "
        "debate; of other common causes there are none.\n\n{M}. {first}\n\n{W}. {second}\n\nWhat holds for "
        "the use of the first and of the second?",
        (
            "The report draws the famous letter: {u} and {v}, both unrecorded, each send an arrow into it. "
            "{v_y}. What the report does not draw: that year the choice was taken out of the hands of those "
            "whom {u} could have moved, so that it left no trace there.",
            "The report shows that it is older than the choice, balanced neither between the groups nor "
            "between results, and predicts both well. What the report does not show: it acts on neither. "
            "{u_x}. {v_y}. It is simply that the two, unrecorded, also leave their print on it.",
        ),
        (
            "Two unrecorded circumstances lead into it, as in a picture of a collider; neither of them leads "
            "anywhere else. From it, one arrow goes to the choice and another to the result.",
            "Its correlations with choice and result are the highest in the file, and it was there before "
            "both. It leads nowhere. Two unrecorded circumstances lead into it; one of them also "
            "leads to the choice, the other also to the result.",
        ),
        ("the first can be added without bias", "the first cannot be added without bias"),
        ("leaving the second out brings bias", "leaving the second out brings no bias"),
    ),
    Telling(
        '"Every textbook has a chapter on our problem," the director of {setting} said. "Some of our {units} '
        "{x}, others {x_no}, and we would like to know what that does, in total, to how many "
        '{y}."\n\nHer adviser had two notes. The one on {m}: "{first}" The one on {w}: "{second}" '
        "Both had been measured in advance, and of further common causes there were none.\n\nThe director "
        "asked if the former was safe to use, and if one could do without the latter. What was the correct "
        "reply?",
        (
            "It has two hidden parents, {u} and {v}, and I know what the chapter says about that. {v_y}. But "
            "the first of them never got through to the choice: it was made by others, over the heads of "
            "those it might have swayed.",
            "It is as old as the hills and related to choice and result, and I know what the chapter says "
            "about that. But relations come about in various ways. These run through its hidden parents, {u} "
            "and {v}: {u_x_low_case}; {v_y_low_case}.",
        ),
        (
            "It has hidden parents, two of them, without other offspring. It has visible children as well: "
            "the choice is one, the result another.",
            "It stands out in every screening, with choice as with result. It has no children, but "
            "brothers: by one hidden parent the choice, by the other the result.",
        ),
        ("the former is safe to use", "the former is not safe to use"),
        ("one cannot do without the latter", "one can do without the latter"),
    ),
    Telling(
        "Checklist of a reviewer. Study: {units}, {setting}. Contrast: they {x}, or they {x_no}. Result: "
        "they {y}. Estimand: total effect.\n\n[1] Baseline covariate: {m}. Authors' description: "
        "{first}\n[2] Baseline covariate: {w}. Authors' description: {second}\n[3] Other common causes: "
        "excluded by the authors, and credibly so.\n\nThe reviewer must enter whether including [1] is "
        "admissible and whether including [2] is required.",
        (
            'a downstream sum of {u} and {v}, neither of which was measured, hence "an M-shaped worry"; '
            "{v_y_low_case}. "
            "Treatment was decided at headquarters, where nothing was known of the former or felt of it.",
            'a downstream sum of {u} and {v}, neither of which was measured, hence "an informative baseline '
            'proxy, associated with both ends"; {v_y_low_case}. Treatment was up to those concerned. {u_x}.',
        ),
        (
            'called "a mere collider" since two latent factors meet in it. The path diagram has two arrows '
            "out of it, too, to treatment and to result, and no others at the latent factors.",
            'called "the strongest confounder" since it beats all others in a table of correlations. The '
            "path "
            "diagram has no arrow out of it; two latent factors meet in it, one of which also feeds "
            "treatment and the other the result.",
        ),
        ("including [1] is admissible", "including [1] is inadmissible"),
        ("including [2] is required", "including [2] is not required"),
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the first covariate is safe and the second needed, with cues that say the opposite."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words, texts = WORDINGS[number], fields(scene)
    first = "U>M V>M V>Y" if state[0] else "U>X U>M V>M V>Y"
    second = "P>W Q>W W>X W>Y" if state[1] else "P>X P>W Q>W Q>Y"
    return Draft(
        dag(f"{first} {second} X>Y", hidden="U V P Q"),
        words.tell(texts, state),
        crossed(
            state,
            lambda option: words.say(texts, option),
            _claims,
            topics=(scene.m, scene.w),
            why=_why(scene, state),
            kinds=reflexes(first=not state[0]),
        ),
        f"m-bias/trap/{number}",
        scene.name,
        f"safe={state[0]} needed={state[1]}",
    )


def _claims(option: Pair) -> tuple[Claim, ...]:
    over, other = (("W",), ()) if option[1] else ((), ("W",))
    return (
        Claim(ValidAdjustment(("X",), "Y", over), True),
        Claim(ValidAdjustment(("X",), "Y", other), False),
        Claim(ValidAdjustment(("X",), "Y", (*over, "M")), option[0]),
    )


def _why(scene: Scene, state: Pair) -> str:
    """Explain what is true of the story."""
    first = (
        f"Nothing joins the choice with {scene.u}: the M lacks a leg, and {scene.m} is safe."
        if state[0]
        else f"{sentence(scene.m)} acts on nothing and joins {scene.u} with {scene.v} once it is held fixed."
    )
    second = (
        f"{sentence(scene.w)} acts on choice and result: a common cause, whatever leads into it."
        if state[1]
        else f"{sentence(scene.w)} is a common effect of two causes, one of the choice and one of the "
        f"result: left alone, it blocks."
    )
    return f"{first} {second}"
