"""Numeric: a natural or controlled effect by the mediation formula, with a covariate to standardise over."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

from assay.causal.concepts.mediation.figured import held
from assay.causal.concepts.mediation.scene import Scene
from assay.causal.draft import Answer, Draft, Kind
from assay.causal.draws import chance, until
from assay.causal.options.numbered import Figure, figures
from assay.causal.queries import Term, adjusted, adjusted_difference, counterfactual, effect, p, term
from assay.causal.scm import Scm, binary
from assay.causal.search.beside import Place, beside, drawn_place
from assay.causal.search.rough import Rough
from assay.causal.wording.figures import percent, points
from assay.causal.wording.tables import table

TWENTIETH = Fraction(1, 20)
LEAST = Fraction(2, 100)
DRAWN = ("held low", "held high", "direct", "indirect", "total direct", "total indirect")
WEIGHTS = (5, 5, 4, 4, 2, 2)

STEMS = (
    "{Setting} assigned {units} to two courses by a random number: with the step they {x}, without it "
    "they {x_no}. Of all {units}, {high_share} are '{w_high}' and {low_share} '{w_low}' as to {w}, which "
    "nothing in the study can change. {W_bears}.\n\n{table}\n\nNothing besides {w} has a hand in both {m} "
    "and the outcome, which is that they {y}. Find, in whole percentage points and for the whole population, "
    "{target}.",
    "From a course on mediation, sheet 7. X is randomised among {units} (X = 1: they {x}; X = 0: they "
    "{x_no}); W is {w}, a baseline trait with P(W = '{w_high}') = {high_share}; M is {m}; Y means that they "
    "{y}. W is the only confounder of M and Y. The exact figures:\n\n{table}\n\nCompute, to the nearest "
    "whole percentage point, {target}.",
    "Memo to the board of {setting}\n\nYou asked what our step does (with it, {units} {x}; otherwise they "
    "{x_no}). Which of them it fell to was a matter of pure chance. The sheet splits the {units} by {w}, "
    "long settled by then: '{w_low}', {low_share} of them all, and '{w_high}', {high_share}. We can vouch "
    "that no other trait affects both {m} and whether they {y}.\n\n{table}\n\nThe figure you wanted, "
    "averaged over them all and in whole percentage points, is {target}. It comes to",
)
TARGETS = {
    "held low": (
        "the change in the share with the outcome due to the step if {m} were kept at '{m_low}' for all"
    ),
    "held high": (
        "the change in the share with the outcome due to the step if {m} were kept at '{m_high}' for all"
    ),
    "direct": (
        "the change in the share with the outcome due to the step if {m} stayed, for each of the {units}, "
        "as it would be without the step"
    ),
    "indirect": (
        "the change in the share with the outcome, always without the step, if only {m} became, for each "
        "of the {units}, what the step would make it"
    ),
    "total direct": (
        "the change in the share with the outcome due to the step if {m} were, in both cases and for each "
        "of the {units}, what it would be with the step"
    ),
    "total indirect": (
        "the share with the outcome if all took the step, minus that share if all took it but {m} were "
        "undone, for each of the {units}, to what it would be without the step"
    ),
}


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw what is asked and at which place its figure stands, then mechanisms that put it there."""
    number, place = rng.randrange(len(STEMS)), drawn_place(rng)
    asked = rng.choices(DRAWN, WEIGHTS)[0]

    def make() -> tuple[Scm, tuple[Answer, ...]] | None:
        model = _model(rng)
        found = answered(model, asked, place, rng)
        return (model, found) if found else None

    model, answers = until(make)
    fields = scene.words()
    share = model.by_name["W"].table[()][1]
    stem = STEMS[number].format(
        table=_shown(model, scene),
        target=TARGETS[asked].format(**fields),
        low_share=percent(1 - share, 0),
        high_share=percent(share, 0),
        **fields,
    )
    derivation = tuple(_targets().items())
    told = f"asked={asked} rank={place.rank}"
    return Draft(model, stem, answers, f"mediation/numeric/{number}", scene.name, told, derivation)


def _nested(step: int, mediator: int) -> Term:
    """Return the share with the outcome under a step, the mediator as it would be under another."""
    return counterfactual({"Y": 1}, {"X": step}, mediators={"M": {"X": mediator}})


def formula(step: int, mediator: int) -> Term:
    """Return the same by the mediation formula (Pearl 2001), standardised over W."""
    found = term(0)
    for w, m in itertools.product((0, 1), repeat=2):
        outcome = p({"Y": 1}, {"X": step, "M": m, "W": w})
        found = found + outcome * p({"M": m}, {"X": mediator, "W": w}) * p({"W": w})
    return found


def _targets() -> dict[str, Term]:
    """Return what is asked for, as counterfactuals."""
    return {
        "held low": held(0),
        "held high": held(1),
        "direct": _nested(1, 0) - _nested(0, 0),
        "indirect": _nested(0, 1) - _nested(0, 0),
        "total direct": _nested(1, 1) - _nested(0, 1),
        "total indirect": _nested(1, 1) - _nested(1, 0),
    }


def _figures() -> dict[str, Figure]:
    crossed_over = adjusted({"Y": 1}, {"X": 1}, ("M",), weights={"X": 0})
    return {
        "held low": Figure(held(0), "the effect with the mediator held low", Kind.MISAPPLIED),
        "held high": Figure(held(1), "the effect with the mediator held high", Kind.MISAPPLIED),
        "direct": Figure(formula(1, 0) - formula(0, 0), "the natural direct effect", Kind.PARTIAL),
        "indirect": Figure(formula(0, 1) - formula(0, 0), "the natural indirect effect", Kind.PARTIAL),
        "total direct": Figure(formula(1, 1) - formula(0, 1), "the total direct effect", Kind.REVERSED),
        "total indirect": Figure(formula(1, 1) - formula(1, 0), "the total indirect effect", Kind.REVERSED),
        "total": Figure(effect("X", "Y"), "the total effect", Kind.REFLEX),
        "over": Figure(
            adjusted_difference("X", "Y", ("M", "W")),
            "the difference standardised over mediator and covariate alike",
            Kind.REFLEX,
        ),
        "bare": Figure(
            crossed_over - p({"Y": 1}, {"X": 0}),
            ("the direct effect with the covariate forgotten"),
            Kind.PARTIAL,
        ),
        "bare indirect": Figure(
            p({"Y": 1}, {"X": 1}) - crossed_over,
            "the total indirect effect with the covariate forgotten",
            Kind.PARTIAL,
        ),
    }


def answered(model: Scm, asked: str, place: Place, rng: random.Random) -> tuple[Answer, ...] | None:
    """Return four figures with the key at its place among them, or None where this model has no such four."""
    found, rough = _figures(), Rough(model)
    others = [figure for name, figure in found.items() if name != asked]
    values = [rough.number(each.term) for each in others]
    places = beside(rough.number(found[asked].term), values, place, least=float(LEAST), rng=rng)
    if places is None:
        return None
    chosen = [others[each] for each in places]
    target = _targets()[asked]
    return figures(
        model, found[asked], chosen, place.rank, show=whole_points, places=2, least=LEAST, target=target
    )


def whole_points(difference: Fraction) -> str:
    """Write a difference in whole points: decimals would tell one sort of figure from another."""
    return points(difference, 0)


def _model(rng: random.Random) -> Scm:
    def draw(low: int, high: int) -> Fraction:
        return chance(rng, low * TWENTIETH, high * TWENTIETH, TWENTIETH)

    kinds = (0, 1)
    return Scm(
        (
            binary("W", table=draw(6, 14)),
            binary("X"),
            binary("M", "W X", {(w, x): draw(2, 18) for w in kinds for x in kinds}),
            binary("Y", "W X M", {(w, x, m): draw(1, 19) for w in kinds for x in kinds for m in kinds}),
        )
    )


def _shown(model: Scm, scene: Scene) -> str:
    header = (
        scene.w.removeprefix("the "),
        "step",
        f"'{scene.m_high}'",
        f"outcome if '{scene.m_low}'",
        (f"outcome if '{scene.m_high}'"),
    )
    outcome, mediator = model.by_name["Y"].table, model.by_name["M"].table
    rows = [
        (
            scene.w_high if w else scene.w_low,
            "with" if x else "without",
            percent(mediator[(w, x)][1], 0),
            *(percent(outcome[(w, x, m)][1], 0) for m in (0, 1)),
        )
        for w in (0, 1)
        for x in (0, 1)
    ]
    return table(header, rows)
