"""The profiles that ship with Assay, and reading one that a user wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from pydantic import TypeAdapter, ValidationError

from assay.core.errors import InvalidInput, Problem
from assay.questions.profiles.documents import DocumentProfile, KindWords
from assay.questions.profiles.records import RecordProfile

Profile = RecordProfile | DocumentProfile

RECORDS = ("agieval", "gsm8k", "triviaqa", "table")
"""The profiles of records, the most special first: the first that knows a file is taken."""

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
    """Return a built-in profile. Raises InvalidInput for a name that is none."""
    if name == MIXED:
        return _mixed([built_in(each) for each in DOCUMENTS])
    if name not in (*RECORDS, *DOCUMENTS):
        raise InvalidInput(
            f"there is no profile {name!r}: give one of {', '.join(profile_names())}, or a file"
        )
    return read_profile(_text(f"{name}.json"), name)


def read_profile(text: str, place: str) -> Profile:
    """Return the profile that a JSON text declares. Raises InvalidInput with everything that is wrong."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(Problem(f"is no JSON: {error.msg}", place, error.lineno)) from None
    shape = _SHAPES.get(found.get("format", "")) if isinstance(found, dict) else None
    if shape is None:
        raise InvalidInput(Problem('is no profile: "format" must be "records" or "document"', place))
    try:
        return shape.model_validate(found)
    except ValidationError as error:
        raise InvalidInput(
            [Problem(f"{'.'.join(map(str, one['loc']))}: {one['msg']}", place) for one in error.errors()]
        ) from None
    except InvalidInput as error:
        raise InvalidInput(Problem(str(error), place)) from None


def suits(profile: RecordProfile, record: Mapping[str, Any]) -> bool:
    """Whether a record looks like one of this format."""
    signs = profile.recognised_by
    return all(key in record for key in signs.keys) and all(
        text in str(record.get(key, "")) for key, text in signs.holds.items()
    )


def record_profile(record: Mapping[str, Any]) -> RecordProfile:
    """Return the first built-in profile that suits a file's first record; `table` suits all."""
    for name in RECORDS:
        profile = built_in(name)
        assert isinstance(profile, RecordProfile)
        if suits(profile, record):
            return profile
    raise AssertionError("the last profile suits every record")


@cache
def kind_words() -> tuple[KindWords, ...]:
    """Return the words for the kinds of questions that every profile knows, in both languages."""
    return tuple(TypeAdapter(list[KindWords]).validate_json(_text("kinds.json")))


def _mixed(profiles: Sequence[Profile]) -> DocumentProfile:
    merged: dict[str, Any] = {"name": MIXED, "title": "Papers in both languages", "format": "document"}
    for field in ("numbers", "options", "headings", "chapters", "answers", "explanations", "answer_sections"):
        merged[field] = tuple(dict.fromkeys(each for one in profiles for each in getattr(one, field)))
    merged["materials"] = tuple(each for one in profiles for each in getattr(one, "materials", ()))
    return DocumentProfile.model_validate(merged)


def _text(file: str) -> str:
    return resources.files("assay.questions.profiles").joinpath(file).read_text(encoding="utf-8")
