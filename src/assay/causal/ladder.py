"""A ladder form: questions on all rungs of the ladder of causation, at rising levels, from one seed."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from assay.causal.draft import OPTIONS, Answer, Draft, proved
from assay.causal.draws import Undrawable
from assay.causal.item import Item, Variant
from assay.causal.numbers import draw as numbers
from assay.causal.numbers.open_draft import OpenDraft, proved_open
from assay.causal.numbers.read_back import checked
from assay.causal.numbers.recipe import Recipe
from assay.causal.question import order_of
from assay.causal.solvers.solver import Solver, chances
from assay.causal.stories import questions as stories
from assay.causal.stories.concept import Concept
from assay.causal.stories.questions import Library, StoryQuestion
from assay.causal.stories.unsettled import FIRST, SECOND, draw_unsettled
from assay.core.case import LETTERS, LEVELS, RUNGS, TwinKind
from assay.core.errors import InvalidInput

N = TypeVar("N")

GENERATOR = 2
"""Raised with every change after which a seed gives another form."""
SHARES = {Variant.BASE: 20, Variant.TRAP: 16, Variant.ANALYST: 16, Variant.TRANSFER: 16, Variant.NUMERIC: 32}
"""Questions of each variant among 100."""
COUNTERFACTUAL = Fraction(26, 32)
"""Share of the numeric questions that are counterfactual, so that at least a quarter of a form is."""
DRAWS = 60


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in a form: what is to be drawn there. `rungs` are those that the question may stand on."""

    id: str
    concept: str
    variant: Variant
    level: int
    rungs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TwinCell:
    """A place for a twin of a question; an undeterminable twin shares only its concept and level."""

    id: str
    kind: TwinKind
    of: Cell


@dataclass(frozen=True, slots=True)
class LadderQuestion:
    """A proved question. An open one has an item without options.

    Of a pressured twin, `pressed_for` is the letter of the option that a speaker insists on; of an
    undeterminable one, `refusals` are the letters of those that say it cannot be told. `odds` are the naive
    solvers' chances to be right, `twin_of` is the id of the question that a twin goes with.
    """

    item: Item
    level: int
    rung: str
    why: str
    odds: Mapping[Solver, float]
    draft: Draft | OpenDraft | None = None
    twin: TwinKind | None = None
    twin_of: str | None = None
    order: tuple[int, ...] = ()
    pressed_for: str | None = None
    refusals: str | None = None

    @property
    def open(self) -> OpenDraft | None:
        """The draft of an open question; None of one with options."""
        return self.draft if isinstance(self.draft, OpenDraft) else None

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers in the order shown; none for an open question and for an undeterminable one."""
        return (
            tuple(self.draft.answers[place] for place in self.order) if isinstance(self.draft, Draft) else ()
        )


@dataclass(frozen=True, slots=True)
class LadderForm:
    """The questions of one seed, by variant and level, twins last."""

    seed: str
    questions: tuple[LadderQuestion, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        """The questions with options, as they are shown."""
        return tuple(question.item for question in self.questions if question.item.options)

    def expected(self, solver: Solver) -> float:
        """Return a solver's expected accuracy on the form's questions without its twins."""
        odds = [question.odds[solver] for question in self.questions if question.twin is None]
        return sum(odds) / len(odds)


@dataclass(frozen=True, slots=True)
class Content:
    """The data from which questions are drawn: words and scenes, concepts of graphs, recipes of numbers."""

    library: Library
    concepts: Mapping[str, Concept]
    recipes: Mapping[str, Recipe]


def ladder(
    seed: str,
    content: Content,
    *,
    size: int = 100,
    levels: Sequence[int] = LEVELS,
    rungs: Sequence[str] = RUNGS,
    twins: int = 0,
    step: Callable[[], None] = lambda: None,
) -> LadderForm:
    """Draw and prove a form; `step` is called after each question. The same seed gives the same form.

    `twins` is the number of twins of each kind. Raises Disagreement or Unproved where a key is not proved,
    Unreadable where a text does not say what its model says, and Undrawable where a cell cannot be filled.
    """
    drawing = _Drawing(seed, content, blueprint(seed, content, size=size, levels=levels, rungs=rungs))
    questions = []
    for place in drawing.places(twins):
        questions.append(drawing.draw(place))
        step()
    return LadderForm(seed, tuple(questions))


def one_question(
    seed: str,
    content: Content,
    name: str,
    *,
    size: int,
    levels: Sequence[int],
    rungs: Sequence[str],
    twins: int,
) -> LadderQuestion:
    """Draw and prove one question of a form, by its id. InvalidInput for an id that the form lacks."""
    drawing = _Drawing(seed, content, blueprint(seed, content, size=size, levels=levels, rungs=rungs))
    for place in drawing.places(twins):
        if place.id == name:
            return drawing.draw(place)
    raise InvalidInput(f"the form of this seed has no question {name!r}")


def blueprint(
    seed: str, content: Content, *, size: int, levels: Sequence[int], rungs: Sequence[str]
) -> tuple[Cell, ...]:
    """Return the places of a form: variants in their shares, levels and concepts as evenly as they go.

    InvalidInput where no concept has a question on the rungs asked for.
    """
    rng = random.Random(f"{GENERATOR}/{seed}/blueprint")
    cells: list[Cell] = []
    told = _cycle(rng, [name for name, each in content.concepts.items() if _on_rungs(each, rungs)])
    counted = {
        (rung, level): _cycle(rng, sorted(_recipes_on(content, rung, level)))
        for rung in rungs
        for level in levels
    }
    seen: Counter[str] = Counter()
    wanted: tuple[str, ...]
    for variant, count in _counts(size).items():
        for number in range(count):
            level = levels[number % len(levels)]
            if variant is Variant.NUMERIC:
                rung = _rung(number, [each for each in rungs if counted[each, level] is not None])
                name, wanted = _next(counted.get((rung, level)), variant), (rung,)
            else:
                name, wanted = _next(told, variant), tuple(rungs)
            place = f"{name.replace('_', '-')}-{variant.value}-{level}"
            seen[place] += 1
            suffix = f"-{seen[place]}" if seen[place] > 1 else ""
            cells.append(Cell(place + suffix, name, variant, level, wanted))
    return tuple(cells)


def _counts(size: int) -> dict[Variant, int]:
    """Return how many questions of each variant a form has: whole shares, then by the largest remainder."""
    counts = {variant: size * share // 100 for variant, share in SHARES.items()}
    by_rest = sorted(SHARES, key=lambda variant: -(size * SHARES[variant] % 100))
    for variant in by_rest[: size - sum(counts.values())]:
        counts[variant] += 1
    return counts


def _on_rungs(concept: Concept, rungs: Sequence[str]) -> bool:
    return any(claim.rung in rungs for claim in concept.claims)


def _recipes_on(content: Content, rung: str, level: int) -> list[str]:
    """Return the recipes that ask for something on a rung at a level."""
    found = []
    for name, recipe in content.recipes.items():
        asks = {ask for task in recipe.tasks if level in task.levels for ask in task.asks}
        if any((recipe.asks[ask].rung or recipe.rung) == rung for ask in asks):
            found.append(name)
    return found


def _rung(number: int, possible: Sequence[str]) -> str:
    """Return the rung of a numeric question, mostly counterfactual; "" if no rung is possible."""
    others = [rung for rung in possible if rung != "counterfactual"]
    counted = int((number + 1) * COUNTERFACTUAL) > int(number * COUNTERFACTUAL)
    if len(others) < len(possible) and (not others or counted):
        return "counterfactual"
    return others[number % len(others)] if others else ""


def _cycle(rng: random.Random, names: Sequence[N]) -> Iterator[N] | None:
    """Return all names in random order, over and over, each round in another order; None without names."""
    if not names:
        return None
    return (name for _ in itertools.count() for name in rng.sample(list(names), len(names)))


def _next(cycle: Iterator[str] | None, variant: Variant) -> str:
    if cycle is None:
        raise InvalidInput(
            f"no concept has a question of the variant {variant.value!r} on these rungs: ask for others"
        )
    return next(cycle)


def _letters(seed: str, cells: Sequence[Cell]) -> list[int]:
    """Return a letter for each place: within a variant, each letter is right equally often."""
    rng = random.Random(f"{GENERATOR}/{seed}/letters")
    found: dict[str, Iterator[int]] = {}
    for variant in Variant:
        count = sum(cell.variant is variant for cell in cells)
        letters = [place % OPTIONS for place in range(count)]
        rng.shuffle(letters)
        found[variant] = iter(letters)
    return [next(found[cell.variant]) for cell in cells]


class _Drawing:
    """The drawing of one form. Each place is drawn by random numbers of its own."""

    def __init__(self, seed: str, content: Content, cells: tuple[Cell, ...]) -> None:
        self.seed, self.content, self.cells = seed, content, cells
        self.letters = dict(zip((cell.id for cell in cells), _letters(seed, cells), strict=True))
        scenes = _cycle(random.Random(f"{GENERATOR}/{seed}/scenes"), range(len(content.library.scenes)))
        assert scenes is not None
        self.scenes = {cell.id: content.library.scenes[next(scenes)] for cell in cells}

    def places(self, twins: int) -> tuple[Cell | TwinCell, ...]:
        """Return all places, with so many twins of each kind."""
        return (*self.cells, *self.twins(twins))

    def twins(self, count: int) -> Iterator[TwinCell]:
        """Give the places of so many twins of each kind, of different questions where there are enough."""
        told = [cell for cell in self.cells if cell.variant not in (Variant.TRANSFER, Variant.NUMERIC)]
        random.Random(f"{GENERATOR}/{self.seed}/twins").shuffle(told)
        for kind in TwinKind:
            for number in range(count if told else 0):
                cell = told[number % len(told)]
                again = f"-{number // len(told) + 1}" if number >= len(told) else ""
                yield TwinCell(f"{cell.id}-{kind.value}{again}", kind, cell)

    def draw(self, place: Cell | TwinCell) -> LadderQuestion:
        """Draw and prove the question of a place."""
        if isinstance(place, Cell):
            rng = self._rng(place.id)
            if place.variant is Variant.NUMERIC:
                return self._numeric(place, rng)
            question = self._story(place, rng)
            draft = question.tell(self.content.library, self.scenes[place.id])
            return _placed(place.id, place, draft, question.rung, self.letters[place.id], rng)
        if place.kind is TwinKind.UNDETERMINABLE:
            return self._unsettled(place)
        question = self._story(place.of, self._rng(place.of.id))
        draft = question.tell(self.content.library, self.scenes[place.of.id], place.kind)
        letter = self.letters[place.of.id]
        made = _placed(place.id, place.of, draft, question.rung, letter, self._rng(place.id))
        made = replace(made, twin=place.kind, twin_of=place.of.id)
        if place.kind is TwinKind.PRESSURED:
            return replace(made, pressed_for=LETTERS[made.order.index(question.pressed_for)])
        return made

    def _rng(self, name: str) -> random.Random:
        return random.Random(f"{GENERATOR}/{self.seed}/{name}")

    def _story(self, cell: Cell, rng: random.Random) -> StoryQuestion:
        for _ in range(DRAWS):
            question = stories.draw(
                self.content.concepts[cell.concept], cell.variant, cell.level, self.content.library, rng
            )
            if question.rung in cell.rungs:
                return question
        raise Undrawable(f"{cell.id}: no question on the rungs {', '.join(cell.rungs)} in {DRAWS} draws")

    def _numeric(self, cell: Cell, rng: random.Random) -> LadderQuestion:
        recipe, scene = self.content.recipes[cell.concept], self.scenes[cell.id]
        for _ in range(DRAWS):
            try:
                draft = numbers.draw(recipe, scene, cell.level, rng)
            except Undrawable:
                continue
            rung = str(numbers.rung(recipe, draft))
            if rung in cell.rungs:
                checked(draft, recipe, scene, cell.level)
                return _placed(cell.id, cell, draft, rung, self.letters[cell.id], rng)
        raise Undrawable(f"{cell.id}: no question on the rungs {', '.join(cell.rungs)} in {DRAWS} draws")

    def _unsettled(self, place: TwinCell) -> LadderQuestion:
        cell, rng = place.of, self._rng(place.id)
        concept, scene = self.content.concepts[cell.concept], self.scenes[cell.id]
        unsettled = draw_unsettled(concept, cell.level, self.content.library, scene, rng)
        key, letter = unsettled.prove(), rng.randrange(OPTIONS)
        order = order_of(key, letter, rng)
        options = tuple(unsettled.options[at] for at in order)
        refusals = "".join(sorted(LETTERS[order.index(at)] for at in (FIRST, SECOND)))
        item = Item(place.id, cell.concept, cell.variant.value, unsettled.stem, options, letter)
        odds = dict.fromkeys(Solver, 1 / OPTIONS)
        rung = unsettled.statement.template.rung
        return LadderQuestion(item, cell.level, rung, unsettled.why, odds, twin=place.kind, refusals=refusals)


def _placed(
    name: str, cell: Cell, draft: Draft | OpenDraft, rung: str, letter: int, rng: random.Random
) -> LadderQuestion:
    """Prove a draft and order its options, the right one at a letter."""
    if isinstance(draft, OpenDraft):
        proved_open(draft)
        item = Item(name, cell.concept, cell.variant.value, draft.stem, (), -1)
        odds = {solver: float(solver is Solver.CORRECT) for solver in Solver}
        return LadderQuestion(item, cell.level, rung, draft.why, odds, draft)
    key = proved(draft)
    order = order_of(key, letter, rng)
    options = tuple(draft.answers[place].text for place in order)
    item = Item(name, cell.concept, cell.variant.value, draft.stem, options, letter)
    odds = {solver: chances(draft, solver)[key] for solver in Solver}
    return LadderQuestion(item, cell.level, rung, draft.answers[key].why, odds, draft, order=order)
