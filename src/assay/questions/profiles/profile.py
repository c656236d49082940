"""Profiles: the layout of questions in a document, and the meaning of the keys of records."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from assay.core.errors import InvalidInput, Problem
from assay.core.question import QuestionKind
from assay.core.shape_errors import explain_shape_errors
from assay.questions.taxonomy import find_discipline, find_secondary


class Closed(BaseModel):
    """A shape without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"is not a regular expression: {error}") from None
    return text


def _discipline(text: str) -> str:
    return find_discipline(text).code


def _secondary(text: str) -> str:
    return find_secondary(text).code


Names = tuple[str, ...]
Pattern = Annotated[str, AfterValidator(_pattern)]
DisciplineCode = Annotated[str, AfterValidator(_discipline)]
SecondaryCode = Annotated[str, AfterValidator(_secondary)]


class Signs(Closed):
    """The signs of a format: `keys` of the first record, and texts that their values contain."""

    keys: Names = ()
    holds: dict[str, str] = Field(default_factory=dict)


class RecordDefaults(Closed):
    """Defaults for a record without these values. `left_out` is a reason to refuse it."""

    kind: QuestionKind | None = None
    discipline: DisciplineCode | None = None
    secondary: SecondaryCode | None = None
    left_out: str | None = None


class Cases(Closed):
    """Defaults for records by the value of one key."""

    of: str
    are: dict[str, RecordDefaults]


class RecordProfile(Closed):
    """The keys or columns of each field of a record. Of several names the first with a value counts.

    Names are compared without case, and spaces and hyphens are equal to underscores; `a.b` is the key `b` of
    the object at `a`. `option_columns` are lists of columns with one option each. With `index_from` a number
    as the key is the position of an option, counted from 0 or 1. The text after `final_answer_after` in the
    key is the answer, and the text before it is the explanation; `remove` are patterns to remove from both.
    """

    name: str
    title: str = ""
    format: Literal["records"]
    recognised_by: Signs = Signs()
    passage: Names = ()
    stem: Names
    options: Names = ()
    option_columns: tuple[Names, ...] = ()
    key: Names
    explanation: Names = ()
    kind: Names = ()
    discipline: Names = ()
    secondary: Names = ()
    uuid: Names = ()
    parent: Names = ()
    made_by: Names = ()
    ignored: Names = ()
    defaults: RecordDefaults = RecordDefaults()
    cases: Cases | None = None
    index_from: Literal[0, 1] | None = None
    final_answer_after: str | None = None
    remove: tuple[Pattern, ...] = ()


class KindWords(Closed):
    """Words for a kind of question in headings and values.

    `single` means one right option; `material` means that the questions are about the text before them.
    """

    kind: QuestionKind | None
    words: Names
    single: bool = False
    material: bool = False


class DocumentProfile(Closed):
    """The layout of a document.

    `numbers`, `options`, `headings` and `chapters` contain a placeholder: `{1}` for a number, `{一}` for a
    Chinese one, `{I}` for a Roman one, `{A}` for a letter; full-width characters are equal to half-width
    ones. `answers` and `explanations` are the words before an answer or an explanation, `answer_sections` the
    headings above all answers, and `materials` the words before a text for the questions after it. `chapters`
    are headings that give no kind.
    """

    name: str
    title: str = ""
    format: Literal["document"]
    numbers: Names
    options: Names
    headings: Names = ()
    chapters: Names = ()
    answers: Names
    explanations: Names = ()
    answer_sections: Names = ()
    materials: Names = ()
    kinds: tuple[KindWords, ...] = ()


Profile = RecordProfile | DocumentProfile

RECORDS = ("agieval", "gsm8k", "triviaqa", "table")
"""The profiles of records, the most special first: the first that fits a file is used."""

DOCUMENTS = ("chinese", "english")
MIXED = "mixed"
_SHAPES: Mapping[str, type[RecordProfile] | type[DocumentProfile]] = {
    "records": RecordProfile,
    "document": DocumentProfile,
}


def profile_names() -> tuple[str, ...]:
    """Return the names of the built-in profiles."""
    return (*RECORDS, *DOCUMENTS, MIXED)


@cache
def built_in(name: str) -> Profile:
    """Return a built-in profile. Raises InvalidInput for an unknown name."""
    if name == MIXED:
        return _mixed([built_in(document) for document in DOCUMENTS])
    if name not in (*RECORDS, *DOCUMENTS):
        raise InvalidInput(f"unknown profile {name!r}: give one of {', '.join(profile_names())}, or a file")
    return read_profile(_text(f"{name}.json"), name)


def read_profile(text: str, place: str) -> Profile:
    """Return the profile in a JSON text. Raises InvalidInput with every problem."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(Problem(f"invalid JSON: {error.msg}", place, error.lineno)) from None
    shape = _SHAPES.get(document.get("format", "")) if isinstance(document, dict) else None
    if shape is None:
        text = 'the file is not a profile: write "format" as "records" or "document"'
        raise InvalidInput(Problem(text, place))
    try:
        return shape.model_validate(document)
    except ValidationError as error:
        faults = explain_shape_errors(error.errors(include_url=False), shown=repr)
        raise InvalidInput([Problem(fault, place) for fault in faults]) from None
    except InvalidInput as error:
        raise InvalidInput(Problem(str(error), place)) from None


def suits(profile: RecordProfile, record: Mapping[str, Any]) -> bool:
    """Whether a record has the signs of a profile."""
    signs = profile.recognised_by
    return all(key in record for key in signs.keys) and all(
        text in str(record.get(key, "")) for key, text in signs.holds.items()
    )


def record_profile(record: Mapping[str, Any]) -> RecordProfile:
    """Return the first built-in profile that fits a file's first record; `table` fits all."""
    for name in RECORDS:
        profile = built_in(name)
        assert isinstance(profile, RecordProfile)
        if suits(profile, record):
            return profile
    raise AssertionError("the last profile fits every record")


@cache
def kind_words() -> tuple[KindWords, ...]:
    """Return the words for kinds of questions in both languages, which belong to every profile."""
    return tuple(TypeAdapter(list[KindWords]).validate_json(_text("kinds.json")))


def _mixed(profiles: Sequence[Profile]) -> DocumentProfile:
    merged: dict[str, Any] = {"name": MIXED, "title": "Papers in both languages", "format": "document"}
    for field in ("numbers", "options", "headings", "chapters", "answers", "explanations", "answer_sections"):
        merged[field] = tuple(dict.fromkeys(text for profile in profiles for text in getattr(profile, field)))
    merged["materials"] = tuple(text for profile in profiles for text in getattr(profile, "materials", ()))
    return DocumentProfile.model_validate(merged)


def _text(file: str) -> str:
    return resources.files("assay.questions.profiles").joinpath(file).read_text(encoding="utf-8")
