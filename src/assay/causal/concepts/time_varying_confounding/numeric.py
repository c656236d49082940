"""Numeric: joint effects of two measures by the g-formula, or the second one's effect, from a table."""

from __future__ import annotations

import random
from fractions import Fraction

from assay.causal.concepts.time_varying_confounding.scene import Scene
from assay.causal.draft import Answer, Draft, Kind
from assay.causal.draws import chance, until
from assay.causal.options.numbered import Figure, figures
from assay.causal.queries import Term, adjusted, adjusted_difference, crude, effect, p
from assay.causal.scm import Scm, binary
from assay.causal.search.beside import Place, beside, drawn_place
from assay.causal.search.rough import Rough
from assay.causal.wording.figures import percent, points
from assay.causal.wording.tables import table

TWENTIETH = Fraction(1, 20)
LEAST = Fraction(2, 100)
COURSE, EARLY, LATE = "course", "early", "late"

STEMS = (
    "{Setting} followed {units} over two decisions. {even} of them, drawn blindly, {first}; the others "
    "{first_no}. Then came {reading}, which the first decision could move and which the second could "
    "follow: some {second}, some {second_no}. No cause that bears on two of these is missing "
    "below.\n\n{table}\n\nWanted, in whole percentage points, is {target}.",
    "Worked example for the g-formula. A0: {units} {first} (1) or {first_no} (0), randomised with P(A0 = "
    "1) = {even}. L: {reading}, '{low}' or '{high}'. A1: they {second} (1) or {second_no} (0). Y: they "
    "{y}. Arrows: A0 → L, A0 → A1, L → A1, and all three into Y; no latent "
    "variables.\n\n{table}\n\nCalculate {target}, in whole percentage points.",
    "An inspector of {setting} adds up what the archive holds. Lots had been cast at the outset, by which "
    "{even} of the {units} {first} and the rest {first_no}. What came next could depend on all that came "
    "before, but on nothing outside this sheet:\n\n{table}\n\nHis question, to be answered in whole "
    "percentage points, concerns {target}. What does the sheet yield?",
)
TARGETS = {
    COURSE: (
        "the change in the share {who} {y} if the measure were imposed at both times, as against at neither"
    ),
    EARLY: (
        "the change in the share {who} {y} due to imposing the first measure, if the second were withheld "
        "from all in either case"
    ),
    LATE: (
        "the change in the share {who} {y} due to imposing the second measure on all rather than on none, "
        "the first left as it was"
    ),
}


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw what is asked and at which place its figure stands, then mechanisms that put it there."""
    number, place = rng.randrange(len(STEMS)), drawn_place(rng)
    asked = rng.choice((COURSE, EARLY, LATE))

    def make() -> tuple[Scm, tuple[Answer, ...]] | None:
        model = _model(rng)
        found = answered(model, asked, place, rng)
        return (model, found) if found else None

    model, answers = until(make)
    fields = scene.words()
    stem = STEMS[number].format(
        even=percent(model.by_name["A"].table[()][1], 0),
        table=_shown(model, scene),
        target=TARGETS[asked].format(**fields),
        **fields,
    )
    derivation = (
        ("both times, against neither", _joint(1, 1) - _joint(0, 0)),
        ("the first, the second withheld", _joint(1, 0) - _joint(0, 0)),
        ("the second", effect("B", "Y")),
    )
    told = f"asked={asked} rank={place.rank}"
    template = f"time-varying-confounding/numeric/{number}"
    return Draft(model, stem, answers, template, scene.name, told, derivation)


def _joint(first: int, second: int) -> Term:
    return p({"Y": 1}, do={"A": first, "B": second})


def _seen(first: int, second: int) -> Term:
    return p({"Y": 1}, {"A": first, "B": second})


def _strata(first: int, second: int) -> Term:
    return adjusted({"Y": 1}, {"A": first, "B": second}, ("L",))


def answered(model: Scm, asked: str, place: Place, rng: random.Random) -> tuple[Answer, ...] | None:
    """Return four figures with the key at its place among them, or None where this model has no such four."""
    course = Figure(
        _joint(1, 1) - _joint(0, 0), ("both measures against neither, by the g-formula"), Kind.MISAPPLIED
    )
    early = Figure(
        _joint(1, 0) - _joint(0, 0), ("the first measure's effect with the second withheld"), Kind.PARTIAL
    )
    late = Figure(effect("B", "Y"), "the second measure's effect, over what came before it", Kind.PARTIAL)
    whole = Figure(
        effect("A", "Y"), ("the first measure's effect with the second left to follow"), Kind.PARTIAL
    )
    if asked == COURSE:
        key, others = (
            course,
            [
                Figure(
                    _seen(1, 1) - _seen(0, 0),
                    ("the difference between those found on either course"),
                    Kind.REFLEX,
                ),
                Figure(
                    _strata(1, 1) - _strata(0, 0),
                    ("the difference with the reading held fixed"),
                    Kind.MISAPPLIED,
                ),
                Figure(
                    effect("A", "Y") + effect("B", "Y"),
                    ("the sum of two separate total effects"),
                    Kind.REVERSED,
                ),
                early,
                late,
                whole,
            ],
        )
    elif asked == EARLY:
        key, others = (
            early,
            [
                Figure(
                    _seen(1, 0) - _seen(0, 0),
                    ("the difference among those found without the second"),
                    Kind.REFLEX,
                ),
                Figure(
                    _strata(1, 0) - _strata(0, 0),
                    ("the difference with the reading held fixed"),
                    Kind.MISAPPLIED,
                ),
                Figure(
                    _joint(1, 1) - _joint(0, 1),
                    ("the first measure's effect with the second imposed"),
                    Kind.REVERSED,
                ),
                course,
                whole,
            ],
        )
    else:
        key, others = (
            late,
            [
                Figure(crude("B", "Y"), "the second measure's plain difference", Kind.REFLEX),
                Figure(
                    adjusted_difference("B", "Y", ("L",)),
                    ("its difference standardised over the reading alone"),
                ),
                Figure(
                    adjusted_difference("B", "Y", ("A",)),
                    ("its difference standardised over the first measure alone"),
                ),
                Figure(_joint(1, 1) - _joint(1, 0), "its effect after the first measure", Kind.REVERSED),
                Figure(_joint(0, 1) - _joint(0, 0), "its effect without the first measure", Kind.REVERSED),
                course,
            ],
        )
    rough = Rough(model)
    values = [rough.number(each.term) for each in others]
    three = beside(rough.number(key.term), values, place, least=float(LEAST), rng=rng)
    if three is None:
        return None
    return figures(
        model, key, [others[at] for at in three], place.rank, show=whole_points, places=2, least=LEAST
    )


def whole_points(difference: Fraction) -> str:
    """Write a difference in whole points: decimals would tell one sort of figure from another."""
    return points(difference, 0)


def _model(rng: random.Random) -> Scm:
    def draw(low: int, high: int) -> Fraction:
        return chance(rng, low * TWENTIETH, high * TWENTIETH, TWENTIETH)

    pairs = [(a, reading) for a in (0, 1) for reading in (0, 1)]
    return Scm(
        (
            binary("A", table=draw(7, 13)),
            binary("L", "A", {a: draw(2, 18) for a in (0, 1)}),
            binary("B", "A L", {pair: draw(2, 18) for pair in pairs}),
            binary("Y", "A L B", {(*pair, b): draw(1, 19) for pair in pairs for b in (0, 1)}),
        )
    )


def _shown(model: Scm, scene: Scene) -> str:
    header = (
        "first time",
        scene.reading.removeprefix("the "),
        "share of those with that first decision",
        "measure taken second time",
        "outcome if taken",
        "outcome if not",
    )
    reading, second, outcome = (model.by_name[name].table for name in ("L", "B", "Y"))
    rows = [
        (
            scene.first if a else scene.first_no,
            scene.high if level else scene.low,
            percent(reading[(a,)][level], 0),
            percent(second[(a, level)][1], 0),
            percent(outcome[(a, level, 1)][1], 0),
            percent(outcome[(a, level, 0)][1], 0),
        )
        for a in (1, 0)
        for level in (0, 1)
    ]
    return table(header, rows)
