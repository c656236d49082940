"""Analyst: were the arms comparable at the sites, and were the sites a fair selection of all sites?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.external_validity.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS
from assay.causal.options.two_facts import Point, combined
from assay.causal.queries import Separated, ValidAdjustment
from assay.causal.scm import dag

NAMES = (
    ("Agnieszka", "Babatunde"),
    ("Camila", "Dmitri"),
    ("Esra", "Finnian"),
    ("Gulnara", "Hiroshi"),
    ("Ingrid", "Jamal"),
    ("Katarzyna", "Luis"),
    ("Mei", "Nikolaos"),
    ("Paloma", "Rashid"),
)
GRAPHS = {
    (True, True): "G>P V>Y X>Y",
    (True, False): "G>P G>Y V>Y X>Y",
    (False, True): "G>P V>X V>Y X>Y",
    (False, False): "G>P G>Y V>X V>Y X>Y",
}


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: `fair`/`chosen` tell who was treated, `drawn`/`picked` which sites took part."""

    stem: str
    fair: tuple[str, ...]
    chosen: tuple[str, ...]
    drawn: tuple[str, ...]
    picked: tuple[str, ...]
    inside: str
    not_inside: str
    outside: str
    not_outside: str


WORDINGS = (
    Words(
        "A pilot took place at twelve of the {sites} where {whole} are found. {two} At these twelve, "
        "some {units} {x} and the others {x_no}. {one} The raw difference in the share that {y} came out "
        "larger than luck explains, and luck was not what they quarrelled over.\n\n“That difference is "
        "what treatment did at the twelve,” said {yes1}; {no1} would not agree. They went on to the "
        "rest. “Whatever it did at the twelve, on average it would do at all {sites},” said {yes2}, and "
        "this time {no2} would not agree. Who was right in the first exchange, and who in the second?",
        (
            "Who was treated had been fixed by the last digit of a serial number.",
            "For each name on the list a die had been thrown to settle which it would be.",
        ),
        (
            "Staff had offered treatment where they saw {v_high}, and {v} tells on the outcome.",
            "Treatment had gone to the {units} ready for it, which are those likely to do well in any event.",
        ),
        (
            "They had been taken blindly from the complete list.",
            "Every tenth line of the directory had been ticked, with no line left out of the count.",
        ),
        (
            "They had been selected for their enthusiasm, and where there is enthusiasm treatment achieves "
            "more.",
            "They were the ones with the best equipment, on which the size of the effect depends.",
        ),
        "in the first exchange {yes1} was right that the difference was the effect there",
        "in the first exchange {no1} was right that the difference was not the effect there",
        "in the second {yes2} was, as the effect there speaks for all",
        "in the second {no2} was, as the effect there does not speak for all",
    ),
    Words(
        "Subject: the trial report\n\nDear {n1}, dear {n2},\nyour notes contradict each other twice. The "
        "facts as I have them: only some of the {sites} were in the trial. {two} In those, some {units} "
        "{x} (treatment) while others {x_no} (no treatment), settled as follows. {one} The report "
        "subtracts the share that {y} without treatment from the share with it, pooling the {sites} in "
        "the trial, each of which treated one half.\n\n{yes1} accepts the subtraction as the average "
        "effect on the {units} of the trial, {no1} rejects it. {yes2} accepts that this average effect, "
        "were it known, would equal that for {whole}, {no2} rejects it. Sampling error I leave out of "
        "account. I have to side with somebody in each case. With whom, and why?",
        (
            "Envelopes were filled, shuffled and given out unopened.",
            "A spreadsheet's random function had the say for every single one.",
        ),
        (
            "The decision lay with people who knew each case and put the promising ones first.",
            "It depended on {v}, and so does the outcome.",
        ),
        (
            "Numbered balls had been used to find them.",
            "Which ones came in was independent of everything about them: a coordinator used random numbers.",
        ),
        (
            "The coordinator had asked the better run ones, and how well they are run governs what "
            "treatment can do.",
            "They had applied to be in, and those that apply have conditions under which treatment works "
            "better.",
        ),
        "with {yes1}, the subtraction being fair",
        "with {no1}, the subtraction being unfair",
        "with {yes2}, the trial's {sites} being typical of all",
        "with {no2}, the trial's {sites} not being typical of all",
    ),
    Words(
        "Panel discussion, summarised. Topic: {units} {who} {x} against {units} {who} {x_no}, observed "
        "at a few of the {sites}, endpoint: whether they {y}. Points of fact, undisputed (chance error is "
        "not at issue). How treatment was allotted: {one} How the {sites} came to be in the study: "
        "{two}\n\n{n1} and {n2} disagreed on internal validity (does the study's contrast equal the mean "
        "effect among the {units} studied?): {yes1} affirmed it, {no1} denied it. They also disagreed on "
        "external validity (does the mean effect among the {units} studied equal that of {whole}?): "
        "{yes2} affirmed, {no2} denied. Which of the following does the undisputed part support?",
        (
            "a public lottery, separately for every one of the {sites}, with even odds.",
            "at each place alternately down a list sorted by a meaningless code.",
        ),
        (
            "on application, and {units} with better prospects were the ones to apply.",
            "by judgement of those in charge, who reserved it for the likely failures.",
        ),
        (
            "by simple random sampling from a register of them all.",
            "a computer picked their numbers, nobody refused.",
        ),
        (
            "through a partner, who favours the ones where treatment is known to take hold.",
            "by reputation; the reputed ones have what it takes for treatment to be effective.",
        ),
        "{yes1} on internal validity, which is given",
        "{no1} on internal validity, which is lacking",
        "{yes2} on external validity, which is given",
        "{no2} on external validity, which is lacking",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw what is true of each point, and which of the two analysts takes which side of it."""
    number = rng.randrange(len(WORDINGS))
    words, state, names = WORDINGS[number], rng.choice(PAIRS), rng.choice(NAMES)
    sides = (*rng.sample(names, 2), *rng.sample(names, 2))
    fields = {name: getattr(scene, name) for name in Scene.__slots__} | {"n1": names[0], "n2": names[1]}
    fields |= dict(zip(("yes1", "no1", "yes2", "no2"), sides, strict=True))
    one = rng.choice(words.fair if state[0] else words.chosen).format(**fields)
    two = rng.choice(words.drawn if state[1] else words.picked).format(**fields)
    first = Point(
        words.inside.format(**fields),
        words.not_inside.format(**fields),
        ((ValidAdjustment(("X",), "Y", ()), True),),
        "who was treated had nothing to do with prospects, so the contrast inside the study is fair."
        if state[0]
        else "who was treated depended on prospects, so the contrast inside the study mixes these with the "
        "effect.",
        False,
    )
    second = Point(
        words.outside.format(**fields),
        words.not_outside.format(**fields),
        ((Separated("P", "Y", ("X",)), True),),
        f"the {scene.sites} studied are a chance selection of all."
        if state[1]
        else f"the {scene.sites} studied were selected by what alters the effect.",
        False,
    )
    return Draft(
        dag(GRAPHS[state]),
        words.stem.format(one=one, two=two, **fields),
        combined(first, second, state),
        f"external-validity/analyst/{number}",
        scene.name,
        f"inside={state[0]} outside={state[1]}",
    )
