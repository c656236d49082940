"""Analyst: places drawn or picked, members drawn or self-chosen: which of two comparisons is fair?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.interference.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.options.disputes import dispute
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import Dag, dag
from assay.causal.wording.filled import filled


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: stem, how places and how members were chosen, and two ways to say who is right."""

    stem: str
    places: tuple[str, str]
    members: tuple[str, str]
    same: str
    split: str


WORDINGS = (
    Words(
        "{Setting} worked in some {places} and not in others. Where it worked, a part of the {units} "
        "{x}, and even the rest of them felt it, since what is done to one has effects on those around; "
        "no effect crosses from one place to another. {chosen_places}. {chosen_members}. At the end "
        "those {who} {y} were counted; chance variation may be left aside.\n\n{p0} says: set everybody "
        "in the places worked in, treated or not, against everybody elsewhere, and you have what the "
        "programme does to a place. {n0} does not accept this. {p1} says: within the places worked in, "
        "set the treated against the untreated, and you have what one's own treatment does, given how "
        "many around are treated. {n1} does not accept that. Who has it right?",
        (
            "The places to work in were the first to come out of a tumbling drum",
            "The places to work in were those where things had begun to look up anyway",
        ),
        (
            "Within a place the treated were every third on the register, in the order of their numbers",
            "Within a place the treated were those of which the staff, who know their business, expected "
            "most",
        ),
        "{0} about places, and about members {0} too.",
        "{0} about places, and about members {1}.",
    ),
    Words(
        "Slides by {p1} and by {n1} have been mixed up on the server of {setting}. Both describe one "
        "programme for {units}, run in half of the {places}. In it a fraction {x}; what is done to some "
        "is felt by others in the same place, though not beyond it. Both count those {who} {y}, in "
        "numbers so large that luck evens out.\n\n- Slide 1: {chosen_members}.\n- Slide 2: "
        "{chosen_places}.\n- Slide 3, signed {p1}: the treated members' lead over untreated ones in the "
        "same place comes wholly of their being treated.\n- Slide 4, signed {n1}: that lead comes in "
        "part of what they were like before.\n- Slide 5, signed {p0}: the lead of programme places over "
        "the others, all members counted, comes wholly of the programme.\n- Slide 6, signed {n0}: it "
        "comes in part of what the places were like before.\n\nSlides 1 and 2 are facts. Which "
        "signatures stand under a true slide?",
        (
            "which half of the places it would be depended on the shuffle of a list",
            "which half of the places it would be depended on how well things stood there already, which "
            "also shows in results",
        ),
        (
            "which members it would be depended on the last figure of a serial number",
            "which members it would be depended on how strong each had looked, a sign that can be relied on",
        ),
        "Slide 5 or 6: {0}; slide 3 or 4: also {0}.",
        "Slide 5 or 6: {0}; slide 3 or 4: then {1}.",
    ),
    Words(
        "Dear editor, your article on {setting} quotes {p0} and {n0} against each other, though they "
        "speak of two different things. The scheme covers many {places} and leaves out as many. In those "
        "covered, some of the {units} {x}, while the rest {x_no} but felt it through their neighbours; "
        "nothing was felt outside. Those {who} {y} are counted as successes.\n\nFirst thing: covered "
        "places as wholes against uncovered ones. Here {p0} sees an effect of the scheme and {n0} a "
        "difference that was there before. Second thing: the treated against their neighbours in covered "
        "places. Here {p1} sees an effect of being treated and {n1} a difference that was there before. "
        "Your readers should know that {chosen_members}, and that {chosen_places}. Then they can tell "
        "who is right on which thing.\n\nYours, a reader",
        (
            "a notary's blindfolded clerk drew the covered places from a bag of name slips",
            "a minister named the covered places, the ones with the best prospects",
        ),
        (
            "a rota fixed by register numbers, on which nothing else hangs, had some treated",
            "an eye for those likely to do well anyway had some treated and others not",
        ),
        "On the first thing {0} is right, and on the second {0}.",
        "On the first thing {0} is right, but on the second {1}.",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether places and whether members were chosen fairly; apart from that, who says what."""
    number, state, quarrel = rng.randrange(len(WORDINGS)), rng.choice(PAIRS), dispute(rng)
    words = WORDINGS[number]
    stem = filled(
        words.stem,
        scene,
        p0=quarrel.holder(0, True),
        n0=quarrel.holder(0, False),
        p1=quarrel.holder(1, True),
        n1=quarrel.holder(1, False),
        chosen_places=words.places[not state[0]],
        chosen_members=words.members[not state[1]],
    )

    def say(option: Pair) -> str:
        who = quarrel.holders(option)
        return (words.same if who[0] == who[1] else words.split).format(*who)

    answers = crossed(
        state,
        say,
        _claims,
        topics=("the places", "the members"),
        why=_why(state),
        kinds=reflexes(first=True, second=False),
    )
    return Draft(
        world(state),
        stem,
        answers,
        f"interference/analyst/{number}",
        scene.name,
        f"places={state[0]} members={state[1]}",
    )


def world(state: Pair) -> Dag:
    """Return the graph: V programme in the place, X own treatment, Y outcome, H and U the promise of each."""
    arrows = "V>X V>Y X>Y H>Y U>Y" + ("" if state[0] else " H>V") + ("" if state[1] else " U>X")
    return dag(arrows, hidden="H U")


def _claims(option: Pair) -> tuple[Claim, ...]:
    return (
        Claim(ValidAdjustment(("V",), "Y", ()), option[0]),
        Claim(ValidAdjustment(("X",), "Y", ("V",)), option[1]),
    )


def _why(state: Pair) -> str:
    first = (
        "Places were chosen by chance, so whole places can be compared."
        if state[0]
        else "Places were chosen with an eye on their prospects, so whole places differ beforehand."
    )
    second = (
        "Within a place chance chose the treated, so members of one place can be compared, all under one "
        "saturation."
        if state[1]
        else "Within a place the more promising were treated, so members differ beforehand."
    )
    return f"{first} {second}"
