"""Numeric: own, spillover, total effect and the contrast in mixed pairs, from a table."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.interference.scenes import Scene
from assay.causal.draft import Answer, Draft, Kind
from assay.causal.draws import chance, until
from assay.causal.options.asked import asked
from assay.causal.options.numbered import Figure
from assay.causal.proof.proof import Proof
from assay.causal.queries import Term, p
from assay.causal.scm import Scm, binary
from assay.causal.wording.figures import percent, points
from assay.causal.wording.filled import filled
from assay.causal.wording.tables import table

ASKED = ("own", "spill", "total", "mixed")
Rows = dict[tuple[int, ...], Fraction]
PATTERNS = ((0, 0), (0, 1), (1, 0), (1, 1))


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, what the rows are called, the second outcome, and the four questions."""

    stem: str
    header: tuple[str, str, str, str]
    lines: tuple[str, str, str, str]
    split: str
    asks: dict[str, str]


WORDINGS = (
    Words(
        "{Setting} divided its {pairs} into old and new ones and, within each sort, settled by chance what "
        "was done in "
        "a {pair}: treat nobody, treat the second member, treat the first, treat both; the odds were not "
        "the same for old and "
        "new. One in {parts} is old. Treated members {x}. Of the first members, these shares "
        "{y}:\n\n{table}{split}\n\n"
        "All figures are exact. {question}",
        ("Sort", "First member", "Second member", "Share"),
        ("untreated", "treated", "old", "new"),
        "\n\nThe columns at the right take the first members apart by how the second member fared, and "
        "give in brackets how "
        "often that occurred.",
        {
            "own": "Over all {pairs}, by how much does treating the first member alone, instead of nobody, "
            "change the share?",
            "spill": "Over all {pairs}, by how much does treating the second member alone, instead of "
            "nobody, change the share?",
            "total": "Over all {pairs}, by how much does treating both members, instead of nobody, change "
            "the share?",
            "mixed": "Over all {pairs}, by how much does the share with the first member alone treated "
            "exceed the share with "
            "the second alone treated, were each done everywhere?",
        },
    ),
    Words(
        "For a two-stage experiment {setting} sorted {pairs} by size (one in {parts} small, the remainder "
        "large) and gave each "
        "sort its own probabilities of the four ways in which none, one or the other, or both of its "
        "{units} are among those {who} {x}. "
        "You, the index member, are either treated or not, and so is your partner. Below: the fraction of "
        "index members {who} {y}.\n\n{table}{split}\n\n{question}",
        ("Size", "You", "Partner", "Fraction"),
        ("no", "yes", "small", "large"),
        "\n\nThe two further columns break the fraction down by your partner's own result; in brackets, "
        "how common that "
        "result was among the {pairs} of the line.",
        {
            "own": "Averaged over small and large as they occur, what does your own treatment do while "
            "your partner has none?",
            "spill": "Averaged over small and large as they occur, what does your partner's treatment do "
            "while you have none?",
            "total": "Averaged over small and large as they occur, what does it do to treat you and your "
            "partner as against "
            "neither?",
            "mixed": "Averaged over small and large as they occur, how far ahead are you when you alone "
            "are treated of where "
            "you are when your partner alone is?",
        },
    ),
    Words(
        "Homework. The chance that a {unit} is one of those {who} {y} depends on whether the same {unit} "
        "is among those {who} {x}, on whether {other} is, and on the region, north or south; treatment "
        "was handed out at random within a region, at rates that differ between regions. The north has "
        "one in {parts} of the {pairs}.\n\n{table}{split}\n\nWrite m(s, o) for the mean over the whole "
        "country if all had own treatment s and other's treatment o (1 yes, 0 no). {question}",
        ("Region", "Own", "Other's", "Chance"),
        ("0", "1", "north", "south"),
        "\n\nFor the curious, the chance is also given by the other's outcome, good or bad, with the "
        "frequency of that outcome "
        "in brackets.",
        {
            "own": "Compute m(1, 0) − m(0, 0).",
            "spill": "Compute m(0, 1) − m(0, 0).",
            "total": "Compute m(1, 1) − m(0, 0).",
            "mixed": "Compute m(1, 0) − m(0, 1).",
        },
    ),
)
SPLIT = 0.65
"""How often the table is split: who adjusts for all there is then goes astray, so more often than not."""
KIND = {"own": Kind.REFLEX, "spill": Kind.PARTIAL, "total": Kind.MISAPPLIED, "mixed": Kind.REVERSED}
WHY = {
    "own": "the own (direct) effect with the other untreated, averaged over both sorts of pairs",
    "spill": "the spillover of the other's treatment on an untreated one, averaged over both sorts of pairs",
    "total": "the total effect of treating both as against neither, averaged over both sorts of pairs",
    "mixed": "the contrast within half-treated pairs, own effect minus spillover, averaged over both sorts",
}


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw a table, whether it is split by the other's outcome, and which of four effects is asked."""
    number, state, split = rng.randrange(len(WORDINGS)), rng.choice(ASKED), rng.random() < SPLIT
    words, parts = WORDINGS[number], rng.choice((4, 5))
    world, answers = until(lambda: _drawn(rng, state, parts, split))
    stem = filled(
        words.stem,
        scene,
        parts={4: "four", 5: "five"}[parts],
        table=shown(world, words, split),
        split=filled(words.split, scene) if split else "",
        question=filled(words.asks[state], scene),
    )
    shares = tuple((f"share had all ({a}, {b})", p({"Y": 1}, do={"A": a, "B": b})) for a, b in PATTERNS)
    return Draft(world, stem, answers, f"interference/numeric/{number}", scene.name, state, shares)


def terms() -> dict[str, Term]:
    """Return the four effects."""
    share = {(a, b): p({"Y": 1}, do={"A": a, "B": b}) for a, b in PATTERNS}
    return {
        "own": share[1, 0] - share[0, 0],
        "spill": share[0, 1] - share[0, 0],
        "total": share[1, 1] - share[0, 0],
        "mixed": share[1, 0] - share[0, 1],
    }


def experiment(
    one: Fraction,
    uptake: Rows,
    rates: Rows,
    other: Rows | None = None,
) -> Scm:
    """Return the model: W sort of pair (1 with chance `one`), A own, B the other's treatment, Y the outcome.

    `uptake` gives P(A=1 | W) at (0, w), P(B=1 | W) at (1, w); `rates` P(Y=1 | W, A, B). With `other`,
    P(V=1 | W, A, B) of the other's outcome V, Y leans on V by a tenth either way around the same rates.
    """
    parts = [
        binary("W", "", one),
        binary("A", "W", {(w,): uptake[0, w] for w in (0, 1)}),
        binary("B", "W", {(w,): uptake[1, w] for w in (0, 1)}),
    ]
    if other is None:
        return Scm((*parts, binary("Y", "W A B", {tuple(key): rate for key, rate in rates.items()})))
    leans: Rows = {
        (*key, v): rate + Fraction(1, 5) * (v - other[key]) for key, rate in rates.items() for v in (0, 1)
    }
    made = binary("V", "W A B", {tuple(key): share for key, share in other.items()})
    return Scm((*parts, made, binary("Y", "W A B V", {tuple(key): rate for key, rate in leans.items()})))


def shown(world: Scm, words: Words, split: bool) -> str:
    """Return the table: a row for each sort and pattern of treatment."""
    proof = Proof(world)
    none, some, first, second = words.lines
    extra = ("Other well", "Other not well") if split else ()
    rows = []
    for w in (1, 0):
        for a, b in PATTERNS:
            given = {"W": w, "A": a, "B": b}
            cells = [percent(proof.number(p({"Y": 1}, given)))]
            for v in (1, 0) if split else ():
                rate, often = p({"Y": 1}, {**given, "V": v}), p({"V": v}, given)
                cells.append(f"{percent(proof.number(rate))} ({percent(proof.number(often), 0)})")
            rows.append((first if w else second, some if a else none, some if b else none, *cells))
    return table((*words.header, *extra), rows)


def _drawn(rng: random.Random, state: str, parts: int, split: bool) -> tuple[Scm, tuple[Answer, ...]] | None:
    tenth, step = Fraction(1, 10), Fraction(1, 20)
    uptake: Rows = {(who, w): chance(rng, 2 * tenth, 8 * tenth, tenth) for who in (0, 1) for w in (0, 1)}
    keys = [(w, a, b) for w in (0, 1) for a, b in PATTERNS]
    rates: Rows = {key: chance(rng, 5 * step, 15 * step, step) for key in keys}
    other: Rows | None = {key: chance(rng, 2 * tenth, 8 * tenth, tenth) for key in keys} if split else None
    if uptake[0, 0] == uptake[0, 1] or uptake[1, 0] == uptake[1, 1]:
        return None
    world = experiment(Fraction(1, parts), uptake, rates, other)
    each = {name: Figure(effect, WHY[name], KIND[name]) for name, effect in terms().items()}
    answers = asked(world, each, state, show=lambda v: points(v, 2), places=4, least=Fraction(1, 50))
    return None if answers is None else (world, answers)
