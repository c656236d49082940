"""Base: do averages of groups show what the exposure does to one unit, and do the units of one group?"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.ecological_fallacy.scenes import Scene
from assay.causal.draft import Draft
from assay.causal.options.crossed import PAIRS
from assay.causal.options.two_facts import Point, combined
from assay.causal.queries import Compare, Term, crude, effect, p
from assay.causal.scm import Scm, binary, levels
from assay.causal.wording.graphs import sentence

TENTH = Fraction(1, 10)


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: `alike`/`unlike` tell how groups differ, `accident`/`choosy` which units were exposed."""

    stem: str
    alike: tuple[str, ...]
    unlike: tuple[str, ...]
    accident: tuple[str, ...]
    choosy: tuple[str, ...]
    between: str
    not_between: str
    within: str
    not_within: str


WORDINGS = (
    Words(
        "For each of a few hundred {groups} the statistical office knows what share of the {units} {x} and "
        "what share {y}. A straight line through these pairs is steep. For a handful of {groups} there are "
        "also records of single {units}, from which those {who} {x} can be set against those {who} {x_no} "
        "in the same {group}.\n\nWhat a {unit} does affects that {unit} alone, and every one by the same "
        "number of points. {between} {within}\n\nThe quantity of interest is by how much the probability "
        "that a {unit} {y_one} is changed on average by what that {unit} does. Who draws the right "
        "conclusion about the two sources?",
        (
            "Why the share of one {group} is higher than that of another is a story of leaflets delivered "
            "or not, at the whim of a printer.",
            "{Groups} do not differ in anything that bears on the outcome, but for the share of {units} "
            "exposed.",
        ),
        (
            "{Groups} with a higher share also differ in {d}, and {d} bears on the outcome of everybody "
            "there.",
            "It is {d} that makes for a high share in a {group}, and {d} touches all of its {units}, "
            "exposed or not.",
        ),
        (
            "Inside a {group} it was hit or miss which of the {units} were exposed.",
            "Which {units} of a {group} were exposed had nothing to do with the {units} themselves.",
        ),
        (
            "Inside any {group} it was chiefly the {units} with {v_high} that were exposed, and {v} "
            "has its own bearing on the outcome; it is spread alike over all {groups}.",
            "Into exposed and unexposed the {units} of a {group} sorted themselves by {v}, which affects "
            "the outcome and is spread evenly over the {groups}.",
        ),
        "the line through the {groups} shows it",
        "the line through the {groups} does not show it",
        "the records of single {units} show it",
        "the records of single {units} do not show it",
    ),
    Words(
        "Two colleagues study what it does to a {unit} to be among those {who} {x}, rather than those {who} "
        "{x_no}; the outcome is whether they {y}. There is no interplay between {units}, and exposure adds "
        "the same to everyone's chance. The first colleague regresses the rate of each {group} on its share "
        "exposed. The second, with data on single {units}, subtracts rates inside {groups} and averages. As "
        "to how shares came about: {between} As to who was exposed: {within}\n\nSo which of the two has, "
        "apart from sampling error, the average effect on a {unit}?",
        (
            "the shares were set by a draw among the {groups}.",
            "the shares differ through accidents of supply which are linked to nothing else.",
        ),
        (
            "the shares follow {d}, on which the outcome depends directly.",
            "the shares are high where {d} is of a certain kind, and rates would differ there anyway.",
        ),
        (
            "inside a {group}, a draw among the {units}.",
            "inside a {group}, {units} exposed and not exposed are of the same kinds in the same "
            "proportions.",
        ),
        (
            "inside a {group}, mostly {units} with {v_high}; each {group} has as large a part of "
            "these, and their rate is another in any case.",
            "inside a {group}, {units} picked out by {v}, a cause of the outcome whose distribution is the "
            "same in every {group}.",
        ),
        "the first colleague's regression does",
        "the first colleague's regression does not",
        "the second colleague's subtraction does",
        "the second colleague's subtraction does not",
    ),
    Words(
        "Methods seminar, handout\n\nUnit: a {unit}. Cluster: a {group}. Exposure: {x} (otherwise {x_no}). "
        "Outcome: {y}. Exposure acts on the exposed {unit} alone, and on all alike.\nEstimator E "
        "(ecological): slope of the clusters' outcome rates on their exposure shares.\nEstimator W "
        "(within): mean of exposed minus unexposed inside clusters.\nClusters: {between}\nUnits in a "
        "cluster: {within}\n\nWhich estimators are consistent for the average individual effect?",
        (
            "exposure share assigned at random; clusters exchangeable otherwise.",
            "exposure share unrelated to all else that varies between clusters.",
        ),
        (
            "exposure share driven by {d}; {d} has an effect on the outcome.",
            "exposure share and outcome rate have {d} as a common cause.",
        ),
        (
            "exposure assigned at random inside the cluster.",
            "exposure unrelated to all else that varies inside the cluster.",
        ),
        (
            "exposure driven by {v}; {v} has an effect on the outcome; its distribution does not vary "
            "between clusters.",
            "exposure and outcome have {v} as a common cause, present in equal measure in all clusters.",
        ),
        "E is consistent",
        "E is inconsistent",
        "W is consistent",
        "W is inconsistent",
    ),
)


def model(state: tuple[bool, bool]) -> Scm:
    """Return a model of three kinds of groups; the state says whether groups and units are comparable."""
    shift = 0 if state[0] else 1
    lean = 0 if state[1] else 1
    rates: dict[tuple[int, ...] | int, Fraction] = {
        (x, g, v): (1 + 2 * x + shift * g + 2 * v) * TENTH for x in (0, 1) for g in range(3) for v in (0, 1)
    }
    return Scm(
        (
            levels("G", "", {(): [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]}),
            binary("V", "", Fraction(1, 2), hidden=True),
            binary(
                "X",
                "G V",
                {(g, v): (3 + 2 * g + lean * (2 * v - 1)) * TENTH for g in range(3) for v in (0, 1)},
            ),
            binary("Y", "X G V", rates),
        )
    )


def slope(low: int = 0, high: int = 2) -> Term:
    """Return the outcome's rise from one kind of group to another, per unit of the exposure share's rise."""
    rise = p({"Y": 1}, {"G": high}) - p({"Y": 1}, {"G": low})
    return rise / (p({"X": 1}, {"G": high}) - p({"X": 1}, {"G": low}))


INSIDE = crude("X", "Y", given={"G": 1})
MODELS = {state: model(state) for state in PAIRS}


def base(rng: random.Random, scene: Scene) -> Draft:
    """Draw which of the two sources shows the individual effect, each combination being as likely."""
    number = rng.randrange(len(WORDINGS))
    words, state = WORDINGS[number], rng.choice(PAIRS)
    fields = {name: getattr(scene, name) for name in Scene.__slots__}
    fields |= {"Groups": sentence(scene.groups), "y_one": f"is among those {scene.who} {scene.y}"}
    between = rng.choice(words.alike if state[0] else words.unlike).format(**fields)
    within = rng.choice(words.accident if state[1] else words.choosy).format(**fields)
    first = Point(
        words.between.format(**fields),
        words.not_between.format(**fields),
        ((Compare(slope(), "=", effect("X", "Y")), True),),
        f"The {scene.groups} differ in nothing else that matters, so their averages move by the individual "
        f"effect."
        if state[0]
        else f"The {scene.groups} also differ in {scene.d}, so their averages mix its effect with the "
        f"exposure's.",
        False,
    )
    second = Point(
        words.within.format(**fields),
        words.not_within.format(**fields),
        ((Compare(INSIDE, "=", effect("X", "Y")), True),),
        "Inside a group the exposed are like the unexposed."
        if state[1]
        else f"Inside a group the exposed differ in {scene.v}, a cause of the outcome.",
        True,
    )
    return Draft(
        MODELS[state],
        words.stem.format(between=between, within=within, **fields),
        combined(first, second, state),
        f"ecological-fallacy/base/{number}",
        scene.name,
        f"between={state[0]} within={state[1]}",
        (("individual effect", effect("X", "Y")), ("slope of groups", slope()), ("inside a group", INSIDE)),
    )
