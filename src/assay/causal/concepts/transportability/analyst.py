"""Analyst: does the study's figure carry over as it is, and may the target's own comparison replace it?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.transportability.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS
from assay.causal.options.two_facts import Point, combined
from assay.causal.queries import Separated, ValidAdjustment
from assay.causal.scm import dag
from assay.causal.wording.graphs import sentence

NAMES = (
    ("Amina", "Björn"),
    ("Chiara", "Dawit"),
    ("Eun-ji", "Farid"),
    ("Graciela", "Henrik"),
    ("Ifeoma", "Jakub"),
    ("Kaveh", "Leilani"),
    ("Matteo", "Nandini"),
    ("Oluwaseun", "Petra"),
)
GRAPHS = {
    (True, True): "S>A X>Y D>X",
    (True, False): "S>A X>Y D>X D>Y",
    (False, True): "S>A A>Y X>Y D>X",
    (False, False): "S>A A>Y X>Y D>X D>Y",
}


@dataclass(frozen=True, slots=True)
class Words:
    """One wording; `inert`/`alive`: does `a` bear on the outcome; `clean`/`mixed`: who is treated at home.

    The options name whoever takes a side on each of the two points.
    """

    stem: str
    inert: tuple[str, ...]
    alive: tuple[str, ...]
    clean: tuple[str, ...]
    mixed: tuple[str, ...]
    carries: str
    not_carries: str
    stands: str
    not_stands: str


WORDINGS = (
    Words(
        "A randomised study among the {units} of {study} set those {that} {x} against those {that} {x_no} "
        "and counted how many {y}. {n1} and {n2} advise {target}, which differ from {study} in nothing but "
        "{a}: {a_high} is far more usual there. {one} By now a few {units} of {target} have been treated as "
        "well. {two}\n\n{yes1} holds that the study's percentage-point effect, uncorrected, is the effect "
        "to be expected at {target}; {no1} objects. On top of that, {yes2} holds that a plain comparison of "
        "treated and untreated {units} within {target} would reveal their average effect; {no2} "
        "objects.\n\nWhose assessment is accurate on which point?",
        (
            "Whether {units} {y} has been shown not to depend on it, with treatment or without.",
            "As to the outcome, {units} with {a_low} and with {a_high} are the same: with treatment, and "
            "without.",
        ),
        (
            "Treatment does far more for {units} with {a_low} than for the rest.",
            "The treatment's benefit is concentrated among {units} with one of the two levels.",
        ),
        (
            "They were the ones whose number in the register happened to end in three.",
            "Stock arrived for a few, and it was distributed by shuffling the address cards.",
        ),
        (
            "They were picked because, rightly, little was expected of them otherwise.",
            "They were put forward by local people, and those put forward had better prospects to begin "
            "with.",
        ),
        "{yes1} is right that the study's effect can be used at {target} as it is",
        "{no1} is right that the study's effect cannot be used at {target} as it is",
        "{yes2} is right to trust the plain comparison there",
        "{no2} is right to distrust the plain comparison there",
    ),
    Words(
        "{n1} and {n2} have read the same two files. File one: an experiment at {study}, where a random "
        "draw determined which {units} {x} and which {x_no}. File two: the log of {target}, in which some "
        "of the {units} appear as treated, most as untreated. Either file says whether they {y}. {A} is "
        "distributed differently in the two places, all other circumstances agree. {one} On how treatment "
        "came about in the second file: {two}\n\n“File one's risk difference is ours,” says {yes1}. “It is "
        "not, unless you rework it,” says {no1}. “Then take file two and subtract,” says {yes2}. “That "
        "would not give an effect,” says {no2}. Both questions concern the effect averaged over everybody "
        "at {target}. Who has the better of it?",
        (
            "Years of records give the outcome no connection with {a}, whichever way {units} were treated.",
            "{A} has turned out to be of no account for the outcome, and to leave the treatment's effect "
            "where it is.",
        ),
        (
            "What treatment achieves depends heavily on whether there is {a_low} or {a_high}.",
            "Treatment works where there is {a_high} and works little elsewhere.",
        ),
        (
            "every fifth entry of the full list was served, whatever it said.",
            "a clerk drew them blindfold.",
        ),
        (
            "the managers put forward those with the best prospects.",
            "those {that} had done badly before were served first, and doing badly tends to persist.",
        ),
        "on file one {yes1} is right to borrow the figure unchanged",
        "on file one {no1} is right to demand that it be reworked",
        "on file two {yes2} is right to subtract",
        "on file two {no2} is right to refuse",
    ),
    Words(
        "Two referees report on a paper about {units} {that} {x}, compared with others {that} {x_no}. The "
        "authors randomised at {study} and wish to speak about {target}; success means that they {y}. The "
        "populations are alike save for the frequency of {a_high}. {one} In an appendix the authors also "
        "report the raw difference between treated and untreated {units} at {target}, where there was no "
        "experiment. {two}\n\nReferee {yes1}: the randomised difference may be quoted for {target} without "
        "modification. Referee {no1}: it may not. Referee {yes2}: the raw difference of the appendix "
        "estimates the effect in that population without bias. Referee {no2}: it does not.\n\nThe editor "
        "must rule on both disputes. Which ruling is correct?",
        (
            "Their own test data rule out that {a} plays any part in success, alone or along with treatment.",
            "That trait neither raises nor lowers the chance of success in either arm, as they demonstrate.",
        ),
        (
            "Their own test data show several times the gain at one level of that trait as at the other.",
            "By that trait the gain from treatment ranges from almost nil to large, as they demonstrate.",
        ),
        (
            "A computer's fault had caused an arbitrary handful to be treated.",
            "Who was treated there had been read off a list of random digits.",
        ),
        (
            "Who was treated there had been settled locally, by people with a shrewd idea of who would "
            "succeed anyway.",
            "Treatment had been reserved for the hard cases.",
        ),
        "uphold {yes1}: the randomised difference needs no modification",
        "uphold {no1}: the randomised difference needs modification",
        "uphold {yes2}: the appendix is free of bias",
        "uphold {no2}: the appendix is not free of bias",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw what is true of each point, and which of the two analysts takes which side of it."""
    number = rng.randrange(len(WORDINGS))
    words, state = WORDINGS[number], rng.choice(PAIRS)
    names = rng.choice(NAMES)
    first_side, second_side = rng.sample(names, 2), rng.sample(names, 2)
    fields = {name: getattr(scene, name) for name in Scene.__slots__}
    fields |= {"A": sentence(scene.a), "n1": names[0], "n2": names[1]}
    fields |= dict(zip(("yes1", "no1", "yes2", "no2"), (*first_side, *second_side), strict=True))
    one = rng.choice(words.inert if state[0] else words.alive)
    two = rng.choice(words.clean if state[1] else words.mixed)
    stem = words.stem.format(one=one.format(**fields), two=two.format(**fields), **fields)
    first = Point(
        words.carries.format(**fields),
        words.not_carries.format(**fields),
        ((Separated("S", "Y", ("X",)), True),),
        f"{scene.a} has no bearing on the outcome, so that its being distributed otherwise changes nothing."
        if state[0]
        else f"the effect changes with {scene.a}, and its distribution differs: the figure must be "
        f"weighted anew.",
        False,
    )
    second = Point(
        words.stands.format(**fields),
        words.not_stands.format(**fields),
        ((ValidAdjustment(("X",), "Y", ()), True),),
        "who was treated in the target had nothing to do with prospects, so the plain comparison is fair."
        if state[1]
        else "who was treated in the target depended on prospects, so treated and untreated were unlike "
        "from the start.",
        False,
    )
    return Draft(
        dag(GRAPHS[state]),
        stem,
        combined(first, second, state),
        f"transportability/analyst/{number}",
        scene.name,
        f"carries={state[0]} clean={state[1]}",
    )
