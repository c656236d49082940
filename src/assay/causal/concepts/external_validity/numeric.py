"""Numeric: the effect in everybody, or in those who stayed away, from participants and rates of joining."""

from __future__ import annotations

import random
from fractions import Fraction

from assay.causal.concepts.external_validity.scenes import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.draws import chance, until
from assay.causal.options.estimands import Estimand, offered, place
from assay.causal.proof.derived.route import Derived
from assay.causal.queries import Term, adjusted, adjusted_difference, crude, p, term
from assay.causal.scm import Scm, binary, levels
from assay.causal.wording.figures import percent
from assay.causal.wording.tables import table

ASKED = {
    "everybody": "among all of {whole}",
    "others": "among those of {whole} {who} did not take part",
    "participants": "among those of {whole} {who} took part",
}
WORDINGS = (
    "All of {whole} were called upon to join a trial. For each combination of {v} and {w}, which by "
    "themselves determine how likely anybody is to join, the table has the number of participants, the "
    "percentage of those called that they make up, and the shares of participants that {y} in the two arms, "
    "assigned by coin ({x} / {x_no}):\n\n{table}\n\n{mark}Given {v} and {w}, participants and others would "
    "respond alike. What is the average effect of treatment on the share that {y} {asked}?",
    "Worked from the register of {whole}. Each line: a kind of {units}, how many of them enrolled, "
    "enrolment as a percentage of that kind, outcome rates (the outcome: they {y}) in the randomised arms, "
    "first for those {who} {x}, then for those {who} {x_no}.\n\n{table}\n\nWithin a line it is a matter of "
    "chance who enrolled. {mark}Wanted: the mean change in the rate due to treatment {asked}.",
    "“You have the enrolled and I have the enrolment rates; between us we have the answer.” The enrolled "
    "had been randomised into {units} {who} {x} and {units} {who} {x_no}; whether they {y} was noted. Put "
    "together it gave this:\n\n{table}\n\nNothing but {v} and {w} had a part in enrolment. {mark}The "
    "question they had been asked: by how many points would the share rise or fall if treatment were given "
    "instead of withheld, on average {asked}?",
)
MARK = (
    "Afterwards participants were also asked whether they were content: {c1} of those {who} {y} were, and "
    "{c0} of the rest, in either arm. "
)


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw whose effect is asked for, the key's rank, and numbers that fit."""
    number, wanted = rng.randrange(len(WORDINGS)), place(rng)
    who = rng.choices(tuple(ASKED), (11, 8, 2))[0]
    marked = rng.random() < 0.7
    fields = {name: getattr(scene, name) for name in Scene.__slots__}
    asked = ASKED[who].format(**fields)

    def draft() -> Draft | None:
        scm, size = population(rng, marked)
        terms = estimands()
        chosen = terms.pop(who)
        answers = offered(rng, scm, chosen, list(terms.values()), wanted)
        if answers is None:
            return None
        mark = ""
        if marked:
            shares = [percent(scm.by_name["C"].table[(y,)][1], 0) for y in (0, 1)]
            mark = MARK.format(c0=shares[0], c1=shares[1], **fields)
        return Draft(
            scm,
            WORDINGS[number].format(table=_table(scm, scene, size), mark=mark, asked=asked, **fields),
            answers,
            f"external-validity/numeric/{number}",
            scene.name,
            f"{who} rank={wanted.rank}",
            tuple((name, estimands()[name].term) for name in ("everybody", "participants")),
        )

    return until(draft)


def population(rng: random.Random, marked: bool) -> tuple[Scm, int]:
    """Draw four kinds of units, who joins, and rates; return the model and the number of people called."""
    rates = [chance(rng, Fraction(1, 10), Fraction(8, 10), Fraction(1, 10)) for _ in range(4)]
    called = [rng.randrange(40, 400, 10) for _ in range(4)]
    size = sum(called)
    variables = [
        levels("G", "", {(): [Fraction(count, size) for count in called]}),
        binary("P", "G", dict(enumerate(rates))),
        binary("X", "P", {0: Fraction(1, 10), 1: Fraction(1, 2)}),
        binary(
            "Y",
            "X G",
            {
                (x, g): chance(rng, Fraction(1, 20), Fraction(19, 20), Fraction(1, 20))
                for x in (0, 1)
                for g in range(4)
            },
        ),
    ]
    if marked:
        content: dict[tuple[int, ...] | int, Fraction] = {
            y: chance(rng, Fraction(2 + 5 * y, 10), Fraction(4 + 5 * y, 10), Fraction(1, 10)) for y in (0, 1)
        }
        variables.append(binary("C", "Y", content))
    return Scm(tuple(variables)), size


def estimands(kinds: int = 4) -> dict[str, Estimand]:
    """Return what can be computed from the table of so many kinds of units, by name."""
    return {
        "everybody": Estimand(
            adjusted_difference("X", "Y", ("G",), within={"P": 1}),
            Kind.PARTIAL,
            "Weighted by the numbers called, that is participants divided by the rate of joining: "
            "everybody's effect.",
        ),
        "others": Estimand(
            adjusted_difference("X", "Y", ("G",), within={"P": 1}, weights={"P": 0}),
            Kind.MISAPPLIED,
            "Weighted by those called who did not join: the effect in those who stayed away.",
        ),
        "participants": Estimand(
            crude("X", "Y", given={"P": 1}),
            Kind.REFLEX,
            "Weighted by the numbers of participants: the effect in those who took part.",
        ),
        "treated": Estimand(
            adjusted({"Y": 1}, {"X": 1}, ("G",), within={"P": 1}) - p({"Y": 1}, {"X": 0, "P": 1}),
            Kind.PARTIAL,
            "The treated arm is weighted by the numbers called, the untreated arm by participants.",
        ),
        "untreated": Estimand(
            p({"Y": 1}, {"X": 1, "P": 1}) - adjusted({"Y": 1}, {"X": 0}, ("G",), within={"P": 1}),
            Kind.MISAPPLIED,
            "The untreated arm is weighted by the numbers called, the treated arm by participants.",
        ),
        "twice": Estimand(
            weighted([p({"G": g, "P": 1}) * p({"P": 1}, {"G": g}) for g in range(kinds)]),
            Kind.REVERSED,
            "Participants multiplied by the rate of joining instead of divided by it.",
        ),
        "rates": Estimand(
            weighted([1 / p({"P": 1}, {"G": g}) for g in range(kinds)]),
            Kind.PARTIAL,
            "Weighted by the inverse rates of joining, without the numbers of participants.",
        ),
    }


def weighted(weights: list[Term]) -> Term:
    """Return the mean of the four lines' differences with these weights."""
    total, below = term(0), term(0)
    for g, weight in enumerate(weights):
        total = total + crude("X", "Y", given={"G": g, "P": 1}) * weight
        below = below + weight
    return total / below


def _table(scm: Scm, scene: Scene, size: int) -> str:
    route = Derived(scm)
    kinds = [(v, w) for v in (scene.v_low, scene.v_high) for w in (scene.w_low, scene.w_high)]
    rows = []
    for g, kind in enumerate(kinds):
        joined = route.number(p({"G": g, "P": 1})) * size
        rates = scm.by_name["Y"].table
        shown = (percent(rates[(x, g)][1], 0) for x in (1, 0))
        rows.append((*kind, str(joined), percent(scm.by_name["P"].table[(g,)][1], 0), *shown))
    return table((scene.v, scene.w, "joined", "joined, %", "treated", "untreated"), rows)
