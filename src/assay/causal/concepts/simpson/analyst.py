"""Analyst: are the groups to be kept apart, and is what remains then the effect or still a hidden motive?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.simpson.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS
from assay.causal.options.two_facts import Point, combined
from assay.causal.queries import AdjustmentExists, Causes
from assay.causal.scm import dag
from assay.causal.wording.graphs import sentence

NAMES = (
    ("Anahit", "Bongani"),
    ("Cecilia", "Diego"),
    ("Emre", "Freya"),
    ("Giulia", "Haruto"),
    ("Iman", "Joaquín"),
    ("Kofi", "Lucija"),
    ("Malika", "Noah"),
    ("Ottavia", "Priya"),
)
GROUP = {True: "G>X G>Y X>Y", False: "X>G G>Y X>Y"}


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: `early`/`late` tell where the groups come from, `blind`/`motive` what else decided."""

    stem: str
    early: tuple[str, ...]
    late: tuple[str, ...]
    blind: tuple[str, ...]
    motive: tuple[str, ...]
    split: str
    pool: str
    clean: str
    tainted: str


WORDINGS = (
    Words(
        "{n1} and {n2} work for {keeper}. Of the {units} there, those {who} {x} {y} more often than "
        "those {who} {x_no}; among those with {g1}, among those with {g2} and among those with {g3} it "
        "is the other way about. {group} {rest}\n\nTheir first quarrel: to learn what the choice does in "
        "all, {yes1} would hold {g} fixed, {no1} would not. Their second quarrel: {yes2} regards "
        "whatever is right in the first as the effect itself, {no2} thinks that something unrecorded may "
        "still account for it. Each quarrel has a winner. Who?",
        (
            "A unit's {g} had been known to those who chose, and swayed them; it also has its effect on "
            "success.",
            "{G} dates from before the choice, which it made more or less likely, and has consequences for "
            "success.",
        ),
        (
            "A unit's {g} had been open when the choice was made, which then pushed it up or down, and "
            "success with it.",
            "{G} dates from after the choice, which made it what it is, and has consequences for success.",
        ),
        (
            "Whatever else went into the choice was mere accident.",
            "For the rest, a spinning coin had decided.",
        ),
        (
            "For the rest, the choice followed the foremen's instinct for what would succeed, of which "
            "there is no record.",
            "Something else went into the choice too, a private tip about how things would end that is "
            "nowhere on paper.",
        ),
        "{yes1} wins the first, for the groups are to be kept apart",
        "{no1} wins the first, for the groups are to be put together",
        "{yes2} the second, for nothing unrecorded is in play",
        "{no2} the second, for something unrecorded is in play",
    ),
    Words(
        "A conversation about {keeper}'s {units}.\n{yes1}: “Three groups by {g}, and in every one the "
        "{units} {who} {x} fall behind. These groups must be kept apart.”\n{no1}: “Together they are in "
        "front. The groups must be merged.”\n{yes2}: “Either way we end up with a causal "
        "figure.”\n{no2}: “Neither way do we.”\nThe minutes record, as established: {group} {rest} "
        "Outcome: whether they {y}. Sought: the total effect of the choice as against having been among "
        "those {who} {x_no}. Which judgement of the conversation is the accurate one?",
        (
            "{g} preceded, prompted the choice in part, and matters to the outcome.",
            "the choice was made in the light of {g}, to which the outcome is sensitive.",
        ),
        (
            "{g} followed, was formed by the choice in part, and matters to the outcome.",
            "in the wake of the choice {g} changed, to which the outcome is sensitive.",
        ),
        (
            "Beyond that, choices were random.",
            "Nothing that bears on the outcome had any further share in choosing.",
        ),
        (
            "Beyond that, choosers used their own forecasts of the outcome, and these were good and are "
            "lost.",
            "A second consideration, relevant to the outcome and never noted, had a share in choosing.",
        ),
        "{yes1} is right that they are kept apart",
        "{no1} is right that they are merged",
        "{yes2} is right that the figure is causal",
        "{no2} is right that the figure is not causal",
    ),
    Words(
        "Two reports on the same {units} ({keeper}; first way: {x}; second way: {x_no}; success: "
        "{y_short}). The direction of the difference reverses when the three levels of {g} are separated. "
        "On the provenance of {g}, both quote the manual: “{group}” On what else governed the way taken, "
        "both quote an inspector: “{rest}”\n\nReport one, by {n1}, and report two, by {n2}, contradict each "
        "other on (i) whether an estimate of the total effect should condition on {g}, {yes1} saying yes "
        "and {no1} no; and (ii) whether the estimate so obtained is unconfounded, {yes2} saying yes and "
        "{no2} no. On (i) and (ii), who is correct?",
        (
            "To be taken at reception. The way is to be decided in consideration of it. Known to influence "
            "success.",
            "Invariable. Enters into the decision; influences success.",
        ),
        (
            "To be taken at dismissal. It will have been modified by the way decided upon. Known to "
            "influence success.",
            "Variable. Is modified by the way decided upon; influences success.",
        ),
        (
            "I saw dice being used, and nothing but dice.",
            "As far as the manual leaves a choice, it is made by a random generator.",
        ),
        (
            "I saw old hands act on a hunch, which they do not file, and their hunches come true.",
            "As far as the manual leaves a choice, it is made on unfiled knowledge of what will succeed.",
        ),
        "(i) {yes1}, condition on it",
        "(i) {no1}, do not condition on it",
        "(ii) {yes2}, unconfounded",
        "(ii) {no2}, confounded",
    ),
)


def analyst(rng: random.Random, scene: Scene) -> Draft:
    """Draw what is true of each point, and which of the two analysts takes which side of it."""
    number = rng.randrange(len(WORDINGS))
    words, state, names = WORDINGS[number], rng.choice(PAIRS), rng.choice(NAMES)
    sides = (*rng.sample(names, 2), *rng.sample(names, 2))
    fields = {name: getattr(scene, name) for name in Scene.__slots__} | {"n1": names[0], "n2": names[1]}
    fields |= dict(zip(("yes1", "no1", "yes2", "no2"), sides, strict=True))
    fields |= {"G": sentence(scene.g), "y_short": f"they {scene.y}"}
    group = rng.choice(words.early if state[0] else words.late).format(**fields)
    rest = rng.choice(words.blind if state[1] else words.motive).format(**fields)
    first = Point(
        words.split.format(**fields),
        words.pool.format(**fields),
        ((Causes("X", "G"), False),),
        f"{scene.g} came before the choice and is a common cause: the groups are to be kept apart."
        if state[0]
        else f"{scene.g} is changed by the choice and passes its effect on: the groups are to be merged.",
        True,
    )
    second = Point(
        words.clean.format(**fields),
        words.tainted.format(**fields),
        ((AdjustmentExists(("X",), "Y"), True),),
        "Nothing else ties choice and outcome."
        if state[1]
        else "An unrecorded common cause of choice and outcome is left, whichever table is used.",
        False,
    )
    hidden = "U" if not state[1] else ""
    return Draft(
        dag(GROUP[state[0]] + (" U>X U>Y" if hidden else ""), hidden=hidden),
        words.stem.format(group=group, rest=rest, **fields),
        combined(first, second, state),
        f"simpson/analyst/{number}",
        scene.name,
        f"split={state[0]} clean={state[1]}",
    )
