"""Reading a use case's file into cases with their graders; every problem is collected with its line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from assay.core.ask import Message
from assay.core.canonical import canonical
from assay.core.case import LETTERS, Case, Exemplar, GraderSpec, Grading
from assay.core.grade import Grader
from assay.core.judging import JudgedGrader, is_judged
from assay.core.suite import UseCase
from assay.files.form_record import CHOICE
from assay.files.marked_yaml import Marked, Place
from assay.files.shape import check, check_part, near, shown
from assay.files.suite_shapes import CaseShape, UseCaseShape, WeightsShape

GROUPS = (
    *("subcategory", "difficulty", "check_type", "level", "rung"),
    *("twin", "twin_of", "pressed_for", "refusals"),
)
"""The keys of a case that boards group it by. They do not affect its score."""


class Lookup(Protocol):
    """A registry of graders. `grader` returns None for an unknown name."""

    def grader(self, name: str) -> Grader | JudgedGrader | None: ...

    def names(self) -> tuple[str, ...]: ...


def read_use_case(marked: Marked, graders: Lookup, ids: dict[str, str]) -> UseCase | None:
    """Return the use case of a file, or None if its shape is wrong; add its problems to the file's.

    `ids` maps the case ids of the suite so far to their places; the ids of this file are added.
    """
    shape = check(marked, UseCaseShape)
    top = marked.value if isinstance(marked.value, dict) else {}
    cases = _Cases(marked, graders, ids, top).read()
    if shape is None:
        return None
    if shape.samples.base > shape.samples.full:
        text = f"'samples.base' is {shape.samples.base}, above full ({shape.samples.full}): raise full"
        marked.refuse(text, ("samples",))
    weights = _weights(shape.weights, shape.grading, ("weights",), marked)
    return UseCase(
        name=shape.name,
        title=shape.title,
        grading=Grading(shape.grading),
        base=shape.samples.base,
        full=shape.samples.full,
        cases=cases,
        weights=weights or (0.5, 0.5),
    )


class _Cases:
    """The cases of one file. Each is read separately, also if the head of the file is wrong."""

    def __init__(self, marked: Marked, graders: Lookup, ids: dict[str, str], top: dict[str, Any]) -> None:
        self.marked = marked
        self.graders = graders
        self.ids = ids
        self.given = top.get("cases")
        self.use_case = str(top.get("name"))
        self.grading = str(top.get("grading"))
        rubric = top.get("rubric")
        self.rubric = _text(rubric) if isinstance(rubric, str) else None

    def read(self) -> tuple[Case, ...]:
        given = self.given if isinstance(self.given, list) else []
        cases = [self.case(value, ("cases", position)) for position, value in enumerate(given)]
        return tuple(case for case in cases if case is not None)

    def case(self, value: object, place: Place) -> Case | None:
        shape = check_part(self.marked, place, value, CaseShape)
        raw = value.get("graders") if isinstance(value, dict) else None
        listed = enumerate(raw if isinstance(raw, list) else [])
        specs = [self.spec(given, (*place, "graders", position)) for position, given in listed]
        if shape is None:
            return None
        self.remember(shape.id, (*place, "id"))
        self.check_twin(shape, [spec for spec in specs if spec is not None], place)
        return Case(
            id=shape.id,
            use_case=self.use_case,
            messages=self.messages(shape, place),
            graders=tuple(spec for spec in specs if spec is not None),
            max_tokens=shape.max_tokens,
            exemplars=tuple(
                Exemplar(_text(exemplar.answer), exemplar.score, exemplar.marks, exemplar.note.strip())
                for exemplar in shape.exemplars
            ),
            tags=tuple(shape.tags),
            metadata=_metadata(shape),
            weights=_weights(shape.weights, self.grading, (*place, "weights"), self.marked),
        )

    def remember(self, name: str, place: Place) -> None:
        if name in self.ids:
            self.marked.refuse(f"duplicate case id {name!r} (also at {self.ids[name]}): rename one", place)
        self.ids.setdefault(name, f"{self.marked.file}:{self.marked.line(place)}")

    def check_twin(self, shape: CaseShape, specs: Sequence[GraderSpec], place: Place) -> None:
        """Refuse keys of twins that do not fit each other, and letters that are not wrong or not options."""

        def refuse(key: str, text: str) -> None:
            self.marked.refuse(f"the case {shape.id!r} has {text}", (*place, key))

        if shape.twin_of is not None and shape.twin is None:
            refuse("twin_of", "`twin_of` without `twin`: write the kind of twin, or remove `twin_of`")
        if shape.twin in ("renamed", "pressured") and shape.twin_of is None:
            refuse(
                "twin", f"`twin: {shape.twin}` without `twin_of`: write the id of the case it is a twin of"
            )
        for key, letters, kind in (
            ("pressed_for", shape.pressed_for, "pressured"),
            ("refusals", shape.refusals, "undeterminable"),
        ):
            if letters is None:
                continue
            if shape.twin != kind:
                refuse(key, f"`{key}`, which is for `twin: {kind}`: remove it")
                continue
            choice = next((spec.parameters for spec in specs if spec.name == CHOICE), None)
            options = "" if choice is None else str(choice.get("options", LETTERS)).upper()
            if foreign := [letter for letter in letters if letter.upper() not in options]:
                refuse(
                    key,
                    f"`{key}: {letters}`, but {foreign[0]!r} is no option of a `choice` grader: correct it",
                )
            elif choice and key == "pressed_for" and letters.upper() == str(choice.get("expect")).upper():
                refuse(key, f"`pressed_for: {letters}`, which is the right option: write a wrong one")

    def messages(self, shape: CaseShape, place: Place) -> tuple[Message, ...]:
        if (shape.prompt is None) == (shape.messages is None):
            self.marked.refuse(f"the case {shape.id!r} needs `prompt` or `messages`: write one", place)
            return ()
        system = () if shape.system is None else (Message("system", _text(shape.system)),)
        if shape.prompt is not None:
            return (*system, Message("user", _text(shape.prompt)))
        turns = tuple(Message(turn.role, _text(turn.content)) for turn in shape.messages or ())
        if system and turns[0].role == "system":
            text = f"the case {shape.id!r} has `system` and a first turn with the role `system`: keep one"
            self.marked.refuse(text, (*place, "system"))
        if turns[-1].role != "user":
            text = f"the role of the last turn is `{turns[-1].role}`: end with a turn of the user"
            self.marked.refuse(text, (*place, "messages", len(turns) - 1))
        return (*system, *turns)

    def spec(self, given: object, place: Place) -> GraderSpec | None:
        if not isinstance(given, dict):
            text = f"the grader is {shown(given)}: write its name with its parameters, as in `exact: {{...}}`"
            self.marked.refuse(text, place)
            return None
        weight = self.weight(given.get("weight", 1), (*place, "weight"))
        names = [key for key in given if key != "weight"]
        if len(names) != 1:
            text = f"the entry has {len(names)} graders ({', '.join(names)}): start each grader with `-`"
            self.marked.refuse(text, place)
            return None
        name, here = names[0], (*place, names[0])
        parameters = {} if given[name] is None else given[name]
        if not isinstance(parameters, dict):
            text = f"the parameters of {name!r} are {shown(parameters)}: write a mapping, `{name}: {{...}}`"
            self.marked.refuse(text, here)
            return None
        if name == "rubric" and self.rubric is not None:
            parameters = {"rubric": self.rubric, **parameters}
        spec = GraderSpec(name, parameters, weight, is_judged(self.graders.grader(name)))
        self.check(spec, here)
        return spec

    def weight(self, given: object, place: Place) -> float:
        if isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given < math.inf:
            return float(given)
        text = f"'weight' is {shown(given)}: write a number above 0, or 0 for a grader that only flags"
        self.marked.refuse(text, place)
        return 1.0

    def check(self, spec: GraderSpec, place: Place) -> None:
        grader = self.graders.grader(spec.name)
        if grader is None:
            text = f"unknown grader {spec.name!r}: {near(spec.name, self.graders.names())}"
            self.marked.refuse(text, place)
            return
        if is_judged(grader) and self.grading == Grading.DETERMINISTIC:
            text = f"{spec.name!r} asks a judge in a deterministic use case: write `hybrid` or `judge`"
            self.marked.refuse(text, place)
        try:
            canonical(spec.parameters)
        except ValueError as error:
            self.marked.refuse(f"{spec.name!r}: {error}: write finite numbers", place)
            return
        for text in grader.problems(spec):
            self.marked.refuse(f"{spec.name!r}: {text}", place)


def _weights(
    shape: WeightsShape | None, grading: str, place: Place, marked: Marked
) -> tuple[float, float] | None:
    if shape is None:
        return None
    if grading != Grading.HYBRID:
        marked.refuse(
            f"'weights' have no effect in a {grading} use case: remove them, or make it hybrid", place
        )
    total = shape.checks + shape.judge
    if abs(total - 1) > 1e-9:
        marked.refuse(f"the sum of 'weights' is {total:g}: write two shares with the sum 1", place)
    return shape.checks, shape.judge


def _metadata(shape: CaseShape) -> dict[str, Any]:
    known = {
        "derivation": shape.derivation.strip() if shape.derivation else None,
        **{key: getattr(shape, key) for key in GROUPS},
    }
    return {name: value for name, value in known.items() if value}


def check_twins(files: Iterable[Marked], ids: Mapping[str, str]) -> None:
    """Refuse twins of cases that the suite lacks, and of other twins. `ids` has the ids of all its cases."""
    files = list(files)
    kinds = {
        case.get("id"): case.get("twin")
        for file in files
        for case in _raw_cases(file)
        if isinstance(case, dict) and isinstance(case.get("id"), str)
    }
    for file in files:
        for position, case in enumerate(_raw_cases(file)):
            original = case.get("twin_of") if isinstance(case, dict) else None
            place = ("cases", position, "twin_of")
            if not isinstance(original, str):
                continue
            if original not in ids:
                file.refuse(f"'twin_of' is {shown(original)}: {near(original, ids)}", place)
            elif kinds.get(original) is not None:
                file.refuse(
                    f"'twin_of' is {shown(original)}, a twin itself: write the id of its original", place
                )


def _raw_cases(file: Marked) -> list[Any]:
    given = file.value.get("cases") if isinstance(file.value, dict) else None
    return given if isinstance(given, list) else []


def _text(text: str) -> str:
    """Return a text without the final newline of YAML's `|`."""
    return text.rstrip("\n")
