"""A form: the questions of a blueprint, drawn and proved from one seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.causal.blueprint import Cell, TwinCell, shown
from assay.causal.draft import OPTIONS, Answer, Draft, proved
from assay.causal.draws import Undrawable, cycle
from assay.causal.item import Item, Variant
from assay.causal.numbers import draw as numbers
from assay.causal.numbers.open_draft import OpenDraft, proved_open
from assay.causal.numbers.read_back import checked
from assay.causal.numbers.recipe import Recipe
from assay.causal.solvers.solver import Solver, chances
from assay.causal.stories import questions as stories
from assay.causal.stories.concept import Concept
from assay.causal.stories.questions import StoryLibrary, StoryQuestion
from assay.causal.stories.unsettled import FIRST, SECOND, draw_unsettled
from assay.core.case import LETTERS, TwinKind
from assay.core.errors import InvalidInput

GENERATOR = 7
"""Raised with every change after which a seed gives another form."""
DRAWS = 60


@dataclass(frozen=True, slots=True)
class FormQuestion:
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
class Form:
    """The questions of one seed, as its blueprint has them, twins last."""

    seed: str
    questions: tuple[FormQuestion, ...]

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

    library: StoryLibrary
    concepts: Mapping[str, Concept]
    recipes: Mapping[str, Recipe]


def draw_form(
    seed: str,
    content: Content,
    cells: Sequence[Cell],
    *,
    twins: int = 0,
    step: Callable[[], None] = lambda: None,
) -> Form:
    """Draw and prove a form; `step` is called after each question. The same seed gives the same form.

    `twins` is the number of twins of each kind. Raises Disagreement or Unproved where a key is not proved,
    Unreadable where a text does not say what its model says, and Undrawable where a cell cannot be filled.
    """
    drawing = _Drawing(seed, content, cells)
    questions = []
    for place in drawing.places(twins):
        questions.append(drawing.draw(place))
        step()
    return Form(seed, tuple(questions))


def draw_question(
    seed: str, content: Content, cells: Sequence[Cell], name: str, *, twins: int
) -> FormQuestion:
    """Draw and prove one question of a form, by its id. InvalidInput for an id that the form lacks."""
    drawing = _Drawing(seed, content, cells)
    for place in drawing.places(twins):
        if place.id == name:
            return drawing.draw(place)
    raise InvalidInput(f"the form of this seed has no question {name!r}")


def _letters(seed: str, cells: Sequence[Cell]) -> list[int]:
    """Return a letter for each place: within a variant, each letter is right equally often."""
    rng = random.Random(f"{seed}/letters")
    found: dict[str, Iterator[int]] = {}
    for variant in Variant:
        count = sum(cell.variant is variant for cell in cells)
        letters = [place % OPTIONS for place in range(count)]
        rng.shuffle(letters)
        found[variant] = iter(letters)
    return [next(found[cell.variant]) for cell in cells]


class _Drawing:
    """The drawing of one form. Each place is drawn by random numbers of its own."""

    def __init__(self, seed: str, content: Content, cells: Sequence[Cell]) -> None:
        self.seed, self.content, self.cells = seed, content, cells
        self.letters = dict(zip((cell.id for cell in cells), _letters(seed, cells), strict=True))
        scenes = cycle(random.Random(f"{seed}/scenes"), range(len(content.library.scenes)))
        self.scenes = {cell.id: content.library.scenes[next(scenes)] for cell in cells}

    def places(self, twins: int) -> tuple[Cell | TwinCell, ...]:
        """Return all places, with so many twins of each kind."""
        return (*self.cells, *self.twins(twins))

    def twins(self, count: int) -> Iterator[TwinCell]:
        """Give the places of so many twins of each kind, of different questions where there are enough."""
        told = [cell for cell in self.cells if cell.variant not in (Variant.TRANSFER, Variant.NUMERIC)]
        random.Random(f"{self.seed}/twins").shuffle(told)
        for kind in TwinKind:
            for number in range(count if told else 0):
                cell = told[number % len(told)]
                again = f"-{number // len(told) + 1}" if number >= len(told) else ""
                yield TwinCell(f"{cell.id}-{kind.value}{again}", kind, cell)

    def draw(self, place: Cell | TwinCell) -> FormQuestion:
        """Draw and prove the question of a place."""
        return self._cell(place) if isinstance(place, Cell) else self._twin(place)

    def _cell(self, place: Cell) -> FormQuestion:
        rng = self._rng(place.id)
        if place.variant is Variant.NUMERIC:
            return self._numeric(place, rng)
        question = self._story(place, rng)
        draft = question.tell(self.content.library, self.scenes[place.id])
        return _placed(place.id, place, draft, question.rung, self.letters[place.id], rng)

    def _twin(self, place: TwinCell) -> FormQuestion:
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
        return random.Random(f"{self.seed}/{name}")

    def _story(self, cell: Cell, rng: random.Random) -> StoryQuestion:
        for _ in range(DRAWS):
            question = stories.draw(
                self.content.concepts[cell.concept], cell.variant, cell.level, self.content.library, rng
            )
            if question.rung in cell.rungs:
                return question
        raise Undrawable(f"{cell.id}: no question on the rungs {', '.join(cell.rungs)} in {DRAWS} draws")

    def _numeric(self, cell: Cell, rng: random.Random) -> FormQuestion:
        recipe, scene = self.content.recipes[cell.concept], self.scenes[cell.id]
        for _ in range(DRAWS):
            try:
                draft = numbers.draw(recipe, scene, cell.level, rng, cell.rungs)
            except Undrawable:
                continue
            checked(draft, recipe, scene, cell.level)
            rung = str(numbers.rung(recipe, draft))
            return _placed(cell.id, cell, draft, rung, self.letters[cell.id], rng)
        raise Undrawable(f"{cell.id}: no question on the rungs {', '.join(cell.rungs)} in {DRAWS} draws")

    def _unsettled(self, place: TwinCell) -> FormQuestion:
        cell, rng = place.of, self._rng(place.id)
        concept, scene = self.content.concepts[cell.concept], self.scenes[cell.id]
        unsettled = draw_unsettled(concept, cell.level, self.content.library, scene, rng)
        key, letter = unsettled.prove(), rng.randrange(OPTIONS)
        order = _order(key, letter, rng)
        options = tuple(unsettled.options[at] for at in order)
        refusals = "".join(sorted(LETTERS[order.index(at)] for at in (FIRST, SECOND)))
        item = Item(place.id, shown(cell.concept), cell.variant.value, unsettled.stem, options, letter)
        odds = dict.fromkeys(Solver, 1 / OPTIONS)
        rung = unsettled.statement.template.rung
        return FormQuestion(item, cell.level, rung, unsettled.why, odds, twin=place.kind, refusals=refusals)


def _placed(
    name: str, cell: Cell, draft: Draft | OpenDraft, rung: str, letter: int, rng: random.Random
) -> FormQuestion:
    """Prove a draft and order its options, the right one at a letter."""
    if isinstance(draft, OpenDraft):
        proved_open(draft)
        item = Item(name, shown(cell.concept), cell.variant.value, draft.stem, (), -1)
        odds = {solver: float(solver is Solver.CORRECT) for solver in Solver}
        return FormQuestion(item, cell.level, rung, draft.why, odds, draft)
    key = proved(draft)
    order = _order(key, letter, rng)
    options = tuple(draft.answers[place].text for place in order)
    item = Item(name, shown(cell.concept), cell.variant.value, draft.stem, options, letter)
    odds = {solver: chances(draft, solver)[key] for solver in Solver}
    return FormQuestion(item, cell.level, rung, draft.answers[key].why, odds, draft, order=order)


def _order(key: int, letter: int, rng: random.Random) -> tuple[int, ...]:
    """Return the options' places in the order shown: the key at its letter, the others at random."""
    others = [place for place in range(OPTIONS) if place != key]
    rng.shuffle(others)
    return (*others[:letter], key, *others[letter:])
