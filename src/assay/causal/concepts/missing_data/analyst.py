"""Analyst: two who disagree on what complete records show, and whether weights restore what they hide."""

from __future__ import annotations

import random

from assay.causal.concepts.missing_data.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import Pair
from assay.causal.options.told import Facts, Wording, by_both, debated, graphs
from assay.causal.proof.proof import Claim
from assay.causal.queries import Separated
from assay.causal.wording.telling import fields


def claims(pair: Pair) -> tuple[Claim, ...]:
    """Return what is claimed: of the outcome given X in complete records, and of X after weighting by Z."""
    return (
        Claim(Separated("R", "Y", ("X",)), pair[0]),
        Claim(Separated("R", "X", ("Z",)), pair[1]),
    )


SHARED = "Z>X X>Y Y>B R>B"
"""A later mark is made in view of outcome and gap."""

FACTS = Facts(
    graphs(f"{SHARED} Z>R", f"{SHARED} X>R", f"{SHARED} Z>Y Z>R", f"{SHARED} Y>R"),
    claims,
    ("the outcome by {x}", "the frequency of {x}"),
    (
        "Given {x}, a gap is unrelated to the outcome: complete records show the outcome by {x} as it is.",
        "Given {x}, a gap is still related to the outcome: complete records distort the outcome by {x}.",
    ),
    (
        "Given {z}, a gap is unrelated to {x}: weighting complete records by {z} restores the frequency of "
        "{x}.",
        "Given {z}, a gap is still related to {x}: weighting complete records by {z} fails to restore it.",
    ),
    (None, True),
)

WORDINGS = (
    Wording(
        "On the desk of {a} and {b}: a file by {setting} with {units}, their {z} ({z1}, {z0}), whether "
        "they {y}, and {x} ({x1}, {x0}). The last column has many gaps.\n\n{Story}.\n\nA pencil mark, "
        "put later by somebody struck by gaps and by the outcome, is let alone. They are not asked for "
        "effects, only for two descriptions of all {units}: how often the outcome occurs given {x} (and "
        "nothing else), to be taken from complete records as they are; and how frequent each kind of {x} "
        "is, to be taken from complete records weighted to the whole file's {z}. {a}: {a_first}, while "
        "{a_second}. {b}: {b_first}, while {b_second}.\n\nWho judges rightly?",
        {
            "story": by_both(
                (
                    "What made for gaps was {z}. It also bears on {x}, though the outcome depends on {x} "
                    "alone",
                    "Clerks dealt with {z1} cases less carefully; hence the gaps. Now {z} goes into {x}, "
                    "which goes into the outcome; no other way leads from {z} to it",
                ),
                (
                    "What made for gaps was {x} itself, {x1} being admitted less gladly. It depends in "
                    "part on {z}, and alone decides about the outcome",
                    "Clerks were shy of noting {x1}; hence the gaps. Now {z} goes into {x}, which goes "
                    "into the outcome; no other way leads from {z} to it",
                ),
                (
                    "What made for gaps was {z}. It also bears on {x}, and the outcome depends on both",
                    "Clerks dealt with {z1} cases less carefully; hence the gaps. Now {z} goes into {x}, "
                    "and both go into the outcome",
                ),
                (
                    "What made for gaps was the outcome: with it, the entry was often thought needless. "
                    "The outcome depends on {x}, and {x} in part on {z}",
                    "Clerks lost interest in cases with the outcome; hence the gaps. Now {z} goes into "
                    "{x}, which goes into the outcome; no other way leads from {z} to it",
                ),
            ),
        },
        (
            "the first can be taken in this way",
            "the first cannot be taken in this way",
        ),
        (
            "the second can be taken in this way",
            "the second cannot be taken in this way",
        ),
        "{first} on the first description, {second} on the second.",
    ),
    Wording(
        "Hearing on the records of {setting}. Counsel {a} maintains: as to the rate of the outcome at each "
        "{x}, {a_first}; as to the split between {x1} and {x0}, {a_second}. Counsel {b} rejoins: as to the "
        "rate, {b_first}; as to the "
        'split, {b_second}. By "the rate" both mean that among {units} with {x} on record of how many '
        '{y}; by "the split" '
        "that among them after giving rows of each {z} the weight which this {z} has among all "
        "{units}.\n\nWitness, "
        'undisputed: "{story}. The stamps on some rows were put on last, in answer to blanks and to '
        'outcomes, and nobody counts them."\n\nThe court finds:',
        {
            "story": by_both(
                (
                    "Some rows went blank on account of {z}. That has its part in settling {x}. The "
                    "outcome follows from {x}, and {z} adds nothing",
                    "Rows of {z1} were blanked more than rows of {z0}, for no reason but this. {Z} shapes "
                    "{x}, and by that means alone the outcome",
                ),
                (
                    "Some rows went blank on account of what they would have said of {x}. {Z} has its part "
                    "in settling {x}. The outcome follows from {x}, and {z} adds nothing",
                    "Rows of {x1} were blanked more than rows of {x0}, for no reason but this. {Z} shapes "
                    "{x}, and by that means alone the outcome",
                ),
                (
                    "Some rows went blank on account of {z}. That has its part in settling {x}. The "
                    "outcome follows from {x} and, over and above, from {z}",
                    "Rows of {z1} were blanked more than rows of {z0}, for no reason but this. {Z} shapes "
                    "{x}, and besides, directly, the outcome",
                ),
                (
                    "Some rows went blank on account of how the matter came out. {Z} has its part in "
                    "settling {x}. The outcome follows from {x}, and {z} adds nothing",
                    "Rows with a yes in the outcome were blanked more than rows with a no, for no reason "
                    "but this. {Z} shapes {x}, and by that means alone the outcome",
                ),
            ),
        },
        ("it is that of the whole", "it is not that of the whole"),
        ("it is that of the whole", "it differs from that of the whole"),
        "For {first} on the rate, for {second} on the split.",
    ),
    Wording(
        "Chat log, {setting}.\n{a}: two requests about {units}. R1, P({y} | {x}). R2, P({x} = {x1}).\n{b}: "
        "{x} has holes. Where from?\n{a}: {story}. And {z} is complete. Forget the colour tags, they just "
        "react to holes and outcomes.\n{b}: then for R1, complete rows as they are: {b_first}. For R2, "
        "complete rows reweighted by {z}: {b_second}.\n{a}: I say R1, {a_first}, and R2, "
        "{a_second}.\n\nScore the chat (population: all {units}).",
        {
            "story": by_both(
                (
                    "{z} -> hole, {z} -> {x}, {x} -> outcome, that's all",
                    "holes come from {z}, which feeds {x}, which feeds the outcome; end of story",
                ),
                (
                    "{x} -> hole, {z} -> {x}, {x} -> outcome, that's all",
                    "holes come from {x}, which is fed by {z} and feeds the outcome; end of story",
                ),
                (
                    "{z} -> hole, {z} -> {x}, {x} -> outcome, {z} -> outcome, that's all",
                    "holes come from {z}, which feeds {x} and the outcome, the latter fed by {x} too; end "
                    "of story",
                ),
                (
                    "outcome -> hole, {z} -> {x}, {x} -> outcome, that's all",
                    "holes come from the outcome, which is fed by {x}, itself fed by {z}; end of story",
                ),
            ),
        },
        ("fine", "off"),
        ("works", "fails"),
        "R1 goes to {first}, R2 goes to {second}.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw what made the gaps, and who says what."""
    return debated(rng, "missing-data/analyst", WORDINGS, FACTS, fields(scene), scene.name)
