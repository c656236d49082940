"""Numeric: person-time before and after a measure, by age; three rates that the same table gives."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction

from assay.causal.concepts.immortal_time.scenes import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.draws import until
from assay.causal.options.numbered import Figure
from assay.causal.options.readings import offered
from assay.causal.queries import Term, adjusted, adjusted_difference, crude, p
from assay.causal.scm import Scm, binary
from assay.causal.wording.figures import decimal, rounded
from assay.causal.wording.tables import table
from assay.causal.wording.telling import fields

Counts = Mapping[int, tuple[int, int, int, int, int]]
Rows = dict[tuple[int, ...] | int, Fraction]
ASKED = ("all", "treated", "crude")
WEIGHTS = (55, 35, 10)
KINDS = ("the first kind", "the second kind")

STEMS = (
    "{Setting} counted months under observation since {entry}. A unit that never had {measure} contributes "
    "to the "
    "first row of its kind; one that came to have it contributes its months of waiting to the second and "
    "its later "
    "months to the third. The event (that {units} {failed}) ends observation.\n\n{table}\n\n{Factor} "
    "bears both on having {measure} and on the event; nothing else bears on both. {question}",
    "Person-time sheet of {setting} (unit: one month of one of the {units}, clock from "
    "{entry}).\n\n{table}\n\n"
    '"Never" are those {who} did not obtain {measure} before they {failed} or the sheet was closed; '
    '"later" are those {who} did, and by '
    "definition they had got that far. Within {factor}, obtaining it in a given month was a matter of "
    "chance. "
    "{question}",
    "How dangerous is a month with {measure}, how dangerous a month without? An event here means that "
    "{units} "
    "{failed}; {setting} kept the books from {entry}.\n\n{table}\n\nTake care: in the middle row of each "
    "kind an "
    "event would have prevented the months below it from ever being entered. Assume that {factor} is the "
    "sole common "
    "cause of event and {measure}. {question}",
)
QUESTIONS: dict[str, tuple[str, ...]] = {
    "all": (
        "Classing each month by what it was at the time, and giving each kind its share in all months: "
        "what is the "
        "rate with {measure} less the rate without?",
        "Had all these months been months with the measure, rather than months without, by how much would "
        "the rate "
        "of events differ?",
    ),
    "treated": (
        "Classing each month by what it was at the time: among the months spent with {measure}, by how "
        "much does the "
        "rate differ from what it would have been without, at the same mix of kinds?",
        "For the months actually spent with the measure, and their mix of kinds, what is the rate of "
        "events less the "
        "rate to be expected had they been spent without?",
    ),
    "crude": (
        "Describe, without adjusting for anything: months during which {measure} was there against all "
        "others, what "
        "is the difference between their rates?",
        "What is the plain difference in the rate between months at which the measure was in place and "
        "months at "
        "which it was not, kinds taken together?",
    ),
}


def show(rate: Fraction) -> str:
    """Write a difference of rates per 1,000 months."""
    sign = "+" if rounded(rate * 1000, 1) > 0 else ""
    return f"{sign}{decimal(rate * 1000, 1)} events per 1,000 months"


def world(counts: Counts) -> Scm:
    """Return the model of one month: kind Z, measure in place T, event V, unit that ever had it G.

    `counts` gives for each kind the months and events of those never treated, the months of waiting, and the
    months and events after. G is 1 with the measure in place, 0 if an event forestalled it.
    """
    months = {kind: never + wait + after for kind, (never, _, wait, after, _) in counts.items()}
    treated: Rows = {kind: Fraction(after, months[kind]) for kind, (_, _, _, after, _) in counts.items()}
    event: Rows = {}
    later: Rows = {}
    for kind, (never, failed, wait, after, hit) in counts.items():
        event |= {(kind, 0): Fraction(failed, never + wait), (kind, 1): Fraction(hit, after)}
        later |= {(kind, 1, 0): Fraction(1), (kind, 1, 1): Fraction(1), (kind, 0, 1): Fraction(0)}
        later[kind, 0, 0] = Fraction(wait, never + wait - failed)
    return Scm(
        (
            binary("Z", "", Fraction(months[1], months[0] + months[1])),
            binary("T", "Z", treated),
            binary("V", "Z T", event),
            binary("G", "Z T V", later),
        )
    )


def figure(name: str) -> Figure:
    """Return one of the quantities that can be asked for."""
    return {
        "all": Figure(
            adjusted_difference("T", "V", ["Z"]),
            "the difference by the month's own state, kinds weighted as in all months",
            Kind.MISAPPLIED,
        ),
        "treated": Figure(
            adjusted_difference("T", "V", ["Z"], weights={"T": 1}),
            "the difference by the month's own state, kinds weighted as in months with the measure",
            Kind.MISAPPLIED,
        ),
        "crude": Figure(crude("T", "V"), "the plain difference by the month's own state", Kind.PARTIAL),
    }[name]


def target(name: str) -> Term:
    """Return what the question asks for, before any formula."""
    if name == "all":
        return p({"V": 1}, do={"T": 1}) - p({"V": 1}, do={"T": 0})
    return figure(name).term


def pool(name: str) -> list[Figure]:
    """Return the readings that compete with the quantity asked for."""
    kept = adjusted({"V": 1}, {"T": 1}, ["Z"]) - adjusted({"V": 1}, {"T": 0}, ["Z"], within={"G": 0})
    strata = [crude("T", "V", given={"Z": kind}) for kind in (0, 1)]
    return [
        *(figure(other) for other in ASKED if other != name),
        Figure(
            crude("G", "V"), "the difference by unit, waiting booked to those who had it later", Kind.REFLEX
        ),
        Figure(
            adjusted_difference("G", "V", ["Z"]),
            "the difference by unit within kinds, waiting booked to those who had it later",
            Kind.REFLEX,
        ),
        Figure(kept, "the difference with the months of waiting thrown away", Kind.PARTIAL),
        Figure(
            p({"V": 1}, {"T": 1}) - p({"V": 1}, {"T": 0, "G": 0}),
            "the plain difference with the months of waiting thrown away",
            Kind.PARTIAL,
        ),
        *(Figure(strata[kind], f"the difference in {name} alone") for kind, name in enumerate(KINDS)),
        Figure(
            adjusted_difference("T", "V", ["Z"], weights={"T": 0}),
            "the difference by the month's own state, kinds weighted as in months without the measure",
            Kind.MISAPPLIED,
        ),
        Figure((strata[0] + strata[1]) / 2, "the mean of the kinds' differences, unweighted", Kind.PARTIAL),
    ]


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw what is asked and the key's rank, then months and events in which it has that rank among four."""
    number, name = rng.randrange(len(STEMS)), rng.choices(ASKED, WEIGHTS)[0]
    rank = rng.randrange(4)
    central = rng.random() < 0.5
    asked, others = figure(name), pool(name)

    def attempt() -> Draft | None:
        counts = _counts(rng)
        scm = world(counts)
        least = Fraction(1, 1000)
        answers = offered(
            rng,
            scm,
            asked,
            others,
            rank,
            central=central,
            show=show,
            places=4,
            least=least,
            target=target(name),
        )
        if answers is None:
            return None
        texts = fields(scene)
        question = rng.choice(QUESTIONS[name]).format(**texts)
        stem = STEMS[number].format(**texts, question=question, table=_table(scene, counts))
        return Draft(
            scm,
            stem,
            answers,
            f"immortal-time/numeric/{number}",
            scene.name,
            f"{name} rank={rank}",
            (("by unit, waiting booked to the treated", crude("G", "V")), ("asked for", asked.term)),
        )

    return until(attempt)


def _counts(rng: random.Random) -> Counts:
    """Draw months and events of both kinds."""
    found = {}
    for kind in (0, 1):
        never, wait, after = (50 * rng.randint(low, high) for low, high in ((15, 90), (4, 40), (15, 90)))
        found[kind] = (
            never,
            never * rng.randint(8, 70) // 1000,
            wait,
            after,
            after * rng.randint(6, 80) // 1000,
        )
    return found


def _table(scene: Scene, counts: Counts) -> str:
    header = ("Kind", "Months", "Number of months", "Events")
    rows = []
    for kind, (never, failed, wait, after, hit) in counts.items():
        name = (scene.kind0, scene.kind1)[kind]
        rows += [
            [name, "of units that never had it", f"{never:,}", str(failed)],
            [name, "of units that had it later, before", f"{wait:,}", "0"],
            [name, "of the same units, from then on", f"{after:,}", str(hit)],
        ]
    return table(header, rows)
