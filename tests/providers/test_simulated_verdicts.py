"""Verdicts of the in-process judges, written by the schema of whatever asks them."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged_case import CASE, SPEC, replied, said

from assay.core.errors import InvalidInput
from assay.core.judging import Mark, ShownToJudge
from assay.grading.geval import GEval
from assay.providers.reading import read_reply
from assay.providers.simulated_verdicts import (
    geval_beyond,
    geval_verdict,
    logprobs_for,
    scale,
    score_written,
    written,
)

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
READING = pytest.mark.skipif(find_spec("deepeval") is None, reason="needs the extra [geval]")


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
    """The value is not replaced by a similar one."""
    with pytest.raises(InvalidInput, match="cannot give"):
        geval_verdict(0.9999, "", logprobs=True)


def test_a_score_beyond_the_scale_can_be_written() -> None:
    """For the judge that does so."""
    assert json.loads(geval_beyond(12, "").text or "")["score"] == 12


def read_back(score: float) -> Mark:
    """Return the mark of a recorded reply with made-up logprobs."""
    reply = replied(said(score_written(score)), logprobs_for(score))
    found = GEval().read(CASE, SPEC, "coherence", ShownToJudge("x"), (reply,))
    assert isinstance(found, Mark)
    return found


@READING
@pytest.mark.parametrize(
    "score", [0.0, 0.001, 0.0014, 0.1005, 0.5, 0.9731, 0.9005, 0.9995 - 0.0005, 0.999, 1.0]
)
def test_a_recorded_score_comes_back(score: float) -> None:
    """Scores near a whole number and at the ends of what can be read too."""
    found = read_back(score)
    assert found.value == pytest.approx(score, abs=1e-6)
    assert found.mode == "logprobs"


@READING
@given(st.integers(10, 9990))
def test_every_score_of_four_decimals_comes_back(ten_thousandths: int) -> None:
    """From 0.001 to 0.999, as recordings round them."""
    assert read_back(ten_thousandths / 10_000).value == pytest.approx(ten_thousandths / 10_000, abs=1e-6)


def test_the_shares_are_probabilities() -> None:
    """0.9731 is 9 with 0.269 and 10 with 0.731: the judge would have written 10."""
    (token,) = [part for part in logprobs_for(0.9731)["content"] if part["token"] == "10"]
    assert [entry["token"] for entry in token["top_logprobs"]] == ["10", "9"]
    assert [entry["logprob"] for entry in token["top_logprobs"]] == pytest.approx(
        [-0.313342, -1.313044], abs=1e-5
    )


@pytest.mark.parametrize("score", [-0.1, 1.01, 0.9995, 0.0004, float("nan")])
def test_what_no_reading_gives_is_refused(score: float) -> None:
    """Outside the scale, or so near its end that the other share is under 1 %."""
    with pytest.raises(InvalidInput, match=repr(score)):
        logprobs_for(score)


@READING
def test_logprobs_travel_from_the_endpoint_to_the_mark() -> None:
    """The reply keeps `choices[0].logprobs` as it came."""
    body = {"choices": [{"message": {"content": said(10)}, "logprobs": logprobs_for(0.9731)}]}
    reply = read_reply(200, {}, orjson.dumps(body), 0.1, None).reply
    found = GEval().read(CASE, SPEC, "coherence", ShownToJudge("x"), (reply,))
    assert isinstance(found, Mark)
    assert found.value == pytest.approx(0.9731, abs=1e-6)
