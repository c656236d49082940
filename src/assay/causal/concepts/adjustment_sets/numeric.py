"""Numeric: the same units tabulated by either covariate, of which one suffices; the story says which."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.adjustment_sets.scenes import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.draws import chance, until
from assay.causal.options.numbered import Figure, figures
from assay.causal.queries import Term, adjusted_difference, counterfactual, crude, effect, p
from assay.causal.scm import Scm, binary
from assay.causal.search.rough import Rough
from assay.causal.wording.figures import points
from assay.causal.wording.tables import table
from assay.causal.wording.telling import fields

ASKED = ("all", "treated", "plain")
WEIGHTS = (6, 9, 2)
LEAST = Fraction(1, 100)
TENTH = Fraction(1, 10)
UNITS = 100_000
Rows = dict[tuple[int, ...] | int, Fraction]


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, what makes the earlier or the later covariate suffice, and what is asked."""

    stem: str
    earlier: str
    later: str
    asks: dict[str, str]


WORDINGS = (
    Words(
        "{Setting} has 100,000 {units} on its books. They were tabulated twice, but the two attributes were "
        "stored apart and cannot be linked.\n\n{first}\n\n{second}\n\n{a_b}. {b_x}. {a_y}. {facts} There is "
        "no other common cause. {ask}",
        "What is more, {a} was looked at directly when it was chosen what to do; {b}, for its part, leaves "
        "the outcome alone.",
        "What is more, {b} acts on the outcome; {a}, for its part, was not looked at when it was chosen what "
        "to do.",
        {
            "all": "What would be the difference in the share {who} {y} between a world in which all of them "
            "took the step and one in which none did?",
            "treated": "For those {who} {x}, what is the difference between the share {who} {y} and the "
            "share {who} would have done so without the step?",
            "plain": "What is the difference in the share {who} {y} between those {who} {x} and those {who} "
            "{x_no}, as a mere description?",
        },
    ),
    Words(
        "Statement of case, {setting}. Total of {units}: 100,000. Claimants say that the step ({x}) changed "
        "the frequency of the event ({y}) as compared with its omission ({x_no}). Agreed facts: {a_y}; "
        "{a_b}; {b_x}. {facts} No further influences are alleged. Exhibits:\n\n{first}\n\n{second}\n\nNo "
        "exhibit combining the two exists. {ask}",
        "Whether the step was taken hinged on {a} in part even where {b} was the same. With step and {a} "
        "given, {b} is immaterial to the event.",
        "Whether the step was taken hinged on {a} not at all where {b} was the same. With step and {a} "
        "given, {b} is still material to the event.",
        {
            "all": "The court asks for the average change in the frequency of the event caused by the step, "
            "were it taken throughout instead of nowhere.",
            "treated": "The court asks for the average change in the frequency of the event caused by the "
            "step among those who actually took it.",
            "plain": "The court asks, as a first orientation and leaving causes aside, for the raw "
            "difference in the frequency of the event, step minus omission.",
        },
    ),
    Words(
        "Problem 7. Data: 100,000 {units} ({setting}). T: {x}; C: {x_no}. Success: "
        "{y}.\n\n{first}\n\n{second}\n\nThe joint table was lost in a move. Structure: {a} → {b}; {b} → T or "
        "C; {a} → success; T or C → success; {facts} This is the entire graph.\n\n{ask}",
        "{a} → T or C.",
        "{b} → success.",
        {
            "all": "Compute the average treatment effect, T minus C, for the 100,000.",
            "treated": "Compute the average treatment effect, T minus C, for the members of T.",
            "plain": "Compute the associational risk difference, T minus C.",
        },
    ),
)


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw what is asked, which covariate suffices and the key's place, then a model that puts it there."""
    number, rank, good = rng.randrange(len(WORDINGS)), rng.randrange(4), rng.choice("AB")
    asked, central = rng.choices(ASKED, WEIGHTS)[0], rng.random() < 0.5

    def attempt() -> Draft | None:
        world = model(rng, good)
        key, others = estimands(asked, good, rng)
        target = targets()[asked]
        answers = figures(
            world, key, others, rank, show=points, places=3, least=LEAST, central=central, target=target
        )
        if answers is None:
            return None
        return Draft(
            world,
            tell(WORDINGS[number], scene, world, asked, good),
            answers,
            f"adjustment-sets/numeric/{number}",
            scene.name,
            f"asked={asked} by={good}",
            (
                ("plain difference", crude("X", "Y")),
                ("adjusted for the earlier", adjusted_difference("X", "Y", ("A",))),
                ("adjusted for the later", adjusted_difference("X", "Y", ("B",))),
            ),
        )

    return until(attempt)


def model(rng: random.Random, good: str) -> Scm:
    """Draw a model in which adjusting for one covariate (`good`) is valid, and for the other is not."""

    def share() -> Fraction:
        return chance(rng, TENTH, 9 * TENTH, TENTH)

    def fine() -> Fraction:  # so that no figure is rounder than another
        return chance(rng, TENTH, 9 * TENTH, TENTH / 10)

    pairs = list(itertools.product((0, 1), repeat=2))
    later: Rows = {0: share(), 1: share()}
    if good == "B":
        chosen: Rows = {0: share(), 1: share()}
        result: Rows = {(*pair, x): fine() for pair in pairs for x in (0, 1)}
        tail = binary("X", "B", chosen), binary("Y", "A B X", result)
    else:
        tail = (
            binary("X", "A B", {pair: share() for pair in pairs}),
            binary("Y", "A X", {pair: fine() for pair in pairs}),
        )
    return Scm((binary("A", "", chance(rng, 3 * TENTH, 7 * TENTH, TENTH)), binary("B", "A", later), *tail))


def targets() -> dict[str, Term]:
    """Return the quantities that can be asked for."""
    return {
        "all": effect("X", "Y"),
        "treated": p({"Y": 1}, {"X": 1}) - counterfactual({"Y": 1}, {"X": 0}, given={"X": 1}),
        "plain": crude("X", "Y"),
    }


def estimands(asked: str, good: str, rng: random.Random) -> tuple[Figure, list[Figure]]:
    """Return the figure asked for, and three others."""
    bad = "A" if good == "B" else "B"
    taken = {"X": 1}
    found = {
        "all": Figure(
            adjusted_difference("X", "Y", (good,)),
            "the difference standardised over the covariate that suffices",
            Kind.PARTIAL,
        ),
        "treated": Figure(
            adjusted_difference("X", "Y", (good,), weights=taken),
            "the difference with the weights of those with the step, over the covariate that suffices",
            Kind.PARTIAL,
        ),
        "plain": Figure(crude("X", "Y"), "the plain difference", Kind.REFLEX),
        "other": Figure(
            adjusted_difference("X", "Y", (bad,)),
            "the difference standardised over the covariate that does not suffice",
            Kind.MISAPPLIED,
        ),
        "other treated": Figure(
            adjusted_difference("X", "Y", (bad,), weights=taken),
            "the difference with the weights of those with the step, over the covariate that does not "
            "suffice",
            Kind.MISAPPLIED,
        ),
        "untreated": Figure(
            adjusted_difference("X", "Y", (good,), weights={"X": 0}),
            "the difference with the weights of those without the step, over the covariate that suffices",
            Kind.PARTIAL,
        ),
        "turned": Figure(crude("Y", "X"), "the difference in the step by outcome", Kind.REVERSED),
    }
    shown = [name for name in ("plain", "other treated" if asked == "treated" else "other") if name != asked]
    rest = sorted(found.keys() - {asked, *shown})
    shown += rng.sample(rest, 3 - len(shown))
    return found[asked], [found[name] for name in shown]


def tell(words: Words, scene: Scene, world: Scm, asked: str, good: str) -> str:
    """Return the stem."""
    texts = fields(scene)
    if words is WORDINGS[1]:
        texts |= {name: texts[f"{name}_low_case"] for name in ("a_b", "b_x", "a_y")}
    facts = (words.earlier if good == "A" else words.later).format(**texts)
    return words.stem.format(
        **texts,
        facts=facts,
        first=_table(words, scene, world, "A"),
        second=_table(words, scene, world, "B"),
        ask=words.asks[asked].format(**texts),
    )


def _table(words: Words, scene: Scene, world: Scm, by: str) -> str:
    rough = Rough(world)
    name, low, high = (
        (scene.a, scene.a_low, scene.a_high) if by == "A" else (scene.b, scene.b_low, scene.b_high)
    )
    name = name.removeprefix("the ")
    groups, headed = {1: scene.x, 0: scene.x_no}, (name, "group", "number", f"of which {scene.y}")
    if words is WORDINGS[1]:
        groups, headed = {1: "step", 0: "omission"}, (name, "group", "cases", "events")
    elif words is WORDINGS[2]:
        groups, headed = {1: "T", 0: "C"}, (name, "group", "size", "successes")
    rows = []
    for level, x in itertools.product((0, 1), (1, 0)):
        here = {by: level, "X": x}
        sizes = [round(rough.number(p(levels)) * UNITS) for levels in (here, {**here, "Y": 1})]
        rows.append((high if level else low, groups[x], *(str(size) for size in sizes)))
    return table(headed, rows)
