"""Numeric: three groups standardised to whom the question is about, or not at all, as the story has it."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

from assay.causal.concepts.simpson.groups import CRUDE, EVERYBODY, GROUPS, OTHERS, TAKERS
from assay.causal.concepts.simpson.scenes import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.draws import chance, until
from assay.causal.options.estimands import Estimand, offered, place
from assay.causal.queries import Term, adjusted, adjusted_difference, crude, p, term
from assay.causal.scm import Scm, binary, levels
from assay.causal.wording.figures import percent
from assay.causal.wording.graphs import sentence
from assay.causal.wording.tables import table

Rates = dict[tuple[int, ...] | int, Fraction]
WHO = {
    "everybody": "on average over all {units}",
    "takers": "on average over the {units} {who} {x}",
    "others": "on average over the {units} {who} {x_no}",
}
GROUPED = (
    "Of {keeper}'s {units}, some {x} (A) and the rest {x_no} (B). The table gives, by {g}, the percentage "
    "of all {units}, the percentage of the row under A, and for either way the percentage of the cell that "
    "{y}.\n\n{table}\n\n{origin} By how much does A rather than B change the chance of success, {over}?",
    "First column: composition of the {units} by {g}. Second: how often A ({x}) occurs in the row, B "
    "({x_no}) being the alternative. Last two: success ({units} {who} {y}) by way.\n\n{table}\n\n{origin} "
    "{Keeper} asks for the total effect of A as compared with B, {over}. What is it?",
    "A = {x}; B = {x_no}; success = {y_short}. {Keeper} has published\n\n{table}\n\nand has added: "
    "“{origin}” Calculate, {over}, the expected change in the proportion of successes if A is substituted "
    "for B.",
)
EARLY = (
    "{G} was there before the way was taken and had its part in the decision, which was otherwise left "
    "to chance.",
    "Which way was taken depended on {g}, given in advance, and apart from that on accident.",
)
LATE = (
    "Lots were cast for the way; {g} was determined in part by it and read at the end.",
    "{G} came about under A or B, and the assignment to A or B had been random.",
)
MARKED = (
    "{Keeper} divides {units} by {g}, which was given before anything was done and on which the way (A: "
    "{x}; B: {x_no}) depended, the way depending on nothing else that matters. The {w} was issued later; it "
    "is high or low, is influenced by the way, and influences in turn whether {units} are among those {who} "
    "{y}.\n\n{shares}\n\nFor each row and way: the percentage with a high {w}, and success with a high and "
    "with a low {w}.\n\n{table}\n\nWhat does A, as against B, do to the chance of success in all, {over}?",
    "Order of events: {g}; then A ({x}) or B ({x_no}), decided by {g} and chance; then the {w}, which "
    "answers to what went before; last, success ({units} {who} {y}).\n\n{shares}\n\n{table}\n\n(The columns "
    "on the right show how often the {w} is high and the success rates at either value.) Determine the "
    "total effect of A versus B, {over}.",
)


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw the story, whom the question is about, the key's rank, and numbers that fit."""
    wanted = place(rng)
    story = rng.choices(("early", "late", "marked"), (40, 10, 50))[0]
    who = rng.choice(tuple(WHO)) if story == "early" else "everybody"
    number = rng.randrange(len(MARKED) if story == "marked" else len(GROUPED))
    origin = rng.choice(LATE if story == "late" else EARLY)
    fields = {name: getattr(scene, name) for name in Scene.__slots__}
    fields |= {"G": sentence(scene.g), "Keeper": sentence(scene.keeper), "y_short": f"they {scene.y}"}
    fields["over"] = WHO[who].format(**fields)

    def draft() -> Draft | None:
        shares, taken = _shares(rng), [chance(rng, *BOUNDS) for _ in GROUPS]
        scm, rates = _world(rng, story, shares, taken)
        found = _marked() if story == "marked" else _grouped()
        asked = found.pop("totals" if story == "late" else who)
        answers = offered(rng, scm, asked, list(found.values()), wanted)
        if answers is None:
            return None
        if story == "marked":
            shown = {"shares": _mix(scene, shares, taken), "table": _fine(scm, scene, rates)}
            stem = MARKED[number].format(**shown, **fields)
        else:
            shown = {"table": _plain(scene, shares, taken, rates), "origin": origin.format(**fields)}
            stem = GROUPED[number].format(**shown, **fields)
        template = f"simpson/numeric/{number + (len(GROUPED) if story == 'marked' else 0)}"
        shown_terms = (("difference of the totals", CRUDE), ("what is asked for", asked.term))
        state = f"{story} {who} rank={wanted.rank}"
        return Draft(scm, stem, answers, template, scene.name, state, shown_terms)

    return until(draft)


BOUNDS = (Fraction(1, 10), Fraction(9, 10), Fraction(1, 10))


def _shares(rng: random.Random) -> list[Fraction]:
    first, second = rng.randint(15, 45), rng.randint(15, 45)
    return [Fraction(part, 100) for part in (first, second, 100 - first - second)]


def _world(
    rng: random.Random, story: str, shares: list[Fraction], taken: list[Fraction]
) -> tuple[Scm, Rates]:
    """Draw success rates, and return the model of the story with them."""
    keys = itertools.product((0, 1), GROUPS, *([(0, 1)] if story == "marked" else []))
    rates: Rates = {key: chance(rng, Fraction(1, 20), Fraction(19, 20), Fraction(1, 20)) for key in keys}
    if story == "late":
        whole = sum((a * b for a, b in zip(shares, taken, strict=True)), Fraction(0))
        rows = {
            x: [
                s * (t if x else 1 - t) / (whole if x else 1 - whole)
                for s, t in zip(shares, taken, strict=True)
            ]
            for x in (0, 1)
        }
        mix = levels("G", "X", {x: rows[x] for x in (0, 1)})
        return Scm((binary("X", "", whole), mix, binary("Y", "X G", rates))), rates
    early = (levels("G", "", {(): shares}), binary("X", "G", {g: taken[g] for g in GROUPS}))
    if story == "early":
        return Scm((*early, binary("Y", "X G", rates))), rates
    mark = binary("W", "X G", {(x, g): chance(rng, *BOUNDS) for x in (0, 1) for g in GROUPS})
    return Scm((*early, mark, binary("Y", "X G W", rates))), rates


def _crossed() -> Term:
    """Return the difference of the two ways' rates, each weighted by the groups of the other way."""
    total = term(0)
    for g in GROUPS:
        one = p({"Y": 1}, {"X": 1, "G": g}) * p({"G": g}, {"X": 0})
        total = total + one - p({"Y": 1}, {"X": 0, "G": g}) * p({"G": g}, {"X": 1})
    return total


def _regressed() -> Term:
    """Return a regression's coefficient, given way and groups: a group weighs n p (1 - p)."""
    total, below = term(0), term(0)
    for g in GROUPS:
        weight = p({"G": g, "X": 1}) * p({"X": 0}, {"G": g})
        total, below = total + crude("X", "Y", given={"G": g}) * weight, below + weight
    return total / below


def _halves() -> dict[str, Estimand]:
    one = adjusted({"Y": 1}, {"X": 1}, ("G",)) - p({"Y": 1}, {"X": 0})
    other = p({"Y": 1}, {"X": 1}) - adjusted({"Y": 1}, {"X": 0}, ("G",))
    return {
        "A": Estimand(one, Kind.PARTIAL, "A is weighted by all units' groups, B is left as it is."),
        "B": Estimand(other, Kind.PARTIAL, "B is weighted by all units' groups, A is left as it is."),
        "regressed": Estimand(
            _regressed(), Kind.MISAPPLIED, "A regression's weights, which favour groups split evenly by way."
        ),
    }


def _grouped() -> dict[str, Estimand]:
    return {
        "everybody": Estimand(
            EVERYBODY,
            Kind.REFLEX,
            "The groups' differences, weighted by the shares of the groups in all units.",
        ),
        "takers": Estimand(
            TAKERS, Kind.PARTIAL, "The groups' differences, weighted by the groups of those under A."
        ),
        "others": Estimand(
            OTHERS, Kind.PARTIAL, "The groups' differences, weighted by the groups of those under B."
        ),
        "totals": Estimand(CRUDE, Kind.REVERSED, "The difference of the two totals, groups merged."),
        "crossed": Estimand(
            _crossed(),
            Kind.MISAPPLIED,
            "Either way's rates are weighted by the other way's groups: a mix of both.",
        ),
    } | _halves()


def _marked() -> dict[str, Estimand]:
    both = adjusted_difference("X", "Y", ("G", "W"))
    return {
        "everybody": Estimand(
            EVERYBODY,
            Kind.REFLEX,
            "In each group either way keeps its own share of high marks; the differences are weighted by "
            "the groups.",
        ),
        "fixed": Estimand(
            both, Kind.MISAPPLIED, "The mark is held fixed as well: the effect through it is lost."
        ),
        "totals": Estimand(CRUDE, Kind.REVERSED, "The difference of the two totals, groups merged."),
        "takers": Estimand(TAKERS, Kind.PARTIAL, "Weighted by the groups of those under A."),
        "others": Estimand(OTHERS, Kind.PARTIAL, "Weighted by the groups of those under B."),
    } | _halves()


def _plain(scene: Scene, shares: list[Fraction], taken: list[Fraction], rates: Rates) -> str:
    rows = [
        (level, percent(shares[g], 0), percent(taken[g], 0), *(percent(rates[(x, g)], 0) for x in (1, 0)))
        for g, level in enumerate((scene.g1, scene.g2, scene.g3))
    ]
    return table((scene.g, "share", "A", "success, A", "success, B"), rows)


def _mix(scene: Scene, shares: list[Fraction], taken: list[Fraction]) -> str:
    rows = [
        (level, percent(shares[g], 0), percent(taken[g], 0))
        for g, level in enumerate((scene.g1, scene.g2, scene.g3))
    ]
    return table((scene.g, "share", "A"), rows)


def _fine(scm: Scm, scene: Scene, rates: Rates) -> str:
    high = scm.by_name["W"].table
    rows = [
        (level, "BA"[x], percent(high[(x, g)][1], 0), *(percent(rates[(x, g, w)], 0) for w in (1, 0)))
        for g, level in enumerate((scene.g1, scene.g2, scene.g3))
        for x in (1, 0)
    ]
    return table((scene.g, "way", f"high {scene.w}", "success if high", "success if low"), rows)
