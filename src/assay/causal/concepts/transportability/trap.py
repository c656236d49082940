"""Trap: a trait that differs most between two places need not change the effect; one that hardly does may."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.transportability.scenes import Scene
from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import chance, until
from assay.causal.proof.proof import Claim
from assay.causal.queries import Compare, Term, adjusted_difference, crude, effect
from assay.causal.scm import Scm, binary
from assay.causal.wording.figures import percent
from assay.causal.wording.graphs import sentence
from assay.causal.wording.tables import table

SETS: tuple[tuple[str, ...], ...] = ((), ("A",), ("B",), ("A", "B"))
STEP = Fraction(1, 20)
TARGET = effect("X", "Y", given={"S": 1})


@dataclass(frozen=True, slots=True)
class Words:
    """One wording; `looks` says what strikes the eye, by how many traits differ widely: none, one, both."""

    stem: str
    looks: tuple[str, str, str]
    options: tuple[str, str, str, str]


WORDINGS = (
    Words(
        "A trial at {study} let a lottery decide which {units} {x} and which {x_no}. The share {that} {y}, "
        "by two traits settled beforehand:\n\n{table}\n\nAt {study} {qa} of {units} have {a_high}, and {qb} "
        "have {b_high}; at {target} the figures are {ra} and {rb}. In each place the two traits are "
        "unrelated, and nothing else that matters differs.\n\n{looks} What is wanted is the difference, in "
        "percentage points, that treating all rather than none would make at {target}. Which weighting by "
        "the shares at {target} is the least that yields it exactly?",
        (
            "The two places look so alike that the board sees no reason for a correction.",
            "The board has eyes for {wide} only, so far apart are the places in that.",
            "The board finds the two places too unlike in both respects to let the result pass uncorrected.",
        ),
        (
            "None: the trial's overall difference carries over as it is",
            "{a}: the other trait can be left out of the weighting",
            "{b}: the other trait can be left out of the weighting",
            "{a} and {b}: neither of them can be left out",
        ),
    ),
    Words(
        "“Would it work for us?” write {target}. For each combination of two traits known in advance, the "
        "experiment at {study}, with treatment drawn by lot, reports how many {units} "
        "{y}:\n\n{table}\n\nShare with {a_high}: {qa} at {study}, {ra} at {target}. Share with {b_high}: "
        "{qb} against {rb}. Neither place shows a link between the two traits; apart from their frequencies "
        "the places are interchangeable.\n\n{looks} They ask for one number: treated minus untreated, in "
        "points, for everybody at {target}. To arrive at that number, for what must the experiment's result "
        "be re-weighted at the very least?",
        (
            "The writers add that the two profiles are practically the same, which should make things easy.",
            "The writers add that {wide} is surely where the difficulty lies, given the gulf.",
            "The writers add that they fear the gulf between the two profiles, on the one count as on the "
            "other.",
        ),
        (
            "For nothing, as both traits drop out of this number",
            "For {a}, as the second trait drops out of this number",
            "For {b}, as the second trait drops out of this number",
            "For {a} and {b}, as both of them enter this number",
        ),
    ),
    Words(
        "Worksheet. Population 1: {study} (randomised; some {units} {x}, the rest {x_no}). Population 2: "
        "{target} (no data on outcomes). Outcome: whether they {y}. Success rates in population "
        "1:\n\n{table}\n\nFrequencies, population 1 then population 2: {a_high} {qa}, {ra}; {b_high} {qb}, "
        "{rb}. Both traits precede treatment and are independent of each other in either population. Given "
        "the two traits, both populations respond alike. Remark by the previous analyst: {looks}\n\nTask: "
        "the average risk difference in population 2. State the smallest set of traits over which "
        "population 1's results have to be standardised.",
        (
            "frequencies close together, standardising hardly worth the trouble.",
            "main concern {wide}, frequencies worlds apart.",
            "both frequencies worlds apart, full standardising seems inevitable.",
        ),
        (
            "No trait has to be standardised over",
            "Over {a}, with no second trait",
            "Over {b}, with no second trait",
            "Over {a}, with {b} as second trait",
        ),
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw which traits change the effect; those differ little between the places, the others greatly."""
    number = rng.randrange(len(WORDINGS))
    words, matter = WORDINGS[number], rng.choice(SETS)
    scm = until(lambda: _model(rng, matter))
    fields = {name: getattr(scene, name) for name in Scene.__slots__}
    shares = {
        name + level: percent(scm.by_name[trait].table[(int(level),)][1], 0)
        for name, trait, level in (("qa", "A", "0"), ("ra", "A", "1"), ("qb", "B", "0"), ("rb", "B", "1"))
    }
    fields |= {name[:2]: share for name, share in shares.items()}
    wide = [getattr(scene, trait.lower()) for trait in ("A", "B") if trait not in matter]
    looks = words.looks[len(wide)].format(wide=wide[0] if wide else "")
    stem = words.stem.format(table=_table(scm, scene), looks=looks, **fields)
    return Draft(
        scm,
        stem,
        tuple(
            _answer(scm, scene, option, matter, sentence(text.format(**fields)) + ".")
            for option, text in zip(SETS, words.options, strict=True)
        ),
        f"transportability/trap/{number}",
        scene.name,
        f"matter={'+'.join(matter) or 'none'}",
        (("effect in the study", crude("X", "Y", given={"S": 0})), ("effect in the target", TARGET)),
    )


def _model(rng: random.Random, matter: tuple[str, ...]) -> Scm | None:
    """Draw a model in which the traits of `matter` change the difference made by treatment, and no others."""
    shares, base, change = {}, {}, {}
    for trait in ("A", "B"):
        if trait in matter:
            low = chance(rng, Fraction(3, 10), Fraction(6, 10), Fraction(1, 10))
            shares[trait] = (low, low + rng.choice((-1, 1)) * Fraction(1, 10))
            base[trait] = rng.randint(-2, 2)
            change[trait] = rng.choice((-1, 1)) * rng.randint(4, 7)
        else:
            wide = (
                chance(rng, Fraction(1, 10), Fraction(2, 10), Fraction(1, 10)),
                rng.choice((8, 9)) * Fraction(1, 10),
            )
            shares[trait] = wide if rng.random() < 0.5 else wide[::-1]
            base[trait] = rng.choice((-1, 1)) * rng.randint(4, 7)
            change[trait] = 0
    start, gain = rng.randint(2, 14), rng.choice((-1, 1)) * rng.randint(1, 5)
    rows: dict[tuple[int, ...] | int, Fraction] = {
        (x, a, b): STEP
        * (start + base["A"] * a + base["B"] * b + x * (gain + change["A"] * a + change["B"] * b))
        for x in (0, 1)
        for a in (0, 1)
        for b in (0, 1)
    }
    shift = sum(STEP * change[t] * (shares[t][1] - shares[t][0]) for t in shares)
    if min(rows.values()) < STEP or max(rows.values()) > 1 - STEP or (matter and not shift):
        return None
    uptake: dict[tuple[int, ...] | int, Fraction] = {
        (s, a): Fraction(1, 2) if s == 0 else Fraction(1 + 2 * a, 10) for s in (0, 1) for a in (0, 1)
    }
    return Scm(
        (
            binary("S"),
            binary("A", "S", {s: shares["A"][s] for s in (0, 1)}),
            binary("B", "S", {s: shares["B"][s] for s in (0, 1)}),
            binary("X", "S A", uptake),
            binary("Y", "X A B", rows),
        )
    )


def _table(scm: Scm, scene: Scene) -> str:
    rates = scm.by_name["Y"].table
    rows = [
        (low, high, *(percent(rates[(x, a, b)][1], 0) for x in (1, 0)))
        for a, low in enumerate((scene.a_low, scene.a_high))
        for b, high in enumerate((scene.b_low, scene.b_high))
    ]
    return table((scene.a, scene.b, "treated", "untreated"), rows)


def weighted(over: tuple[str, ...]) -> Term:
    """Return the study's difference, weighted by the target's shares of these traits."""
    return adjusted_difference("X", "Y", over, within={"S": 0}, weights={"S": 1})


def _answer(scm: Scm, scene: Scene, option: tuple[str, ...], matter: tuple[str, ...], text: str) -> Answer:
    """Return one option: it yields the target's effect, and no smaller set does."""
    claims = [Claim(Compare(weighted(option), "=", TARGET), True)]
    claims += [Claim(Compare(weighted(less), "=", TARGET), False) for less in SETS if set(less) < set(option)]
    names = [getattr(scene, trait.lower()) for trait in matter]
    why = (
        (
            f"The difference made by treatment changes with {' and with '.join(names)}; "
            if matter
            else "Treatment makes the same difference in all four rows, far as their levels lie apart; "
        )
        + "a trait that changes the level of success alone drops out of a difference, however unlike the "
        "places are."
    )
    if option == matter:
        return right(text, *claims, why=why)
    if set(option) < set(matter):
        kind = Kind.PARTIAL if option else Kind.REFLEX
    elif set(matter) < set(option):
        kind = Kind.MISAPPLIED
    else:
        kind = Kind.REVERSED
    return wrong(kind, text, *claims, why=why)
