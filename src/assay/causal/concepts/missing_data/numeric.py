"""Numeric: answers and gaps by two flags; which flags to weight by is told by when they were set."""

from __future__ import annotations

import random
from fractions import Fraction

from assay.causal.concepts.missing_data.scenes import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.draws import chance, until
from assay.causal.options.numbered import Figure
from assay.causal.options.readings import offered
from assay.causal.proof.proof import Proof
from assay.causal.queries import Term, adjusted, p
from assay.causal.scm import Scm, binary
from assay.causal.wording.figures import percent
from assay.causal.wording.tables import counts, table, whole_size
from assay.causal.wording.telling import fields

STATES = ("ZW", "Z", "W")
WEIGHTS = (45, 28, 27)
LEAST_SIZE = 4_000

STEMS = (
    "{Setting} wants one answer for each of its {units}, namely whether they {y}; some {blank}. Two "
    "flags, P and "
    "Q, are on file for everyone. {P_told} {Q_told} Other causes of gaps have nothing to do with the "
    "answer.\n\n"
    "{table}\n\nThe table is scaled up to a very large file. What share of all {units} {y}?",
    "Tabulated below, scaled up, are the {units} on the books of {setting}. An answer may be absent, since "
    "some "
    "{blank}; a yes means "
    "that they {y}.\n\n{table}\n\nHow the flags came about: {P_told} {Q_told} Nothing else links the "
    "presence of an answer with what it would be. Find the share of yes that a full file would show.",
    "A file with holes, and what to do about it. Yes stands for {units} {who} {y}; no answer is there "
    "for those {who} {blank} ({setting}). Notes on the flags: {Q_told} {P_told} Apart from this, having "
    "an answer on file is "
    "unrelated to what it is.\n\n{table}\n\nWith these numbers (scaled up) standing for probabilities, the "
    "probability "
    "of yes in "
    "the file as a whole is:",
)
BEFORE = (
    "Flag {flag} dates from before the question was put; what it stands for left one sort with an "
    "answer more often than the other, and bears on the answer too.",
    "{flag} had been fixed long before, and is a cause of there being an answer as well as of the answer.",
)
AFTER = (
    "Flag {flag} was set afterwards, by an inspector who went by whether there was an answer and by what "
    "was true "
    "(which the inspector found out on the spot).",
    "{flag} is a late mark that reflects two things, the presence of an answer and the truth about it; it "
    "moved "
    "neither.",
)


def world(rng: random.Random, before: str) -> Scm:
    """Draw a model in which the flags named in `before` are causes of answer and gap, and others effects."""

    def rows(size: int, low: int, high: int, parts: int) -> dict[tuple[int, ...] | int, Fraction]:
        step = Fraction(1, parts)
        keys = [(0,), (1,)] if size == 1 else [(0, 0), (0, 1), (1, 0), (1, 1)]
        return {key: chance(rng, low * step, high * step, step) for key in keys}

    count, causes = len(before), " ".join(before)
    middle = [
        binary("Y", causes, rows(count, 1, 19, 20)),
        binary("R", causes, rows(count, 2, 9, 10)),
    ]
    parts = (37,) if count == 1 else (13, 17)
    first = [
        binary(name, "", Fraction(rng.randint(n // 4, n - n // 4), n))
        for name, n in zip(before, parts, strict=True)
    ]
    late = [binary(name, "R Y", rows(2, 1, 9, 10)) for name in "ZW" if name not in before]
    return Scm((*first, *middle, *late))


def target() -> Term:
    """Return the share with the outcome had everybody answered."""
    return p({"Y": 1}, do={"R": 1})


def weighted(over: str) -> Term:
    """Return the share among answers, weighted to everybody's distribution of some flags."""
    return adjusted({"Y": 1}, {"R": 1}, list(over))


def figures_of(state: str) -> tuple[Figure, list[Figure]]:
    """Return the figure asked for where the flags of `state` came first, and the competing readings."""
    names = {"ZW": "mix of both flags", "Z": "mix of flag P", "W": "mix of flag Q"}
    by_flags = {
        key: Figure(
            weighted(key), f"the share among answers, weighted to everybody's {name}", Kind.MISAPPLIED
        )
        for key, name in names.items()
    }
    cells = [p({"Y": 1}, {"R": 1, "Z": z, "W": w}) for z in (0, 1) for w in (0, 1)]
    mean = (cells[0] + cells[1] + cells[2] + cells[3]) / 4
    others = [figure for key, figure in by_flags.items() if key != state]
    pool = [
        *others,
        Figure(p({"Y": 1}, {"R": 1}), "the plain share among answers", Kind.REFLEX),
        Figure(
            adjusted({"Y": 1}, {"R": 1}, list(state), weights={"R": 0}),
            "the share to be expected of those without an answer",
            Kind.PARTIAL,
        ),
        *(
            Figure(
                (p({"Y": 1}, {"R": 1, flag: 0}) + p({"Y": 1}, {"R": 1, flag: 1})) / 2,
                f"the mean of the shares at the two levels of {names[flag][7:]}, unweighted",
                Kind.PARTIAL,
            )
            for flag in "ZW"
        ),
        Figure(mean, "the mean of the four rows, unweighted", Kind.PARTIAL),
    ]
    return by_flags[state], pool


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw which flags came first and the key's rank, then a model in which it has that rank among four."""
    number, state = rng.randrange(len(STEMS)), rng.choices(STATES, WEIGHTS)[0]
    rank = rng.randrange(4)
    central = rng.random() < 0.5
    asked, pool = figures_of(state)

    def attempt() -> Draft | None:
        scm = world(rng, state)
        answers = offered(
            rng,
            scm,
            asked,
            pool,
            rank,
            central=central,
            show=percent,
            places=3,
            least=Fraction(12, 1000),
            target=target(),
        )
        if answers is None:
            return None
        flags = {
            f"{flag}_told": rng.choice(BEFORE if name in state else AFTER).format(flag=flag)
            for flag, name in (("P", "Z"), ("Q", "W"))
        }
        stem = STEMS[number].format(**fields(scene), **flags, table=_table(scm))
        return Draft(
            scm,
            stem,
            answers,
            f"missing-data/numeric/{number}",
            scene.name,
            f"{state} rank={rank}",
            (("plain share among answers", p({"Y": 1}, {"R": 1})), ("asked for", asked.term)),
        )

    return until(attempt)


def _table(scm: Scm) -> str:
    """Return everybody by flags: how many there are, how many answered, how many of these said yes."""
    proof = Proof(scm)
    shares = [
        proof.number(p({"Z": z, "W": w, **rest}))
        for z in (0, 1)
        for w in (0, 1)
        for rest in ({}, {"R": 1}, {"R": 1, "Y": 1})
    ]
    shown = counts(proof, {"Z": 2, "W": 2}, size := whole_size(shares, LEAST_SIZE))
    answered = counts(proof, {"Z": 2, "W": 2, "R": 2}, size)
    rows = []
    for z, w in shown:
        yes = proof.number(p({"Z": z, "W": w, "R": 1, "Y": 1})) * size
        rows.append([str(z), str(w), f"{shown[z, w]:,}", f"{answered[z, w, 1]:,}", f"{int(yes):,}"])
    return table(("P", "Q", "All", "Answered", "Answered yes"), rows)
