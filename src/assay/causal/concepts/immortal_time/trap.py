"""Trap: long waits that do no harm, short ones that do, and a landmark that mends or spoils."""

from __future__ import annotations

import random

from assay.causal.concepts.immortal_time.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import Pair
from assay.causal.options.told import Facts, Wording, by_both, by_first, graphs, told
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.wording.telling import fields


def claims(pair: Pair) -> tuple[Claim, ...]:
    """Return what is claimed: whether counting from entry is sound, and counting survivors of the wait."""
    return (
        Claim(ValidAdjustment(("A",), "Y", ()), pair[0]),
        Claim(ValidAdjustment(("A",), "Y", ("E",)), pair[1]),
    )


FACTS = Facts(
    graphs(
        "F>E F>Y E>Y A>Y",
        "A>E F>E F>Y E>Y A>Y",
        "F>E F>Y E>Y E>A A>Y",
        "F>E F>Y E>Y E>A F>A A>Y",
        hidden="F",
    ),
    claims,
    ("counting from {entry}", "counting from the landmark"),
    (
        "Groups were fixed by lot at {entry}, so that early failures fall on either side alike but for the "
        "effect.",
        "Groups were formed by what came after {entry}, and failing early rules out one of them.",
    ),
    (
        "Among those still there at the landmark the groups are alike but for the effect.",
        "Among those still there at the landmark the groups differ in hardiness, which nobody recorded.",
    ),
    (False, True),
)

WORDINGS = (
    Wording(
        "At {setting}, {units} are followed from {entry}, and what matters is whether they {failed} within "
        "six years. {Cue}. Hardiness, which cannot be measured, protects {units} at all times. About the "
        "groups this is on record: {how}.\n\nTwo analyses are proposed for the effect of belonging to the "
        "one group or the other. The first counts everything from {entry}. The second sets out a year "
        "later (the landmark): it drops {units} {who} {failed} before, keeps the groups as they stand on "
        "that day, and counts from there, to see the effect on those still around. Which is free of bias?",
        {
            "cue": by_first(
                (
                    "Many months went by until {measure} arrived, and not a few {failed} while waiting for "
                    "it",
                    "The wait for {measure} is notorious, and to outlive it one must not have failed",
                ),
                (
                    "From being picked to having {measure} took {short} days on average, next to nothing "
                    "in six years",
                    "Once picked, one had {measure} in a matter of days, {short} being typical, and at "
                    "{entry} the groups look alike",
                ),
            ),
            "how": by_both(
                (
                    "a drum was turned at {entry} to settle who was to have {measure}, and a unit that "
                    "failed in between stays in the group drawn. Before the landmark nothing was done "
                    "to, or told "
                    "to, either group",
                    "by a draw at {entry} a unit belonged to the group that would have {measure} or to the "
                    "other, irrevocably; the draw was kept in a safe, and without any effect, until the "
                    "landmark, when the first deliveries were made",
                ),
                (
                    "a drum was turned at {entry} to settle who was to have {measure}, and a unit that "
                    "failed in between stays in the group drawn. Being drawn changed things from the first "
                    "day: the preparations alone brought down weak {units}",
                    "by a draw at {entry} a unit belonged to the group that would have {measure} or to the "
                    "other, irrevocably; while {measure} was on order, the first group was handled more "
                    "gently, which in that first year made failing rarer for the unhardy above all",
                ),
                (
                    "a unit is in the one group if {measure} reached it within the year, else in the "
                    "other. Among {units} {who} had not failed, a drum settled which of them it "
                    "reached; those {who} had failed were passed over, and before the anniversary "
                    "having it makes no difference",
                    "membership follows from having {measure} or not on the anniversary. Each week some of "
                    "the {units} still going were drawn blindly to have it next, though it takes effect "
                    "after the landmark and not sooner",
                ),
                (
                    "a unit is in the one group if {measure} reached it within the year, else in the "
                    "other. Among {units} {who} had not failed, hardy ones were sought out for it; "
                    "those {who} had failed were passed over, and before the anniversary having it "
                    "makes no difference",
                    "membership follows from having {measure} or not on the anniversary. Each week some of "
                    "the {units} still going were chosen to have it next, by an expert eye for "
                    "hardiness, though it takes effect after the landmark and not sooner",
                ),
            ),
        },
        ("The count from {entry} is free of bias", "The count from {entry} is biased"),
        ("the count from the landmark is free of bias", "the count from the landmark is biased"),
    ),
    Wording(
        '"Another case of immortal time?" asks a methods column about {units}, {measure} and the share '
        "{who} {failed} ({setting}). {Cue}. Behind the scenes, readers learn, it went like this: {how}. An "
        "unseen toughness helps "
        'in every phase.\n\nThe column weighs plan P, "group against group, all failures since {entry}", '
        "and plan Q, "
        '"group against group as of day 100, among those {who} have not failed by then, failures after day '
        '100". Each is '
        "meant to give the effect for the {units} that it looks at. What is the right conclusion?",
        {
            "cue": by_first(
                (
                    "The signs are there: up to day 100 nobody had {measure}, and a failing unit would not "
                    "live to see it",
                    "Delivery of {measure} dragged on and on, and to have it one had to be there still",
                ),
                (
                    "The signs are absent: no gap worth mentioning, {short} days at most, lies between the "
                    "choice and {measure}",
                    "Delivery of {measure} took {short} days, and no starting feature separates the groups",
                ),
            ),
            "how": by_both(
                (
                    "two lists were drawn up by random numbers on the day of {entry} and never revised, "
                    "and up to day 100 they lay in a drawer, unknown to everyone and without consequence",
                    "the group was assigned by random numbers at {entry}, failing made no one change it, "
                    "and the difference between groups began on day 101",
                ),
                (
                    "two lists were drawn up by random numbers on the day of {entry} and never revised; "
                    "news of them got about, and the first list's {units} were handled otherwise from day "
                    "1, which cost many of the less tough",
                    "the group was assigned by random numbers at {entry}, failing made no one change it, "
                    "and group one was spared heavy duty up to day 100, which saved some of the less tough",
                ),
                (
                    "group one consists of the units that {measure} had reached by day 100; it came in "
                    "a random sequence, skipping whatever had failed, and was idle until that day",
                    "units that failed too early went to group two for lack of {measure}; to those "
                    "still there up to day 100 it was given, or not, by the throw of a coin, to be put "
                    "to use from then on",
                ),
                (
                    "group one consists of the units that {measure} had reached by day 100; it came to "
                    "the toughest first, skipping whatever had failed, and was idle until that day",
                    "units that failed too early went to group two for lack of {measure}; to those "
                    "still there up to day 100 it was given if they were judged tough enough, to be put "
                    "to use from then on",
                ),
            ),
        },
        ("P holds up", "P does not hold up"),
        ("Q holds up", "Q does not hold up"),
        "{first}, {second}.",
    ),
    Wording(
        "Item 7, report on {measure}. The member for statistics recalled that {units} entered at {entry} "
        'and left the risk set once they {failed}. {Cue}. She had inquired how the columns "with" and '
        '"without" came about, and read out: {how}. It is accepted that {units} differ in an inborn '
        "strength on which there are no data.\n\nShe then put two motions. (A) That column be compared "
        "with column over the entire period, as it stands. (B) That this be done for the period after week "
        "30 and for {units} {who} had got so far, in their column as of week 30. A motion is in order if "
        "what it compares reflects the effect on those compared, and that alone; which of the two is, and "
        "which is not? ({Setting}, minutes.)",
        {
            "cue": by_first(
                (
                    'Some wait half a year for {measure}, a period during which the column "with" cannot '
                    "yet have it",
                    'For all in the column "with" there is a span before {measure}, a long one for many',
                ),
                (
                    "Nobody, once chosen, waits longer than {short} days for {measure}, a period too brief "
                    "to worry most members",
                    "There is hardly a span between choice and {measure}, {short} days at the utmost, and "
                    "by all starting values the columns match",
                ),
            ),
            "how": by_both(
                (
                    '"column by ballot at {entry}, final; ballot unsealed, and acted upon, in week 30"',
                    '"entered by lot on day one, not altered since; in practice both columns were treated '
                    'as one up to week 30"',
                ),
                (
                    '"column by ballot at {entry}, final; ballot acted upon from week 1, with a toll on '
                    'weak ones"',
                    '"entered by lot on day one, not altered since; in practice the columns were treated '
                    'apart from the start, and weak ones in one of them benefited"',
                ),
                (
                    "\"column 'with' on receipt, by week 30; receipt by ballot among those present; no "
                    "use before week 30; no "
                    'receipt once they {failed}"',
                    '"entered after the fact: up to week 30 present ones were served, for use from then '
                    "on, in an order drawn by lot; absent ones count as 'without'\"",
                ),
                (
                    "\"column 'with' on receipt, by week 30; receipt for the strongest-looking of those "
                    'present; no use before week 30; no receipt once they {failed}"',
                    '"entered after the fact: up to week 30 present ones were served, for use from then '
                    "on, in order of apparent strength; absent ones count as 'without'\"",
                ),
            ),
        },
        ("(A) is in order", "(A) is not in order"),
        ("(B) is in order", "(B) is not in order"),
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw how groups came about; the length of the wait points the other way."""
    texts = fields(scene, short=str(rng.randint(2, 9)))
    return told(rng, "immortal-time/trap", WORDINGS, FACTS, texts, scene.name)
