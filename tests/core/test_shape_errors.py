"""Errors of checked shapes: the field, its value and what to write, never pydantic's sentences."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Annotated, Any, Literal

import pytest
from every_row import every_row
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from assay.core.shape_errors import explain_shape_errors

PYDANTIC = re.compile(r"input should|field required|extra inputs|unable to", re.IGNORECASE)


class Row(BaseModel):
    """A shape with a field of each common kind."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: Annotated[str, Field(min_length=2, max_length=3)] = "ab"
    code: Annotated[str, Field(pattern="^[a-z]+$")] = "a"
    count: Annotated[int, Field(ge=1, le=9)] = 1
    share: Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)] = 0.5
    even: Annotated[int, Field(multiple_of=2)] = 2
    fast: bool = False
    kind: Literal["a", "b"] = "a"
    parts: Annotated[list[int], Field(max_length=1)] = []
    table: dict[str, int] = {}
    day: date = date(2026, 1, 1)
    at: datetime | None = None

    @field_validator("code")
    @classmethod
    def _known(cls, code: str) -> str:
        if code == "zz":
            raise ValueError("is reserved: choose another")
        return code


@every_row(
    "given, sentence",
    [
        ({"count": "x"}, "'count' is 'x': write a whole number"),
        ({"count": 0}, "'count' is 0: write a number of at least 1"),
        ({"count": 10}, "'count' is 10: write a number of at most 9"),
        ({"share": 0.0}, "'share' is 0.0: write a number above 0.0"),
        ({"share": 1.0}, "'share' is 1.0: write a number below 1.0"),
        ({"share": float("inf")}, "'share' is inf: write a finite number"),
        ({"share": "x"}, "'share' is 'x': write a number"),
        ({"even": 3}, "'even' is 3: write a multiple of 2"),
        ({"fast": "x"}, "'fast' is 'x': write true or false"),
        ({"kind": "c"}, "'kind' is 'c': write 'a' or 'b'"),
        ({"name": 1}, "'name' is 1: write text"),
        ({"name": "a"}, "'name' is 'a': write text of at least 2 characters"),
        ({"name": "abcd"}, "'name' is 'abcd': write text of at most 3 characters"),
        ({"code": "A"}, "'code' is 'A': write text that matches ^[a-z]+$"),
        ({"code": "zz"}, "'code' is reserved: choose another"),
        ({"parts": 1}, "'parts' is 1: write a list"),
        ({"parts": [1, 2]}, "'parts' is [1, 2]: write at most 1 elements"),
        ({"parts": ["x"]}, "'parts.0' is 'x': write a whole number"),
        ({"table": 1}, "'table' is 1: write a mapping of names to values"),
        ({"day": "x"}, "'day' is 'x': write a date such as 2026-11-20"),
        ({"at": "x"}, "'at' is 'x': write a time such as 2026-11-20T06:00:00Z"),
        ({"more": 1}, "unknown field 'more': remove it"),
    ],
)
def test_each_kind_of_error_says_what_to_write(given: dict[str, Any], sentence: str) -> None:
    """The sentence names the field, shows the value and says what is accepted."""
    with pytest.raises(ValidationError) as refused:
        Row.model_validate(given)
    assert explain_shape_errors(refused.value.errors(), shown=repr) == [sentence]


def test_missing_fields_and_broken_json() -> None:
    """A missing field is named, and the place of a fault in JSON is given."""

    class Named(BaseModel):
        name: str

    with pytest.raises(ValidationError) as missing:
        Named.model_validate({})
    assert explain_shape_errors(missing.value.errors()) == ["'name' is missing: add it"]
    with pytest.raises(ValidationError) as broken:
        Named.model_validate_json('{"name": }')
    assert explain_shape_errors(broken.value.errors()) == ["invalid JSON at line 1, column 10: correct it"]


def test_a_value_can_be_withheld() -> None:
    """Without `shown` the value, which may be a secret, is not in the sentence."""
    with pytest.raises(ValidationError) as refused:
        Row.model_validate({"count": "sesame"})
    assert explain_shape_errors(refused.value.errors()) == ["'count' is not valid: write a whole number"]


def test_an_unforeseen_kind_of_error_shows_no_sentence_of_pydantic() -> None:
    """The field and the value are named all the same."""

    class Raw(BaseModel):
        model_config = ConfigDict(strict=True)
        data: bytes

    with pytest.raises(ValidationError) as refused:
        Raw.model_validate({"data": 1})
    (sentence,) = explain_shape_errors(refused.value.errors(), shown=repr)
    assert sentence == "'data' is 1: write another value"
    assert not PYDANTIC.search(sentence)
