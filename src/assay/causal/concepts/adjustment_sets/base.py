"""Base: two circumstances in a chain; does the later one do, does the earlier one do?"""

from __future__ import annotations

import random

from assay.causal.concepts.adjustment_sets.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import Dag, dag
from assay.causal.wording.graphs import sentence
from assay.causal.wording.telling import Telling, fields

WORDINGS = (
    Telling(
        "{Setting} would like to know what difference it makes to {units}, all consequences included, that "
        "some {x} while others {x_no}; the yardstick is how many {y}. There is money for measuring one of "
        "two things, {a} or {b}; the reports after the event, which the step itself has shaped, will not be "
        "used.\n\n{a_b}. {b_x}. {a_y}. {first} {second} Other common causes can be ruled out.\n\nWhat is to "
        "be expected of an analysis with {b} alone, and of one with {a} alone?",
        (
            "Nobody who had a voice in it paid attention to {a} as such.",
            "Those who had a voice in it also paid attention to {a} as such.",
        ),
        (
            "Two cases that differ in {b} and are alike otherwise have the same prospects.",
            "Two cases that differ in {b} and are alike otherwise have unlike prospects.",
        ),
        ("{b} by itself suffices", "{b} by itself falls short"),
        ("{a} by itself suffices", "{a} by itself falls short"),
    ),
    Telling(
        "Call for tenders, annex 2. Subject: {units} of {setting}. The effect to be estimated is that of "
        "group I ({x}) against group II ({x_no}) on the share {who} {y}, indirect ways included. Known "
        "relations: {a_b}. {a_y}. {b_x}. {second} {first} The list is complete.\n\nLot 1 delivers results "
        "broken down by {b}, lot 2 results broken down by {a}; there is no lot with both. Both lots leave "
        "aside a later follow-up rating, which depends on the group. Bidders must say of either lot "
        "whether its results can be used for the purpose.",
        (
            "{A} made itself felt in the grouping through {b}, and in no second manner.",
            "{A} made itself felt in the grouping through {b}, and in a second manner as well.",
        ),
        (
            "{B} does nothing to the outcome, neither good nor bad, unless by way of the grouping.",
            "{B} does something to the outcome, be it good or bad, even where the grouping is the same.",
        ),
        ("lot 1 is usable", "lot 1 is unusable"),
        ("lot 2 is usable", "lot 2 is unusable"),
    ),
    Telling(
        'My grandmother used to run {setting}, and this is the riddle she set me. "There were {units} {who} '
        '{x} and {units} {who} {x_no}," she said, "and in the end we saw which of them {y}. Now listen. '
        "{a_b}. {first} "
        "{b_x}. {second} {a_y}. And that was all there was, my dear. Forget the praise and blame that came "
        "afterwards, they were a consequence. One clerk noted {b} in a red book, another noted {a} in a blue "
        "book, and only ever one book was to be found. With which of them in your hands could you tell, "
        "rightly, "
        'what the step did on the whole?"',
        (
            "To the one who chose, {a} was unknown, save for what {b} gave away.",
            "To the one who chose, {a} was known, besides what {b} gave away.",
        ),
        (
            "On how things ended {b} had no hold, once you grant it its part in choosing.",
            "On how things ended {b} had a hold, beyond its part in choosing.",
        ),
        ("the red book would do", "the red book would fail"),
        ("the blue book would do", "the blue book would fail"),
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw which of the two circumstances suffices by itself."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words, texts = WORDINGS[number], fields(scene)
    return Draft(
        chain(state),
        words.tell(texts, state),
        crossed(
            state,
            lambda option: words.say(texts, option),
            _claims,
            topics=(scene.b, scene.a),
            why=_why(scene, state),
            kinds=reflexes(second=True),
        ),
        f"adjustment-sets/base/{number}",
        scene.name,
        f"later={state[0]} earlier={state[1]}",
    )


def chain(state: Pair) -> Dag:
    """Return the graph in which the later one suffices, or not, and the earlier one, or not."""
    direct = "" if state[0] else "A>X"
    working = "" if state[1] else "B>Y"
    return dag(f"A>B B>X A>Y X>Y {direct} {working}")


def _claims(option: Pair) -> tuple[Claim, ...]:
    return (
        Claim(ValidAdjustment(("X",), "Y", ("B",)), option[0]),
        Claim(ValidAdjustment(("X",), "Y", ("A",)), option[1]),
    )


def _why(scene: Scene, state: Pair) -> str:
    """Explain what is true of the story."""
    first = (
        f"{sentence(scene.a)} reaches the choice through {scene.b} alone, so holding {scene.b} fixed blocks "
        f"it."
        if state[0]
        else f"{sentence(scene.a)} reaches the choice past {scene.b} as well, and that way stays open."
    )
    second = (
        f"{sentence(scene.b)} does not act on the outcome itself, so holding {scene.a} fixed blocks all of "
        f"it."
        if state[1]
        else f"{sentence(scene.b)} acts on the outcome itself, and that way is open if {scene.a} alone is "
        f"held fixed."
    )
    return f"{first} {second}"
