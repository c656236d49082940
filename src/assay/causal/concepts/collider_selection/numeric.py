"""Numeric: a selected file with its rates of entry, from which the whole population must be rebuilt."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.collider_selection.population import Population, draw, model
from assay.causal.concepts.collider_selection.scenes import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.draws import until
from assay.causal.options.numbered import Figure, figures
from assay.causal.queries import Term, adjusted_difference, counterfactual, crude, effect, p
from assay.causal.wording.figures import percent, points
from assay.causal.wording.tables import table
from assay.causal.wording.telling import fields

ASKED = ("all", "treated", "untreated", "plain")
WEIGHTS = (6, 6, 6, 2)
LEAST = Fraction(15, 1000)


@dataclass(frozen=True, slots=True)
class Words:
    """One wording: the stem, a rate of entry, and what is asked."""

    stem: str
    rate: str
    asks: dict[str, str]


WORDINGS = (
    Words(
        "The step, as we call it, is that {units} ({setting}) {x}; without it, they {x_no}. The outcome is "
        "that they {y}. In {file} one counts:\n\n{figures}\n\nCases may be missing there, though. An audit "
        "of all {units} gives the probability that one is entered, which depends on nothing but step and "
        "outcome:\n{rates}\n\n{C} was known before the step was chosen and bore on that choice. {c_bears}. "
        "There are no other common causes. {ask}",
        "- {group}, {result}: {rate}",
        {
            "all": "By how much would the population's share with the outcome be higher (+) or lower (−) if "
            "all {units} took the step than if none did?",
            "treated": "Among all {units} of the population {who} {x}, by how much is the share with the "
            "outcome higher (+) or lower (−) than it would have been without the step?",
            "untreated": "Among all {units} of the population {who} {x_no}, by how much would the step have "
            "made the share with the outcome higher (+) or lower (−)?",
            "plain": "Setting causes aside: if all {units} of the population were counted, by how much would "
            "the share with the outcome be higher (+) or lower (−) where the step was taken than where not?",
        },
    ),
    Words(
        "Task for the new colleague at {setting}. You get counts of {units} {who} {s} (figures below, where "
        "'yes' means that they {y}), and you get the sampling fractions, by which I mean what part of the "
        "{units} of a kind is in {file}: {rates}. Nothing else influenced who was sampled. For {c}, "
        "remember two things: it was there first and swayed the choice between the first group (they {x}) "
        "and the second (they {x_no}), and, as we say, {bears}. No more confounders "
        "exist.\n\n{figures}\n\n{ask}",
        '{rate} of those {who} {group} with "{result}"',
        {
            "all": 'Work out what the choice does to the prevalence of "{y}" on average over both groups, '
            "sampled or not (first group minus second).",
            "treated": 'Work out what the choice did to the prevalence of "{y}" on average over the whole '
            "of the first group, sampled or not (actual minus counterfactual).",
            "untreated": 'Work out what the choice would do to the prevalence of "{y}" on average over the '
            "whole of the second group, sampled or not (counterfactual minus actual).",
            "plain": 'Work out by how much the prevalence of "{y}" differs between the groups (first minus '
            "second) when all {units} are counted, sampled or not. No causal reading is intended.",
        },
    ),
    Words(
        "{Units} ({setting}) fall into two groups. Group 1: {x}. Group 0: {x_no}. Which group they fall into "
        'depends on {c} and chance; {bears}. A "hit" is a case with the result: {y}. Our only source is '
        "{file}, with a known proportion of each kind of case, regardless of {c}.\n\nProportions "
        "taken in: {rates}.\n\nCases in the source:\n\n{figures}\n\nAll figures are exact. {ask}",
        "{rate} for {group}, {result}",
        {
            "all": "What is the average treatment effect (group 1 against 0, share of hits) in the "
            "population from which the source takes its cases?",
            "treated": "What is the average effect on the treated (group 1 against 0, share of hits) in the "
            "population from which the source takes its cases?",
            "untreated": "What is the average effect on the untreated (group 1 against 0, share of hits) in "
            "the population from which the source takes its cases?",
            "plain": "What is the difference in the share of hits (group 1 minus 0), without any adjustment, "
            "in the population from which the source takes its cases?",
        },
    ),
)


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw what is asked and the key's rank, then a population that puts it there."""
    number, rank = rng.randrange(len(WORDINGS)), rng.randrange(4)
    asked, central = rng.choices(ASKED, WEIGHTS)[0], rng.random() < 0.5

    def attempt() -> Draft | None:
        drawn = draw(rng)
        world = model(drawn)
        key, others = estimands(asked, rng)
        answers = figures(
            world,
            key,
            others,
            rank,
            show=points,
            places=3,
            least=LEAST,
            central=central,
            target=targets()[asked],
        )
        if answers is None:
            return None
        return Draft(
            world,
            tell(WORDINGS[number], scene, drawn, asked),
            answers,
            f"collider-selection/numeric/{number}",
            scene.name,
            f"asked={asked}",
            (
                ("plain difference in the file", crude("X", "Y", given={"S": 1})),
                ("plain difference in the population", crude("X", "Y")),
                ("adjusted in the population", adjusted_difference("X", "Y", ("C",))),
            ),
        )

    return until(attempt)


def targets() -> dict[str, Term]:
    """Return the quantities that can be asked for."""
    taken, omitted = {"X": 1}, {"X": 0}
    return {
        "all": effect("X", "Y"),
        "treated": p({"Y": 1}, taken) - counterfactual({"Y": 1}, omitted, given=taken),
        "untreated": counterfactual({"Y": 1}, taken, given=omitted) - p({"Y": 1}, omitted),
        "plain": crude("X", "Y"),
    }


def estimands(asked: str, rng: random.Random) -> tuple[Figure, list[Figure]]:
    """Return the figure asked for, and three others."""
    over, filed = ("C",), {"S": 1}
    found = {
        "all": Figure(
            adjusted_difference("X", "Y", over),
            "the population's difference, rebuilt by the rates and standardised to all",
            Kind.PARTIAL,
        ),
        "plain": Figure(
            crude("X", "Y"), "the population's plain difference, rebuilt but not adjusted", Kind.PARTIAL
        ),
        "filed": Figure(
            adjusted_difference("X", "Y", over, within=filed, weights=filed),
            "the adjusted difference within the file, as if entry were no selection",
            Kind.REFLEX,
        ),
        "treated": Figure(
            adjusted_difference("X", "Y", over, weights={"X": 1}),
            "the rebuilt difference, standardised to those with the step",
            Kind.MISAPPLIED,
        ),
        "untreated": Figure(
            adjusted_difference("X", "Y", over, weights={"X": 0}),
            "the rebuilt difference, standardised to those without the step",
            Kind.MISAPPLIED,
        ),
        "raw": Figure(crude("X", "Y", given=filed), "the plain difference within the file", Kind.REFLEX),
        "turned": Figure(
            crude("Y", "X"), "the difference in the step by outcome, conditioning turned round", Kind.REVERSED
        ),
    }
    shown = [name for name in ("all", "plain", "filed") if name != asked]
    rest = sorted(found.keys() - {asked, *shown})
    shown += rng.sample(rest, 3 - len(shown))
    return found[asked], [found[name] for name in shown]


def tell(words: Words, scene: Scene, drawn: Population, asked: str) -> str:
    """Return the stem."""
    texts = fields(scene, bears=scene.c_bears[:1].lower() + scene.c_bears[1:])
    groups = {1: scene.x, 0: scene.x_no}
    short = {1: "group 1", 0: "group 0"} if "Group 1" in words.stem else groups
    listed = [
        words.rate.format(
            group=short[x],
            result=_result(words, y),
            rate=percent(r, 0),
            who=scene.who,
        )
        for (x, y), r in sorted(drawn.rates.items(), reverse=True)
    ]
    rows = [
        (level, short[x], str(drawn.filed(c, x, 1)), str(drawn.filed(c, x, 0)))
        for c, level in ((0, scene.c_low), (1, scene.c_high))
        for x in (1, 0)
    ]
    header = (scene.c, "group", "hits", "no hits") if "hit" in words.stem else (scene.c, "group", "yes", "no")
    if words is WORDINGS[0]:
        header = (scene.c, f"{scene.units} {scene.who} …", "with the outcome", "without it")
    joint = "\n" if words.rate.startswith("-") else "; "
    return words.stem.format(
        **texts,
        figures=table(header, rows),
        rates=joint.join(listed),
        ask=words.asks[asked].format(**texts),
    )


def _result(words: Words, y: int) -> str:
    """Name the outcome or its absence as the wording does."""
    if "hit" in words.stem:
        return "hits" if y else "no hits"
    if words is WORDINGS[0]:
        return "with the outcome" if y else "without it"
    return "yes" if y else "no"
