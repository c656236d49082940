"""A judge's verdict as the in-process providers write it: by the schema of the ask, or for G-Eval."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from assay.core.errors import InvalidInput

GEVAL = "geval"
PAIRS = "pairs"
HIGHEST = 10
LEAST_SHARE = 0.01
_EXACT = 1e-9


@dataclass(frozen=True, slots=True)
class SimulatedVerdict:
    """A judge's reply: a text or a refusal in words, and the text's log-probabilities."""

    text: str | None
    refusal: str | None = None
    logprobs: Mapping[str, Any] | None = None


def written(
    schema: Mapping[str, Any] | None, mark: float, rationale: str, about: Mapping[str, str] | None = None
) -> str:
    """Return a verdict as JSON.

    Fixed values of the schema (`const`, or an `enum` of texts) are filled in. Its number gets the mark, and
    its free texts get the rationale, except fields that `about` names: they get the value from there, as an
    honest judge copies the message's token. Without a schema it is an object with `score` and `rationale`.
    """
    if schema is None:
        return orjson.dumps({"score": _whole(mark), "rationale": rationale}).decode()
    filled = _filled(schema, mark, rationale)
    copied = {name: value for name, value in (about or {}).items() if filled.get(name) == rationale}
    return orjson.dumps({**filled, **copied}).decode()


def pair_verdict(winner: str, rationale: str, about: Mapping[str, str]) -> SimulatedVerdict:
    """Return a verdict on two answers, with the token of the message that `about` names."""
    verdict = {"rationale": rationale, "winner": winner, "token": about.get("token", "")}
    return SimulatedVerdict(orjson.dumps(verdict).decode())


def geval_verdict(value: float, rationale: str, *, logprobs: bool) -> SimulatedVerdict:
    """Return a G-Eval verdict in deepeval's form, with a whole score from 0 to 10, for a value from 0 to 1.

    With `logprobs` the exact value can be read back from the reply. Raises InvalidInput for a value that
    cannot be represented.
    """
    return SimulatedVerdict(
        _geval(score_written(value), rationale), None, logprobs_for(value) if logprobs else None
    )


def geval_beyond(score: int, rationale: str) -> SimulatedVerdict:
    """Return a G-Eval verdict with any score, even one outside the scale."""
    return SimulatedVerdict(_geval(score, rationale))


def _geval(score: int, rationale: str) -> str:
    return orjson.dumps({"reason": rationale, "score": score}).decode()


def scale(schema: Mapping[str, Any] | None, about: Mapping[str, str] | None = None) -> tuple[float, float]:
    """Return the lowest and the highest mark that an ask or its schema allows; 1 and 5 by default."""
    if about and {"low", "high"} <= about.keys():
        return float(about["low"]), float(about["high"])
    for part in (schema or {}).get("properties", {}).values():
        numbers = [value for value in part.get("enum", ()) if _is_number(value)]
        if numbers:
            return min(numbers), max(numbers)
        if part.get("type") in ("integer", "number") and {"minimum", "maximum"} <= part.keys():
            return part["minimum"], part["maximum"]
    return 1.0, 5.0


def _filled(schema: Mapping[str, Any], mark: float, rationale: str) -> Any:
    if "const" in schema:
        return schema["const"]
    allowed = schema.get("enum", ())
    if allowed:
        numbers = [value for value in allowed if _is_number(value)]
        return _whole(mark) if numbers else allowed[0]
    kinds = {
        "integer": _whole(mark),
        "number": _whole(mark),
        "string": rationale,
        "boolean": False,
        "array": [],
    }
    if schema.get("type") in kinds:
        return kinds[schema["type"]]
    return {name: _filled(part, mark, rationale) for name, part in schema.get("properties", {}).items()}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _whole(mark: float) -> float:
    """Return a mark as an integer if it is whole, as judges write it."""
    return int(mark) if float(mark).is_integer() else mark


def score_written(score: float) -> int:
    """Return the whole number from 0 to 10 that a judge would write for a score from 0 to 1."""
    return max(_shares(score), key=lambda entry: entry[1])[0]


def logprobs_for(score: float) -> Mapping[str, Any]:
    """Return a `choices[0].logprobs` from which G-Eval computes `score` (0-1) within 1e-6.

    It belongs to a reply whose JSON contains `"score": N`, where N is `score_written(score)`. Raises
    InvalidInput outside 0 to 1, and between 0 and 0.001 or 0.999 and 1, which cannot be represented.
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
    """Return whole numbers with probabilities of at least 1 %, whose mean is ten times the score."""
    if not 0 <= score <= 1:
        raise InvalidInput(f"invalid G-Eval score {score!r}: use a number from 0 to 1")
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
        f"G-Eval cannot give the score {score!r}: probabilities under {LEAST_SHARE:.0%} are not counted"
    )
