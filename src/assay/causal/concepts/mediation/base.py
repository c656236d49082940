"""Base: is the covariate fit for the mediation formula, and is the direct effect one number or several?"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.mediation.figured import ONE_NUMBER, held, shares, with_covariate
from assay.causal.concepts.mediation.scene import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.wording.figures import percent
from assay.causal.wording.graphs import sentence


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, and both facts affirmed and denied."""

    stem: str
    formula: tuple[str, str]
    number: tuple[str, str]


WORDINGS = (
    Words(
        "{Setting} tossed a coin for each of its {units}: heads, and they {x}; tails, and they {x_no}. It "
        "wants to know how much of the effect on the share {who} {y} runs through {m} ({m_low} or "
        "{m_high}).\n\nA covariate is at hand: {w} ({w_low} or {w_high}). {W_bears}. {timed}. No other "
        "cause is common to any two things in this story.\n\nAmong those of the kind '{w_low}', the "
        "outcome occurs as follows. With {m_low}: {s00} without the step and {s10} with it. With "
        "{m_high}: {s01} without and {s11} with it. Among the kind '{w_high}' each of the four is {gap} "
        "points higher.\n\nTwo questions. Will the mediation formula, with {w} as its covariate, yield "
        "the natural direct and indirect effects? And is the controlled direct effect, in percentage "
        "points, the same for both levels at which {m} might be held?",
        ("the formula will yield them", "the formula will not yield them"),
        ("the controlled effect is one number", "the controlled effect is two numbers"),
    ),
    Words(
        "Notes for the methods seminar. Example of the week: {setting}; {units} picked blindly for two "
        "courses (they {x}; they {x_no}); end point, that they {y}; suspected pathway, {m}.\n\n(a) On "
        "confounding of the pathway. {W_bears}. We have {w} for all, coded '{w_low}' or '{w_high}'. "
        "{timed}. We know of no more confounders, seen or unseen.\n(b) On the response, for '{w_low}':\n- "
        "{m_low}, second course {s00}, first course {s10};\n- {m_high}, second course {s01}, first course "
        "{s11}.\nFor '{w_high}', add {gap} points throughout.\n\nFor discussion: 1. Does standardising "
        "over {w} in the usual way identify the split into natural effects? 2. Measured as a difference "
        "of shares, does the direct effect depend on where {m} is pinned?",
        ("1: the split is identified", "1: the split is not identified"),
        ("2: where it is pinned does not matter", "2: where it is pinned does matter"),
    ),
    Words(
        "'We threw dice over our {units},' writes {setting} to its consultant, 'and those with an even "
        "throw {x}, while the rest {x_no}. We count how many {y}. We should like a sentence of this form: "
        "so many points come about by way of {m}, so many otherwise, as natural effects are defined. "
        "{W_bears}; so we thought of using {w} (levels: {w_low}, {w_high}) as the confounder that the "
        "textbooks ask for. {timed}. We searched for further confounders in vain, and there are "
        "none.\n\nThe shares for '{w_low}' run: {s00} ({m_low}, rest), {s10} ({m_low}, even throw), {s01} "
        "({m_high}, rest), {s11} ({m_high}, even throw); for '{w_high}' they run {gap} points above "
        "these, each of them. Can we have our sentence by putting {w} into the mediation formula? And may "
        "we speak of the difference that the step makes with {m} fixed without saying at which level it is "
        "fixed?'\n\nWhat is the consultant to reply?",
        ("yes, you can have the sentence", "no, you cannot have the sentence"),
        ("you need not name the level", "you need to name the level"),
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the covariate comes before the step, and whether step and mediator add."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words, drawn, gap = WORDINGS[number], shares(rng, state[1]), rng.randint(5, 12)
    model = with_covariate(rng, drawn, Fraction(gap, 100), moved=not state[0])
    stem = words.stem.format(
        timed=scene.before if state[0] else scene.moved,
        gap=gap,
        **{f"s{x}{m}": percent(share, 0) for (x, m), share in drawn.items()},
        **scene.words(),
    )

    def say(option: Pair) -> str:
        return sentence(f"{words.formula[not option[0]]}; {words.number[not option[1]]}.")

    def claims(option: Pair) -> tuple[Claim, ...]:
        return (
            Claim(ValidAdjustment(("X", "M"), "Y", ("W",)), option[0]),
            Claim(ONE_NUMBER, option[1]),
        )

    first = (
        f"{sentence(scene.w)} was settled ahead of the step and is the only common cause of {scene.m} and "
        "outcome, so the formula may standardise over it."
        if state[0]
        else f"The step moves {scene.w}, which then bears on both {scene.m} and outcome: no standardising "
        "over it can keep the two natural effects apart."
    )
    gains = [percent(drawn[(1, m)] - drawn[(0, m)], 0).removesuffix("%") for m in (0, 1)]
    second = (
        f"The step adds {gains[0]} points with {scene.m_low} and {gains[1]} with {scene.m_high}, "
        "in either kind."
    )
    answers = crossed(
        state,
        say,
        claims,
        topics=(scene.w, "the controlled direct effect"),
        why=f"{first} {second}",
        kinds=reflexes(True, None),
    )
    told = f"before={state[0]} adding={state[1]}"
    derivation = ((f"direct effect, {scene.m_low}", held(0)), (f"direct effect, {scene.m_high}", held(1)))
    return Draft(model, stem, answers, f"mediation/base/{number}", scene.name, told, derivation)
