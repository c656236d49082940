"""Base: whether a group can hold early failures at all, and what steered the choice."""

from __future__ import annotations

import random

from assay.causal.concepts.immortal_time.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import Pair
from assay.causal.options.told import Facts, Wording, by_first, by_second, graphs, told
from assay.causal.proof.proof import Claim
from assay.causal.queries import Causes, MinimalAdjustment
from assay.causal.wording.telling import fields


def claims(pair: Pair) -> tuple[Claim, ...]:
    """Return what is claimed: of waiting (E) and factor (F), just those that hold are to be held fixed."""
    needed = tuple(name for name, needs in zip("EF", pair, strict=True) if needs)
    return (Claim(MinimalAdjustment(("A",), "Y", needed), True), Claim(Causes("E", "A"), pair[0]))


FACTS = Facts(
    graphs(
        "F>E E>A F>A F>Y E>Y A>Y",
        "F>E E>A F>Y E>Y A>Y",
        "F>A F>E A>E F>Y E>Y A>Y",
        "F>E A>E F>Y E>Y A>Y",
    ),
    claims,
    ("the time before {measure}", "{factor}"),
    (
        "Only {units} {who} got through the wait could come to be counted with {measure}: early failures "
        "all fall to the other side.",
        "The group was fixed at {entry}, and what happened during the wait counts for the group in which "
        "it happened.",
    ),
    (
        "{factor} bore on who was taken and bears on failing: a common cause.",
        "{factor} bears on failing but did not bear on who was taken: apart from the wait, no common cause.",
    ),
    (True, True),
)

WORDINGS = (
    Wording(
        "{Setting} compares {units} with {measure} and {units} without it: which share {failed} within "
        "five years of {entry}? Five years are counted from {entry} for all of them, while {measure} came "
        "months after it. {Label}. {Choice}.\n\nThe comparison was made without correcting for anything. "
        "What has to be said about it, and what need not be, if the whole effect of belonging to the "
        "first group is wanted?",
        {
            "label": by_first(
                (
                    "The first group is made up of all {who} did have {measure} before the five years were "
                    "over, the second of all others; and {units} {who} {failed} were past having it",
                    "One went through the files at the end: where {measure} was found, the unit went to "
                    "the first group, otherwise to the second, and after failing it was too late to be "
                    "given it",
                ),
                (
                    "The first group is made up of all {who} were down for {measure} on the day of "
                    "{entry}, "
                    "even those {who} {failed} while it was being prepared",
                    "One went by the list closed at {entry}: whatever was on it belongs to the first "
                    "group, and remained there if it {failed} before its turn",
                ),
            ),
            "choice": by_second(
                (
                    "In picking {units} for it, {setting} paid regard to {factor} ({kind0} or {kind1}), "
                    "which also makes a difference to failing",
                    "Those in charge favoured {kind0} over {kind1} in giving it out, and these two fail at "
                    "unequal rates anyway",
                ),
                (
                    "In picking {units} for it, {setting} let dice decide between any two that could be "
                    "picked, though {factor} ({kind0} or {kind1}) makes a difference to failing",
                    "Those in charge gave it out by blind draw, not favouring {kind0} or {kind1}, which "
                    "fail at unequal rates anyway",
                ),
            ),
        },
        (
            "The wait before {measure} makes the first group look safer",
            "The wait before {measure} gives no advantage to the first group",
        ),
        (
            "apart from that, {factor} has to be held fixed",
            "apart from that, {factor} need not be held fixed",
        ),
    ),
    Wording(
        'Complaint to a journal. "Sirs, you print that {units} having {measure} less often {failed} by the '
        "closing date than {units} not having it ({setting}; clock running from {entry}). How were the two "
        "kinds "
        'formed?" '
        'Reply by the authors: "{Label}. {Choice}. It is the overall effect of being entered in the one '
        'way or the other that we meant to report." '
        "Editor's note: the authors' facts are correct; they did not adjust.\n\nWhat should the editor add "
        "about the conclusion?",
        {
            "label": by_first(
                (
                    "A unit that received {measure} at any time before the closing date was entered as "
                    "having it; if it {failed} earlier, there was nothing to receive and it was entered as "
                    "not having it",
                    "We entered as having it whatever had it in the end, from {entry} on; a failure puts "
                    "an end to the chance of getting it",
                ),
                (
                    "A unit was entered as having {measure} if it had been promised at {entry}, and this "
                    "entry was kept, come what may, failure before the promised date included",
                    "We entered as having it whatever was assigned to it when the clock started; nobody "
                    "was moved across for failing too early to benefit",
                ),
            ),
            "choice": by_second(
                (
                    "That {kind0} fared otherwise than {kind1} was known, and the decision whom to serve "
                    "leaned on it",
                    "Whom to serve was a question of {factor}, itself a cause of failing: {kind1} were "
                    "treated unlike {kind0}",
                ),
                (
                    "That {kind0} fared otherwise than {kind1} was known, but the decision whom to serve "
                    "was left to a spinning wheel",
                    "Whom to serve was a question of luck alone; {factor}, itself a cause of failing, was "
                    "kept out of it",
                ),
            ),
        },
        (
            "Safe time that had to pass before {measure} is credited to it",
            "Safe time before {measure} is credited where it belongs",
        ),
        (
            "{factor} distorts the comparison",
            "{factor} leaves the comparison undistorted",
        ),
        "{first}, and apart from this {second}.",
    ),
    Wording(
        "Design sheet ({setting})\nUnits: {units}; time zero: {entry}; outcome: {failed} by the end of "
        "year five.\nGroups: {label}.\nAssignment: {choice}.\nKnown at time zero: {factor} ({kind0} / "
        "{kind1}), a cause of the outcome.\nAnalysis: risk in group 1 minus risk in group 2, crude; "
        "intended as the total effect of being in group 1 ({measure} takes some months to "
        "arrive).\n\nTick the correct "
        "pair of remarks.",
        {
            "label": by_first(
                (
                    "1 = {measure} arrived; 2 = it never did, among other reasons since the outcome came "
                    "first and stopped delivery",
                    "read off at the end of year five, from the delivery slips (no slip is issued after an "
                    "outcome)",
                ),
                (
                    "1 = {measure} ordered at time zero; 2 = not ordered then; orders overtaken by the "
                    "outcome stay in 1",
                    "read off at time zero, from the order book, without later transfers",
                ),
            ),
            "choice": by_second(
                (
                    "guided by the covariate known at time zero",
                    "staff looked at whether a case was one of {kind0} or of {kind1}, then decided",
                ),
                (
                    "guided by a sealed random sequence",
                    "staff tossed a coin, ignoring whether a case was one of {kind0} or of {kind1}",
                ),
            ),
        },
        (
            "Group 1 owes part of its result to the waiting period",
            "Group 1 owes nothing to the waiting period",
        ),
        (
            "apart from the wait, the covariate is a confounder",
            "apart from the wait, the covariate is no confounder",
        ),
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw when groups were formed, and by what."""
    return told(rng, "immortal-time/base", WORDINGS, FACTS, fields(scene), scene.name)
