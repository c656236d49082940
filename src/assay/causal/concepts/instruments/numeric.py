"""Numeric: taking apart who complies, who never does and who always does, from a table of two arms."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.instruments.scenes import Scene
from assay.causal.draft import Answer, Draft, Kind
from assay.causal.draws import chance, until
from assay.causal.options.asked import asked
from assay.causal.options.numbered import Figure
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Proof
from assay.causal.queries import Term, counterfactual, crude
from assay.causal.scm import Scm, binary, levels
from assay.causal.wording.figures import points
from assay.causal.wording.filled import filled
from assay.causal.wording.tables import counts, table

NEVER, MOVED, ALWAYS = 0, 1, 2
ASKED = ("effect", "ahead", "behind", "spread")


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem with a gap for the table and the question, and the four questions."""

    stem: str
    header: tuple[str, str, str, str]
    asks: dict[str, str]


WORDINGS = (
    Words(
        "{Setting} ran an encouragement among {units}. {drawn}. {sealed}. Nobody does the opposite of what "
        "{offer} suggests. "
        "Results, where success means that they {y}:\n\n{table}\n\nCall movers those {that} {x} with {offer} "
        "and would not "
        "have without; the eager take it up in either case, the reluctant in neither. {question}",
        ("Arm", "Uptake", "Number", "Successes"),
        {
            "effect": "By how much does the uptake change the success rate of movers?",
            "ahead": "With the uptake, by how much does the success rate of the eager exceed that of movers?",
            "behind": "Without the uptake, by how much does the success rate of movers exceed that of the "
            "reluctant?",
            "spread": "In these arms, by how much does the success rate of the eager exceed that of the "
            "reluctant?",
        },
    ),
    Words(
        "Data sheet, {setting}: {units}, two groups made by lot. {sealed}. {drawn}. One may assume that "
        "{offer} puts nobody off.\n\n"
        "{table}\n\n(Positive: they {y}. Takers are those {that} {x}.) Three sorts of {units} are hidden in "
        "the sheet: "
        "takers whatever happens (T), non-takers whatever happens (N), and those who take only if asked "
        "(C). {question}",
        ("Group", "Takers?", "All", "Positive"),
        {
            "effect": "What does taking do to the rate of positives in C, as a difference?",
            "ahead": "If all in T and C were takers, what would the rate in T minus the rate in C be?",
            "behind": "If none in C and N were takers, what would the rate in C minus the rate in N be?",
            "spread": "What is the rate of T, takers as they are, minus the rate of N, non-takers as they "
            "are?",
        },
    ),
    Words(
        "The following is all that is left of an old trial by {setting}. Its subjects were {units}; a "
        "chance device determined "
        "which of them {offered}. {sealed}, and nobody was made less inclined by it.\n\n{table}\n\nThe "
        "last column counts "
        "those {that} {y}; those {that} {x} are said to use it. A subject is steadfast if it would act alike "
        "with and without {offer}, and persuadable if "
        "{offer} makes it act; there are steadfast users and steadfast abstainers. {question}",
        ("Branch", "Used it", "Subjects", "Good ends"),
        {
            "effect": "How much higher is the share of good ends among the persuadable when they use it "
            "than when they abstain?",
            "ahead": "How much higher is the share of good ends among steadfast users than among the "
            "persuadable when they, "
            "too, use it?",
            "behind": "How much higher is the share of good ends among the persuadable, when they abstain, "
            "than among "
            "steadfast abstainers?",
            "spread": "How much higher is the share of good ends among steadfast users, using it, than "
            "among steadfast "
            "abstainers, abstaining?",
        },
    ),
)
ROWS = (
    ("with {offer}", "yes", 1, 1),
    ("with {offer}", "no", 1, 0),
    ("without {offer}", "yes", 0, 1),
    ("without {offer}", "no", 0, 0),
)


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw a table, and which of four contrasts of hidden groups is asked for; all four are the options."""
    number, state = rng.randrange(len(WORDINGS)), rng.choice(ASKED)
    words = WORDINGS[number]
    size = 200 * rng.randint(4, 12)
    world, answers = until(lambda: _drawn(rng, state))
    stem = filled(
        words.stem, scene, table=shown(world, size, words.header, scene), question=words.asks[state]
    )
    return Draft(
        world,
        stem,
        answers,
        f"instruments/numeric/{number}",
        scene.name,
        state,
        (
            ("share of movers", crude("Z", "X")),
            ("contrast of the arms", crude("Z", "Y")),
            ("asked", terms()[state]),
        ),
    )


def terms() -> dict[str, Term]:
    """Return the four contrasts."""
    rate = {
        (kind, x): counterfactual({"Y": 1}, {"X": x}, given={"C": kind})
        for kind, x in ((NEVER, 0), (MOVED, 0), (MOVED, 1), (ALWAYS, 1))
    }
    return {
        "effect": rate[MOVED, 1] - rate[MOVED, 0],
        "ahead": rate[ALWAYS, 1] - rate[MOVED, 1],
        "behind": rate[MOVED, 0] - rate[NEVER, 0],
        "spread": rate[ALWAYS, 1] - rate[NEVER, 0],
    }


def trial(mix: tuple[Fraction, Fraction, Fraction], rates: Mapping[tuple[int, int], Fraction]) -> Scm:
    """Return the model from the shares of the three sorts and the success rate of each (sort, uptake)."""
    return Scm(
        (
            binary("Z"),
            levels("C", "", {(): mix}, hidden=True),
            binary(
                "X",
                "Z C",
                {(z, c): Fraction(c == ALWAYS or (c == MOVED and z)) for z in (0, 1) for c in range(3)},
            ),
            binary("Y", "X C", {(x, c): rates[c, x] for x in (0, 1) for c in range(3)}),
        )
    )


def shown(world: Scm, size: int, header: tuple[str, ...], scene: Scene) -> str:
    """Return the table of two arms of `size` units each."""
    found = counts(Proof(world), {"Z": 2, "X": 2, "Y": 2}, 2 * size)
    rows = [
        (arm.format(offer=scene.offer), uptake, f"{found[z, x, 0] + found[z, x, 1]:,}", f"{found[z, x, 1]:,}")
        for arm, uptake, z, x in ROWS
    ]
    return table(header, rows)


KIND = {
    "effect": Kind.REFLEX,
    "ahead": Kind.MISAPPLIED,
    "behind": Kind.REVERSED,
    "spread": Kind.PARTIAL,
}
WHY = {
    "effect": "the movers' rate with the uptake minus their rate without it, which is the contrast of the "
    "arms over the "
    "gap in uptake",
    "ahead": "the eager's rate, seen in takers without the offer, minus the movers' rate with the uptake, "
    "found by "
    "taking the eager out of the takers with the offer",
    "behind": "the movers' rate without the uptake, found by taking the reluctant out of the non-takers "
    "without the "
    "offer, minus the reluctant's rate, seen in non-takers with the offer",
    "spread": "the rate of takers without the offer minus the rate of non-takers with the offer, who are "
    "the eager and "
    "the reluctant",
}


def _drawn(rng: random.Random, state: str) -> tuple[Scm, tuple[Answer, ...]] | None:
    twentieth, tenth = Fraction(1, 20), Fraction(1, 10)
    never, always = (chance(rng, tenth, 4 * tenth, tenth) for _ in range(2))
    rates = {(c, x): chance(rng, tenth, 9 * tenth, twentieth) for c in range(3) for x in (0, 1)}
    mix = (never, 1 - never - always, always)
    if mix[MOVED] < 2 * tenth:
        return None
    world = trial(mix, rates)
    if abs(Derived(world).number(terms()["effect"])) < twentieth:
        return None
    each = {name: Figure(term, WHY[name], KIND[name]) for name, term in terms().items()}
    answers = asked(world, each, state, show=points, places=3, least=Fraction(1, 25))
    return None if answers is None else (world, answers)
