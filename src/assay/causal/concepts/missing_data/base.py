"""Base: gaps in a confounder; do complete records give the shares in strata, and the strata's weights?"""

from __future__ import annotations

import random

from assay.causal.concepts.missing_data.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import Pair
from assay.causal.options.told import Facts, Wording, by_first, by_second, graphs, told
from assay.causal.proof.proof import Claim
from assay.causal.queries import Separated
from assay.causal.wording.telling import fields


def claims(pair: Pair) -> tuple[Claim, ...]:
    """Return what is claimed of complete records: the outcome within strata, and the strata's sizes."""
    return (
        Claim(Separated("Y", "R", ("X", "Z")), pair[0]),
        Claim(Separated("Z", "R"), pair[1]),
    )


SHARED = "Z>X Z>Y X>Y Y>B R>B"
"""The covariate confounds; a later note is made in view of outcome and gap."""

FACTS = Facts(
    graphs(
        SHARED,
        f"{SHARED} Z>R",
        f"{SHARED} U>Y U>R",
        f"{SHARED} U>Y U>R Z>R",
        hidden="U",
    ),
    claims,
    ("the shares within strata", "the weights of the strata"),
    (
        "With {x} and {z} given, having a complete record says nothing about the outcome: shares in strata "
        "stand.",
        "{u} decided about gaps and about the outcome: even with {x} and {z} given, shares in strata are "
        "off.",
    ),
    (
        "{z} had no part in the gaps, so that its distribution in complete records is that of all.",
        "{z} itself had a part in the gaps, so that its distribution in complete records is not that of all.",
    ),
    (True, False),
)

WORDINGS = (
    Wording(
        "{Setting} wants the effect on all {units} of {x1} rather than {x0}, the outcome being whether "
        "they {y}. One thing confounds the two, {z} ({z1} or {z0}): it steers {x} and bears on the "
        "outcome. {X} "
        "and outcome are known of all {units}; where the trouble lies is {z}, for many {units} "
        "{blank}.\n\nAs to who they are: {sizes}; {inner}.\n\nThe plan takes complete records only, and "
        "ignores a remark that is added later in view of outcome and gap. Step 1 finds the share with the "
        "outcome for each combination of {x} and {z}. Step 2 weights the two levels of {z} by how often "
        "they occur. Of each step, say whether it does or does not give, on complete records, what the "
        "whole register would.",
        {
            "sizes": by_second(
                (
                    "whether {z} was of the one sort or the other made no difference to its being noted",
                    "{z1} and {z0} cases were equally likely to be left out, and no cause of {z} was at work",
                ),
                (
                    "whether {z} was of the one sort or the other was just what made it go unnoted",
                    "{z1} cases were a good deal likelier to be left out than {z0} ones",
                ),
            ),
            "inner": by_first(
                (
                    "besides, {u}, though of weight for the outcome, was not involved, nor was anything "
                    "else that weighs on it",
                    "beyond what has been said, gaps fell as blindly as rain, whatever {u} or the outcome",
                ),
                (
                    "besides, {u} was involved, of which there is no record, which has no tie with {z} "
                    "and is of weight for the outcome",
                    "on top of what has been said, gaps were frequent where {u} was unfavourable, which "
                    "tells on the outcome too, varies alike at any {z}, and cannot be looked up",
                ),
            ),
        },
        ("Step 1 does", "Step 1 does not"),
        ("step 2 does", "step 2 does not"),
    ),
    Wording(
        '"A third of the forms lack {z}," sighs the clerk at {setting}. "I only use the others. They give '
        "me a table: {x1} or {x0}, {z1} or {z0}, and in each cell the part of the {units} {who} {y}. And "
        "they give me how common {z1} and {z0} are, for averaging. With that I have the effect of {x}, "
        "since {z} is the only "
        'confounder."\n\n'
        '"One moment," says the trainee. "Do you know why forms lack it?" The clerk does, and is right: '
        '"{inner}. '
        '{Sizes}."\n\n(There is also a tick which the auditor makes on seeing a gap, or the outcome. '
        "Nobody uses it.) Which ingredients can be relied on by the clerk, and which cannot?",
        {
            "sizes": by_second(
                (
                    "As for {z}, its being {z1} or {z0} has nothing to do with it, and what lies behind "
                    "{z} has not either",
                    "No use asking if {z1} goes unentered more than {z0}: it does not, by any road",
                ),
                (
                    "As for {z}, where the entry would be {z1} it is apt to stay out, for that very reason",
                    "No use denying that {z1} goes unentered more than {z0}: it does, for its own sake",
                ),
            ),
            "inner": by_first(
                (
                    "{u} counts for the outcome, but forms are as complete with more of it as with less, "
                    "and I can think of no other link from form to outcome",
                    "cases that lack it would not have fared differently from others of the same {x} and {z}",
                ),
                (
                    "{u} counts for the outcome, and forms are not as complete with more of it as with "
                    "less; we have no column for it, and it is no cousin of {z}",
                    "cases that lack it would have fared differently from others of the same {x} and {z}, "
                    "for {u}, absent from our columns and no cousin of {z}, is at the bottom of both",
                ),
            ),
        },
        ("The cells of the table can be relied on", "The cells of the table cannot be relied on"),
        (
            "the averaging weights can be relied on",
            "the averaging weights cannot be relied on",
        ),
    ),
    Wording(
        "Memo on incomplete records. Register: {setting}, {units}. T: {x} ({x1} / {x0}). C: {z} ({z1} / "
        "{z0}), cause of T and outcome, missing for some. Outcome: they {y}. Hidden: {u}, cause of the "
        "outcome. R = 1: C is there. N: note, made later because of outcome and R, unused.\nKnown of R: "
        "{inner}; {sizes}.\nQuantities: (p) P(outcome | T, C); (q) P(C). The effect of T is obtained from "
        "p and q. For each, say yes or no: is the value under R = 1 the value in the register?",
        {
            "sizes": by_second(
                (
                    "R pays no attention to C, directly or otherwise",
                    "the levels of C are equally often missing, C and R having no source in common",
                ),
                (
                    "R pays attention to C as such",
                    "the levels of C are unequally often missing, C being a cause of R",
                ),
            ),
            "inner": by_first(
                (
                    "R and the hidden cause are unconnected; R has no tie with the outcome save perhaps by "
                    "way of C",
                    "nothing hidden that acts on the outcome acts on R",
                ),
                (
                    "R and the outcome share the hidden cause, which is independent of C",
                    "the hidden cause, independent of C, acts on R as it acts on the outcome",
                ),
            ),
        },
        ("For p: yes", "For p: no"),
        ("for q: yes", "for q: no"),
        "{first}; {second}.",
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the covariate, and whether a hidden cause of the outcome, had a part in the gaps."""
    return told(rng, "missing-data/base", WORDINGS, FACTS, fields(scene), scene.name)
