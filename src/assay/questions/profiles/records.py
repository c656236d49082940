"""The profile of a record format: which key holds what, and what is known of the records anyway."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from assay.core.question import QuestionKind
from assay.questions.taxonomy import find_discipline, find_secondary


class Closed(BaseModel):
    """A shape that knows all of its keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"is no regular expression: {error}") from None
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
    """What a file is known by: `keys` that its first record has, texts that their values hold."""

    keys: Names = ()
    holds: dict[str, str] = Field(default_factory=dict)


class Known(Closed):
    """What is known of a record that does not say it itself. `left_out` is a reason to refuse it."""

    kind: QuestionKind | None = None
    discipline: DisciplineCode | None = None
    secondary: SecondaryCode | None = None
    left_out: str | None = None


class Cases(Closed):
    """What is known of records by the value of one key."""

    of: str
    are: dict[str, Known]


class RecordProfile(Closed):
    """Which keys or columns hold what; of several names the first that holds anything counts.

    Names are compared without case, and with spaces and hyphens like underscores; `a.b` is the key `b` of the
    object at `a`. `option_columns` are lists of columns that hold one option each. `index_from` says that a
    number as the key counts the options from 0 or 1. What stands after `final_answer_after` in the key is the
    answer, what stands before it the explanation; `remove` are patterns of what is taken out of both.
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
    defaults: Known = Known()
    cases: Cases | None = None
    index_from: Literal[0, 1] | None = None
    final_answer_after: str | None = None
    remove: tuple[Pattern, ...] = ()
