"""Trap: how many were lost says nothing about bias, and what forecasts the outcome need not mend it."""

from __future__ import annotations

import random

from assay.causal.concepts.selection_attrition.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import Pair
from assay.causal.options.told import Facts, Wording, by_both, by_first, graphs, told
from assay.causal.proof.proof import Claim
from assay.causal.queries import Separated, ValidAdjustment
from assay.causal.wording.telling import fields


def claims(pair: Pair) -> tuple[Claim, ...]:
    """Return what is claimed: whether finishers compare fairly as they are, and once weighted by the sign."""
    return (
        Claim(ValidAdjustment(("X",), "Y", ("R",)), pair[0]),
        Claim(Separated("Y", "R", ("L", "X")), pair[1]),
    )


FACTS = Facts(
    graphs(
        "X>R L>R X>Y",
        "X>R V>R V>L U>L U>Y X>Y",
        "X>L X>R X>Y L>R L>Y",
        "X>R V>R V>L U>L U>Y X>Y L>R L>Y",
        hidden="U V",
    ),
    claims,
    ("the plain comparison", "the weights"),
    (
        "Within each arm being lost is unrelated to the outcome, however unequal the losses are.",
        "Within each arm being lost is related to the outcome, however equal the losses are.",
    ),
    (
        "Given arm and {sign}, loss and outcome are unrelated, so that weights by the two are sound.",
        "{sign} is a common effect of {v} (a cause of loss) and {u} (a cause of the outcome): weighting by "
        "it "
        "brings the two together.",
    ),
    (False, True),
)

WORDINGS = (
    Wording(
        "{Setting} drew lots to give {units} either {arm1} or {arm0}; the outcome is whether they {y}. "
        "{Cue}. For each "
        "participant {sign} was on file as {low} or {high}.\n\nA follow-up established what lay behind the "
        "losses. "
        "{Cause}.\n\nThe target is the effect in all who were drawn. Two computations are on the table: "
        "the plain "
        "difference between the arms among the {units} {that} {kept}, and the same with each of these "
        "weighted by the "
        "inverse of the chance of staying given arm and {sign}. Which of them can be trusted?",
        {
            "cue": by_first(
                (
                    "The arms ended most unequally: {big}% of those with {arm1} {lost}, and {small}% of "
                    "those with {arm0}",
                    "Of those with {arm0} a mere {small}% were lost, of those with {arm1} no less than "
                    "{big}%",
                ),
                (
                    "Reassuringly, losses were low and level: {low1}% with {arm1} and {low0}% with {arm0} "
                    "{lost}",
                    "Only {low1}% were lost with {arm1} and {low0}% with {arm0}, close to perfect follow-up",
                ),
            ),
            "cause": by_both(
                (
                    "Being lost depended on the arm and on {sign}, measured before the draw, and on "
                    "nothing else. As it "
                    "turns out, {sign} has no bearing on the outcome and shares no cause with it",
                ),
                (
                    "Being lost depended on the arm and on {v}, which is of no consequence to the outcome. "
                    "The entry for {sign} reflects {v} as well as {u}; it moves neither losses nor outcome "
                    "itself. The "
                    "outcome, in turn, owes much to {u}. Neither {u} nor {v} is on file, and {sign} "
                    "forecasts both losses "
                    "and outcome handsomely",
                ),
                (
                    "Being lost depended on the arm and on {sign} as it stood some weeks after the draw, "
                    "which is what was entered; "
                    "the arm had "
                    "shifted it by then, and it feeds into the outcome. No other cause of the outcome had "
                    "a part "
                    "in the losses",
                ),
                (
                    "Being lost depended on the arm, on {sign} and on {v}. The entry for {sign}, made "
                    "before the draw, "
                    "reflects {v} as well as {u}, and has its own influence on the outcome; so does {u}, "
                    "while {v} has "
                    "none. Neither {u} nor {v} is on file",
                ),
            ),
        },
        ("The plain difference can be trusted", "The plain difference cannot be trusted"),
        ("the weighted one can be trusted", "the weighted one cannot be trusted"),
    ),
    Wording(
        "Referee report on a randomised comparison of {arm1} and {arm0} among {units} ({setting}).\n\nThe "
        "authors analyse those {that} {kept} and measure how many of them {y}. {Cue}. In the appendix the "
        "authors set out, convincingly, the causes at work: {cause}.\n\nI was asked to say (i) whether "
        "their simple comparison of arms is safe from bias for the effect in everyone randomised, and (ii) "
        "whether a version reweighted to undo selective loss by arm and {sign} is. My verdict:",
        {
            "cue": by_first(
                (
                    "A glaring imbalance strikes the eye: {big} in a hundred are missing under {arm1} "
                    "against {small} "
                    "under {arm0}",
                    "More than a few readers will stop at Table 1, where the arms lose {big}% and {small}%",
                ),
                (
                    "Attrition seems a non-issue: {low1} in a hundred are missing under {arm1}, {low0} "
                    "under {arm0}",
                    "Few readers will stop at Table 1, where the arms lose {low1}% and {low0}%",
                ),
            ),
            "cause": by_both(
                (
                    "arm and {sign} (a baseline entry) settled whose outcome went missing; {sign} is "
                    "neither a cause of the outcome nor linked with any cause of it",
                ),
                (
                    "whose outcome went missing was settled by arm and {v}; {v} leaves its trace in {sign} "
                    "and does nothing to the outcome; {u} leaves its trace in {sign} too and does a lot to "
                    "the outcome; {sign} does nothing by itself, although it correlates with everything; "
                    "{u} and {v} went unmeasured",
                ),
                (
                    "whose outcome went missing was settled by arm and an interim reading of {sign} (none "
                    "other exists), itself changed by the arm and in turn a cause of the outcome; beyond "
                    "these no cause of the outcome was involved",
                ),
                (
                    "whose outcome went missing was settled by arm, {sign} and {v}; both {v} (harmless to "
                    "the outcome) and {u} (a cause of the outcome) leave their trace in {sign}, a baseline "
                    "entry that is a cause of the outcome as well; {u} and {v} went unmeasured",
                ),
            ),
        },
        ("(i) safe", "(i) unsafe"),
        ("(ii) safe", "(ii) unsafe"),
        "{first}, {second}",
    ),
    Wording(
        "Press item: after the trial of {arm1} against {arm0} run by {setting}, in which balls from an urn "
        "had split "
        'the {units}, a reader wrote in. "{Cue}," the letter said, and drew the obvious conclusion about '
        "comparing those who remained.\n\nThe paper's statistician looked into it. Her findings about the "
        "{units} {that} {lost}: {cause}.\n\nIt remains to say whether the share of those remaining {that} "
        "{y} may be compared as it is, and whether it may be after the usual correction that counts {units} "
        "of a rarely remaining type (by arm and {sign}) more heavily. The question in both cases is the "
        "effect in all who were split. What does she write?",
        {
            "cue": by_first(
                (
                    "You lost {big}% in one group and {small}% in the other",
                    "Losing {big}% under {arm1} and {small}% under {arm0} speaks for itself",
                ),
                (
                    "You lost {low1}% in one group and {low0}% in the other, as little as one can wish",
                    "Losing {low1}% under {arm1} and {low0}% under {arm0} speaks for itself",
                ),
            ),
            "cause": by_both(
                (
                    "the arm had a hand in it, and so had {sign} as noted on day one, which is otherwise "
                    "idle: knowing it "
                    "would not help anybody to foresee the outcome within an arm",
                ),
                (
                    "the arm had a hand in it, and so had {v}, idle as far as the outcome goes. Now {sign} "
                    "is a mirror "
                    "of two unrecorded things, that one and {u}, and only the second of them acts on the "
                    "outcome. Being "
                    "a mirror, {sign} acts on nothing, but helps to foresee who goes and who succeeds",
                ),
                (
                    "the arm had a hand in it, and so had {sign} as noted on day forty. By then the arm "
                    "had altered "
                    "it, and what it was then matters for the outcome. That is the whole list",
                ),
                (
                    "the arm had a hand in it, so had {sign} as noted on day one, and so had {v}. The note "
                    "itself is "
                    "partly a product of {v} and partly of {u}, both unrecorded. Outcomes depend on {u} "
                    "and on {sign}, "
                    "though not on {v}",
                ),
            ),
        },
        ("As it is, yes", "As it is, no"),
        ("after the correction, yes", "after the correction, no"),
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether unequal or equal losses are told, and what was really behind them."""
    texts = fields(
        scene,
        big=str(rng.randint(31, 46)),
        small=str(rng.randint(3, 9)),
        low1=str(rng.choice((4, 5))),
        low0=str(rng.choice((4, 5))),
    )
    return told(rng, "selection-attrition/trap", WORDINGS, FACTS, texts, scene.name)
