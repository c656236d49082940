"""Which logprobs are weighed, and what is said of those that are not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from judged_case import logprobs, said

from assay.grading.geval_reading import Odd, weighable


def score_token(**parts: Any) -> dict[str, Any]:
    """Return logprobs of a reply `"score":8` with parts of the score's token changed."""
    token = {"token": "8", "logprob": 0.0, "top_logprobs": [{"token": "8", "logprob": -0.1}], **parts}
    return {"content": [{"token": '{"score":'}, token, {"token": "}"}]}


def test_only_the_scores_token_keeps_its_alternatives() -> None:
    """The other tokens serve to find it."""
    text = said(8, "An 8 among 9.")
    found = weighable(8, logprobs(text, {"8": 0.7, "7": 0.3}))
    assert [entry.token for token in found for entry in token.top_logprobs] == ["8", "7"]


@pytest.mark.parametrize(
    ("score", "tops", "why"),
    [
        (8, None, "the reply came without logprobs"),
        (8, {}, "the logprobs hold no tokens"),
        (8, {"content": None}, "the logprobs hold no tokens"),
        (8, {"content": ["8"]}, "the logprobs hold no tokens"),
        (8, [], "the logprobs hold no tokens"),
        (7, score_token(), "no token of the reply is '7'"),
        (8.5, score_token(token="8.5"), "the score '8.5' is no integer"),
        (8, score_token(top_logprobs=[]), "the token of the score has no alternatives"),
        (8, score_token(top_logprobs=None), "the token of the score has no alternatives"),
        (
            8,
            score_token(top_logprobs=[{"token": "8"}]),
            "the alternatives of the score's token are malformed",
        ),
        (8, score_token(top_logprobs=["8"]), "the alternatives of the score's token are malformed"),
        (
            8,
            score_token(top_logprobs=[{"token": "8", "logprob": 2.0}]),
            "a logarithm of a probability is 2.0",
        ),
        (
            8,
            score_token(top_logprobs=[{"token": "8", "logprob": float("nan")}]),
            "a logarithm of a probability",
        ),
        (8, score_token(top_logprobs=[{"token": "x", "logprob": -0.1}]), "no alternative that is a number"),
        (8, score_token(top_logprobs=[{"token": "8", "logprob": -9.0}]), "no alternative that is a number"),
    ],
    ids=range(15),
)
def test_logprobs_that_cannot_be_weighed_say_why(score: float, tops: Any, why: str) -> None:
    """Whatever an endpoint sends, the bare score is then read and the reason told."""
    with pytest.raises(Odd) as raised:
        weighable(score, tops)
    assert str(raised.value).startswith(why)


def test_a_number_in_the_reason_is_not_taken_for_the_score() -> None:
    """deepeval weighs the last token that equals the score, wherever it stands."""
    text = '{"score": 8, "reason": "6 or 8 points"}'
    with pytest.raises(Odd, match="does not follow `score`"):
        weighable(8, logprobs(text, {"8": 0.5, "6": 0.5}))


@pytest.mark.parametrize(
    ("score", "shares", "why"),
    [
        (9, {"9": 0.6, "1": 0.4}, "may be the first figure of 10"),
        (6, {"6": 0.6, "1": 0.02}, "may be the first figure of 10"),
        (9, {"9": 0.9, "95": 0.1}, "an alternative is 95"),
    ],
    ids=["ten in two tokens", "just above the middle", "percent"],
)
def test_alternatives_that_are_no_scores_are_not_weighed(
    score: int, shares: Mapping[str, float], why: str
) -> None:
    """A judge whose tokens are single figures writes 10 as 1 and 0: its 1 beside a 9 means 10."""
    with pytest.raises(Odd, match=why):
        weighable(score, logprobs(said(score), shares))


@pytest.mark.parametrize(
    ("score", "shares"),
    [
        (9, {"9": 0.6, "1": 0.3, "10": 0.001}),
        (2, {"2": 0.6, "1": 0.4}),
        (9, {"9": 0.9, "1": 0.009}),
        (9, {"9": 0.9, "95": 0.009}),
    ],
    ids=["ten is a token", "low score", "rare one", "rare percent"],
)
def test_alternatives_that_are_scores_are_weighed(score: int, shares: Mapping[str, float]) -> None:
    """A 1 is a 1 where 10 is a token of its own or the score is low; what is under 1 % does no harm."""
    assert weighable(score, logprobs(said(score), shares))
