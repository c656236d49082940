"""Analyst: does a faulty record of the covariate suffice, and is the week of the decision needed as well?"""

from __future__ import annotations

import random

from assay.causal.concepts.confounding.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.options.disputes import dispute
from assay.causal.proof.proof import Claim
from assay.causal.queries import Separated, ValidAdjustment
from assay.causal.scm import dag
from assay.causal.wording.telling import Debate, fields

WORDINGS = (
    Debate(
        "{a} and {b} share an office at {setting} and a question: how many more, or fewer, {units} {y} "
        "because they were among those {that} {x} and not among those {that} {x_no}? They mean the total "
        "effect.\n\nBoth accept the following. {bears}. The file has an entry for {z}, and a re-check found "
        "one entry in five to be wrong. {first} The decision also hung on the calendar week in which it "
        "fell. {second} Nothing else comes into it.\n\n{a} says: {a1}; {a2}.\n{b} says: {b1}; "
        "{b2}.\n\nWhose assessment is accurate on which point?",
        (
            "Whoever decided had the entry on the screen, right or wrong, and no other knowledge of {z}.",
            "Whoever decided had seen the real thing; the entry was typed by somebody else from hearsay.",
        ),
        (
            "Weeks also differed in themselves: in some, more {units} {y}, whichever course was taken.",
            "Apart from that, weeks were all alike: none of them did anything to the outcome, on either "
            "course.",
        ),
        (
            (
                "adjusting for the entry takes the influence of {z} out of the comparison",
                "after adjusting for the entry some of the influence of {z} remains in the comparison",
            ),
            ("leaving out the week could bias the result", "leaving out the week would bias nothing"),
        ),
        "On the entry, {one} is right; on the week, {other} is.",
    ),
    Debate(
        "Letters page of a practitioners' journal.\n\nSir, in your last issue {a} and {b} discuss {units} at "
        "{setting}, of which some {x} and some {x_no}; they ask for the total effect on whether {units} {y}. "
        "Your readers may like to know how things were done there. {second} {first} Files state {z}, with "
        "mistakes in a good many cases, and {z} does affect the outcome. There are no other common "
        "causes.\n\nTo recall, {a} held that {a1} and that {a2}, where {b} held that {b1} and that {b2}.\n\n"
        "Given what the letter reports, who had which point right?",
        (
            "Those in charge never met the cases; they worked through the files, and took what these stated "
            "about {z} at face value.",
            "Those in charge knew each case in person and did not open the files, whose statements about {z} "
            "were compiled independently by a contractor.",
        ),
        (
            "Quotas were set week by week, with a view to nothing in particular; how cases fare, though, "
            "varies over the weeks for reasons such as weather and staff leave, which strike both groups.",
            "Quotas were set week by week, with a view to nothing in particular, and the weeks have been "
            "shown to do nothing to how cases fare, in either group.",
        ),
        (
            (
                "the mistakes do not matter once one stratifies on the files' statement",
                "the mistakes matter even if one stratifies on the files' statement",
            ),
            ("one must also stratify by week", "one need not also stratify by week"),
        ),
        "The mistakes in the files: {one}. The week: {other}.",
    ),
    Debate(
        "Transcript, seminar on evaluation. Case: {setting}; {units}; in group one they {x}, in group two "
        "they {x_no}; the outcome is whether they {y}; wanted is the total effect.\n\nLecturer: Recall the "
        "facts. {first} {bears}. {second} These are all the common influences there are.\n\n{a}: My view is "
        "that {a1}. As to timing, {a2}.\n\n{b}: I differ. In my view {b1}. As to timing, {b2}.\n\nLecturer: "
        "Then let the others judge you, one question after the other.\n\nWhich judgement is the correct one?",
        (
            "{Z} had been assessed with a crude instrument that often misleads. Assignment to the groups was "
            "tied to the reading of that instrument and, beyond it, to the week, not to the true state.",
            "{Z} had been assessed with a crude instrument that often misleads. Assignment to the groups was "
            "tied to the true state, which experts could see, and to the week; the reading played no part.",
        ),
        (
            "In the weeks in question the outcome itself went up and down, in both groups, for outside "
            "reasons.",
            "In the weeks in question the outcome itself had no ups and downs other than by group and {z}.",
        ),
        (
            (
                "the crude reading is all that has to be held fixed as far as {z} goes",
                "the crude reading is not enough to hold fixed as far as {z} goes",
            ),
            (
                "the week is a confounder to be dealt with",
                "the week does not have to be dealt with as a confounder",
            ),
        ),
        "The reading: {one} has it right. The timing: {other} has it right.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw who says what, then whether the record suffices and whether the week is a common cause."""
    number, between = rng.randrange(len(WORDINGS)), dispute(rng)
    state = rng.choice(PAIRS)
    words, texts = WORDINGS[number], fields(scene)
    chosen_by = "R" if state[0] else "T"
    return Draft(
        dag(f"T>R {chosen_by}>X T>Y X>Y W>X{' W>Y' if state[1] else ''}", hidden="T"),
        words.tell(texts, state, between),
        crossed(
            state,
            lambda option: words.say(texts, option, between),
            _claims,
            topics=("the record", "the week"),
            why=_why(scene.z, state),
            kinds=reflexes(first=False, second=None),
        ),
        f"confounding/analyst/{number}",
        scene.name,
        f"record={state[0]} week={state[1]}",
    )


def _claims(option: Pair) -> tuple[Claim, ...]:
    return (
        Claim(ValidAdjustment(("X",), "Y", ("R", "W")), option[0]),
        Claim(Separated("W", "Y", ("T", "X")), not option[1]),
    )


def _why(z: str, state: Pair) -> str:
    """Explain what is true of the story."""
    first = (
        f"The decision followed the record, so {z} reached it through the record and nothing else: errors in "
        "it do not matter."
        if state[0]
        else f"The decision followed the true {z}, of which the record is a poor copy: within its levels the "
        "groups still differ."
    )
    second = (
        "The week bears on the decision and, apart from it, on the outcome: a common cause."
        if state[1]
        else "The week bears on the decision alone, so leaving it out opens no path."
    )
    return f"{first} {second}"
