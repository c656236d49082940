"""Logprobs that give a recorded G-Eval score back: what a judge's endpoint could have sent for it.

G-Eval reads a score as the mean of the scores that the judge could have written, weighted by their
probabilities, each at least 1 % (docs/methodology/geval.md). A recorded score has lost its probabilities, so
two of them are made up here that have the recorded mean. They say nothing of the judge's real doubts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from assay.core.errors import InvalidInput

HIGHEST = 10
LEAST_SHARE = 0.01
_EXACT = 1e-9


def score_written(score: float) -> int:
    """Return the whole number from 0 to 10 that a judge would write for a score from 0 to 1."""
    return max(_shares(score), key=lambda entry: entry[1])[0]


def logprobs_for(score: float) -> Mapping[str, Any]:
    """Return a `choices[0].logprobs` whose weighted reading is `score` (0-1) within 1e-6.

    It goes with a reply whose JSON holds `"score": N`, where N is `score_written(score)`. Raises InvalidInput
    outside 0 to 1 and for what no reading gives: between 0 and 0.001, and between 0.999 and 1.
    """
    top = [
        {"token": str(number), "logprob": math.log(share) if share > LEAST_SHARE else math.log(LEAST_SHARE)}
        for number, share in sorted(_shares(score), key=lambda entry: -entry[1])
    ]
    written = [
        {"token": '"score":', "logprob": 0.0, "top_logprobs": [{"token": '"score":', "logprob": 0.0}]},
        {"token": " ", "logprob": 0.0, "top_logprobs": [{"token": " ", "logprob": 0.0}]},
        {**top[0], "top_logprobs": top},
        {"token": "}", "logprob": 0.0, "top_logprobs": [{"token": "}", "logprob": 0.0}]},
    ]
    return {"content": written}


def _shares(score: float) -> list[tuple[int, float]]:
    """Return whole numbers with probabilities, none under 1 %, whose mean is ten times the score."""
    if not 0 <= score <= 1:
        raise InvalidInput(f"a G-Eval score is {score!r}: it lies from 0 to 1")
    mean = score * HIGHEST
    nearest = round(mean)
    if abs(mean - nearest) < _EXACT:
        return [(nearest, 1.0)]
    below = math.floor(mean)
    for low, high in ((below, below + 1), (below - 1, below + 1), (below, below + 2)):
        share = (mean - low) / (high - low)
        inside = low >= 0 and high <= HIGHEST
        if inside and LEAST_SHARE - _EXACT <= share <= 1 - LEAST_SHARE + _EXACT:
            return [(low, 1 - share), (high, share)]
    raise InvalidInput(
        f"no reading of G-Eval gives {score!r}: shares under {LEAST_SHARE:.0%} are not counted"
    )
