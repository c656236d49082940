"""Trap: a draw that is confounded or a choice that is not, losses that look balanced and bias, or the "
"reverse."""

from __future__ import annotations

import random

from assay.causal.concepts.confounding.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import dag
from assay.causal.wording.graphs import sentence
from assay.causal.wording.telling import Telling, fields

WORDINGS = (
    Telling(
        "Referee's report. The manuscript concerns {units} at {setting}: some {x}, the others {x_no}, and "
        "the authors look at whether they {y}. What they want is the total effect in the whole "
        "population.\n\nOn {z}. {bears}. {first}\n\nOn completeness: the analysis rests on {units} {that} "
        "{follow_up}. {second}\n\nWhat should the editor be told about the two matters?",
        (
            "The authors are proud that a draw decided everything. According to their protocol, though, two "
            "urns were used, one for either level of {z}, and winning slips were far commoner in one of "
            "them.",
            "The plan, published in advance, was to pick with an eye to {z}, and picks were duly made that "
            "way. An appendix admits that a sorting fault then attached the list to other identifiers, in an "
            "order unconnected with anything, and that this is how it was carried out.",
        ),
        (
            "In one group two fifths are missing, in the other next to none; within a group it was a "
            "shredder, taking sheets blindly, that decided which.",
            "The same proportion is there in either group, a point the authors stress. In one of them, "
            "however, it is those with the outcome that tended to fall away, in the other those without it.",
        ),
        ("{z} has to be accounted for", "{z} need not be accounted for"),
        ("the losses leave the contrast sound", "the losses make the contrast unsound"),
    ),
    Telling(
        '"You have seen the plan," says the head of evaluation at {setting}. "Did it make any difference '
        "whether {units} {x} or {x_no}? I count how many {y}, and I mean the total effect, "
        'everyone included."\n\n"Two things first," says her deputy. "{bears}, as you know. {first} And we '
        'have an end result for {units} {that} {follow_up}, no others. {second}"\n\nWhat follows from what '
        "the "
        "deputy says?",
        (
            "You told the board it was all down to dice. It was, but a six was called for at one level of "
            "{z} (we have {z_low} and {z_high}), while at the other any throw but a one would do.",
            "You told the board that our people had looked at {z} and chosen accordingly. They had, on "
            "paper; the printer then shuffled names and choices, no one noticed, and the shuffled sheet was "
            "followed.",
        ),
        (
            "It looks bad: one side lost three times as many as the other. But on both sides files were "
            "lost without rhyme or reason.",
            "It looks good: each side kept seven in ten. Only, on the one side good results went astray more "
            "easily, and on the other side bad ones did.",
        ),
        (
            "a comparison that ignores {z} would mislead",
            "a comparison that ignores {z} would not mislead",
        ),
        (
            "using the {units} with an end result adds no bias",
            "using the {units} with an end result adds a bias",
        ),
    ),
    Telling(
        "Audit memo, {setting}. Subject: {units} {that} {x} against {units} {that} {x_no}. Measure of "
        "success or failure: whether they {y}. Estimand: total effect, all {units}.\n\nFinding A. {first} "
        "Note that {z} is no bystander. {bears}.\n\nFinding B. Final data exist for {units} {that} "
        "{follow_up}. {second}\n\nThe auditors must now state, for either finding, what it means for the "
        "comparison of the two groups on the final data.",
        (
            "Allocation was done by computer, with random numbers, as the charter demands. The program's "
            "threshold had been set by hand for each level of {z}, at 0.2 for one and 0.7 for the other.",
            "Allocation was in the hands of managers, who say they went by {z}. Logs show that their "
            "instructions never left the outbox; a default of the system, the parity of a counter, "
            "allocated.",
        ),
        (
            "Coverage is 45 per cent on one side and 90 on the other. The gap arose because the smaller "
            "archive kept every second sheet by count, whatever was written on it.",
            "Coverage is 80 per cent on both sides. On one side sheets with the outcome were more prone to "
            "be mislaid than sheets without; on the opposite side it was the other way about.",
        ),
        ("A calls for stratifying by {z}", "A calls for no stratifying by {z}"),
        ("B leaves the figures usable", "B makes the figures misleading"),
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the draw was confounded and whether the losses bias, with cues that say the opposite."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words, texts = WORDINGS[number], fields(scene)
    arrows = f"{'Z>X ' if state[0] else ''}Z>Y X>Y X>S{'' if state[1] else ' Y>S'}"
    return Draft(
        dag(arrows),
        words.tell(texts, state),
        crossed(
            state,
            lambda option: words.say(texts, option),
            _claims,
            topics=(scene.z, "the losses"),
            why=_why(scene.z, state),
            kinds=reflexes(first=not state[0]),
        ),
        f"confounding/trap/{number}",
        scene.name,
        f"needed={state[0]} harmless={state[1]}",
    )


def _claims(option: Pair) -> tuple[Claim, ...]:
    return (
        Claim(ValidAdjustment(("X",), "Y", ()), not option[0]),
        Claim(ValidAdjustment(("X",), "Y", ("Z",)), True),
        Claim(ValidAdjustment(("X",), "Y", ("Z", "S")), option[1]),
    )


def _why(z: str, state: Pair) -> str:
    """Explain what is true of the story."""
    first = (
        f"The draw favoured one level of {z}, which bears on the outcome: random or not, the groups differ."
        if state[0]
        else f"What was carried out had lost all connection with {z}: the groups are alike although nobody "
        "meant them to be."
    )
    second = (
        "Losses that depend on the group alone, and not on the outcome, leave each group's share unbiased."
        if state[1]
        else "Losses that depend on group and outcome together bias the comparison, equal as their rates are."
    )
    return f"{sentence(first)} {second}"
