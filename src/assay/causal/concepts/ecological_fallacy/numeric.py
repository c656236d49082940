"""Numeric: the individual effect out of groups that differ, or what a whole group's move would bring."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

from assay.causal.concepts.ecological_fallacy.base import slope
from assay.causal.concepts.ecological_fallacy.scenes import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.draws import chance, until
from assay.causal.options.estimands import Estimand, offered, place
from assay.causal.queries import Term, adjusted_difference, crude, p
from assay.causal.scm import Scm, binary, levels
from assay.causal.search.rough import Rough
from assay.causal.wording.figures import percent
from assay.causal.wording.graphs import sentence
from assay.causal.wording.tables import table

GROUPS = range(3)
OWN = adjusted_difference("X", "Y", ("G",))
WORDINGS = (
    "There are three kinds of {groups}. The table has, for each kind, the part of all {units} that belong "
    "to it, the part of its {units} {who} {x} (exposed), and the shares that {y} among the exposed and "
    "among the others, {who} {x_no}.\n\n{table}\n\n{story} {mark}How large is {asked}?",
    "{Groups} of kinds 1, 2 and 3 contain {units}: some {x} (exposed), others {x_no}. From a "
    "complete census:\n\n{table}\n\n“Outcome” means: {y}. {mark}{story} Determine {asked}.",
    "An official knows for every kind of {group} what is in this table, and the formula for means of "
    "means.\n\n{table}\n\n(Exposed: {x}. Not exposed: {x_no}. Counted in the last columns: {units} {who} "
    "{y}.) {story} The official has to report {asked}. {mark}What is the correct entry?",
)
OWN_STORY = (
    "The kinds differ in {d}, which affects the outcome; inside a kind it is chance who is exposed, and "
    "nobody's outcome depends on others' exposure.",
    "Within a kind exposed and unexposed are alike beforehand, from one kind to another they are not, on "
    "account of {d}. Exposure works on the exposed alone.",
)
WHOLE_STORY = (
    "Which {groups} became of which kind was drawn by lot, and so it was inside them who is exposed; the "
    "exposure of others matters to a {unit} too, not that {unit}'s own alone.",
    "The kinds were assigned to {groups} at random, likewise exposure to {units}. It matters to everybody "
    "how many others in the same {group} are exposed.",
)
OWN_ASKED = "the effect on a {unit}'s outcome of that {unit}'s own exposure, averaged over all {units}"
WHOLE_ASKED = "the effect on a {group}'s overall outcome rate of being of kind 3 rather than of kind 1"
MARK = (
    "A score of satisfaction came later: {c1} of those with the outcome and {c0} of those without were "
    "satisfied. "
)


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw whose effect is asked for, the key's rank, and numbers that fit."""
    number, wanted = rng.randrange(len(WORDINGS)), place(rng)
    who = rng.choices(("own", "whole"), (9, 1))[0]
    marked = rng.random() < 0.75
    fields = {name: getattr(scene, name) for name in Scene.__slots__} | {"Groups": sentence(scene.groups)}
    story = rng.choice(OWN_STORY if who == "own" else WHOLE_STORY).format(**fields)
    asked = (OWN_ASKED if who == "own" else WHOLE_ASKED).format(**fields)

    def draft() -> Draft | None:
        scm = nested(rng, marked)
        if abs(Rough(scm).number(slope())) > 0.95:
            return None
        found = estimands()
        chosen = found.pop(who)
        answers = offered(rng, scm, chosen, list(found.values()), wanted)
        if answers is None:
            return None
        mark = ""
        if marked:
            low, high = (percent(scm.by_name["C"].table[(y,)][1], 0) for y in (0, 1))
            mark = MARK.format(c0=low, c1=high)
        stem = WORDINGS[number].format(table=_table(scm), story=story, asked=asked, mark=mark, **fields)
        template, state = f"ecological-fallacy/numeric/{number}", f"{who} rank={wanted.rank}"
        shown = (("pooled difference", crude("X", "Y")), ("asked for", chosen.term))
        return Draft(scm, stem, answers, template, scene.name, state, shown)

    return until(draft)


def nested(rng: random.Random, marked: bool) -> Scm:
    """Draw three kinds of groups, the share exposed in each, and outcome rates."""
    first, second = rng.randint(15, 45), rng.randint(15, 45)
    parts = [Fraction(part, 100) for part in (first, second, 100 - first - second)]
    shares = [Fraction(rng.randint(low, low + 20), 100) for low in (8, 39, 72)]
    if rng.random() < 0.5:
        shares.reverse()
    step = Fraction(1, 20)
    sign = rng.choice((-1, 1))
    gains = [sign * rng.randint(1, 9) * step for _ in GROUPS]
    lows = [chance(rng, max(step, step - gain), min(19 * step, 19 * step - gain), step) for gain in gains]
    rates = {(x, g): lows[g] + x * gains[g] for x, g in itertools.product((0, 1), GROUPS)}
    variables = [
        levels("G", "", {(): parts}),
        binary("X", "G", {g: shares[g] for g in GROUPS}),
        binary("Y", "X G", {key: rates[key] for key in rates}),
    ]
    if marked:
        low, high = chance(rng, 4 * step, 8 * step, 2 * step), chance(rng, 12 * step, 18 * step, 2 * step)
        variables.append(binary("C", "Y", {0: low, 1: high}))
    return Scm(tuple(variables))


def estimands() -> dict[str, Estimand]:
    """Return what can be computed from the table, by name."""
    return {
        "own": Estimand(OWN, Kind.REFLEX, "The differences inside the kinds, weighted by the kinds' parts."),
        "whole": Estimand(
            rise(),
            Kind.PARTIAL,
            "The overall rate of kind 3 minus that of kind 1, which is about whole groups.",
        ),
        "pooled": Estimand(
            crude("X", "Y"),
            Kind.REFLEX,
            "Exposed minus unexposed with all kinds thrown together, unlike as they are.",
        ),
        "slope": Estimand(
            slope(),
            Kind.REVERSED,
            "The slope of the kinds' averages, read as if it were an individual's change.",
        ),
        "takers": Estimand(
            adjusted_difference("X", "Y", ("G",), weights={"X": 1}),
            Kind.MISAPPLIED,
            "The differences inside the kinds, weighted as the exposed are spread.",
        ),
        "others": Estimand(
            adjusted_difference("X", "Y", ("G",), weights={"X": 0}),
            Kind.PARTIAL,
            "The differences inside the kinds, weighted as those not exposed are spread.",
        ),
        "context": Estimand(
            rise() - OWN * (p({"X": 1}, {"G": 2}) - p({"X": 1}, {"G": 0})),
            Kind.MISAPPLIED,
            "The part of the groups' difference that individual exposure does not account for.",
        ),
    }


def rise() -> Term:
    """Return the overall rate of the third kind of groups minus that of the first."""
    return p({"Y": 1}, {"G": 2}) - p({"Y": 1}, {"G": 0})


def _table(scm: Scm) -> str:
    parts, shares, rates = (scm.by_name[name].table for name in ("G", "X", "Y"))
    rows = [
        (
            str(g + 1),
            percent(parts[()][g], 0),
            percent(shares[(g,)][1], 0),
            *(percent(rates[(x, g)][1], 0) for x in (1, 0)),
        )
        for g in GROUPS
    ]
    return table(("kind", "part of all", "exposed", "outcome, exposed", "outcome, others"), rows)
