"""Base: a plain comparison and one at equal mediator, each with its own hidden cause or without one."""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.mediators.scene import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import dag
from assay.causal.wording.graphs import sentence


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, how an even-handed assignment is told, and both facts affirmed and denied."""

    stem: str
    even: str
    total: tuple[str, str]
    direct: tuple[str, str]


WORDINGS = (
    Words(
        "{Setting} follows {units}. Some {x} (in short, they took the step); the others {x_no}. What counts "
        "in the end is whether they {y}. {Moves}. {Bears}. The step may also work in ways that leave {m} "
        "alone.\n\n{assign}. {confound}. Nothing else joins step, {m} and outcome.\n\nTwo figures are to go "
        "into the report: the difference between the two groups as they stand, meant as the effect of the "
        "step by all routes; and the difference among {units} with equal {m}, meant as what the step does "
        "by other routes than {m}. Which of the two means what it is meant to?",
        "Which {units} took which course came out of a sealed envelope",
        ("the first figure can be taken at its word", "the first figure cannot be taken at its word"),
        ("the second one can be", "the second one cannot be"),
    ),
    Words(
        "Dear colleague,\n\nYou asked for a referee's opinion on the paper from {setting}. Its subjects "
        "are {units}, its exposed group those {that} {x}, its reference group those {that} {x_no}; the end "
        "point is whether they {y}. The authors argue that the exposure operates partly via {m}: {moves}; "
        "{bears}. I agree with that.\n\nOf the assignment they write: '{assign}.' Of {m} they write: "
        "'{confound}.' I have no reason to suspect further sources of association.\n\nTable 2 reports the "
        "unadjusted contrast as 'total effect'. Table 3 repeats it inside strata of {m} as 'effect not "
        "transmitted by {m}'. What should my report say about the two labels?",
        "A computer dealt out the two courses without looking at anything",
        ("the label of Table 2 is justified", "the label of Table 2 is unjustified"),
        ("the label of Table 3 is justified", "the label of Table 3 is unjustified"),
    ),
    Words(
        "Protocol of the Thursday meeting, {setting}\n1. Question: does it matter whether {units} "
        "{x} or {x_no}? Measure of the outcome: the share {that} {y}.\n2. Mechanism, "
        "undisputed: {moves}. {Bears}. Other mechanisms are possible.\n3. Background, undisputed: "
        "{assign}. {confound}. That completes the list of what could disturb.\n4. Analyses proposed. P: "
        "compare the groups with no covariate in the model, to learn the overall consequence. Q: put {m} "
        "into the model, to learn the consequence net of that mechanism.\n5. To be decided: do P and Q "
        "deliver what they promise?",
        "The toss of a coin had decided who ended up in which group",
        ("P delivers", "P does not deliver"),
        ("Q delivers", "Q does not deliver"),
    ),
    Words(
        "'So {units} {that} {x} did differ from those {that} {x_no} in whether they {y},' said the head of "
        "{setting}. 'And {m} plays a part in it?'\n'Part of it goes that way, yes. {Moves}. "
        "{Bears}.'\n'Anything in the background that I ought to know?'\n'Two things, and then you have "
        "heard it all. {assign}. {Confound}.'\n'Then tell me two things in return. Do I learn the whole "
        "effect by setting the two groups side by side? And do I learn the part that does not pass "
        "through {m} by doing so separately for each level of {m}?'\n\nWhich reply is correct?",
        "The two courses were handed out by a rota for which slips had been pulled from a hat",
        ("to the first question, yes", "to the first question, no"),
        ("to the second question, yes", "to the second question, no"),
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the step and the mediator share a cause, and whether mediator and outcome do."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words, fields = WORDINGS[number], scene.words()
    assign = words.even.format(**fields) if state[0] else scene.leaning
    confound = scene.alone if state[1] else scene.shared
    if number == 1:
        fields |= {"moves": scene.moves[:1].lower() + scene.moves[1:], "bears": _lowered(scene.bears)}
    if number in (1, 2):
        fields |= {"moves": _lowered(scene.moves)}
    stem = words.stem.format(assign=assign, confound=confound, Confound=sentence(confound), **fields)

    def say(option: Pair) -> str:
        return sentence(f"{words.total[not option[0]]}; {words.direct[not option[1]]}.")

    def claims(option: Pair) -> tuple[Claim, ...]:
        return (
            Claim(ValidAdjustment(("X",), "Y", ()), option[0]),
            Claim(ValidAdjustment(("X", "M"), "Y", ()), option[1]),
        )

    answers = crossed(
        state,
        say,
        claims,
        topics=("the plain comparison", f"the comparison at equal {scene.m}"),
        why=_why(scene, state),
        kinds=reflexes(None, True),
    )
    arrows = "X>M M>Y X>Y" + ("" if state[0] else " V>X V>M") + ("" if state[1] else " U>M U>Y")
    hidden = ("" if state[0] else "V ") + ("" if state[1] else "U")
    told = f"plain={state[0]} direct={state[1]}"
    return Draft(dag(arrows, hidden=hidden), stem, answers, f"mediators/base/{number}", scene.name, told)


def _why(scene: Scene, state: Pair) -> str:
    first = (
        "Nothing joins the groups with the outcome but the step itself, so the plain difference is the "
        "total effect."
        if state[0]
        else (
            f"The groups differ in a cause of {scene.m} that also bore on the step, so the plain difference "
            "mixes it in."
        )
    )
    second = (
        f"{sentence(scene.m)} shares no cause with the outcome, and holding it fixed also stops whatever "
        "reaches it from before the step, so the difference at equal level is a direct effect."
        if state[1]
        else (
            f"{sentence(scene.m)} and the outcome share a hidden cause: among equals in {scene.m} the "
            "groups differ in it."
        )
    )
    return f"{first} {second}"


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]
