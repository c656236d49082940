"""Numeric: one table of starters and survivors by grade, and three questions that it answers differently."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction

from assay.causal.concepts.survivorship.scenes import Scene
from assay.causal.draft import Draft, Kind
from assay.causal.draws import until
from assay.causal.options.numbered import Figure
from assay.causal.options.readings import offered
from assay.causal.queries import Term, adjusted_difference, crude, p
from assay.causal.scm import Scm, binary
from assay.causal.wording.figures import points
from assay.causal.wording.tables import table
from assay.causal.wording.telling import fields

Counts = Mapping[tuple[int, int], tuple[int, int, int]]
Rows = dict[tuple[int, ...] | int, Fraction]
ASKED = ("kept", "total", "seen")
WEIGHTS = (40, 52, 8)

STEMS = (
    "A register of {setting} lists {units} by grade at the start (this is {trait}: {frail} or {sturdy}), "
    "by practice, "
    "and by what a census found. The grade, besides affecting everything later, was what owners went by "
    "when they "
    "chose between {x} and {x_no}; nothing else mattered for both choice and fate, nor "
    "for both lasting and success.\n\n{table}\n\nThe "
    "numbers are "
    "large enough to be taken as exact. {question} Give {x} minus {x_no}.",
    "For {units} the choice between P ({x}) and Q ({x_no}) was made with an eye to one thing, {trait}, "
    "known at the "
    "outset. Later on some of them {gone}. Those {who} {left} were judged: success meant that they "
    "{y}.\n\n{table}\n\n"
    '"{question}" asks the head of {setting}, meaning P less Q. (Grade and practice apart, lasting and '
    "success "
    "share no cause; take frequencies for probabilities.)",
    "Exercise. G: grade, the levels being {frail} and {sturdy}. T: practice, chosen in the light of G "
    "alone; T = 1 is "
    "{x}, T = 0 is {x_no}. Census: which {units} {left}, and which of these {y}. Source: "
    "{setting}.\n\n{table}\n\nRead "
    "shares as probabilities; G and T are the sole common causes of lasting and outcome. {question} (T = 1 "
    "less T = 0.)",
)
QUESTIONS: dict[str, tuple[str, ...]] = {
    "kept": (
        "If all that began were put under one practice or the other, and none were lost before the census, "
        "by how "
        "much would the share that {y} differ?",
        "With losses abolished altogether, what difference would the practice make, over all that began, "
        "to the "
        "share that {y}?",
    ),
    "total": (
        "If all that began were put under one practice or the other, by how much would the share "
        "that {left} at the census and {y} differ, out of all that began?",
        "Losses being what each practice makes them, and whatever is lost counting as no success, what "
        "difference "
        "would the practice make, over all that began, to the share that both {left} and {y}?",
    ),
    "seen": (
        "Take the {units} {who} {left}, just as the census met them: by how much does the share that {y} "
        "differ "
        "between the two practices?",
        "Describing what the census met with, and nothing more: among those {who} {left}, how far apart are "
        "the shares "
        "that {y}?",
    ),
}


def world(counts: Counts) -> Scm:
    """Return the model of which the table shows expectations.

    `counts` gives for each (practice, grade) how many began, were left, and of these had the outcome.
    """
    began = {cell: Fraction(n) for cell, (n, _, _) in counts.items()}
    by_grade = [began[0, grade] + began[1, grade] for grade in (0, 1)]
    lasting: Rows = {cell: Fraction(m, n) for cell, (n, m, _) in counts.items()}
    outcome: Rows = {(*cell, 1): Fraction(k, m) for cell, (_, m, k) in counts.items()}
    outcome |= {(*cell, 0): Fraction(0) for cell in counts}
    return Scm(
        (
            binary("G", "", by_grade[1] / sum(by_grade)),
            binary("T", "G", {grade: began[1, grade] / by_grade[grade] for grade in (0, 1)}),
            binary("S", "T G", lasting),
            binary("Y", "T G S", outcome),
        )
    )


def figure(name: str) -> Figure:
    """Return one of the quantities that can be asked for."""
    return {
        "kept": Figure(
            adjusted_difference("T", "Y", ["G"], within={"S": 1}),
            "the difference with all kept, each grade counting as it began",
            Kind.MISAPPLIED,
        ),
        "total": Figure(
            adjusted_difference("T", "Y", ["G"]),
            "the difference in being left with the outcome, each grade counting as it began",
            Kind.PARTIAL,
        ),
        "seen": Figure(crude("T", "Y", given={"S": 1}), "the plain difference among those left", Kind.REFLEX),
    }[name]


def target(name: str) -> Term:
    """Return what the question asks for, before any formula."""
    if name == "kept":
        return p({"Y": 1}, do={"T": 1, "S": 1}) - p({"Y": 1}, do={"T": 0, "S": 1})
    if name == "total":
        return p({"Y": 1}, do={"T": 1}) - p({"Y": 1}, do={"T": 0})
    return crude("T", "Y", given={"S": 1})


def pool(name: str) -> list[Figure]:
    """Return the readings that compete with the quantity asked for."""
    strata = [crude("T", "Y", given={"S": 1, "G": grade}) for grade in (0, 1)]
    return [
        *(figure(other) for other in ASKED if other != name),
        Figure(
            adjusted_difference("T", "Y", ["G"], within={"S": 1}, weights={"S": 1}),
            "the difference among those left, each grade counting as it was left",
            Kind.MISAPPLIED,
        ),
        Figure(
            crude("T", "Y"),
            "the difference in being left with the outcome, grades not held fixed",
            Kind.REFLEX,
        ),
        Figure(
            adjusted_difference("T", "Y", ["G", "S"]),
            "the difference at one and the same rate of loss, the lost counting as failures",
            Kind.MISAPPLIED,
        ),
        Figure(
            (strata[0] + strata[1]) / 2, "the mean of the grades' differences among those left, unweighted"
        ),
        Figure(
            p({"T": 1}, {"Y": 1, "S": 1}) - p({"T": 1}, {"Y": 0, "S": 1}),
            "the difference in practice between successes and failures among those left",
            Kind.REVERSED,
        ),
    ]


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw what is asked and the key's rank, then counts in which it has that rank among four."""
    number, name = rng.randrange(len(STEMS)), rng.choices(ASKED, WEIGHTS)[0]
    rank = rng.randrange(4)
    central = rng.random() < 0.5
    asked, others = figure(name), pool(name)

    def attempt() -> Draft | None:
        counts = _counts(rng)
        scm = world(counts)
        answers = offered(
            rng,
            scm,
            asked,
            others,
            rank,
            central=central,
            show=points,
            places=3,
            least=Fraction(12, 1000),
            target=target(name),
        )
        if answers is None:
            return None
        texts = fields(scene)
        question = rng.choice(QUESTIONS[name]).format(**texts)
        stem = STEMS[number].format(**texts, question=question, table=_table(scene, counts, number))
        return Draft(
            scm,
            stem,
            answers,
            f"survivorship/numeric/{number}",
            scene.name,
            f"{name} rank={rank}",
            (("plain difference among those left", figure("seen").term), ("asked for", asked.term)),
        )

    return until(attempt)


def _counts(rng: random.Random) -> Counts:
    """Draw who began, lasted and succeeded for each practice and grade."""
    found = {}
    for practice in (0, 1):
        for grade in (0, 1):
            n = 20 * rng.randint(10, 60)
            m = n * rng.randint(20, 95) // 100
            found[practice, grade] = (n, m, m * rng.randint(8, 92) // 100)
    return found


def _table(scene: Scene, counts: Counts, number: int) -> str:
    practices = (("Q", "P"), ("T = 0", "T = 1"))[number - 1] if number else (scene.x_no, scene.x)
    header = ("Grade", "Practice", "Began", "Lasted", "Lasted with the outcome")
    rows = [
        [
            (scene.frail, scene.sturdy)[grade],
            practices[practice],
            *(f"{n:,}" for n in counts[practice, grade]),
        ]
        for grade in (0, 1)
        for practice in (1, 0)
    ]
    return table(header, rows)
