"""Reading the recipes of questions whose answers are numbers, with every fault's file and line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from assay.causal import queries as q
from assay.causal.draft import Kind
from assay.causal.numbers import read_back
from assay.causal.numbers.formula import LevelOf, condition, parsed
from assay.causal.numbers.recipe import (
    Ask,
    CastPart,
    CastRole,
    ChanceTable,
    Display,
    Given,
    NumberPhrases,
    Recipe,
    ReckonedFigure,
    Rung,
    Saying,
    Task,
    Value,
    problems,
    value,
)
from assay.core.case import LEVELS
from assay.core.errors import InvalidInput
from assay.files.marked_yaml import Marked, Place, parse

RECIPE = "numbers.yaml"
ROOT = files("assay.causal")
SHARED = "shared.yaml"
PHRASES = "phrases.yaml"
READING = "reading.yaml"
APART = "2%"
NOT_SLOTS = ("say", "read", "target", "answer", "rung", "levels", "opposite")
"""Keys of what may be asked that are not slots of the question."""

Made = TypeVar("Made")


@cache
def recipes() -> Mapping[str, Recipe]:
    """Return the recipes of the package by concept. InvalidInput with every fault."""
    folders = sorted((ROOT / "concepts").iterdir(), key=lambda folder: folder.name)
    named = {folder.name: folder / RECIPE for folder in folders if (folder / RECIPE).is_file()}
    made, marked = {}, []
    for name, file in named.items():
        document = parse(file.read_text(encoding="utf-8"), f"{name}/{RECIPE}")
        marked.append(document)
        if (recipe := recipe_of(document, name)) is not None:
            made[recipe.concept] = recipe
    if found := [problem for each in marked for problem in each.in_order()]:
        raise InvalidInput(found)
    return made


def read_recipe(folder: Path) -> Recipe | None:
    """Return the recipe of a folder, None where it has none. InvalidInput with every fault."""
    if not (folder / RECIPE).is_file():
        return None
    document = parse((folder / RECIPE).read_text(encoding="utf-8"), str(folder / RECIPE))
    made = recipe_of(document, folder.name)
    if document.problems:
        raise InvalidInput(document.in_order())
    return made


def recipe_of(marked: Marked, concept: str) -> Recipe | None:
    """Return a document as a recipe; where it is not one, None, with its problems added to the document."""
    if marked.problems:
        return None
    reader = _Reader(marked, _shared(SHARED))
    made = reader.recipe(concept)
    if not marked.problems and made is not None:
        for place, text in (*problems(made), *read_back.problems(made)):
            marked.refuse(text, place)
    return None if marked.problems else made


@cache
def _shared(name: str) -> Any:
    marked = parse((ROOT / "numbers" / name).read_text(encoding="utf-8"), name)
    if marked.problems:
        raise InvalidInput(marked.in_order())
    return marked.value


class _Reader:
    """A reader of one recipe that notes problems where they stand."""

    def __init__(self, marked: Marked, shared: Any) -> None:
        self.marked, self.shared = marked, shared
        self.expanded: dict[str, tuple[str, ...]] = {}

    def recipe(self, concept: str) -> Recipe | None:
        top = self.mapping((), self.marked.value)
        known = {"rung", "cast", "opening", "facts", "assume", "question", "asks", "figures", "tasks"}
        self.refuse_unknown((), top, known)
        question = self.question(top)
        phrases, reading = _shared(PHRASES), _shared(READING)
        made = Recipe(
            concept=concept,
            rung=self.read(("rung",), lambda: Rung(str(top.get("rung"))), Rung.INTERVENTION),
            cast={name: self.part(("cast", name), given) for name, given in self.items(("cast",), top)},
            opening=self.saying(("opening",), top.get("opening")),
            facts=self.sayings("facts", top),
            assume=self.sayings("assume", top),
            question=Saying(
                self.forms((*question[0], "say"), question[1].get("say")),
                self.text((*question[0], "read"), question[1].get("read")),
            ),
            asks=dict(self.asks((*question[0], "asks"), question[1])),
            figures={
                name: self.figure(("figures", name), given) for name, given in self.items(("figures",), top)
            },
            tasks=tuple(self.tasks(top)),
            phrases=NumberPhrases(
                {name: tuple(phrases[name]) for name in ("share", "trial", "count", "lead", "said")},
                {name: tuple(forms) for name, forms in phrases["columns"].items()},
                {name: tuple(forms) for name, forms in phrases["answer"].items()},
                {name: tuple(forms) for name, forms in phrases["open"].items()},
            ),
            reading={name: tuple(forms) for name, forms in reading.items()},
        )
        return made if not self.marked.problems else None

    def question(self, top: Mapping[str, Any]) -> tuple[Place, Mapping[str, Any]]:
        """Return the question's forms and what may be asked, with their place: shared ones, own, or both."""
        place: Place = ("question",)
        given, known = top.get("question"), self.shared["questions"]
        own: dict[str, Any] = {"like": given} if isinstance(given, str) else self.mapping(place, given)
        if "like" not in own:
            return place, own
        if own["like"] not in known:
            text = f"there is no shared question {own['like']!r}: choose from {', '.join(known)}"
            self.marked.refuse(text, place)
            return place, {}
        shared: dict[str, Any] = known[own["like"]]
        return place, {**shared, **own, "asks": {**shared["asks"], **own.get("asks", {})}}

    def sayings(self, group: str, top: Mapping[str, Any]) -> dict[str, Saying]:
        """Return the shared facts or assumptions that a task names, and those of the recipe's own."""
        tasks = [task for task in top.get("tasks") or [] if isinstance(task, dict)]
        used = {name for task in tasks for name in task.get(group) or ()}
        shared = {
            name: Saying(tuple(each["say"]), each["read"])
            for name, each in self.shared[group].items()
            if name in used
        }
        own = {
            name: self.saying((group, name), given)
            for name, given in self.items((group,), top, optional=True)
        }
        return {**shared, **own}

    def saying(self, place: Place, given: object) -> Saying:
        mapping = self.mapping(place, given)
        self.refuse_unknown(place, mapping, {"say", "read"})
        return Saying(
            self.forms((*place, "say"), mapping.get("say")), self.text((*place, "read"), mapping.get("read"))
        )

    def part(self, place: Place, given: object) -> CastPart:
        if isinstance(given, str):
            known = [role.value for role in CastRole if role is not CastRole.OWN]
            if given not in known:
                self.marked.refuse(
                    f"{given!r} is not a part: write one of {', '.join(known)}, or a mapping", place
                )
                return CastPart(CastRole.UNSAID)
            return CastPart(CastRole(given))
        mapping = self.mapping(place, given)
        self.refuse_unknown(place, mapping, {"noun", "plural", "did", "one", "which", "when"})
        phrases = {
            name: self.forms((*place, name), mapping[name])
            for name in ("did", "one", "which", "when")
            if name in mapping
        }
        if not phrases:
            self.marked.refuse(
                "the part has no phrases: write `did`, `which` or `when`, one phrase a level from 0", place
            )
        return CastPart(
            CastRole.OWN,
            self.text((*place, "noun"), mapping.get("noun")),
            bool(mapping.get("plural")),
            **phrases,
        )

    def asks(self, place: Place, question: Mapping[str, Any]) -> Iterator[tuple[str, Ask]]:
        """Yield what may be asked: one for each set of `levels`, and each also of the opposite where wanted.

        They are named `share 1`, `share 2` where they are several, and `not share 1` where of the opposite.
        """
        for name, given in self.items(place, question, "asks"):
            here = (*place, name)
            mapping = {**question.get("common", {}), **self.mapping(here, given)}
            several = mapping.get("levels", {})
            made: dict[str, Mapping[str, Any]] = {name: mapping}
            if isinstance(several, list):
                made = {f"{name} {at}": {**mapping, "levels": each} for at, each in enumerate(several, 1)}
            asks = {one: self.ask(here, each) for one, each in made.items()}
            if "opposite" in mapping:
                turned = {
                    f"not {one}": self.ask(here, self.opposite(here, each)) for one, each in made.items()
                }
                asks |= {one: replace(ask, opposite=True) for one, ask in turned.items()}
            self.expanded[name] = tuple(asks)
            yield from asks.items()

    def opposite(self, place: Place, mapping: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the same asked of the units with level 0 of a variable instead of level 1."""
        name = self.text((*place, "opposite"), mapping["opposite"])
        if mapping.get("answer") != Display.PERCENT:
            self.marked.refuse("only a share has an opposite: write `answer: percent`", (*place, "opposite"))

        def turned(text: object) -> object:
            if isinstance(text, list):
                return [turned(each) for each in text]
            return re.sub(rf"([{{\[](?:one |with )?{name}=)1\b", r"\g<1>0", str(text))

        kept = set(NOT_SLOTS) - {"say", "read"}
        words = {key: turned(text) for key, text in mapping.items() if key not in kept}
        if words["read"] == mapping.get("read"):
            self.marked.refuse(
                f"`read` does not look for [{name}=1]: nothing to turn round", (*place, "read")
            )
        return {**mapping, **words, "target": f"1 - ({mapping.get('target')})"}

    def ask(self, place: Place, mapping: Mapping[str, Any]) -> Ask:
        slots = {
            name: self.forms((*place, name), [each] if isinstance(each, str) else each)
            for name, each in mapping.items()
            if name not in NOT_SLOTS
        }
        return Ask(
            slots,
            self.text((*place, "read"), mapping.get("read")),
            self.formula((*place, "target"), mapping.get("target")),
            self.read((*place, "answer"), lambda: Display(mapping.get("answer", "points")), Display.POINTS),
            self.read((*place, "rung"), lambda: Rung(mapping["rung"]) if "rung" in mapping else None, None),
            {
                name: self.read((*place, "levels"), lambda at=at: int(at), 0)  # type: ignore[misc]
                for name, at in self.mapping((*place, "levels"), mapping.get("levels", {})).items()
            },
            self.forms((*place, "say"), mapping["say"]) if "say" in mapping else (),
        )

    def figure(self, place: Place, given: object) -> ReckonedFigure:
        mapping = self.mapping(place, given)
        self.refuse_unknown(place, mapping, {"is", "formula", "kind"})
        kinds = mapping.get("kind", {})
        kinds = {"else": kinds} if isinstance(kinds, str) else self.mapping((*place, "kind"), kinds)
        made = {
            one: self.kind((*place, "kind"), each)
            for name, each in kinds.items()
            for one in self.expanded.get(name, (name,))
        }
        return ReckonedFigure(
            self.formula((*place, "formula"), mapping.get("formula")),
            self.text((*place, "is"), mapping.get("is")),
            {name: kind for name, kind in made.items() if kind is not None},
        )

    def kind(self, place: Place, given: object) -> Kind | None:
        known = {kind.name.lower(): kind for kind in Kind}
        if given not in known:
            self.marked.refuse(f"{given!r} is not a kind of error: choose from {', '.join(known)}", place)
        return known.get(str(given))

    def tasks(self, top: Mapping[str, Any]) -> Iterator[Task]:
        listed = top.get("tasks")
        if not isinstance(listed, list) or not listed:
            self.marked.refuse("'tasks' is empty or not a list: write at least one", ("tasks",))
            return
        for number, given in enumerate(listed):
            yield self.task(("tasks", number), given)

    def task(self, place: Place, given: object) -> Task:
        task = self.mapping(place, given)
        known = {
            "levels",
            "states",
            "facts",
            "assume",
            "draw",
            "let",
            "model",
            "given",
            "must",
            "asks",
            "key",
        }
        self.refuse_unknown(place, task, known | {"reflexes", "independent", "apart"})
        states = self.mapping((*place, "states"), task.get("states", {"only": {}}))
        asks = tuple(
            one
            for name in self.forms((*place, "asks"), task.get("asks"))
            for one in self.expanded.get(name, (name,))
        )
        return Task(
            levels=tuple(self.list_((*place, "levels"), task.get("levels"))),
            states={
                name: {
                    alias: tuple(each) if isinstance(each, list) else (str(each),)
                    for alias, each in self.mapping((*place, "states", name), bindings).items()
                }
                for name, bindings in states.items()
            },
            facts=tuple(
                (name, tuple(map(str, self.list_((*place, "facts", name), each))))
                for name, each in self.mapping((*place, "facts"), task.get("facts", {})).items()
            ),
            assume=tuple(self.list_((*place, "assume"), task.get("assume", []))),
            draws={
                name: self.value((*place, "draw", name), each)
                for name, each in self.mapping((*place, "draw"), task.get("draw", {})).items()
            },
            lets={
                name: parsed(self.formula((*place, "let", name), str(each)) or "0")
                for name, each in self.mapping((*place, "let"), task.get("let", {})).items()
            },
            model=dict(self.mechanisms((*place, "model"), task.get("model"))),
            given=tuple(
                each
                for number, item in enumerate(self.list_((*place, "given"), task.get("given")))
                for each in self.given((*place, "given", number), item)
            ),
            must=tuple(self.conditions((*place, "must"), task.get("must", []))),
            asks=asks,
            key={state: self.keys((*place, "key"), task.get("key"), state, asks) for state in states},
            reflexes=self.forms((*place, "reflexes"), task.get("reflexes", [])),
            independent=tuple(self.list_((*place, "independent"), task.get("independent", []))),
            apart=self.read((*place, "apart"), lambda: _fraction(task.get("apart", APART)), Fraction(1, 50)),
        )

    def mechanisms(self, place: Place, given: object) -> Iterator[tuple[str, ChanceTable]]:
        for head, body in self.mapping(place, given).items():
            name, _, causes = head.partition(" given ")
            here = (*place, head)
            listed = tuple(each.strip() for each in causes.split(",")) if causes else ()
            if isinstance(body, dict):
                rows = {
                    tuple(each.strip() for each in key.split(",")): self.row((*here, key), row)
                    for key, row in body.items()
                }
            else:
                rows = {("*",) * max(len(listed), 1): self.row(here, body)}
            self.marked.lines.setdefault((*place, name), self.marked.line(here) or 1)
            yield name.strip(), ChanceTable(listed, rows)

    def row(self, place: Place, given: object) -> tuple[Value, ...]:
        return tuple(self.value(place, each) for each in (given if isinstance(given, list) else [given]))

    def value(self, place: Place, given: object) -> Value:
        nothing: Value = (Fraction(0),)
        return self.read(place, lambda: value(str(given)), nothing)

    def given(self, place: Place, item: object) -> Iterator[Given]:
        mapping = self.mapping(place, item)
        self.refuse_unknown(
            place, mapping, {"counts", "shares", "number", "name", "as", "say", "read", "levels", "needed"}
        )
        levels = tuple(self.list_((*place, "levels"), mapping.get("levels", list(LEVELS))))
        needed = bool(mapping.get("needed", True))
        if "number" in mapping:
            saying = Saying(
                self.forms((*place, "say"), mapping.get("say")),
                self.text((*place, "read"), mapping.get("read")),
            )
            display = self.read(
                (*place, "as"), lambda: Display(mapping.get("as", "percent")), Display.PERCENT
            )
            number = self.formula((*place, "number"), mapping["number"])
            name = str(mapping.get("name", ""))
            yield Given(
                None, number=number, name=name, display=display, saying=saying, levels=levels, needed=needed
            )
        elif "counts" in mapping:
            *over, event = (each.strip() for each in str(mapping["counts"]).split(","))
            yield Given(
                (event, 1), tuple((each, None) for each in over), counts=True, levels=levels, needed=needed
            )
        elif "shares" in mapping:
            event, _, after = str(mapping["shares"]).partition("|")
            given: list[tuple[str, int | LevelOf | None]] = []
            do: list[tuple[str, int | LevelOf | None]] = []
            for each in filter(None, (part.strip() for part in after.split(","))):
                (do if each.startswith("do ") else given).append(_level(each.removeprefix("do ")))
            name, at = _level(event.strip())
            yield Given(
                (name, 1 if at is None else at), tuple(given), tuple(do), levels=levels, needed=needed
            )
        else:
            self.marked.refuse("write `counts`, `shares` or `number`", place)

    def conditions(self, place: Place, given: object) -> Iterator[q.Fact]:
        for number, text in enumerate(self.list_(place, given)):
            made = self.read((*place, number), lambda text=text: condition(str(text)), None)  # type: ignore[misc]
            if made is not None:
                yield made

    def keys(self, place: Place, given: object, state: str, asks: tuple[str, ...]) -> dict[str, str]:
        """Return the key of each ask in a state: given for all, by ask, by state, or by both."""
        if isinstance(given, dict):
            given = given.get(state, given)
        if isinstance(given, str):
            return dict.fromkeys(asks, given)
        if not isinstance(given, dict):
            return {}
        base = {one: name for name, several in self.expanded.items() for one in several}
        return {ask: str(given[name]) for ask in asks if (name := base.get(ask, ask)) in given}

    def formula(self, place: Place, given: object) -> str:
        text = self.text(place, given)
        return self.read(place, lambda: text if text and parsed(text) else "", "")

    def read(self, place: Place, make: Callable[[], Made], otherwise: Made) -> Made:
        """Return what is made; where that fails, note why and return `otherwise`."""
        try:
            return make()
        except (InvalidInput, ValueError) as error:
            self.marked.refuse(str(error), place)
            return otherwise

    def mapping(self, place: Place, given: object) -> dict[str, Any]:
        if isinstance(given, dict):
            return given
        self.marked.refuse(f"{place[-1] if place else 'the file'!r} is missing or not a mapping", place)
        return {}

    def items(
        self, place: Place, top: Mapping[str, Any], key: str = "", *, optional: bool = False
    ) -> list[tuple[str, Any]]:
        name = key or str(place[-1])
        return [] if optional and name not in top else list(self.mapping(place, top.get(name)).items())

    def list_(self, place: Place, given: object) -> list[Any]:
        if isinstance(given, list):
            return given
        self.marked.refuse(f"{place[-1]!r} is missing or not a list", place)
        return []

    def forms(self, place: Place, given: object) -> tuple[str, ...]:
        found = self.list_(place, given)
        if any(not isinstance(each, str) or not each.strip() for each in found):
            self.marked.refuse(f"{place[-1]!r} has an entry that is not text", place)
        return tuple(str(each).strip() for each in found)

    def text(self, place: Place, given: object) -> str:
        if isinstance(given, str) and given.strip():
            return given.strip()
        self.marked.refuse(f"{place[-1]!r} is missing or not text", place)
        return ""

    def refuse_unknown(self, place: Place, mapping: Mapping[str, Any], known: set[str]) -> None:
        for name in mapping:
            if name not in known:
                self.marked.refuse(
                    f"unknown key {name!r}: write one of {', '.join(sorted(known))}", (*place, name)
                )


def _level(text: str) -> tuple[str, int | LevelOf | None]:
    name, sign, at = (part.strip() for part in text.partition("="))
    return name, None if not sign else int(at) if at.isdigit() else LevelOf(at)


def _fraction(given: object) -> Fraction:
    found = parsed(str(given))
    if not isinstance(found, q.Number):
        raise InvalidInput(f"{given!r} is not a number: write one such as 2%")
    return found.number
