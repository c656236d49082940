"""Analyst: two who disagree on whether the label waits on survival, and on when a score was read."""

from __future__ import annotations

import random

from assay.causal.concepts.immortal_time.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import Pair
from assay.causal.options.told import Facts, Wording, by_first, by_second, debated, graphs
from assay.causal.proof.proof import Claim
from assay.causal.queries import Causes, MinimalAdjustment
from assay.causal.wording.telling import fields


def claims(pair: Pair) -> tuple[Claim, ...]:
    """Return what is claimed: which of outlasting the wait (E) and score (L) to adjust for."""
    needed = tuple(name for name, needs in zip("EL", pair, strict=True) if needs)
    return (
        Claim(MinimalAdjustment(("A",), "Y", needed), True),
        Claim(Causes("E", "A"), pair[0]),
        Claim(Causes("A", "L"), not pair[1]),
    )


FACTS = Facts(
    graphs(
        "E>A L>A E>Y L>Y A>Y",
        "E>A A>L E>Y L>Y A>Y",
        "L>A A>E E>Y L>Y A>Y",
        "A>E A>L E>Y L>Y A>Y",
    ),
    claims,
    ("the group with {measure}", "the {score}"),
    (
        "To be counted with {measure} one had to outlast the wait: that group cannot contain early failures.",
        "To be counted with {measure} it was enough to be named at {entry}: that group contains early "
        "failures too.",
    ),
    (
        "The {score} came first and bore on who was named: a common cause, to be held fixed.",
        "The {score} came later and was moved by {measure}: holding it fixed takes away part of the effect.",
    ),
    (True, True),
)

WORDINGS = (
    Wording(
        "The talk between {a} and {b} is about {units} {who} {failed} within four years of {entry} "
        "({setting}). Such "
        "failures were rarer in the group with {measure} than in the one without. {Label}. Each unit "
        "has its {score}, which bears on failing; {reading}. What {a} and {b} are after is the total "
        "effect of belonging to the first group.\n\n{a} thinks that {a_first}, and that {a_second}. "
        "According to {b}, {b_first}, and "
        "{b_second}.\n\n"
        "Which of them is right about what?",
        {
            "label": by_first(
                (
                    "A unit is in the first group if the records show that it came to have {measure}, "
                    "which some got "
                    "late and none after failing",
                    "Every unit that had {measure} when its four years, or its story, came to an end "
                    "was put in "
                    "the first group; "
                    "the first months after {entry} went by without it in each case",
                ),
                (
                    "A unit is in the first group if it was named for {measure} on the day of {entry}; "
                    "some of those "
                    "named failed without having had it, and are in that group nonetheless",
                    "Every unit named for {measure} at {entry} was put in the first group; no one was "
                    "struck off for "
                    "failing before the delivery months later",
                ),
            ),
            "reading": by_second(
                (
                    "it was read at {entry}, and who got {measure} was settled with this reading in mind "
                    "and otherwise "
                    "by chance",
                    "those who dealt out {measure} had the reading in front of them, and apart from it no "
                    "wish or plan",
                ),
                (
                    "it was read in the final year, and {measure} had had its share in shaping it, while "
                    "chance alone "
                    "had settled who got {measure}",
                    "those who dealt out {measure} threw dice, and the reading took place long after, when "
                    "{measure} "
                    "had left its mark on it",
                ),
            ),
        },
        (
            "part of the gap is a gift of the calendar to the group with {measure}",
            "no part of the gap is a gift of the calendar to the group with {measure}",
        ),
        (
            "{units} ought to be compared at the same {score}",
            "{units} ought not to be compared at the same {score}",
        ),
        "{first} about the calendar, {second} about the {score}.",
    ),
    Wording(
        'Dear {a}, dear {b},\n\nthank you for your reports on "{measure} and what became of {units}" '
        "({setting}). "
        "They contradict each other. On the grouping, one of you ({a}) says that {a_first}, the other that "
        "{b_first}. "
        "On the {score}, {a} says that {a_second}, {b} that {b_second}.\n\nThe authors have confirmed the "
        "following. "
        "Clock: starts at {entry}. Outcome: whether they {failed}. Grouping: {label}. The {score}, which "
        "acts upon "
        "the outcome: {reading}. Desired: the effect of being in the first group, through all "
        "channels.\n\nI conclude:",
        {
            "label": by_first(
                (
                    "units that obtained {measure}, be it early or late, against units that never did; "
                    "failing before "
                    "obtaining it places a unit among the latter",
                    "by the state at the last observation, so that only those present for the hand-out can "
                    "be in the "
                    "first group",
                ),
                (
                    "units with a voucher for {measure} issued when the clock started, against units "
                    "without; failing "
                    "before redeeming it changes nothing about the placing",
                    "by the state of the waiting book when the clock started, so that those absent at the "
                    "hand-out can be "
                    "in the first group too",
                ),
            ),
            "reading": by_second(
                (
                    "noted when the clock started, and used, as the sole criterion, in granting {measure}",
                    "a ground for granting {measure} or not; the only one; dating from the first day",
                ),
                (
                    "noted at the last visit, when it bore traces of {measure}; granting had been random",
                    "a consequence of having {measure} or not, which was a matter of lots; dating from the "
                    "last day",
                ),
            ),
        },
        (
            "failure-free time is booked where it could not but occur",
            "failure-free time is booked fairly on both sides",
        ),
        (
            "stratifying by it is called for",
            "stratifying by it is uncalled for",
        ),
        "Grouping: {first} is right; score: {second} is right.",
    ),
    Wording(
        "Two views of one chart. The chart, by {setting}, plots {units} since {entry}; the curve of those "
        "with {measure} "
        "runs higher, since fewer of them {failed}.\n\nView of {a}. {A_first}. {A_second}.\nView of {b}. "
        "{B_first}. "
        "{B_second}.\n\nCaption (accurate): {label}. Small print (accurate too): the {score} acts upon "
        "failing; "
        "{reading}. Sought: how much higher the one curve would run owing to membership as such, by "
        "whatever mechanism.\n\nWhose "
        "view fits caption and small print?",
        {
            "label": by_first(
                (
                    "curves by whether {measure} was ever had, where both set out from {entry} even though "
                    "having it was "
                    "possible but later, and for those not failed",
                    "the upper curve is of {units} found to have had {measure}; in the months before they "
                    "had it they "
                    "could not drop from the curve",
                ),
                (
                    "curves by the draft made at {entry}, where all drafted for {measure} make up the "
                    "upper one, "
                    "including those that failed with it still to come",
                    "the upper curve is of {units} earmarked for {measure} at {entry}; in the months "
                    "before they had it "
                    "they could drop from the curve like any others",
                ),
            ),
            "reading": by_second(
                (
                    "it was taken beforehand, and the higher it was the more readily {measure} was "
                    "granted; nothing else "
                    "weighed",
                    "granting {measure} went by it, as established at {entry}, and by nothing besides",
                ),
                (
                    "it was taken afterwards, and having {measure} raises it; granting was done blindfold",
                    "a shuffled pack decided about granting {measure}, which in due course changed the "
                    "score, as established at the end",
                ),
            ),
        },
        (
            "the wait alone would lift the upper curve",
            "the wait alone would not lift the upper curve",
        ),
        (
            "curves drawn at one level of the {score} would be preferable",
            "curves drawn at one level of the {score} would be misleading",
        ),
        "On the wait, the view of {first}; on the {score}, that of {second}.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw when groups were formed and the score was read, and who says what."""
    return debated(rng, "immortal-time/analyst", WORDINGS, FACTS, fields(scene), scene.name)
