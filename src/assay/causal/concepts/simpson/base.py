"""Base: a comparison turns round twice, split by a group and by a mark: which should be held fixed?"""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.concepts.simpson.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS
from assay.causal.options.two_facts import Point, combined
from assay.causal.queries import ValidAdjustment
from assay.causal.scm import dag
from assay.causal.wording.graphs import sentence

GROUP = {True: "G>X G>Y", False: "X>G G>Y"}
MARK = {True: "W>X W>Y", False: "X>W Y>W"}


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: `group` and `mark` tell where either comes from, as causes and as consequences."""

    stem: str
    group_early: tuple[str, ...]
    group_late: tuple[str, ...]
    mark_early: tuple[str, ...]
    mark_late: tuple[str, ...]
    split: str
    pool: str
    use: str
    leave: str


WORDINGS = (
    Words(
        "At {keeper}, {units} {who} {x} do better than {units} {who} {x_no}, judged by the share that {y}. "
        "With {g1}, with {g2} and with {g3}, looked at apart, they do worse. Go on to sort each of these "
        "three groups by {w}, high or low, and they do better once more.\n\nWhere do the two "
        "classifications come from? {group} {mark} Apart from this, which way was taken was a matter of "
        "chance. The total effect of the one way against the other, on all {units}, is to be estimated. "
        "Which classification should be kept in the analysis?",
        (
            "{G} is settled at the outset, has its weight in which way is taken, and influences the outcome.",
            "Which way is taken is partly decided in view of {g}, and {g} by itself affects how things end.",
        ),
        (
            "{G} is noted at the finish; it is one of the things that the way taken changes, and through it "
            "the outcome.",
            "The way taken shapes {g}, and that in turn is one means by which it affects how things end.",
        ),
        (
            "The {w} was given in advance by somebody whose word counts when the way is chosen, and it "
            "stands for something that matters.",
            "A clerk set the {w} at the first enquiry; the choice was made with an eye on it, and what it "
            "reflects bears on success.",
        ),
        (
            "The {w} was given in retrospect by somebody who had before him the way taken and the result.",
            "An auditor set the {w} when the file was closed; it takes account of how it was done and of "
            "how it came out.",
        ),
        "keep the three groups",
        "merge the three groups",
        "keep the sorting by {w}",
        "drop the sorting by {w}",
    ),
    Words(
        "Three tables, three verdicts. Table 1 puts {units} {who} {x} beside {units} {who} {x_no}: the "
        "former {y} less often. Table 2 does the same for {g} in three classes ({g1}, {g2}, {g3}): the "
        "former win in every class. Table 3 divides the classes again, by {w}: now the former lose in "
        "every cell.\n\n{Keeper} supplies the background. On the classes: {group} On the last division: "
        "{mark} No other quantity plays a part. The issue is the overall causal effect of doing it the "
        "one way, not the other. By what must the correct table be divided?",
        (
            "these are as they were before anybody decided on a way, the decision had regard to them, and "
            "they help or hinder success.",
            "given at the start, they tilted the decision and have a bearing on success of their own.",
        ),
        (
            "these are as they were afterwards; the decision has moved {units} from class to class, and "
            "class helps or hinders success.",
            "a product of the decision, they pass part of its consequences on to success.",
        ),
        (
            "the {w} had been attached earlier still; it told people what to choose, and it goes with what "
            "makes success likely.",
            "attached first of all, it swayed the choice; what it measures sways success.",
        ),
        (
            "the {w} was attached last of all, from the choice and the outcome taken together.",
            "it sums up, when everything is over, what was chosen and whether it succeeded.",
        ),
        "by the classes of {g}",
        "not by the classes of {g}",
        "by {w} as well as whatever else is right",
        "not by {w}, whatever else is right",
    ),
    Words(
        "Dear colleague,\nyou write that the paradox vanishes “once one splits finely enough”. I doubt it. "
        "In {keeper}'s file the {units} {who} {x} look inferior in total, superior for each level of {g} "
        "({g1}; {g2}; {g3}), inferior again for each level of {g} and {w}. Each of these statements is "
        "arithmetic. What the choice brings about, summed over all its routes, is not arithmetic but "
        "depends on the following. {group} {mark} That is the whole of the mechanism. So, for the total "
        "effect on whether {units} {y_plain}, which variables belong among those that are held "
        "constant?\n\nYours, and curious",
        (
            "The level of {g} came first; the choice took it into account; success depends on it.",
            "Both the choice and success answer to {g}, which nobody could alter.",
        ),
        (
            "The choice came first; the level of {g} gave way to it; success depends on that level.",
            "Success answers to {g}, and {g} to the choice.",
        ),
        (
            "As for {w}, it is a cause: of the choice, by being read, and of success, by what it stands for.",
            "As for {w}, choice and success both follow from what had been noted there.",
        ),
        (
            "As for {w}, it is an effect: of the choice and of success, both of which the examiner knew.",
            "As for {w}, what is noted there follows from choice and from success.",
        ),
        "{g} belongs there",
        "{g} does not belong there",
        "{w} belongs there",
        "{w} does not belong there",
    ),
)


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw which of the two classifications is a common cause, each of four combinations being as likely."""
    number = rng.randrange(len(WORDINGS))
    words, state = WORDINGS[number], rng.choice(PAIRS)
    fields = {name: getattr(scene, name) for name in Scene.__slots__}
    fields |= {name.capitalize(): sentence(fields[name]) for name in ("g", "w", "keeper")}
    group = rng.choice(words.group_early if state[0] else words.group_late).format(**fields)
    mark = rng.choice(words.mark_early if state[1] else words.mark_late).format(**fields)
    first = Point(
        words.split.format(**fields),
        words.pool.format(**fields),
        _facts(("G",), ("W",) if state[1] else ()),
        f"{scene.g} is a common cause of choice and outcome, so its groups are to be kept apart."
        if state[0]
        else f"{scene.g} lies on the way from choice to outcome, so splitting by it removes part of the "
        f"effect.",
        True,
    )
    second = Point(
        words.use.format(**fields),
        words.leave.format(**fields),
        _facts(("W",), ("G",) if state[0] else ()),
        f"The {scene.w} is a common cause and has to be held fixed."
        if state[1]
        else f"The {scene.w} is a common effect of choice and outcome, and holding it fixed joins them "
        f"falsely.",
        True,
    )
    return Draft(
        dag(f"{GROUP[state[0]]} {MARK[state[1]]} X>Y"),
        words.stem.format(group=group, mark=mark, y_plain=f"are among those {scene.who} {scene.y}", **fields),
        combined(first, second, state),
        f"simpson/base/{number}",
        scene.name,
        f"group={state[0]} mark={state[1]}",
    )


def _facts(this: tuple[str, ...], rest: tuple[str, ...]) -> tuple[tuple[ValidAdjustment, bool], ...]:
    """Return that adding this to the rest of the right set makes it valid, and leaving it out does not."""
    return (
        (ValidAdjustment(("X",), "Y", (*this, *rest)), True),
        (ValidAdjustment(("X",), "Y", rest), False),
    )
