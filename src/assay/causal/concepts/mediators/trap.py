"""Trap: a covariate whose date misleads about what came first, and gaps whose rates mislead about harm."""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.mediators.scene import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.options.crossed import PAIRS, Pair, crossed
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import dag
from assay.causal.wording.graphs import sentence


@dataclass(frozen=True, slots=True)
class Words:
    """One wording; `harmless` and `harmful` tell of missing outcomes; the rates suggest the opposite."""

    stem: str
    harmless: str
    harmful: str
    hold: tuple[str, str]
    gaps: tuple[str, str]


WORDINGS = (
    Words(
        "Case file: {setting}. Unit of analysis: {units}. Arms: those {that} {x} / those {that} {x_no}. "
        "Outcome: whether they {y}. Wanted: the total effect of the one course against the other, reckoned "
        "from the day on which the course was settled; whatever word of it sets off is part of the "
        "effect.\n\nCandidate covariate: {c} ({c_low} or {c_high}). {dated}. {C_bears}. Where nothing else "
        "was said, no common causes need be feared.\n\nMissing outcomes. {gaps}.\n\nWhich entry belongs "
        "under 'analysis'?",
        "In the first arm {more}% are lacking, in the second {less}%. The first arm wrote with a pencil "
        "that fades: which sheets became illegible depended on the pencil and on where they lay in the "
        "drawer, and on nothing about the units",
        "In each arm {less}% are lacking, to the decimal. In the first, mostly cases with the outcome "
        "were struck from the books, in the second mostly cases without it, each by the old custom of its "
        "arm",
        ("hold {c} fixed", "do not hold {c} fixed"),
        ("the lacking outcomes introduce no error", "the lacking outcomes introduce an error"),
    ),
    Words(
        "We are {setting}, and our question is simple: what difference does it make to the share {that} {y} "
        "if all {units} take the course of those {that} {x}, everything included that follows from the "
        "moment at which it is settled on? The others {x_no}.\n\nOur statistician hesitates over {c}, which "
        "we have for everyone. {C_bears}. {dated}. She hesitates as well over outcomes that we failed to "
        "obtain. {gaps}. There is nothing further to tell.\n\nWhat should we answer her?",
        "We failed with {more}% of one group, but with {less}% of the other, because the cards of the one "
        "lay in a damp cupboard, and damp does not choose what it ruins",
        "We failed with {less}% of one group and with the same {less}% of the other. Among those on that "
        "course, it is mostly the cases with the outcome that nobody could trace any more; among the "
        "others, mostly the cases without it",
        ("{c} goes into the comparison", "{c} stays out of the comparison"),
        ("what we failed to obtain can be ignored", "what we failed to obtain cannot be ignored"),
    ),
    Words(
        "From the log of a data audit. Client: {setting}. Rows: {units}, flagged 1 if they {x}, flagged 0 "
        "if they {x_no}. Target column: whether they {y}. The client wants what switching the flag would do "
        "to the target in total; the flag is set when the course is decided, and reactions to the decision "
        "count as its doing.\n\nNote on a further column, '{c}': {dated}. {C_bears}.\n\nNote on blanks in "
        "the target column: {gaps}.\n\nThe notes are exhaustive. Which recommendation follows?",
        "of rows flagged 1, {more}% are blank; of rows flagged 0, {less}%. The import script dropped "
        "rows at a fixed interval, a shorter one for flag 1, in an order made by hashing",
        "the share of blanks is {less}% for either flag. With flag 1, a row was blanked chiefly if the "
        "target was positive, and with flag 0 chiefly if it was negative, by two privacy rules that were "
        "written to balance",
        ("split the rows by that column", "do not split the rows by that column"),
        ("use the rows without blanks as they are", "distrust the rows without blanks"),
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether a late entry is an early cause or an early one a consequence, and which gaps there are."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words, less = WORDINGS[number], rng.randint(6, 14)
    fields = scene.words() | {"less": str(less), "more": str(less + rng.randint(14, 25))}
    dated = scene.late if state[0] else scene.early
    gaps = (words.harmless if state[1] else words.harmful).format(**fields)
    stem = words.stem.format(dated=dated, gaps=gaps, **fields)
    over = ("C",) if state[0] else ()

    def say(option: Pair) -> str:
        first, second = words.hold[not option[0]], words.gaps[not option[1]]
        return sentence(f"{first.format(**fields)}; {second}.")

    def claims(option: Pair) -> tuple[Claim, ...]:
        return (
            Claim(ValidAdjustment(("X",), "Y", ("C",)), option[0]),
            Claim(ValidAdjustment(("X",), "Y", ()), not option[0]),
            Claim(ValidAdjustment(("X",), "Y", (*over, "S")), option[1]),
        )

    answers = crossed(
        state, say, claims, topics=(scene.c, "the missing outcomes"), why=_why(scene, state), kinds=_kind
    )
    arrows = ("C>X C>Y X>Y" if state[0] else "X>C C>Y X>Y") + (" X>S" if state[1] else " X>S Y>S")
    told = f"cause={state[0]} harmless={state[1]}"
    return Draft(dag(arrows), stem, answers, f"mediators/trap/{number}", scene.name, told)


def _kind(option: Pair, state: Pair) -> Kind:
    """Say what a wrong answer follows: both of the misleading cues, or one of them."""
    if option[0] != state[0] and option[1] != state[1]:
        return Kind.REFLEX
    return Kind.MISAPPLIED if option[0] != state[0] else Kind.PARTIAL


def _why(scene: Scene, state: Pair) -> str:
    first = (
        f"Though noted late, {scene.c} is what it was before the step and steered it: a common cause, to be "
        "held fixed."
        if state[0]
        else f"Though noted early, {scene.c} had already been moved by the settled course, so it lies on "
        "the way to the outcome, and holding it fixed would take away part of the total effect."
    )
    second = (
        "The rates of missing outcomes differ, but within a group what is missing is haphazard, so the "
        "rest represent it."
        if state[1]
        else (
            "The rates of missing outcomes are equal, but what is missing depends on group and outcome "
            "together."
        )
    )
    return f"{first} {second}"
