"""Trap: a file that looks selected on the outcome and is not, or looks random and is not; likewise a "
"label."""

from __future__ import annotations

import random

from assay.causal.concepts.collider_selection.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS, Pair, crossed, reflexes
from assay.causal.proof.proof import Claim
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import dag
from assay.causal.wording.telling import Telling, fields

WORDINGS = (
    Telling(
        "At {setting}, lots decided which {units} {x} and which {x_no}; what counts is whether they {y}. "
        "Afterwards somebody raises two doubts.\n\nThe first is about the data, which are {units} in {file}. "
        "{first}\n\nThe second is about a coloured tag on each data sheet, which a colleague would like to "
        "hold fixed in the comparison. {second}\n\nThe total effect is wanted. What is to be said about the "
        "data, and about holding the tag fixed?",
        (
            "Entry was anything but even-handed: cases with the step were much preferred, and beyond that "
            "it took a case number that ends in a seven. Barely one in twenty made it. The outcome was "
            "unknown to everybody until later, and a machine had handed out the numbers.",
            "Entry was strictly even-handed: a computer drew one in three without any weights. It drew from "
            "a master list, and from that list entries had been struck for years: chiefly cases with the "
            "outcome where the step was taken, and cases without it where it was not.",
        ),
        (
            "Tags were given out at the very end, when results had long been known, by a jury. It was told "
            "about the step and let one half of the colour depend on that; for the other half it rolled a "
            "die, and it looked at nothing else.",
            "Tags influence nothing, and nobody in the field ever saw one: a script prints them from a "
            "score. The score is a sum of points for the step and points for the result.",
        ),
        ("the data are fit for the comparison", "the data are unfit for the comparison"),
        ("the tag can be held fixed without harm", "the tag cannot be held fixed without harm"),
    ),
    Telling(
        "Overheard at {setting}:\n\n- We gave the step to every second one of our {units}, by the last digit "
        "of a serial number. So there are those {who} {x} and those {who} {x_no}. I would like to know what "
        "that did to the number {who} {y}.\n- In the whole population?\n- Yes, but I have {file}.\n- And who "
        'is in there?\n- {first}\n- Hm. And this column called "class"?\n- {second}\n- So your plan is to '
        "take the file as the population, and to split it by class. Let me comment on both.\n\nWhich comment "
        "is sound?",
        (
            "A strange crowd, I am afraid: an old rule lets in far more of those with the step, and a new "
            "one favours those whose name comes late in the alphabet. The result, or what drives it, has no "
            "part in this.",
            "Nothing strange: 70 per cent are in there on either side. On the one, those that slipped "
            "through the net were mostly cases with the outcome; on the other, mostly cases without.",
        ),
        (
            "It was fixed last of all, when everything was over. It goes by the step, and by how high in the "
            "stack a folder lay; a draught had mixed up the stack the night before.",
            "It was fixed by an archivist who has no stake in this. It sums up the dossier, so to speak: a "
            "bit of step, a bit of result.",
        ),
        ("the file may stand for the population", "the file may not stand for the population"),
        ("splitting by class does no harm", "splitting by class does some harm"),
    ),
    Telling(
        'Question from a reader: "{Setting} ran a proper experiment on {units}: dice determined which of '
        "them {x}; the others {x_no}. The outcome was whether they {y}. For lack of funds the analysis uses "
        "those in {file}. I gather the following about it. {first} The analysis also adjusts for the "
        "'grade', about which I gather this. {second} Would you trust these two decisions, if the aim is the "
        'effect in the whole population?"\n\nWhat is the right answer to the reader?',
        (
            "The share in {file} is 11 per cent for one arm of the experiment and 64 for the other; within "
            "an arm, folders on the upper shelves got in and others stayed out, and a blindfolded trainee "
            "had put the folders on the shelves.",
            "The share in {file} is 50 per cent for either arm of the experiment; according to a clerk, in "
            "the first arm one checked for the outcome and kept mostly those with it, in the second one kept "
            "mostly those without it.",
        ),
        (
            "It is awarded very late, and depends on two things: on the arm, and on the colour of the "
            "folder's cover, which followed from what the stationer had in stock.",
            "It is computed from the records and has no consequences. The formula takes in several fields, "
            "two of which are the arm and the outcome.",
        ),
        ("relying on that file is in order", "relying on that file is not in order"),
        ("adjusting for the grade is in order", "adjusting for the grade is not in order"),
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether the file and the label are colliders, with cues that say the opposite."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(PAIRS)
    words, texts = WORDINGS[number], fields(scene)
    file = "X>S D>S" if state[0] else "X>S Y>S"
    label = "X>K E>K" if state[1] else "X>K Y>K"
    return Draft(
        dag(f"X>Y {file} {label}"),
        words.tell(texts, state),
        crossed(
            state,
            lambda option: words.say(texts, option),
            _claims,
            topics=("the file", "the label"),
            why=_why(state),
            kinds=reflexes(first=not state[0]),
        ),
        f"collider-selection/trap/{number}",
        scene.name,
        f"file={state[0]} label={state[1]}",
    )


def _claims(option: Pair) -> tuple[Claim, ...]:
    return (
        Claim(ValidAdjustment(("X",), "Y", ("S",)), option[0]),
        Claim(ValidAdjustment(("X",), "Y", ("K",)), option[1]),
    )


def _why(state: Pair) -> str:
    """Explain what is true of the story."""
    first = (
        "Two things decide who is in the file, but only the step is connected with the outcome: no path "
        "opens."
        if state[0]
        else "Who is in the file depends on step and outcome together: within it the two are tied by "
        "selection."
    )
    second = (
        "The label is a common effect of the step and of something without bearing on the outcome: harmless."
        if state[1]
        else "The label is a common effect of step and outcome: holding it fixed distorts, though it acts on "
        "nothing."
    )
    return f"{first} {second}"
