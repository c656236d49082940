"""Analyst: two who disagree on whether coming in spoiled the draw, and whether going out spoils the end."""

from __future__ import annotations

import random

from assay.causal.concepts.selection_attrition.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import Pair
from assay.causal.options.told import Facts, Wording, by_first, by_second, debated, graphs
from assay.causal.proof.proof import Claim
from assay.causal.queries import Separated
from assay.causal.wording.telling import fields


def claims(pair: Pair) -> tuple[Claim, ...]:
    """Return what is claimed: whether entrants' arms are alike, and whether loss is idle within arms."""
    return (
        Claim(Separated("X", "U", ("E",)), pair[0]),
        Claim(Separated("Y", "R", ("E", "X")), pair[1]),
    )


FACTS = Facts(
    graphs(
        "U>E U>Y X>Y X>R",
        "U>E U>Y X>Y X>R W>R W>Y",
        "U>E X>E U>Y X>Y X>R",
        "U>E X>E U>Y X>Y X>R W>R W>Y",
        hidden="U W",
    ),
    claims,
    ("who came in", "who went missing"),
    (
        "Coming in was decided before anybody's arm was known, so {u} is spread alike over the arms of "
        "those inside.",
        "Coming in depended on the arm and on {u}: among those inside, the two are tied together.",
    ),
    (
        "Within an arm those who went missing are like the rest in all that bears on the outcome.",
        "Within an arm those who went missing differ from the rest in a cause of the outcome.",
    ),
    (True, None),
)

WORDINGS = (
    Wording(
        "{a} and {b} have both read the report of {setting} on {units} with {arm1} or with {arm0}; the "
        "share {that} {y} "
        "is to be compared. What they know is the same. Not everyone who was invited took part: {u}, which "
        "helps "
        "towards the outcome and on which nothing was noted, made {units} more willing. {Entry}. Later some "
        "participants {lost}. {Leaving}.\n\nOn entry: {a} says that {a_first}, {b} that {b_first}. On "
        "exit: {a} "
        "says that {a_second}, {b} that {b_second}.\n\nWhich assessment is most accurate?",
        {
            "entry": by_first(
                (
                    "Consent was signed first, and lots were drawn among those who had signed",
                    "Whoever wanted to take part had to say so while the envelopes with the arms were "
                    "still sealed",
                ),
                (
                    "Lots were drawn among all who were invited; each heard the result, then said yes or "
                    "no, and the "
                    "result weighed most with the less willing",
                    "Envelopes were opened in front of everybody invited, and the arm found inside settled "
                    "for the waverers among them whether they took part",
                ),
            ),
            "leaving": by_second(
                (
                    "That happened more under {arm1}, through a flaw in its paperwork that hit good and "
                    "bad prospects "
                    "alike",
                    "A clerk had mislaid the addresses of a batch from each arm, more of them under "
                    "{arm0}; which ones "
                    "was pure accident",
                ),
                (
                    "That happened more under {arm1}, where it was chiefly those from whom the result "
                    "was slipping "
                    "away",
                    "In both arms it was mostly those whose own circumstances, nowhere recorded, were "
                    "turning against "
                    "the result; the arm made a difference as well",
                ),
            ),
        },
        (
            "the arms of those taking part are alike in {u}",
            "the arms of those taking part are unlike in {u}",
        ),
        (
            "the losses within the arms are unrelated to prospects",
            "the losses within the arms are related to prospects",
        ),
        "On entry {first} is right, on exit {second}.",
    ),
    Wording(
        "From the correspondence between two reviewers of a trial among {units} ({setting}; {arm1} or "
        "{arm0}, "
        "outcome: whether they {y}).\n\n{a}: My reading is that {a_second}. As regards how the sample was "
        "formed, "
        "{a_first}.\n\n{b}: I differ on both. In my view {b_first}; and {b_second}.\n\nThe protocol, which "
        "neither of them disputes, has this to say. On forming the sample: {u} (it favours the outcome; no "
        "record "
        "exists) goes with a readiness to join. {Entry}. On the end of follow-up, where some {lost}: "
        "{leaving}.\n\n"
        "How should the editor judge between them?",
        {
            "entry": by_first(
                (
                    "Those ready to join were listed, and the list was then split by a random sequence",
                    "The split was made by a random sequence, after the list of those joining had been "
                    "closed",
                ),
                (
                    "The invited were split by a random sequence, and were told their part of it before "
                    "they decided "
                    "whether to join, which the keen hardly minded and the reluctant did",
                    "The list of those joining was closed only once everyone had learnt what the random "
                    "sequence held "
                    "for them, and for one arm far fewer of the lukewarm signed up than for the other",
                ),
            ),
            "leaving": by_second(
                (
                    "numbers differ by arm since a server failed for most of one of them; what it wiped "
                    "out had no regard to how anyone was doing",
                    "the arm matters because each had its own visiting day, one of which fell on a holiday; "
                    "no cause of the outcome made a difference",
                ),
                (
                    "numbers differ by arm, and inside each it was those doing poorly, for want of means "
                    "that were "
                    "not surveyed, who tended to be gone",
                    "the arm matters because each had its own visiting day; so does an unsurveyed kind of "
                    "trouble that makes itself felt in the outcome too",
                ),
            ),
        },
        (
            "joining has left the two arms comparable at the outset",
            "joining has made the two arms incomparable at the outset",
        ),
        (
            "missing outcomes leave each arm's share undistorted",
            "missing outcomes distort each arm's share",
        ),
        "{first} about how the sample was formed; {second} about the missing outcomes.",
    ),
    Wording(
        "At {setting}, a seminar on {arm1} versus {arm0}. Shown on the screen:\n- who is in: {entry};\n- "
        "what else matters for being in: {u}, a help towards the outcome, not measured;\n- who is out again "
        "(they {lost}): {leaving};\n- outcome: whether {units} {y}.\n\nThe debate has two rounds. Round "
        "one, the arms at the start: {a} claims that {a_first}; {b} claims that {b_first}. Round two, the "
        "leavers: {a} claims that {a_second}; {b} claims that {b_second}. Who wins which round on the facts "
        "shown?",
        {
            "entry": by_first(
                (
                    "volunteers, for each of whom a die was then rolled to set the arm",
                    "people who had enrolled before any arm was assigned, assignment being by die",
                ),
                (
                    "those of the invited who accepted after a die had been rolled for their arm and shown "
                    "to them, the undecided accepting one arm more often than the other",
                    "people who enrolled once the die had told them their arm, which mattered little to "
                    "the eager and much to the rest",
                ),
            ),
            "leaving": by_second(
                (
                    "a share that depends on the arm's mailing firm, which struck addresses off blindly",
                    "more from one arm than from the other, picked without any link to what makes for the "
                    "outcome",
                ),
                (
                    "a share that depends on the arm and on a personal burden that no form captures and "
                    "that weighs "
                    "on the outcome",
                    "more from one arm than from the other, above all participants with unmeasured "
                    "troubles of the sort "
                    "that spoil the outcome",
                ),
            ),
        },
        (
            "within the study the two arms match in {u}",
            "within the study the two arms do not match in {u}",
        ),
        (
            "those left in an arm stand for the whole arm",
            "those left in an arm do not stand for the whole arm",
        ),
        "Round one goes to {first}, round two to {second}.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw when {units} came in and why they left, and who of two analysts says what."""
    return debated(rng, "selection-attrition/analyst", WORDINGS, FACTS, fields(scene), scene.name)
