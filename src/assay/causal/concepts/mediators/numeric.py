"""Numeric: a total or a controlled direct effect, from a table with both a common cause and a mediator."""

from __future__ import annotations

import random
from fractions import Fraction

from assay.causal.concepts.mediators.scene import Scene
from assay.causal.draft import Answer, Draft, Kind
from assay.causal.draws import chance, until
from assay.causal.options.numbered import Figure, figures
from assay.causal.queries import Term, adjusted_difference, crude, effect, p
from assay.causal.scm import Scm, binary
from assay.causal.search.beside import Place, beside, drawn_place
from assay.causal.search.rough import Rough
from assay.causal.wording.figures import percent, points
from assay.causal.wording.tables import table

TWENTIETH = Fraction(1, 20)
LEAST = Fraction(2, 100)
TOTAL = "total"

STEMS = (
    "{Setting} has complete figures on {units}. A first column tells {c} ({c_low}: {low_share} of all; "
    "{c_high}: {high_share}), which was settled beforehand and had its say in which of the {units} {x} "
    "(the step). {Moves}; {c} matters for that too.\n\n{table}\n\nApart from {c}, nothing stands behind "
    "two of these variables at once. {target_0}. The answer is asked for the whole population, in whole "
    "percentage points.",
    "Exercise. Let C be {c}, with P(C = {c_high}) = {high_share} and P(C = {c_low}) = {low_share}; X, "
    "whether {units} {x} (X = 1) or {x_no} (X = 0); M, {m}; Y = 1 if they {y}. The arrows are C → X, C → M, "
    "C → Y, X → M, X → Y and M → Y, and there are no unmeasured common causes. The conditional "
    "probabilities, all of them exact:\n\n{table}\n\n{target_1}?",
    "An accountant at {setting} kept the following sheet. Rows differ in {c} and in the step, that is, "
    "whether the {units} {x}. She knows that {c} came first, and that {high_share} of the {units} are of "
    "the kind '{c_high}', the other {low_share} of the kind '{c_low}'; that {m} was found out after the "
    "step; and that no unseen cause is shared.\n\n{table}\n\n{target_2} What does the sheet imply, all "
    "kinds taken together in their true proportions?",
)
TOTALS = (
    "Wanted is by how much the share {that} {y} would change if all {units} took the step instead of none, "
    "with {m} free to follow",
    "By how much does setting X to 1 rather than 0 raise P(Y = 1), with M left to respond",
    "Somebody asks what the step does to the share {that} {y}, by every route there is.",
)
DIRECTS = (
    "Wanted is by how much the share {that} {y} would change if all {units} took the step instead of none "
    "while somebody saw to it that all of them are at '{level}'",
    "By how much does setting X to 1 rather than 0 raise P(Y = 1) when M is set to '{level}' for "
    "everybody in either case",
    "Somebody asks what the step would do to the share {that} {y} in a world where a rule imposes '{level}' "
    "on all.",
)


def numeric(rng: random.Random, scene: Scene) -> Draft:
    """Draw what is asked and at which place its figure stands, then mechanisms that put it there."""
    number, place = rng.randrange(len(STEMS)), drawn_place(rng)
    asked = rng.choice((TOTAL, TOTAL, TOTAL, 0, 1))

    def make() -> tuple[Scm, tuple[Answer, ...]] | None:
        model = _model(rng)
        found = answered(model, asked, place, rng) if _sound(model) else None
        return (model, found) if found else None

    model, answers = until(make)
    fields = scene.words()
    share = model.by_name["C"].table[()][1]
    fields |= {"low_share": percent(1 - share, 0), "high_share": percent(share, 0)}
    fields["level"] = scene.m_high if asked == 1 else scene.m_low
    wanted = TOTALS if asked == TOTAL else DIRECTS
    stem = STEMS[number].format(
        table=_shown(model, scene),
        target_0=wanted[0].format(**fields),
        target_1=wanted[1].format(**fields),
        target_2=wanted[2].format(**fields),
        **fields,
    )
    told = f"asked={asked} rank={place.rank}"
    derivation = (
        ("difference as it stands", crude("X", "Y")),
        ("total effect", effect("X", "Y")),
        ("direct effect, mediator low", _direct(0)),
        ("direct effect, mediator high", _direct(1)),
    )
    return Draft(model, stem, answers, f"mediators/numeric/{number}", scene.name, told, derivation)


def answered(model: Scm, asked: str | int, place: Place, rng: random.Random) -> tuple[Answer, ...] | None:
    """Return four figures with the key at its place among them, or None where this model has no such four.

    `asked` is the total effect or the level at which the mediator is held.
    """
    total = Figure(effect("X", "Y"), "the total effect, standardised over the cause only", Kind.MISAPPLIED)
    direct = {
        level: Figure(_direct(level), f"the effect with the mediator held at level {level}", Kind.PARTIAL)
        for level in (0, 1)
    }
    plain = Figure(crude("X", "Y"), "the difference as it stands, mixed with the cause", Kind.REFLEX)
    over = Figure(
        adjusted_difference("X", "Y", ("C", "M")),
        "the difference standardised over cause and mediator together",
        Kind.MISAPPLIED,
    )
    lone = Figure(
        adjusted_difference("X", "Y", ("M",)),
        "the difference standardised over the mediator only",
        Kind.REVERSED,
    )
    if asked == TOTAL:
        key, others = total, [plain, over, lone, direct[0], direct[1]]
    else:
        held = int(asked)
        within = Figure(
            crude("X", "Y", given={"M": held}),
            "the difference among those found at that level",
            Kind.REVERSED,
        )
        key, others = direct[held], [total, direct[1 - held], within, plain, over]
    rough = Rough(model)
    values = [rough.number(each.term) for each in others]
    places = beside(rough.number(key.term), values, place, least=float(LEAST), rng=rng)
    if places is None:
        return None
    return figures(
        model, key, [others[each] for each in places], place.rank, show=whole_points, places=2, least=LEAST
    )


def _direct(level: int) -> Term:
    return p({"Y": 1}, do={"X": 1, "M": level}) - p({"Y": 1}, do={"X": 0, "M": level})


def whole_points(difference: Fraction) -> str:
    """Write a difference in whole points: decimals would tell one sort of figure from another."""
    return points(difference, 0)


def _model(rng: random.Random) -> Scm:
    def draw(low: int, high: int) -> Fraction:
        return chance(rng, low * TWENTIETH, high * TWENTIETH, TWENTIETH)

    pairs = [(c, x) for c in (0, 1) for x in (0, 1)]
    return Scm(
        (
            binary("C", table=draw(6, 14)),
            binary("X", "C", {c: draw(3, 17) for c in (0, 1)}),
            binary("M", "C X", {pair: draw(2, 18) for pair in pairs}),
            binary("Y", "C X M", {(*pair, m): draw(1, 19) for pair in pairs for m in (0, 1)}),
        )
    )


def _sound(model: Scm) -> bool:
    """Return whether cause and mediator matter enough for the wrong routes to go astray."""
    x, m = model.by_name["X"].table, model.by_name["M"].table
    leans = abs(x[(1,)][1] - x[(0,)][1]) >= 4 * TWENTIETH
    moves = all(abs(m[(c, 1)][1] - m[(c, 0)][1]) >= 2 * TWENTIETH for c in (0, 1))
    return leans and moves


def _shown(model: Scm, scene: Scene) -> str:
    header = (
        scene.c,
        "step",
        f"share among those with this {scene.c}",
        f"{scene.m_high} in this row",
        f"outcome given {scene.m_low}",
        f"outcome given {scene.m_high}",
    )
    rows = []
    for c in (0, 1):
        for x in (0, 1):
            y = model.by_name["Y"].table
            rows.append(
                (
                    scene.c_high if c else scene.c_low,
                    scene.x if x else scene.x_no,
                    percent(model.by_name["X"].table[(c,)][x], 0),
                    percent(model.by_name["M"].table[(c, x)][1], 0),
                    percent(y[(c, x, 0)][1], 0),
                    percent(y[(c, x, 1)][1], 0),
                )
            )
    return table(header, rows)
