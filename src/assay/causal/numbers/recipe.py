"""Recipes: how a concept's questions with numbers as answers are drawn and told, as the data give it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from assay.causal import queries as q
from assay.causal.draft import OPTIONS, Kind
from assay.causal.numbers.formula import LevelOf, bound, names, parsed
from assay.core.case import LEVELS, RUNGS
from assay.core.errors import InvalidInput

Forms = tuple[str, ...]
Place = tuple[str | int, ...]
Value = tuple[Fraction, ...] | q.Term
"""The numbers of which one is drawn, or a formula of parameters."""
LEAST_FORMS = 3
_RANGE = re.compile(r"([\d.]+%?)\s*\.\.\s*([\d.]+%?)(?:\s+by\s+([\d.]+%?))?")


class Rung(StrEnum):
    """The rungs of the ladder of causation (Pearl 2009)."""

    ASSOCIATION = "association"
    INTERVENTION = "intervention"
    COUNTERFACTUAL = "counterfactual"


class Display(StrEnum):
    """How an answer is written: a difference in percentage points, a percentage, or a plain number."""

    POINTS = "points"
    PERCENT = "percent"
    NUMBER = "number"


class CastRole(StrEnum):
    """What plays a variable. The hidden was never recorded; neither it nor the unsaid is named."""

    TREATMENT = "treatment"
    OUTCOME = "outcome"
    FACTOR = "factor"
    HIDDEN = "hidden"
    UNSAID = "unsaid"
    OWN = "own"


@dataclass(frozen=True, slots=True)
class CastPart:
    """A variable's part. A part of the recipe's own has its noun and, for each level from 0, phrases.

    `did` are predicates ("were invited"), `one` the same of a single unit ("was invited"), `which` follow the
    units' name ("with an invitation"), `when` open a sentence ("in the second year").
    """

    role: CastRole
    noun: str = ""
    plural: bool = False
    did: Forms = ()
    one: Forms = ()
    which: Forms = ()
    when: Forms = ()


@dataclass(frozen=True, slots=True)
class Saying:
    """Sentence forms of one meaning, and what an independent reader looks for in them."""

    say: Forms
    read: str


@dataclass(frozen=True, slots=True)
class Ask:
    """What may be asked: phrases for slots of the question, the quantity in the model, and how to write it.

    `levels` are names for levels, such as that of the treatment that a unit had. `say` are questions of its
    own, where those of the recipe do not suit it; then `read` alone is what a reader looks for in them. The
    `opposite` of a share is what is missing to 100 %.
    """

    slots: Mapping[str, Forms]
    read: str
    target: str
    display: Display
    rung: Rung | None = None
    levels: Mapping[str, int] = field(default_factory=dict)
    say: Forms = ()
    opposite: bool = False


@dataclass(frozen=True, slots=True)
class ReckonedFigure:
    """A number that some reasoning arrives at: its formula, what it is, and its kind of error by state or
    ask.
    """

    formula: str
    why: str
    kinds: Mapping[str, Kind] = field(default_factory=dict)

    def kind(self, state: str, ask: str) -> Kind | None:
        """Return what is wrong with it where it is not the key; None where this is not said."""
        return self.kinds.get(state) or self.kinds.get(ask) or self.kinds.get("else")


@dataclass(frozen=True, slots=True)
class ChanceTable:
    """The chances of a variable's levels from 1 on, by its causes' levels: numbers, names, or `*`."""

    given: tuple[str, ...]
    rows: Mapping[tuple[str, ...], tuple[Value, ...]]

    def row(self, levels: tuple[int, ...], state: Mapping[str, tuple[str, ...]]) -> tuple[Value, ...] | None:
        """Return the first row that fits levels of the causes, where `state` says what named levels are."""
        for pattern, row in self.rows.items():
            wanted = [state.get(each, (each,))[0] for each in pattern]
            if pattern == ("*",) or all(
                one in ("*", str(at)) for one, at in zip(wanted, levels, strict=True)
            ):
                return row
        return None


@dataclass(frozen=True, slots=True)
class Given:
    """Numbers that are told.

    Formulas may use a number by its `name`. Of `counts`, each combination of the levels of `given`, with how
    many have the event; of `shares`, the chance of the event for each. A `number` is a formula with sentences
    of its own. Condition levels that are None take all levels. What is not `needed` is told besides.
    """

    event: tuple[str, int | LevelOf] | None
    given: tuple[tuple[str, int | LevelOf | None], ...] = ()
    do: tuple[tuple[str, int | LevelOf | None], ...] = ()
    counts: bool = False
    number: str = ""
    name: str = ""
    display: Display = Display.PERCENT
    saying: Saying | None = None
    levels: tuple[int, ...] = LEVELS
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """One way of making questions: what is so in each state, the model, what is told, asked, and right.

    `states` bind names that facts, model and formulas use to variables or levels. `key` gives the right
    figure by state and ask; what has none is not asked in that state. The chance of an `independent` variable
    does not depend on more than what it is told given, as the text says. Answers are at least `apart` from
    each other, and those to open questions from what `reflexes` give.
    """

    levels: tuple[int, ...]
    states: Mapping[str, Mapping[str, tuple[str, ...]]]
    facts: tuple[tuple[str, tuple[str, ...]], ...]
    assume: tuple[str, ...]
    draws: Mapping[str, Value]
    lets: Mapping[str, q.Term]
    model: Mapping[str, ChanceTable]
    given: tuple[Given, ...]
    must: tuple[q.Fact, ...]
    asks: tuple[str, ...]
    key: Mapping[str, Mapping[str, str]]
    reflexes: tuple[str, ...]
    independent: tuple[str, ...]
    apart: Fraction


@dataclass(frozen=True, slots=True)
class NumberPhrases:
    """How given numbers are told, by kind: sentences, headers of columns, instructions."""

    sentences: Mapping[str, Forms]
    columns: Mapping[str, Forms]
    answer: Mapping[str, Forms]
    open: Mapping[str, Forms]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A concept's recipe. `reading` are the patterns of the independent reader by kind."""

    concept: str
    rung: Rung
    cast: Mapping[str, CastPart]
    opening: Saying
    facts: Mapping[str, Saying]
    assume: Mapping[str, Saying]
    question: Saying
    asks: Mapping[str, Ask]
    figures: Mapping[str, ReckonedFigure]
    tasks: tuple[Task, ...]
    phrases: NumberPhrases
    reading: Mapping[str, Forms]

    def at(self, level: int) -> tuple[Task, ...]:
        """Return the tasks of a level. InvalidInput where there is none."""
        found = tuple(task for task in self.tasks if level in task.levels)
        if not found:
            known = sorted({each for task in self.tasks for each in task.levels})
            raise InvalidInput(f"{self.concept!r} has no questions of level {level}: choose from {known}")
        return found

    def rung_of(self, ask: str) -> Rung:
        """Return the rung of something that may be asked."""
        return self.asks[ask].rung or self.rung

    def answer(self, ask: str, figure: str) -> q.Term:
        """Return the formula of a figure as an answer to what is asked."""
        found = parsed(self.figures[figure].formula)
        return q.term(1) - found if self.asks[ask].opposite else found

    def asked(self, task: Task, state: str, rungs: Sequence[str] = RUNGS) -> tuple[str, ...]:
        """Return what may be asked in a state on some rungs."""
        return tuple(ask for ask in task.key[state] if self.rung_of(ask) in rungs)

    def choices(self, asked: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Return what is answered alike, in percent or in points, where four options can be had of it."""
        groups = [tuple(ask for ask in asked if self.asks[ask].display is display) for display in Display]
        return tuple(group for group in groups if len(group) >= OPTIONS)


def value(text: str) -> Value:
    """Return what `20%..80%`, `20%..80% by 1%`, `10% or 90%` or a formula of parameters stands for.

    A range has steps of 1 % unless it says otherwise.
    """
    if match := _RANGE.fullmatch(text.strip()):
        low, high, step = (_number(each or "1%") for each in match.groups())
        if not step > 0 or low > high:
            raise InvalidInput(f"the range {text!r} is empty: write the smaller number first")
        return tuple(low + step * place for place in range(int((high - low) / step) + 1))
    if " or " in text:
        return tuple(_number(each) for each in text.split(" or "))
    return parsed(text)


def _number(text: str) -> Fraction:
    found = parsed(text.strip())
    if not isinstance(found, q.Number):
        raise InvalidInput(f"{text!r} is not a number: write one such as 5% or 0.25")
    return found.number


def levels_of(task: Task, name: str) -> int:
    """Return the number of a variable's levels."""
    return len(next(iter(task.model[name].rows.values()))) + 1 if name in task.model else 2


def told_terms(task: Task, given: Given, state: Mapping[str, tuple[str, ...]]) -> tuple[q.Probability, ...]:
    """Return the chances that a set of shares or counts tells, by all levels of the conditions."""
    assert given.event is not None
    name, level = given.event[0], given.event[1]
    event = bound(((name, level),), state, {})
    conditions = [(only(each, state), at) for each, at in given.given]
    settings = [(only(each, state), at) for each, at in given.do]
    both = [*conditions, *settings]
    ranges = [range(levels_of(task, each)) if at is None else (bound(at, state, {}),) for each, at in both]
    found = []
    for combination in itertools.product(*ranges):
        chosen = tuple((each, at) for (each, _), at in zip(both, combination, strict=True))
        found.append(
            q.Probability(event, tuple(sorted(chosen[: len(conditions)])), chosen[len(conditions) :])
        )
    return tuple(found)


def only(name: str, state: Mapping[str, tuple[str, ...]]) -> str:
    """Return the one variable that a name stands for in a state."""
    return str(bound(name, state, {}))


def names_of(recipe: Recipe, task: Task, state: str, ask: str) -> Mapping[str, tuple[str, ...]]:
    """Return what names stand for: the state's for variables or levels, the ask's for levels."""
    return {**task.states[state], **{name: (str(at),) for name, at in recipe.asks[ask].levels.items()}}


def problems(recipe: Recipe) -> Iterator[tuple[Place, str]]:
    """Yield everything that is wrong with a recipe, with the path of keys at which it stands."""
    for group in ("facts", "assume"):
        for name, saying in getattr(recipe, group).items():
            yield from _few((group, name, "say"), saying.say)
    yield from _few(("opening", "say"), recipe.opening.say)
    yield from _few(("question", "say"), recipe.question.say)
    for role in (CastRole.TREATMENT, CastRole.OUTCOME):
        if sum(part.role is role for part in recipe.cast.values()) > 1:
            yield ("cast",), f"two variables are the {role.value}: give one of them phrases of its own"
    found = [
        (place if place[0] == "figures" and len(place) > 1 else ("tasks", number, *place), text)
        for number, task in enumerate(recipe.tasks)
        for place, text in _task_problems(recipe, task)
    ]
    yield from dict.fromkeys(found)
    used = {name for task in recipe.tasks for keys in task.key.values() for name in keys.values()}
    used.update(name for task in recipe.tasks for name in task.reflexes)
    for name in sorted(recipe.figures.keys() - used):
        yield ("figures", name), "no task has it as a key or a reflex: remove it"


def _few(place: Place, forms: Forms) -> Iterator[tuple[Place, str]]:
    if len(set(forms)) < LEAST_FORMS:
        yield place, f"{len(set(forms))} different forms: write at least {LEAST_FORMS}"


def _task_problems(recipe: Recipe, task: Task) -> Iterator[tuple[Place, str]]:
    known = {"facts": recipe.facts, "assume": recipe.assume, "asks": recipe.asks, "figures": recipe.figures}
    used = {
        "facts": [name for name, _ in task.facts],
        "assume": task.assume,
        "asks": task.asks,
        "figures": (*task.reflexes, *(name for keys in task.key.values() for name in keys.values())),
    }
    for group, wanted in used.items():
        for name in wanted:
            if name not in known[group]:
                yield (group,), f"{name!r} is not defined: choose from {', '.join(known[group])}"
    for state, names_of in task.states.items():
        yield from _state_problems(recipe, task, state, names_of)


def _state_problems(
    recipe: Recipe, task: Task, state: str, aliases: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[Place, str]]:
    earlier: set[str] = set()
    for name, mechanism in task.model.items():
        causes = {each for cause in mechanism.given for each in aliases.get(cause, (cause,))}
        if unknown := sorted(causes - earlier):
            yield ("model", name), f"{unknown[0]!r} is not a variable before it: list causes first"
        if name not in recipe.cast:
            yield ("model", name), f"{name!r} is not in the cast: say what plays it"
        earlier.add(name)
    yield from _undefined(task, state, {name for name, behind in aliases.items() if behind[0].isdigit()})
    introduced = {each for _, about in task.facts for name in about for each in aliases.get(name, (name,))}
    for name in sorted(introduced - recipe.cast.keys()):
        yield ("facts",), f"{name!r} is neither in the cast nor bound by the state {state!r}"
    for name in task.model:
        if recipe.cast.get(name) and recipe.cast[name].role is CastRole.FACTOR and name not in introduced:
            yield ("facts",), f"no fact is about the factor {name!r}: a reader could not tell it from others"
    asks = [ask for ask in task.key[state] if ask in recipe.asks]
    if not asks:
        yield ("key",), f"no key in the state {state!r}: name a figure for one of {', '.join(task.asks)}"
    for ask in asks:
        names_there = names_of(recipe, task, state, ask)
        of_ask: list[tuple[Place, q.Term | q.Fact]] = [(("must",), fact) for fact in task.must]
        of_ask.append((("asks",), parsed(recipe.asks[ask].target)))
        of_ask += [
            (("figures", name, "formula"), parsed(recipe.figures[name].formula))
            for name in (task.key[state][ask], *task.reflexes)
            if name in recipe.figures
        ]
        for place, formula in of_ask:
            yield from ((place, text) for text in _unknown(task, formula, names_there, state))
    for given in task.given:
        if given.number:
            yield from ((("given",), text) for text in _unknown(task, parsed(given.number), aliases, state))
        if given.name and "cf(" in given.number:
            yield ("given",), f"{given.name!r} is a counterfactual: write P(... | do(...)) or give it no name"


def _undefined(task: Task, state: str, levels: set[str]) -> Iterator[tuple[Place, str]]:
    """Yield what the numbers of a model name that is neither drawn nor a level of the state."""
    drawn = {*task.draws, *levels}
    used: list[tuple[Place, set[str]]] = []
    for name, formula in task.lets.items():
        used.append((("let", name), names(formula)[1] - drawn))
        drawn.add(name)
    for name, mechanism in task.model.items():
        values = [value for row in mechanism.rows.values() for value in row if isinstance(value, q.Term)]
        at = {each for pattern in mechanism.rows for each in pattern if each != "*" and not each.isdigit()}
        used.append(
            (("model", name), at - levels | set().union(*(names(each)[1] for each in values)) - drawn)
        )
    for place, unknown in used:
        for name in sorted(unknown):
            yield place, f"{name!r} is neither drawn nor a level of the state {state!r}: define it there"


def _unknown(
    task: Task, formula: q.Term | q.Fact, aliases: Mapping[str, tuple[str, ...]], state: str
) -> Iterator[str]:
    variables, parameters = names(formula)
    for name in sorted(variables):
        if unknown := [each for each in aliases.get(name, (name,)) if each not in task.model]:
            yield f"a formula names {unknown[0]!r}, which is not in the model (state {state!r})"
    levels = {name for name, behind in aliases.items() if behind[0].isdigit()}
    for name in sorted(parameters - levels - {given.name for given in task.given}):
        yield f"a formula names {name!r}, which is not a number that is told: give a told number this `name`"
