"""Base: the recorded sign steered the arm or came from it, and the losses are explained by it or not."""

from __future__ import annotations

import random

from assay.causal.concepts.selection_attrition.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import Pair
from assay.causal.options.told import Facts, Wording, by_first, by_second, graphs, told
from assay.causal.proof.proof import Claim
from assay.causal.queries import Separated, ValidAdjustment
from assay.causal.wording.telling import fields


def claims(pair: Pair) -> tuple[Claim, ...]:
    """Return what is claimed: whether to hold the sign fixed, and whether it explains the losses."""
    return (
        Claim(ValidAdjustment(("X",), "Y", ("L",)), pair[0]),
        Claim(ValidAdjustment(("X",), "Y", ()), not pair[0]),
        Claim(Separated("Y", "R", ("L", "X")), pair[1]),
    )


FACTS = Facts(
    graphs(
        "L>X L>Y X>Y L>R X>R",
        "L>X L>Y X>Y L>R X>R U>R U>Y",
        "X>L L>Y X>Y L>R X>R",
        "X>L L>Y X>Y L>R X>R U>R U>Y",
        hidden="U",
    ),
    claims,
    ("{sign}", "the losses"),
    (
        "{sign} was a common cause of arm and outcome, so the arms differ in it by selection, not by effect.",
        "{sign} is a step on the way from the arm to the outcome: equalising it would remove part of the "
        "effect.",
    ),
    (
        "Given arm and {sign}, being lost says nothing about the outcome: weights by these two restore the "
        "whole.",
        "{u} drove both loss and outcome and was never recorded: no weights from arm and {sign} undo that.",
    ),
    (True, None),
)

WORDINGS = (
    Wording(
        "{Setting} compared {units} with {arm1} and {units} with {arm0}. The aim is the total effect of "
        "the arm on the share {that} {y}, for all {that} began. Two columns are complete for all of "
        "these: the arm and {sign} ({low} or {high}), and {sign} bears on the outcome in its own right. "
        "{Timing}.\n\nSome {units} {lost}, so their outcome is unknown. {Leaving}.\n\nWhat does a correct "
        "analysis of this file look like?",
        {
            "timing": by_first(
                (
                    "As to the order of events, {before}; beyond that the arm was anybody's guess",
                    "This was no draw: {before}, and nothing else that matters for the outcome entered the "
                    "choice",
                ),
                (
                    "The arms were filled by drawing numbered balls; {after}",
                    "Chance alone had filled the two arms, and {after}",
                ),
            ),
            "leaving": by_second(
                (
                    "An inquiry traced why: the arm and {sign} mattered; among {units} alike in both, it "
                    "was down to things like {v}, which have no bearing on the result",
                    "How likely that was depended on the arm and on {sign}, and on nothing else that "
                    "touches the outcome",
                ),
                (
                    "An inquiry traced why: the arm and {sign} mattered, and so did {u}, which counts for "
                    "the result as well and stands in no column",
                    "How likely that was depended on the arm and {sign}, and besides on {u}, a thing never "
                    "written down that also shapes the outcome",
                ),
            ),
        },
        ("The arms have to be compared at equal {sign}", "The arms must not be compared at equal {sign}"),
        (
            "weighting the remaining ones by arm and {sign} deals with the losses",
            "weighting the remaining ones by arm and {sign} fails to deal with the losses",
        ),
    ),
    Wording(
        "Dear colleague,\n\nyou ask what I make of the study at {setting}: {arm1} against {arm0}, with the "
        "question of how many more (or fewer) of the {units} {y} because of the arm, by whatever route. I "
        "see two complications, and no third.\n\nFirst, {sign}, noted as {low} or {high} and of consequence "
        "for the outcome. {Timing}.\n\nSecond, not everyone was followed: the outcome is blank for {units} "
        "{that} {lost}. {Leaving}.\n\nArm and {sign} are filled in for one and all. Which reply should I "
        "send?",
        {
            "timing": by_first(
                (
                    "I have it from the people in charge that {before}, and that they went by nothing else",
                    "According to the protocol {before}; other considerations played no part",
                ),
                (
                    "Who got which arm came out of a random number table, and {after}",
                    "According to the protocol a coin was tossed for each; later, {after}",
                ),
            ),
            "leaving": by_second(
                (
                    "Take those with the same arm and the same {sign}: whether one of them got lost was "
                    "unrelated to how things would turn out",
                    "I had feared a part for {u}, but that turns out not to have influenced who got lost; "
                    "the arm and {sign} did, and {v}, a matter of indifference to the outcome",
                ),
                (
                    "Take those with the same arm and the same {sign}: whether one of them got lost still "
                    "hung on {u}, and that is a force behind the outcome which no form asked about",
                    "I had feared a part for {u}, which nobody recorded and which matters for the outcome, "
                    "and rightly: next to the arm and {sign} it influenced who got lost",
                ),
            ),
        },
        (
            "{sign} belongs among the adjustment variables",
            "{sign} has no place among the adjustment variables",
        ),
        (
            "what was lost can be made good from the arm and {sign}",
            "what was lost cannot be made good from the arm and {sign}",
        ),
        "{first}, and {second}.",
    ),
    Wording(
        "STUDY NOTE. Population: all {units} enrolled by {setting}. Contrast: {arm1} versus {arm0}, total "
        "effect. Endpoint: whether they {y}, known only for {units} {that} {kept}.\nCovariate {sign} "
        "({low}/{high}): {timing}; it affects the endpoint too.\nMissing endpoints: {leaving}.\nComplete "
        "columns: arm, covariate.\n\nThe reviewer wants one line on each of covariate and missing "
        "endpoints. Which pair of lines is correct?",
        {
            "timing": by_first(
                (
                    "{before}; apart from that, arms arose haphazardly",
                    "its history is that {before}, with no further criterion",
                ),
                (
                    "arms were allotted by computer, blindly; {after}",
                    "its history is that {after}, the arm itself having been allotted by lot",
                ),
            ),
            "leaving": by_second(
                (
                    "their frequency varies with arm and covariate; no further cause of them is a cause of "
                    "the endpoint",
                    "caused by arm, covariate and {v}, the last of which is foreign to the endpoint",
                ),
                (
                    "their frequency varies with arm and covariate, and in addition with {u}, an unlogged "
                    "cause of the endpoint",
                    "caused by arm, covariate and {u}, the last of which is unlogged and helps to bring "
                    "about the endpoint",
                ),
            ),
        },
        (
            "Covariate: to be held constant between the arms",
            "Covariate: not to be held constant between the arms",
        ),
        (
            "missing endpoints: reweighting on arm and covariate is enough",
            "missing endpoints: reweighting on arm and covariate is not enough",
        ),
    ),
    Wording(
        '"So {units} with {arm1} and with {arm0} have been followed," says the director of {setting}, "and '
        "I am to "
        'announce the whole effect on how many {y}."\n\n"Two things before you do," says the statistician. '
        '"We noted '
        "{sign}, and it makes a difference to the outcome. {Timing}. And for the {units} {that} {lost} we "
        "lack the outcome, "
        'though not the arm or {sign}. {Leaving}."\n\n"And what follows?" Which answer by the statistician '
        "is correct?",
        {
            "timing": by_first(
                (
                    "What you may not know: {before}. That was the sole basis for the arm",
                    "Do not think that the arms came about by luck: {before}, though by no other token",
                ),
                (
                    "What you may not know: {after}. The arm itself fell to each by luck of the draw",
                    "Do not think that it decided the arms, a shuffled deck did; it is rather that {after}",
                ),
            ),
            "leaving": by_second(
                (
                    "I know who they are: the arm and {sign} tell me all about the losses that could have "
                    "to do with the outcome",
                    "Once arm and {sign} are known, those whom we lost are like those whom we kept in "
                    "every respect that counts",
                ),
                (
                    "I know the arm and {sign} of each, but those whom we lost also differed in {u}, which "
                    "counts for the outcome and which nobody measured",
                    "Even once arm and {sign} are known, those whom we lost are unlike those whom we kept "
                    "in {u}; it counts, and we never measured it",
                ),
            ),
        },
        (
            "Like has to be set beside like as regards {sign}",
            "Setting like beside like as regards {sign} would be wrong",
        ),
        (
            "giving more weight to some of the remaining {units} can offset the gaps",
            "giving more weight to some of the remaining {units} cannot offset the gaps",
        ),
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the sign came before the arm, and whether arm and sign explain the losses."""
    return told(rng, "selection-attrition/base", WORDINGS, FACTS, fields(scene), scene.name)
