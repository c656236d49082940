"""Numeric: true levels given a first reading, the change to expect of itself, and what the action adds."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.regression_to_the_mean.scenes import Scene
from assay.causal.draft import Answer, Draft, Kind
from assay.causal.draws import until
from assay.causal.options.asked import asked
from assay.causal.options.numbered import Figure
from assay.causal.queries import Term, mean
from assay.causal.scm import Scm, binary, levels
from assay.causal.wording.figures import decimal, percent, rounded
from assay.causal.wording.filled import filled
from assay.causal.wording.tables import table

ASKED = ("alone", "treated", "selected", "all")
VALUES = (40, 60, 80)


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, the table's head, the names of the three levels, and the four questions."""

    stem: str
    header: tuple[str, ...]
    names: tuple[str, str, str]
    asks: dict[str, str]


WORDINGS = (
    Words(
        "{Setting} knows that {units} have a true {score} of 40, 60 or 80 points and that one reading can "
        "miss it, taking one of the same three values. Of a later reading the true value is the mean. "
        "{Action} raises the later one by so many points (or lowers it, where there is a minus), depending "
        "on the true value:\n\n{table}\n\nThe {units} whose first reading was {value} have been picked. "
        "{question}",
        ("True", "Share", "reads 40", "reads 60", "reads 80", "Gain"),
        ("40", "60", "80"),
        {
            "alone": "What mean change from first to later reading is to be expected of them if nothing is "
            "done?",
            "treated": "What mean change from first to later reading is to be expected of them if all of "
            "them are treated?",
            "selected": "What is the mean effect of treating them, as against not treating them?",
            "all": "What would be the mean effect if not they but all {units} were treated, as against none?",
        },
    ),
    Words(
        "Take {units} to be of three types, poor, fair and good, whose {score} is 40, 60 and 80 on average "
        "in the long run. In a single {period} luck may make any type look like another. The chances, the "
        "frequency of each type, and what {action} adds to a type's next result (less than nothing in some "
        "lines) are these, according to {setting}:\n\n{table}\n\nConsider those with a result of {value}. "
        "{question}",
        ("Type", "Frequency", "40", "60", "80", "Adds"),
        ("poor", "fair", "good"),
        {
            "alone": "Next {period} minus this one, untreated: how many points on average?",
            "treated": "Next {period} minus this one, each of them treated: how many points on average?",
            "selected": "Treated minus untreated, both for these and both next {period}: how many points "
            "on average?",
            "all": "Treated minus untreated next {period}, but for {units} at large: how many points on "
            "average?",
        },
    ),
    Words(
        "An analyst for {setting} writes T for the lasting {score} of one of the {units}, M for what one "
        "{period} shows of it, N for what the next one will show and g for the amount by which {action} "
        "would shift N. E[N | T] = T without treatment, and given T the two measurements are independent. "
        "Percentages in the middle are P(M | T).\n\n{table}\n\nAttention goes to the group with M = "
        "{value}. {question}",
        ("T", "P(T)", "M = 40", "M = 60", "M = 80", "g"),
        ("40", "60", "80"),
        {
            "alone": "Find the group's mean of N − M when nobody in it is treated.",
            "treated": "Find the group's mean of N − M when everybody in it is treated.",
            "selected": "Find the group's mean of g.",
            "all": "Find the mean of g, not in the group but in the population.",
        },
    ),
)
KIND = {"alone": Kind.PARTIAL, "treated": Kind.REFLEX, "selected": Kind.MISAPPLIED, "all": Kind.REVERSED}
WHY = {
    "alone": "the regression to the mean: the mean true level given the reading, minus the reading",
    "treated": "the whole change of the treated: regression to the mean and the action's effect together",
    "selected": "the action's effect on those picked, its gains weighed by the true levels given the reading",
    "all": "the action's effect on everybody, its gains weighed by the shares in the population",
}


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw a table and an extreme reading, and which of four means is asked for; all four are the options."""
    number, state, place = rng.randrange(len(WORDINGS)), rng.choice(ASKED), rng.choice((0, 2))
    words = WORDINGS[number]
    shares, reads, gains, world, answers = until(lambda: _drawn(rng, state, place))
    rows = [
        (words.names[t], percent(shares[t], 0), *(percent(r, 0) for r in reads[t]), signed(gains[t], 0))
        for t in range(3)
    ]
    stem = filled(
        words.stem,
        scene,
        table=table(words.header, rows),
        value=str(VALUES[place]),
        question=filled(words.asks[state], scene),
    )
    derivation = (
        ("mean true level given the reading", mean("T", {"M": place})),
        ("asked", terms(place)[state]),
    )
    return Draft(
        world, stem, answers, f"regression-to-the-mean/numeric/{number}", scene.name, state, derivation
    )


def signed(value: Fraction | int, places: int = 1) -> str:
    """Write a number with its sign: +4.5, −2.0, 0.0."""
    found = rounded(Fraction(value), places)
    return f"{'+' if found > 0 else ''}{decimal(found, places)}"


def terms(place: int) -> dict[str, Term]:
    """Return the four means for those whose first reading is the value at `place`."""
    alone = mean("N", {"M": place}, do={"X": 0}) - VALUES[place]
    treated = mean("N", {"M": place}, do={"X": 1}) - VALUES[place]
    return {
        "alone": alone,
        "treated": treated,
        "selected": treated - alone,
        "all": mean("N", do={"X": 1}) - mean("N", do={"X": 0}),
    }


def readings(
    shares: Sequence[Fraction], reads: Mapping[int, Sequence[Fraction]], gains: Sequence[int]
) -> Scm:
    """Return the model: T true level, M first reading, X the action (likelier at low levels), N the later
    mean."""
    keys = [(t, x) for t in range(3) for x in (0, 1)]
    later = {(t, x): Fraction(VALUES[t] + gains[t] * x) for t, x in keys}
    values = sorted(set(later.values()))
    wanted = {0: Fraction(3, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
    return Scm(
        (
            levels("T", "", {(): shares}, values=VALUES, hidden=True),
            levels("M", "T", {t: reads[t] for t in range(3)}, values=VALUES),
            binary("X", "T", {(t,): share for t, share in wanted.items()}),
            levels(
                "N", "T X", {key: [Fraction(later[key] == v) for v in values] for key in keys}, values=values
            ),
        )
    )


Drawn = tuple[list[Fraction], dict[int, list[Fraction]], list[int], Scm, tuple[Answer, ...]]


def _drawn(rng: random.Random, state: str, place: int) -> Drawn | None:
    mixes = ((2, 5, 3), (3, 5, 2), (3, 4, 3), (2, 6, 2), (4, 4, 2), (2, 4, 4))
    rows = (
        ((6, 3, 1), (7, 2, 1), (5, 4, 1)),
        ((2, 6, 2), (3, 5, 2), (2, 5, 3)),
        ((1, 3, 6), (1, 2, 7), (1, 4, 5)),
    )
    shares = [Fraction(share, 10) for share in rng.choice(mixes)]
    reads = {t: [Fraction(chance, 10) for chance in rng.choice(rows[t])] for t in range(3)}
    gains = [rng.choice((-12, -9, -6, -3, 3, 6, 9, 12, 15)) for _ in range(3)]
    if len(set(gains)) < 3:
        return None
    world = readings(shares, reads, gains)
    each = {name: Figure(term, WHY[name], KIND[name]) for name, term in terms(place).items()}
    answers = asked(world, each, state, show=lambda v: f"{signed(v)} points", places=1, least=Fraction(4, 5))
    return None if answers is None else (shares, reads, gains, world, answers)
