"""Numeric: the study's results, weighted by the target's mix of what precedes treatment."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

from assay.causal.concepts.transportability.scenes import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.draws import chance, until
from assay.causal.options.estimands import Estimand, offered, place
from assay.causal.proof.derived.route import Derived
from assay.causal.queries import Term, adjusted, adjusted_difference, crude, p, term
from assay.causal.scm import Scm, binary
from assay.causal.wording.figures import percent
from assay.causal.wording.graphs import sentence
from assay.causal.wording.tables import table

HERE, THERE = {"S": 0}, {"S": 1}
CRUDE = crude("X", "Y", given=HERE)
BEFORE = (
    "At {study} a lottery settled which {units} {x} and which {x_no}. Both {a} and {b} were known before "
    "the lottery. Share of {units} {that} {y}:\n\n{table}\n\nAt {study}, {qa} have {a_high}; {b_high} is "
    "found among {qb1} of those and among {qb0} of the others. At {target}, {ra} have {a_high}; {b_high} is "
    "found among {rb1} of those and {rb0} of the others. For {units} alike in both traits the two places do "
    "not differ. By how much would the share {that} {y} at {target} be higher if all had the first treatment "
    "rather than the second?",
    "The result of a random assignment at {study} is to be restated for {target}. First the rates at which "
    "{units} {y}, those {that} {x} (treated) and those {that} {x_no} (untreated), by two traits fixed in "
    "advance:\n\n{table}\n\nThen the make-up. {Study}: {a_high} {qa}; {b_high} given {a_high} {qb1}, given "
    "{a_low} {qb0}. {Target}: {a_high} {ra}; {b_high} given {a_high} {rb1}, given {a_low} {rb0}. Rates "
    "within the four rows hold in either place. What is the average effect of treatment at {target}, as a "
    "difference in the rate?",
    "“We cannot experiment here,” say {target}, “but you did.” The experiment at {study} assigned {units} "
    "by drawing lots and noted which {y}:\n\n{table}\n\nBoth columns on the left were filled in beforehand. "
    "“With you {qa} had {a_high}, with us it is {ra}. With you {b_high} occurred in {qb1} of the cases with "
    "{a_high} and {qb0} of those with {a_low}; with us in {rb1} and {rb0}.” Once the two columns are given, "
    "place makes no difference. What does the experiment imply for treating everybody instead of nobody at "
    "{target}?",
)
AFTER = (
    "At {study} a lottery decided which {units} {x} and which {x_no}. {B} was known before; {a} was taken "
    "at the end and responds to treatment. The shares with {a_high} and the shares {that} {y}, the latter by "
    "{a}:\n\n{table}\n\n{B_high} is found among {qb} of the {units} at {study} and among {rb} at {target}, "
    "where nobody is treated and {ra} now have {a_high}. In all else the places agree, down to how {a} "
    "answers to treatment. What is the total effect, on the share {that} {y}, of treating all rather than "
    "none at {target}?",
    "The following was found at {study}, with treatment ({x}) or its absence ({x_no}) drawn at random. {A} "
    "is what was observed weeks later, and is partly the treatment's doing; {b} dates from "
    "before.\n\n{table}\n\nTo be carried over to {target}. There {rb} have {b_high} instead of {qb}. There, "
    "too, {ra} have {a_high} at present, without anyone being treated. The rest, including every percentage "
    "of the table, is common to both. How large is the difference in the share of {units} {that} {y} between "
    "treatment for all at {target} and treatment for none?",
    "Exercise. Source: {study} (treatment randomised: {x} / {x_no}). Target: {target} (untreated so far). "
    "Covariate: {b}, {b_high} in {qb} of the source and {rb} of the target. Intermediate variable: {a}, "
    "affected by the covariate and by treatment; {a_high} currently in {ra} of the target. Outcome: {units} "
    "{that} {y}. The conditional percentages below are valid in both populations.\n\n{table}\n\nCompute the "
    "target's average total effect as a risk difference.",
)


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw whether both traits precede treatment or one follows it, the key's rank, and numbers that fit."""
    make = _before if rng.random() < 0.5 else _after
    number, wanted = rng.randrange(3), place(rng)
    fields = {name: getattr(scene, name) for name in Scene.__slots__}
    fields |= {name.capitalize(): sentence(fields[name]) for name in ("study", "target", "a", "b", "b_high")}

    def draft() -> Draft | None:
        scm, asked, others = make(rng)
        answers = offered(rng, scm, asked, others, wanted)
        if answers is None:
            return None
        templates = BEFORE if make is _before else AFTER
        shown = _before_shown(scm, scene) if make is _before else _after_shown(scm, scene)
        return Draft(
            scm,
            templates[number].format(**shown, **fields),
            answers,
            f"transportability/numeric/{number + 3 * (make is _after)}",
            scene.name,
            f"{make.__name__.strip('_')} rank={wanted.rank}",
            (("effect in the study", CRUDE), ("effect in the target", asked.term)),
        )

    return until(draft)


def carried(over: tuple[str, ...]) -> Term:
    """Return the study's effect, standardised to the target's distribution of these covariates."""
    return adjusted_difference("X", "Y", over, within=HERE, weights=THERE)


def _half(over: tuple[str, ...]) -> Term:
    """Return the difference with only the treated arm standardised."""
    return adjusted({"Y": 1}, {"X": 1}, over, within=HERE, weights=THERE) - p({"Y": 1}, {"X": 0, **HERE})


def _plain(over: tuple[str, ...]) -> Term:
    """Return the unweighted mean of the differences in the groups."""
    groups = [dict(zip(over, levels, strict=True)) for levels in itertools.product((0, 1), repeat=len(over))]
    total = term(0)
    for group in groups:
        total = total + crude("X", "Y", given={**group, **HERE})
    return total / len(groups)


def _before(rng: random.Random) -> tuple[Scm, Estimand, list[Estimand]]:
    """Both traits precede treatment and differ between the places."""
    scm = Scm(
        (
            binary("S"),
            binary("A", "S", _tenths(rng, 1)),
            binary("B", "S A", _tenths(rng, 2)),
            binary("X"),
            binary("Y", "X A B", _rates(rng)),
        )
    )
    asked = Estimand(
        carried(("A", "B")),
        Kind.PARTIAL,
        "The four rows' differences, weighted by the target's shares of the rows.",
    )
    others = [
        Estimand(CRUDE, Kind.REFLEX, "The study's own effect, with the study's make-up."),
        Estimand(
            carried(("A",)),
            Kind.PARTIAL,
            "Weighted by the target's first trait, the second left as in the study.",
        ),
        Estimand(
            carried(("B",)),
            Kind.PARTIAL,
            "Weighted by the target's second trait, the first left as in the study.",
        ),
        Estimand(
            _half(("A", "B")),
            Kind.MISAPPLIED,
            "Only the treated are weighted anew, the untreated are the study's.",
        ),
        Estimand(
            carried(("A", "B")) * -1 + CRUDE * 2,
            Kind.REVERSED,
            "The correction is applied the wrong way round.",
        ),
    ]
    return scm, asked, others


def _after(rng: random.Random) -> tuple[Scm, Estimand, list[Estimand]]:
    """Trait B precedes treatment and differs between the places; trait A follows it."""
    scm = Scm(
        (
            binary("S"),
            binary("B", "S", _tenths(rng, 1)),
            binary("X", "S", {0: Fraction(1, 2), 1: Fraction(0)}),
            binary("A", "X B", _tenths(rng, 2)),
            binary("Y", "X A B", _rates(rng)),
        )
    )
    asked = Estimand(
        carried(("B",)),
        Kind.PARTIAL,
        "Within each level of the covariate, each arm keeps its own share of the later trait; the two "
        "differences are weighted by the target's covariate.",
    )
    others = [
        Estimand(CRUDE, Kind.REFLEX, "The study's own effect, with the study's covariate."),
        Estimand(
            carried(("A", "B")),
            Kind.MISAPPLIED,
            "Weighted by the target's present make-up in both: the part of the effect that runs through the "
            "later trait is lost.",
        ),
        Estimand(
            carried(("A",)), Kind.REVERSED, "Weighted by what follows treatment, not by what precedes it."
        ),
        Estimand(
            _plain(("B",)), Kind.PARTIAL, "Right within the covariate's levels, but these are weighted alike."
        ),
        Estimand(
            _half(("B",)), Kind.PARTIAL, "Only the treated are weighted anew, the untreated are the study's."
        ),
    ]
    return scm, asked, others


def _tenths(rng: random.Random, parents: int) -> dict[tuple[int, ...] | int, Fraction]:
    keys = itertools.product((0, 1), repeat=parents)
    return {key: chance(rng, Fraction(1, 10), Fraction(9, 10), Fraction(1, 10)) for key in keys}


def _rates(rng: random.Random) -> dict[tuple[int, ...] | int, Fraction]:
    keys = itertools.product((0, 1), repeat=3)
    return {key: chance(rng, Fraction(1, 20), Fraction(19, 20), Fraction(1, 20)) for key in keys}


def _before_shown(scm: Scm, scene: Scene) -> dict[str, str]:
    shares, more, rates = (scm.by_name[name].table for name in ("A", "B", "Y"))
    rows = [
        (one, other, *(percent(rates[(x, a, b)][1], 0) for x in (1, 0)))
        for a, one in enumerate((scene.a_low, scene.a_high))
        for b, other in enumerate((scene.b_low, scene.b_high))
    ]
    shown = {"table": table((scene.a, scene.b, "treated", "untreated"), rows)}
    for place_, letter in enumerate("qr"):
        shown[f"{letter}a"] = percent(shares[(place_,)][1], 0)
        for a in (0, 1):
            shown[f"{letter}b{a}"] = percent(more[(place_, a)][1], 0)
    return shown


def _after_shown(scm: Scm, scene: Scene) -> dict[str, str]:
    shares, later, rates = (scm.by_name[name].table for name in ("B", "A", "Y"))
    rows = [
        (
            level,
            ("untreated", "treated")[x],
            percent(later[(x, b)][1], 0),
            *(percent(rates[(x, a, b)][1], 0) for a in (1, 0)),
        )
        for b, level in enumerate((scene.b_low, scene.b_high))
        for x in (1, 0)
    ]
    header = (scene.b, "arm", scene.a_high, f"outcome, {scene.a_high}", f"outcome, {scene.a_low}")
    return {
        "table": table(header, rows),
        "qb": percent(shares[(0,)][1], 0),
        "rb": percent(shares[(1,)][1], 0),
        "ra": percent(Derived(scm).number(p({"A": 1}, THERE)), 1),
    }
