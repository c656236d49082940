"""Analyst: two who disagree on those left after years of a practice, and on what a gauge can put right."""

from __future__ import annotations

import random

from assay.causal.concepts.survivorship.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import Pair
from assay.causal.options.told import Facts, Wording, by_first, by_second, debated, graphs
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.wording.telling import fields


def claims(pair: Pair) -> tuple[Claim, ...]:
    """Return what is claimed: whether those left compare fairly as they are, and within the gauge."""
    return (
        Claim(ValidAdjustment(("X",), "Y", ("S",)), pair[0]),
        Claim(ValidAdjustment(("X",), "Y", ("L", "S")), pair[1]),
    )


FACTS = Facts(
    graphs(
        "L>S L>Y X>Y",
        "X>L L>Y F>S F>Y X>Y",
        "L>S L>Y X>S X>Y",
        "X>L L>Y X>S F>S F>Y X>Y",
        hidden="F",
    ),
    claims,
    ("the plain comparison", "the comparison within {gauge}"),
    (
        "Lasting did not depend on the practice, so that those left under both are alike in {trait}.",
        "Lasting depended on the practice and on {trait}: among those left the two are tied together.",
    ),
    (
        "At the outset {gauge} captured {trait} in full: holding it fixed blocks what lasting may have "
        "opened.",
        "At the census {gauge} carries part of what the practice does: holding it fixed removes that part.",
    ),
    (False, True),
)

WORDINGS = (
    Wording(
        "Years after lots had given some {units} {x} and the others {x_no}, {setting} looks at those "
        "{who} {left} and at how many of them {y}. Whether {units} lasted had much to do with {trait}, "
        "which is of consequence for the outcome. {Fate}. There is a column for {gauge} ({low} or "
        "{high}). {Column}.\n\nTwo comparisons are open, of all those left as they are and within "
        "{gauge}. {a} submits that {a_first}; as for the second, {a_second}. {b}'s answer: {b_first}; "
        "moreover {b_second}.\n\nWho has the better of it?",
        {
            "fate": by_first(
                (
                    "Which practice they followed made no difference to whether they lasted",
                    "Losses took the same ones, whatever the practice, as a look at each half's records "
                    "confirms",
                ),
                (
                    "The practice counted for it too, being harder on some than on others",
                    "Losses were another matter under {x} than under {x_no}: the practice, too, decided "
                    "who lasted",
                ),
            ),
            "column": by_second(
                (
                    "Filled in on the first day, before the lots, it shows all there is to {trait}",
                    "It was entered at the outset and leaves nothing about {trait} unsaid",
                ),
                (
                    "Filled in on the day of the census, it shows what the practice had made of it, which "
                    "in turn "
                    "matters for the outcome",
                    "It was entered at the end; years of {x} had shifted it, and it passes on some of this "
                    "to the outcome; "
                    "{trait} stands nowhere",
                ),
            ),
        },
        (
            "the plain comparison shows just what the practice does",
            "the plain comparison shows something else besides",
        ),
        (
            "the comparison within {gauge} shows just what the practice does",
            "the comparison within {gauge} fails to show it",
        ),
        "On the plain comparison {first}; on the one within levels {second}.",
    ),
    Wording(
        "To the editor. In your columns {a} and {b} argued over {units} and {x} ({x_no} being the "
        "alternative, and "
        'a coin the judge). {a} wrote: "{A_second}. And {a_first}." {b} replied: "{B_second}. And '
        '{b_first}."\n\nI was '
        "there. The outcome is whether they {y}. It is true that many {gone}, and that {trait} favoured "
        "lasting as it "
        "favours the outcome. Further: {fate}. As to {gauge}, {column}. The comparison meant is always one "
        "of {units} "
        "{who} {left}, and the aim is the practice's whole effect.\n\nYours, a former clerk of {setting}. "
        "Whom do "
        "the clerk's facts support?",
        {
            "fate": by_first(
                (
                    "not one was lost, or saved, on account of the practice",
                    "under either practice the same {units} would have been lost",
                ),
                (
                    "some were lost on account of the practice that would otherwise have been saved",
                    "had the coin fallen otherwise, other {units} would have been lost",
                ),
            ),
            "column": by_second(
                (
                    "we took it before the coin was tossed, and it measures the very thing, {trait}, "
                    "without remainder",
                    "the figure dates from before the coin, and {trait} is fully expressed in it",
                ),
                (
                    "we took it when all was over; it is a product of the practice and itself makes for "
                    "the outcome, "
                    "while {trait} was never put into figures",
                    "the figure dates from the last day, on the road from practice to outcome; of {trait} we "
                    "have no figure",
                ),
            ),
        },
        (
            "setting those left side by side without more ado gives an honest answer",
            "setting those left side by side without more ado gives a skewed answer",
        ),
        (
            "to do so at equal {gauge} would be honest",
            "to do so at equal {gauge} would be skewed",
        ),
        "{first} on doing it without more ado, {second} on doing it at equal {gauge}.",
    ),
    Wording(
        "Panel protocol. Case: {setting}, {units}, {x} against {x_no} (randomised). Endpoint among units "
        "that {left}: "
        "they {y}. Latent cause of both presence and endpoint: {trait}.\nExhibit P: {fate}.\nExhibit Q: "
        "{column}.\n"
        "Motion 1, on the contrast of practices among those present, unadjusted. {a}: {a_first}. {b}: "
        "{b_first}.\n"
        "Motion 2, on the same contrast stratified by {gauge}. {a}: {a_second}. {b}: {b_second}.\nTotal "
        "effect "
        "intended throughout. Which ruling follows from the exhibits?",
        {
            "fate": by_first(
                (
                    "presence is a function of the latent cause and of luck, not of the practice",
                    "the practice has no arrow into presence",
                ),
                (
                    "presence is a function of the latent cause and of the practice",
                    "the practice has an arrow into presence, as has the latent cause",
                ),
            ),
            "column": by_second(
                (
                    "{gauge} predates randomisation and is a perfect reading of the latent cause",
                    "{gauge} and the latent cause are one and the same quantity, recorded before "
                    "randomisation",
                ),
                (
                    "{gauge} postdates randomisation, responds to the practice, and acts on the endpoint; "
                    "the "
                    "latent cause has no reading",
                    "{gauge}, recorded last, transmits to the endpoint something of the practice; the "
                    "latent cause is "
                    "not recorded",
                ),
            ),
        },
        ("the contrast is free of bias", "the contrast is biased"),
        ("the contrast is then free of bias", "the contrast is then biased"),
        "Motion 1 to {first}, motion 2 to {second}.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the practice bore on lasting, when the gauge was read, and who says what."""
    return debated(rng, "survivorship/analyst", WORDINGS, FACTS, fields(scene), scene.name)
