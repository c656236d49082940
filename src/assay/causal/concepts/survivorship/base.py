"""Base: who is left under a practice, and whether that makes the practice look better or worse than it is."""

from __future__ import annotations

import random
from fractions import Fraction

from assay.causal.concepts.survivorship.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair
from assay.causal.options.told import Facts, Wording, by_both, by_first, told
from assay.causal.proof.proof import Claim
from assay.causal.queries import Compare, crude, p
from assay.causal.scm import Scm, binary
from assay.causal.wording.telling import fields


def world(pair: Pair) -> Scm:
    """Return a model in which those left under the practice are richer in the sturdy, and flattered."""
    richer, flattered = pair
    tenth = Fraction(1, 10)
    under, without = (2 * tenth, 7 * tenth) if richer else (7 * tenth, 2 * tenth)
    low, high = (3 * tenth, 7 * tenth) if richer == flattered else (7 * tenth, 3 * tenth)
    return Scm(
        (
            binary("F", hidden=True),
            binary("X"),
            binary("S", "F X", {(0, 0): without, (0, 1): under, (1, 0): 9 * tenth, (1, 1): 9 * tenth}),
            binary("Y", "F X", {(0, 0): low, (0, 1): low + tenth, (1, 0): high, (1, 1): high + tenth}),
        )
    )


def claims(pair: Pair) -> tuple[Claim, ...]:
    """Return what is claimed: where the sturdy are more frequent among those left, and how that misleads."""
    sturdy = Compare(p({"F": 1}, {"X": 1, "S": 1}), ">", p({"F": 1}, {"X": 0, "S": 1}))
    wanted = p({"Y": 1}, do={"X": 1, "S": 1}) - p({"Y": 1}, do={"X": 0, "S": 1})
    return (
        Claim(sturdy, pair[0]),
        Claim(Compare(crude("X", "Y", given={"S": 1}), ">", wanted), pair[1]),
    )


FACTS = Facts(
    {pair: world(pair) for pair in PAIRS},
    claims,
    ("who is left", "the direction of the error"),
    (
        "{x} removed nearly all but the sturdy, so that those left under it are a hardier lot than the rest.",
        "{x} kept weaker ones that perished otherwise, so that those left under it are a weaker lot than "
        "the rest.",
    ),
    (
        "The kind that is over-represented under {x} is the kind that more often had the outcome: it is "
        "flattered.",
        "The kind that is over-represented under {x} is the kind that less often had the outcome: it is "
        "belittled.",
    ),
    (None, True),
)

HELP = (
    "the quality that keeps such {units} going also makes for the outcome, under either practice alike",
    "what is good for lasting is good for the outcome too, to the same degree under both",
)
HINDER = (
    "the quality that keeps such {units} going makes the outcome rarer, under either practice alike",
    "what is good for lasting is bad for the outcome, to the same degree under both",
)

WORDINGS = (
    Wording(
        "When the {units} on the list of {setting} began, a draw gave half of them {x} and the other half "
        "{x_no}. A "
        "census years later could examine those {who} {left}; the rest {gone}. It finds how many of the "
        "examined {y}, "
        "under the one and under the other.\n\nNobody recorded {trait}. Still, this much is established "
        "about the "
        "years between: {fate}. And {merit}.\n\nSet against what the two shares would be had every one been "
        "kept in being, what does the census get wrong about {x}?",
        {
            "fate": by_first(
                (
                    "{sturdy} came through both alike, while {frail} mostly came through {x_no} and mostly "
                    "perished "
                    "with {x}",
                    "with {x} hardly any but {sturdy} lasted; with {x_no} most {frail} lasted as well",
                ),
                (
                    "{sturdy} came through both alike, while {frail} mostly came through {x} and mostly "
                    "perished "
                    "with {x_no}",
                    "with {x_no} hardly any but {sturdy} lasted; with {x} most {frail} lasted as well",
                ),
            ),
            "merit": by_both(HELP, HINDER, HINDER, HELP),
        },
        (
            "Among those examined, {sturdy} are commoner with {x}",
            "Among those examined, {sturdy} are rarer with {x}",
        ),
        ("its figure for {x} is too good by comparison", "its figure for {x} is too bad by comparison"),
    ),
    Wording(
        "A journalist compares {units} {who} {left}: the ones with {x} and the ones with {x_no}, which "
        'had been allotted by lot at the start. "Since it was a lottery," she writes, "the difference '
        "in how many {y} is the practice's doing.\" The archivist of {setting} objects that part of the "
        "{units} {gone}. Two letters in the archive bear on this, both reliable. The first: {fate}. The "
        "second: {merit}, by the same margin under both. (No list says which were which; {trait} was a "
        "matter of hearsay.)\n\nThe standard to be met is the difference that would be seen if none had "
        "gone. How does the journalist's comparison depart from it?",
        {
            "fate": by_first(
                (
                    "{frail} fared badly with {x}, which few of them outlived, and well with {x_no}; others "
                    "fared well with both",
                    "of the weaker kind, {frail}, many were lost to {x} and few to {x_no}; {sturdy} were "
                    "lost to "
                    "neither in numbers",
                ),
                (
                    "{frail} fared badly with {x_no}, which few of them outlived, and well with {x}; others "
                    "fared well with both",
                    "of the weaker kind, {frail}, many were lost to {x_no} and few to {x}; {sturdy} were "
                    "lost to "
                    "neither in numbers",
                ),
            ),
            "merit": by_both(
                (
                    "with one practice as with the other, being of the stronger kind goes with more of the "
                    "outcome",
                    "take the practice as given, and it is the stronger kind that excels in the outcome",
                ),
                (
                    "with one practice as with the other, being of the stronger kind goes with less of the "
                    "outcome",
                    "take the practice as given, and it is the weaker kind that excels in the outcome",
                ),
                (
                    "with one practice as with the other, being of the stronger kind goes with less of the "
                    "outcome",
                    "take the practice as given, and it is the weaker kind that excels in the outcome",
                ),
                (
                    "with one practice as with the other, being of the stronger kind goes with more of the "
                    "outcome",
                    "take the practice as given, and it is the stronger kind that excels in the outcome",
                ),
            ),
        },
        (
            "What she sees of {x} is richer in {sturdy}",
            "What she sees of {x} is poorer in {sturdy}",
        ),
        (
            "her figure makes too much of {x}",
            "her figure makes too little of {x}",
        ),
        "{first}, and {second}.",
    ),
    Wording(
        "Technical annex, {setting}. Design: random allocation of {units} to A ({x}) or B ({x_no}). "
        "Observed: units present at the census (they {left}). Not observed: units {who} {gone}; "
        "{trait}.\nAttested: (1) {fate}. (2) {merit}, by the same margin in both.\nEstimand: difference "
        "A minus B in the share that {y}, everyone being present. Reported: the same difference among "
        "units present.\nState in which group the census finds the larger share of {sturdy}, and the "
        "sign of (reported minus estimand).",
        {
            "fate": by_first(
                (
                    "presence of {frail}: one in five under A, seven in ten under B; of {sturdy}: nine in "
                    "ten under both",
                    "A thinned out {frail} far more than B did, and neither thinned out {sturdy} to speak of",
                ),
                (
                    "presence of {frail}: one in five under B, seven in ten under A; of {sturdy}: nine in "
                    "ten under both",
                    "B thinned out {frail} far more than A did, and neither thinned out {sturdy} to speak of",
                ),
            ),
            "merit": by_both(
                (
                    "within A and within B the outcome is far more frequent among {sturdy}",
                    "the outcome is rarer among {frail} than among {sturdy}",
                ),
                (
                    "within A and within B the outcome is far more frequent among {frail}",
                    "the outcome is rarer among {sturdy} than among {frail}",
                ),
                (
                    "within A and within B the outcome is far more frequent among {frail}",
                    "the outcome is rarer among {sturdy} than among {frail}",
                ),
                (
                    "within A and within B the outcome is far more frequent among {sturdy}",
                    "the outcome is rarer among {frail} than among {sturdy}",
                ),
            ),
        },
        ("A holds the larger share of {sturdy}", "B holds the larger share of {sturdy}"),
        ("the sign is plus", "the sign is minus"),
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw which practice spared the frail, and whether what makes units last serves the outcome."""
    return told(rng, "survivorship/base", WORDINGS, FACTS, fields(scene), scene.name)
