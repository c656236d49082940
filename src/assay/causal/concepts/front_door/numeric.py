"""Numeric: the front-door formula, or its second half, worked from what is observed."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

from assay.causal.concepts.front_door.scene import Scene
from assay.causal.draft import Answer, Draft, Kind
from assay.causal.draws import chance, until
from assay.causal.options.numbered import Figure, figures
from assay.causal.proof.counted.route import Counted
from assay.causal.queries import Term, adjusted, adjusted_difference, crude, effect, p, term
from assay.causal.scm import Scm, binary
from assay.causal.search.beside import Place, beside, drawn_place
from assay.causal.search.rough import Rough
from assay.causal.wording.figures import percent, points
from assay.causal.wording.tables import table

TENTH, HUNDREDTH = Fraction(1, 10), Fraction(1, 100)
LEAST = 2 * HUNDREDTH
CHOICE, BETWEEN = "choice", "between"

STEMS = (
    "{Setting} knows that {chosen} of its {units} {x}; the rest {x_no}. {hidden}. {sole}. Chance aside, "
    "nothing but the choice moves {m}.\n\n{table}\n\nThe last two columns give the share {who} {y}. What "
    "is, rounded to whole percentage points, {target}?",
    "Front-door drill. U is latent. X: {units} {x} (1) or {x_no} (0), P(X = 1) = {chosen}. M: {m}, with "
    "levels '{m_low}' and '{m_high}'. Y: they {y}. The arrows: U → X, U → Y, X → M, M → Y. Observed, "
    "without sampling error:\n\n{table}\n\n(The outcome columns hold the share with Y = 1.) In whole "
    "percentage points, find {target}.",
    "A consultant writes to {setting}: 'You cannot tell me why {units} {x} or {x_no}, and I believe you "
    "when you say that the reasons also have to do with whether they {y}, though not with {m}, which owes "
    "the rest of its variation to accident. Since the choice does all it does by way of {m}, we can manage. "
    "{chosen} {x}, and:\n\n{table}\n\nThe outcome columns hold the share {who} {y}. From this I have worked "
    "out {target}, in percentage points without decimals.' At what figure did the consultant arrive, if "
    "there is no mistake in it?",
)
TARGETS = {
    CHOICE: "the total effect of the choice, everybody against nobody, on the share with the outcome",
    BETWEEN: (
        "the effect on the share with the outcome of setting {m} to '{m_high}' rather than '{m_low}' for "
        "everybody"
    ),
}


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw what is asked and at which place its figure stands, then mechanisms that put it there."""
    number, place = rng.randrange(len(STEMS)), drawn_place(rng, sized=True)
    asked = rng.choice((CHOICE, BETWEEN))

    def make() -> tuple[Scm, tuple[Answer, ...]] | None:
        model = _model(rng)
        found = answered(model, asked, place, rng)
        return (model, found) if found else None

    model, answers = until(make)
    fields = scene.words()
    share = Counted(model).number(p({"X": 1}))
    stem = STEMS[number].format(
        chosen=percent(share, 0), table=_shown(model, scene), target=TARGETS[asked].format(**fields), **fields
    )
    derivation = (
        ("change of the mediator with the choice", crude("X", "M")),
        ("change of the outcome with the mediator, standardised", adjusted_difference("M", "Y", ("X",))),
        ("front-door formula", formula(1) - formula(0)),
        ("plain difference", crude("X", "Y")),
    )
    told = f"asked={asked} rank={place.rank}"
    return Draft(model, stem, answers, f"front-door/numeric/{number}", scene.name, told, derivation)


def formula(step: int) -> Term:
    """Return the front-door formula for one choice (Pearl 1995): sum over m of P(m | x) P(Y | do m)."""
    found = term(0)
    for m in (0, 1):
        found = found + p({"M": m}, {"X": step}) * adjusted({"Y": 1}, {"M": m}, ("X",))
    return found


def answered(model: Scm, asked: str, place: Place, rng: random.Random) -> tuple[Answer, ...] | None:
    """Return four figures with the key at its place among them, or None where this model has no such four."""
    first, half = crude("X", "M"), adjusted_difference("M", "Y", ("X",))
    among = {x: crude("M", "Y", given={"X": x}) for x in (0, 1)}
    turned = crude("M", "X")
    if asked == CHOICE:
        key, target = (
            Figure(formula(1) - formula(0), "the front-door formula's total effect"),
            effect("X", "Y"),
        )
        others = [
            Figure(crude("X", "Y"), "the plain difference by choice", Kind.REFLEX),
            Figure(
                adjusted_difference("X", "Y", ("M",)),
                "the choice's difference standardised over the mediator",
                Kind.MISAPPLIED,
            ),
            Figure(first * crude("M", "Y"), "the product of two plain differences", Kind.MISAPPLIED),
            Figure(first * among[1], "the chain with a second step among those that made the choice"),
            Figure(first * among[0], "the chain with a second step among those that did not"),
            Figure(turned * half, "the chain with its first step turned round", Kind.REVERSED),
        ]
    else:
        key, target = Figure(half, "the mediator's effect, standardised over the choice"), effect("M", "Y")
        others = [
            Figure(crude("M", "Y"), "the mediator's plain difference, the choice ignored", Kind.REFLEX),
            Figure(among[1], "the mediator's difference among those that made the choice"),
            Figure(among[0], "the mediator's difference among those that did not"),
            Figure((among[0] + among[1]) / 2, "the unweighted mean over the two choices", Kind.MISAPPLIED),
            Figure(crude("Y", "M"), "the mediator's difference by outcome", Kind.REVERSED),
            Figure(crude("X", "Y"), "the plain difference by choice", Kind.REVERSED),
        ]
    rough = Rough(model)
    values = [rough.number(each.term) for each in others]
    places = beside(rough.number(key.term), values, place, least=float(LEAST), rng=rng)
    if places is None:
        return None
    picked = [others[each] for each in places]
    return figures(model, key, picked, place.rank, show=_whole, places=2, least=LEAST, target=target)


def _model(rng: random.Random) -> Scm:
    """Draw a model whose observed shares are whole percentages.

    The hidden cause is drawn given the choice, in tenths, and turned round: what a reader sees is a mix of
    two outcome shares in tenths with weights in tenths.
    """

    def draw(low: int, high: int) -> Fraction:
        return chance(rng, low * TENTH, high * TENTH, TENTH)

    share, hidden = draw(3, 7), {0: draw(1, 5), 1: draw(5, 9)}
    whole = {u: share * _of(hidden[1], u) + (1 - share) * _of(hidden[0], u) for u in (0, 1)}
    return Scm(
        (
            binary("U", table=whole[1], hidden=True),
            binary("X", "U", {u: share * _of(hidden[1], u) / whole[u] for u in (0, 1)}),
            binary("M", "X", {x: draw(1, 9) for x in (0, 1)}),
            binary("Y", "U M", {pair: draw(0, 10) for pair in itertools.product((0, 1), repeat=2)}),
        )
    )


def _whole(difference: Fraction) -> str:
    """Write a difference in whole points: decimals would tell standardised figures from plain ones."""
    return points(difference, 0)


def _of(share: Fraction, level: int) -> Fraction:
    return share if level else 1 - share


def _shown(model: Scm, scene: Scene) -> str:
    route = Counted(model)
    header = (
        "choice",
        f"share with '{scene.m_high}'",
        f"outcome at '{scene.m_low}'",
        f"outcome at '{scene.m_high}'",
    )
    rows = [
        (
            scene.x if x else scene.x_no,
            percent(route.number(p({"M": 1}, {"X": x})), 0),
            *(percent(route.number(p({"Y": 1}, {"X": x, "M": m})), 0) for m in (0, 1)),
        )
        for x in (1, 0)
    ]
    return table(header, rows)
