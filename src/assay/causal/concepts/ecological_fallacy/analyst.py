"""Analyst: does a unit's result tell what happens to a whole group, and are groups compared fairly?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.ecological_fallacy.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS
from assay.causal.options.two_facts import Point, combined
from assay.causal.queries import Separated, ValidAdjustment
from assay.causal.scm import dag

NAMES = (
    ("Adaeze", "Bruno"),
    ("Catalina", "Daichi"),
    ("Elif", "Fergus"),
    ("Goran", "Hana"),
    ("Ismail", "Jolanta"),
    ("Kirsi", "Lamine"),
    ("Mihaela", "Nuno"),
    ("Odile", "Pedro"),
)


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: `alone`/`spill`: does others' exposure matter; `lot`/`trait`: what set the shares."""

    stem: str
    alone: tuple[str, ...]
    spill: tuple[str, ...]
    lot: tuple[str, ...]
    trait: tuple[str, ...]
    enough: str
    not_enough: str
    fair: str
    unfair: str


WORDINGS = (
    Words(
        "In a trial inside one {group}, where {units} respond as they do elsewhere, chance picked a few "
        "{units} {who} {x}; they were compared with others there {who} {x_no}, and whether they {y} was "
        "noted. The question now is what would happen to the rate of a {group} in which all {units} did so "
        "instead of none. {spill} Besides, {groups} where all did so and {groups} where none did can be "
        "compared as wholes. {set}\n\n{yes1} would answer the question by quoting the trial; {no1} says "
        "that this falls short. {yes2} would accept the comparison of whole {groups} as unconfounded; {no2} "
        "would not. Which pair of verdicts is sound?",
        (
            "What the others in a {group} do is of no concern to the outcome of a {unit}.",
            "For a given {unit} it makes no difference how many around it are exposed.",
        ),
        (
            "How many others in the {group} are exposed matters to every {unit}, exposed or not.",
            "Each {unit} is also affected by what is usual among the others in the same {group}.",
        ),
        (
            "Where it would be all and where none was drawn from a hat by the ministry.",
            "That it was all in some and none in others goes back to a raffle among the {groups}.",
        ),
        (
            "It was all where {d} is favourable and none elsewhere, and {d} has consequences for the "
            "outcome too.",
            "{d_cap} is behind both the all or none and part of the differences in outcome.",
        ),
        "{yes1} is right about the trial, which answers the question",
        "{no1} is right about the trial, which falls short of the question",
        "{yes2} is right about the {groups}, whose comparison is fair",
        "{no2} is right about the {groups}, whose comparison is unfair",
    ),
    Words(
        "{n1} and {n2} advise an authority that can bring whole {groups} to do one thing: let all {units} "
        "join those {who} {x}. At issue is the rate at which {units} {y}. Known from a lottery among single "
        "{units}: what exposure does to a {unit}, others unchanged. Known from registers: the "
        "rates of {groups} with all and of {groups} with none exposed.\nFinding 1: {spill}\nFinding 2: "
        "{set}\n{yes1}: “The lottery among {units} settles what a whole {group} would gain.” {no1}: “It "
        "does not.” {yes2}: “The registers, compared as they are, settle it.” {no2}: “They do not.” Judge "
        "the two exchanges in the light of the findings.",
        (
            "own exposure is all that counts, neighbours' exposure being without influence.",
            "the share of a {group} has no effect on its {units} except by way of each one's own exposure.",
        ),
        (
            "own exposure is not all that counts, neighbours' exposure having an influence of its own.",
            "the share of a {group} has an effect on its {units} over and above each one's own exposure.",
        ),
        (
            "the shares go back to an experiment with {groups}, assigned by coin.",
            "the shares are what they are by sheer accident.",
        ),
        (
            "the shares reflect {d}, which alters the rates as well.",
            "the shares differ according to {d}, and the rates would follow {d} even without any exposure.",
        ),
        "in the first exchange {yes1}, the lottery settles it",
        "in the first exchange {no1}, the lottery does not settle it",
        "in the second {yes2}, the registers settle it",
        "in the second {no2}, the registers do not settle it",
    ),
    Words(
        "Letters. {n1} to {n2}, and back, on {units} {who} {x} (some {groups} are full of them, others "
        "empty) and how many {y}. Both accept a flawless experiment with individuals, done in places where "
        "few were exposed. Both accept these statements: (a) {spill} (b) {set}\n\nThey differ twice. From "
        "the experiment, {yes1} infers the effect of exposing a {group} entirely; {no1} calls this an "
        "atomistic fallacy. From the contrast between full and empty {groups}, {yes2} infers that same "
        "effect; {no2} calls this confounded. Given (a) and (b), where is the truth?",
        (
            "there is no influence of one {unit} on another, nor of the mass on any.",
            "it does not matter to a {unit} in what company it is exposed.",
        ),
        (
            "there is an influence of the mass on each {unit}, in addition to that of own exposure.",
            "it matters to a {unit}, exposed or not, how many neighbours are.",
        ),
        (
            "the full {groups} became so, and the empty ones too, by a throw of dice.",
            "nothing relevant distinguished full from empty {groups} before.",
        ),
        (
            "the full {groups} became so because of their {d}, to which the outcome is sensitive.",
            "full and empty {groups} had been unlike in {d} before, and {d} has its effect on the outcome.",
        ),
        "{yes1} has it on the experiment, no fallacy being involved",
        "{no1} has it on the experiment, a fallacy being involved",
        "{yes2} on the contrast, which is not confounded",
        "{no2} on the contrast, which is confounded",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw what is true of each point, and which of the two analysts takes which side of it."""
    number = rng.randrange(len(WORDINGS))
    words, state, names = WORDINGS[number], rng.choice(PAIRS), rng.choice(NAMES)
    sides = (*rng.sample(names, 2), *rng.sample(names, 2))
    fields = {name: getattr(scene, name) for name in Scene.__slots__} | {"n1": names[0], "n2": names[1]}
    fields |= dict(zip(("yes1", "no1", "yes2", "no2"), sides, strict=True))
    fields["d_cap"] = scene.d[0].upper() + scene.d[1:]
    spill = rng.choice(words.alone if state[0] else words.spill).format(**fields)
    set_ = rng.choice(words.lot if state[1] else words.trait).format(**fields)
    first = Point(
        words.enough.format(**fields),
        words.not_enough.format(**fields),
        ((Separated("C", "Y", ("D", "X")), True),),
        f"a {scene.unit}'s own exposure is all that acts, so the individual effect holds for a whole "
        f"{scene.group}."
        if state[0]
        else f"the share of a {scene.group} acts by itself, which a contrast of single {scene.units} "
        f"cannot show.",
        True,
    )
    second = Point(
        words.fair.format(**fields),
        words.unfair.format(**fields),
        ((ValidAdjustment(("C",), "Y", ()), True),),
        f"Nothing that matters set the shares, so whole {scene.groups} are comparable."
        if state[1]
        else f"{scene.d} set the shares and acts on the outcome: whole {scene.groups} are not comparable.",
        False,
    )
    arrows = "D>C C>X X>Y" + ("" if state[0] else " C>Y") + ("" if state[1] else " D>Y")
    return Draft(
        dag(arrows),
        words.stem.format(spill=spill, set=set_, **fields),
        combined(first, second, state),
        f"ecological-fallacy/analyst/{number}",
        scene.name,
        f"alone={state[0]} fair={state[1]}",
    )
