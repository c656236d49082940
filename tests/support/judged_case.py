"""A case with an ideal answer, and the replies of a judge of G-Eval to it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from assay.core.ask import CallStatus, Message, ModelReply
from assay.core.case import Case, GraderSpec

SPEC = GraderSpec("geval")
RUBRIC = GraderSpec(
    "rubric", {"rubric": "5: right. 1: wrong.", "criteria": "Names the year.", "ideal": "1969."}
)
CASE = Case("moon-year", "learning", (Message("user", "When did people first land?"),), (RUBRIC, SPEC))


def said(score: object, reason: str = "It names the year.") -> str:
    """Return the JSON that a judge writes, reason first."""
    return f'{{"reason": "{reason}", "score": {score}}}'


def replied(text: str | None, logprobs: Mapping[str, Any] | None = None) -> ModelReply:
    """Return a judge's reply with a text."""
    return ModelReply(CallStatus.OK if text else CallStatus.INVALID, text, logprobs=logprobs)


def logprobs(text: str, shares: Mapping[str, float], *, at: str | None = None) -> dict[str, Any]:
    """Return logprobs of a text cut into words and signs.

    The last token that is `at` (by default the first of `shares`) gets `shares` as the probabilities of its
    alternatives; all others were certain.
    """
    tokens = re.findall(r"\d+|[^\W\d]+|\s|.", text)
    written = at or next(iter(shares))
    last = max((i for i, token in enumerate(tokens) if token == written), default=None)
    return {
        "content": [
            {
                "token": token,
                "logprob": 0.0,
                "top_logprobs": [
                    {"token": other, "logprob": math.log(share)} for other, share in shares.items()
                ]
                if i == last
                else [{"token": token, "logprob": 0.0}],
            }
            for i, token in enumerate(tokens)
        ]
    }
