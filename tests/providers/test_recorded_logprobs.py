"""Made-up logprobs for recorded G-Eval scores, read back by G-Eval's own reading."""

from __future__ import annotations

from importlib.util import find_spec

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged_case import CASE, SPEC, replied, said

from assay.core.errors import InvalidInput
from assay.core.judging import Mark, Shown
from assay.grading.geval import GEval
from assay.providers.reading import read_reply
from assay.providers.recorded_logprobs import logprobs_for, score_written

READING = pytest.mark.skipif(find_spec("deepeval") is None, reason="needs the extra [geval]")


def read_back(score: float) -> Mark:
    """Return the mark of a recorded reply with made-up logprobs."""
    reply = replied(said(score_written(score)), logprobs_for(score))
    found = GEval().read(CASE, SPEC, "coherence", Shown("x"), (reply,))
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
    found = GEval().read(CASE, SPEC, "coherence", Shown("x"), (reply,))
    assert isinstance(found, Mark)
    assert found.value == pytest.approx(0.9731, abs=1e-6)
