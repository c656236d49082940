"""Trap: the table turns round in all three groups; which figure is right depends on story and question."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.concepts.simpson.groups import (
    CRUDE,
    EVERYBODY,
    GROUPS,
    OTHERS,
    TAKERS,
    Tally,
    by_group,
    tally,
)
from assay.causal.concepts.simpson.scenes import Scene
from assay.causal.draft import Answer, Draft, Kind, right, wrong
from assay.causal.draws import apart, until
from assay.causal.proof.proof import Claim
from assay.causal.queries import Compare, effect
from assay.causal.wording.figures import points
from assay.causal.wording.graphs import sentence
from assay.causal.wording.tables import table

FIGURES = {"totals": CRUDE, "everybody": EVERYBODY, "takers": TAKERS, "others": OTHERS}
ASKED = {
    "totals": effect("X", "Y"),
    "everybody": effect("X", "Y"),
    "takers": by_group({"X": 1}),
    "others": by_group({"X": 0}),
}


ASTRAY = {
    "totals": ("totals", "takers", "others"),
    "everybody": ("everybody", "others"),
    "takers": ("totals", "everybody", "takers"),
    "others": ("totals", "everybody", "takers", "others"),
}


@dataclass(frozen=True, slots=True)
class Words:
    """One wording. By state: what is asked, and a remark that leads astray, there and in `ASTRAY`."""

    stem: str
    early: str
    late: str
    asked: dict[str, str]
    remarks: dict[str, str]
    options: dict[str, str]


WORDINGS = (
    Words(
        "{Keeper} compares {units} {who} {x} (way A) with {units} {who} {x_no} (way B). In each cell: how "
        "many there were, and how many of these {y}.\n\n{table}\n\nSeveral figures can be made of these "
        "counts: the difference between the two rates at the foot of the table, or the three differences in "
        "the groups, weighted by the sizes of the groups or by the numbers under A or under B. Added up, "
        "one way is ahead; in all three groups the other is. {origin} Nothing else distinguishes the "
        "{units} of A from those of B. The {w}, given afterwards, reflects way and success. {remark}\n\nThe "
        "directors wish to know {asked}. Which figure tells them?",
        "{G} was entered in the file when everything was over, but it is a property that the {units} had "
        "from the beginning, and the choice between A and B leaned on it.",
        "{G} fills the first column of the file, but it became what it is under A or under B, the choice "
        "having fallen without any regard to prospects.",
        {
            "totals": (
                "by how much the share that {y} would be higher if A were used throughout rather than B"
            ),
            "everybody": (
                "by how much the share that {y} would be higher if A were used throughout rather than B"
            ),
            "takers": "what A has changed, compared with B, for those {units} {who} were in fact "
            "handled by A",
            "others": (
                "what A would change, compared with B, for those {units} {who} are at present handled by B"
            ),
        },
        {
            "totals": (
                "A statistician, hearing of a reversal in every group, says that it must be a case "
                "for the groups."
            ),
            "everybody": (
                "A lawyer, seeing {g} recorded after the event, says that late entries must not be used."
            ),
            "takers": (
                "A statistician says that the standard population for any weighting is the population itself."
            ),
            "others": (
                "A statistician says that weights are to be taken from where A has actually been in use."
            ),
        },
        {
            "totals": "The difference between the two rates at the foot of the table",
            "everybody": "The three differences, weighted by the sizes of the groups",
            "takers": "The three differences, weighted by the numbers under A",
            "others": "The three differences, weighted by the numbers under B",
        },
    ),
    Words(
        "“It wins in every class and loses in total, so which is it?” The question arose over these counts "
        "of {units}, A for those {who} {x}, B for those {who} {x_no}, each time with the number that "
        "{y}:\n\n{table}\n\nOne may set the success rate of all A against that of all B (the one less the "
        "other), or form a mean over the classes, each counting by its A alone, by its B alone or by both "
        "together. {origin} In all else the handling was left to chance. Later "
        "the {w} of each was settled, in view of handling and success. {remark} To be found: {asked}. The "
        "right way to find it from the counts is to take",
        "{Keeper} did not write down {g} before the last day, yet nothing that was done could alter it, "
        "whereas it did incline people to the one handling or the other.",
        "{Keeper} writes down {g} on top of the sheet, yet only once the handling has done its work, for the "
        "handling alters it; A and B themselves had been dealt out like cards.",
        {
            "totals": "the mean effect on success, over all {units}, of A in place of B",
            "everybody": "the mean effect on success, over all {units}, of A in place of B",
            "takers": "the mean effect on success that A, in place of B, had on the {units} {who} got A",
            "others": (
                "the mean effect on success that A, in place of B, would have on the {units} {who} got B"
            ),
        },
        {
            "totals": "Someone had just read about Simpson and would hear of nothing but the three classes.",
            "everybody": (
                "Someone maintained that a class known so late can only be a consequence and is to "
                "be ignored."
            ),
            "takers": "Someone proposed the make-up of all {units}, as one does in official statistics.",
            "others": "Someone proposed the make-up of the A column, A being what the question is about.",
        },
        {
            "totals": "the success rate of all A less the success rate of all B",
            "everybody": "a mean over the classes, each counting by its A and B together",
            "takers": "a mean over the classes, each counting by its A alone",
            "others": "a mean over the classes, each counting by its B alone",
        },
    ),
    Words(
        "Exercise. Rows: {g}. Columns: way of proceeding (A: {x}; B: {x_no}). Entries: number of {units}, "
        "number that {y}.\n\n{table}\n\nCandidates: the unstratified difference of the two proportions; row "
        "differences, averaged over column A's rows, over column B's rows or over both columns' rows. "
        "Mechanism: {origin} There are no further common causes; way and success both act on the {w}, not "
        "shown. Quantity sought: {asked}. Comment found in the margin: {remark} Identify the estimator that "
        "equals the quantity sought.",
        "{g} → way, {g} → success, way → success ({g} being the variable measured last).",
        "way → {g}, {g} → success, way → success ({g} being the variable listed first).",
        {
            "totals": "the mean of (success under A − success under B) in all the {units}, however observed",
            "everybody": (
                "the mean of (success under A − success under B) in all the {units}, however observed"
            ),
            "takers": "the mean of (success under A − success under B) in the {units} observed under A",
            "others": "the mean of (success under A − success under B) in the {units} observed under B",
        },
        {
            "totals": "“sign change in all rows, hence stratify!”",
            "everybody": "“measured last, hence downstream, do not stratify!”",
            "takers": "“stratify with the marginal distribution of the rows!”",
            "others": "“stratify, rows as distributed in the exposed!”",
        },
        {
            "totals": "Unstratified difference of the two proportions",
            "everybody": "Row differences averaged over both columns' rows",
            "takers": "Row differences averaged over column A's rows",
            "others": "Row differences averaged over column B's rows",
        },
    ),
)


def trap(rng: random.Random, scene: Scene) -> Draft:
    """Draw the story of the groups and the question, then a table that turns round."""
    number = rng.randrange(len(WORDINGS))
    words, state = WORDINGS[number], rng.choice(tuple(FIGURES))
    unit = rng.choice((20, 40))

    def fitting() -> Tally | None:
        found = tally(rng, unit)
        return found if found and apart(found.differences(), Fraction(1, 200)) else None

    drawn = until(fitting)
    scm = drawn.late() if state == "totals" else drawn.early()
    fields = {name: getattr(scene, name) for name in Scene.__slots__}
    fields |= {name.capitalize(): sentence(fields[name]) for name in ("g", "keeper")}
    origin = (words.late if state == "totals" else words.early).format(**fields)
    stem = words.stem.format(
        table=_table(drawn, scene),
        origin=origin,
        asked=words.asked[state].format(**fields),
        remark=words.remarks[rng.choice(ASTRAY[state])].format(**fields),
        **fields,
    )
    values = dict(zip(FIGURES, drawn.differences(), strict=True))
    answers = [_answer(words.options[name], name, state, values) for name in FIGURES]
    return Draft(
        scm,
        stem,
        tuple(answers),
        f"simpson/trap/{number}",
        scene.name,
        state,
        tuple(FIGURES.items()),
    )


def _answer(text: str, name: str, state: str, values: dict[str, Fraction]) -> Answer:
    claim = Claim(Compare(FIGURES[name], "=", ASKED[state]), True)
    gives = f"This gives {points(values[name])}"
    why = (f"{gives}. " if name == state else f"{gives}; asked for is {points(values[state])}. ") + (
        "The groups are a consequence of the way, so the totals hold the whole effect."
        if state == "totals"
        else "The groups come before the way, so they are held fixed and weighted as the question's units "
        "are."
    )
    text = sentence(text) + "."
    if name == state:
        return right(text, claim, why=why)
    if state == "totals":
        return wrong(Kind.REFLEX if name == "everybody" else Kind.MISAPPLIED, text, claim, why=why)
    if name == "totals":
        return wrong(Kind.REVERSED, text, claim, why=why)
    return wrong(Kind.REFLEX if name == "everybody" else Kind.PARTIAL, text, claim, why=why)


def _table(drawn: Tally, scene: Scene) -> str:
    rows = []
    for g, level in zip(GROUPS, (scene.g1, scene.g2, scene.g3), strict=True):
        cells = [(drawn.sizes[g][x], drawn.sizes[g][x] * drawn.rates[g][x] // 20) for x in (1, 0)]
        rows.append((level, *(str(count) for cell in cells for count in cell)))
    sums = [str(sum(int(row[place]) for row in rows)) for place in range(1, 5)]
    return table((scene.g, "A", "A, success", "B", "B, success"), [*rows, ("all", *sums)])
