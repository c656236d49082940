"""Verdicts of the in-process judges, written by the schema of whatever asks them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assay.core.errors import InvalidInput
from assay.providers.verdicts import geval_beyond, geval_verdict, scale, written

SCHEMA = {
    "type": "object",
    "properties": {
        "token": {"const": "k3x9"},
        "verdict": {"type": "string", "enum": ["final"]},
        "rationale": {"type": "string"},
        "marks": {"type": "integer", "minimum": 1, "maximum": 5},
        "sure": {"type": "boolean"},
        "parts": {"type": "array", "items": {"type": "string"}},
        "inner": {"type": "object", "properties": {"text": {"type": "string"}}},
    },
}


def test_a_schema_is_filled_property_by_property() -> None:
    """Constants stay, the mark goes into the number, the rationale into free texts; the order is kept."""
    found = json.loads(written(SCHEMA, 4.0, "Good."))
    assert found == {
        "token": "k3x9",
        "verdict": "final",
        "rationale": "Good.",
        "marks": 4,
        "sure": False,
        "parts": [],
        "inner": {"text": "Good."},
    }
    assert list(found) == list(SCHEMA["properties"])


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (None, (1.0, 5.0)),
        ({"type": "object"}, (1.0, 5.0)),
        (SCHEMA, (1, 5)),
        ({"properties": {"stars": {"type": "integer", "minimum": 0, "maximum": 3}}}, (0, 3)),
        ({"properties": {"stars": {"enum": [0, 1, 2, 3]}}}, (0, 3)),
        ({"properties": {"sure": {"enum": [True, False]}}}, (1.0, 5.0)),
    ],
)
def test_the_scale_is_read_from_the_schema(
    schema: dict[str, Any] | None, expected: tuple[float, float]
) -> None:
    """The range of its number, or of an enum of numbers; without one 1 to 5."""
    assert scale(schema) == expected


def test_an_enum_of_numbers_takes_the_mark() -> None:
    """Marks may be listed instead of bounded."""
    schema = {"type": "object", "properties": {"stars": {"enum": [0, 1, 2, 3]}}}
    assert json.loads(written(schema, 2.0, "")) == {"stars": 2}


def test_without_a_schema_there_are_score_and_rationale() -> None:
    """A mark that is no whole number stays one."""
    assert json.loads(written(None, 3.5, "Half.")) == {"score": 3.5, "rationale": "Half."}


def test_a_geval_verdict_has_deepevals_shape() -> None:
    """A whole score from 0 to 10 with a reason; logprobs only where they are asked for."""
    plain, weighed = (geval_verdict(0.87, "Why.", logprobs=wanted) for wanted in (False, True))
    assert json.loads(plain.text or "") == {"reason": "Why.", "score": 9}
    assert plain.logprobs is None
    assert weighed.text == plain.text
    assert any(part["token"] == "9" for part in (weighed.logprobs or {})["content"])


def test_a_value_that_no_reading_gives_is_refused() -> None:
    """Not replaced by a near one."""
    with pytest.raises(InvalidInput, match="no reading"):
        geval_verdict(0.9999, "", logprobs=True)


def test_a_score_beyond_the_scale_can_be_written() -> None:
    """For the judge that does so."""
    assert json.loads(geval_beyond(12, "").text or "")["score"] == 12
