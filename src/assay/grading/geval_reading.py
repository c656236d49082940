"""Reading a G-Eval judge's reply: the score in its JSON, and whether its logprobs may be weighed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from assay.grading.judging.loose_json import budget_for, objects, values_of

HIGHEST = 10
LEAST_SHARE = 0.01
"""Alternatives below this probability are left out by the library."""

_BEFORE_SCORE = re.compile(r"""["']score["']\s*:\s*["']?\s*\Z""")
_FAR = 40
LONGEST_EXAMPLE = 600
"""Characters at the end of a prompt in which its example stands."""


class Alternative(NamedTuple):
    """A token that the judge could have written, with the natural logarithm of its probability."""

    token: str
    logprob: float


class Token(NamedTuple):
    """A token that the judge wrote, with its most probable alternatives (itself among them)."""

    token: str
    top_logprobs: tuple[Alternative, ...] = ()


class Odd(Exception):
    """Why logprobs cannot be weighed."""


class Unreadable(Exception):
    """Why a reply holds no score."""


def only_score(text: str) -> None:
    """Raise Unreadable when a reply holds more than one `score`, at any depth or in several objects."""
    scores = [score for found in objects(text, budget_for(text)) for score in values_of(found, "score")]
    if len(scores) > 1:
        raise Unreadable("it has more than one `score`")


def example_reason(prompt: str) -> str | None:
    """Return the reason in the example that ends the library's prompt; None when it shows no example."""
    shown = [
        reason
        for found in objects(prompt[-LONGEST_EXAMPLE:], budget_for(prompt))
        if values_of(found, "score")
        for reason in values_of(found, "reason")
    ]
    return shown[-1] if shown and isinstance(shown[-1], str) else None


def repeats(reason: object, example: str | None) -> bool:
    """Return whether a judge's reason is the example's: the judge copied the form and filled nothing in."""
    return isinstance(reason, str) and example is not None and _letters(reason) == _letters(example)


def _letters(text: str) -> str:
    return "".join(sign for sign in text.lower() if sign.isalnum())


def score_of(data: object) -> int | float | str:
    """Return the score as the judge wrote it, a number from 0 to 10. Raises Unreadable."""
    if not isinstance(data, dict) or "score" not in data:
        raise Unreadable("it has no `score`")
    score = data["score"]
    if isinstance(score, bool) or not isinstance(score, int | float | str):
        raise Unreadable("its `score` is no number")
    try:
        number = float(score)
    except (ValueError, OverflowError):
        raise Unreadable("its `score` is no number") from None
    if not 0 <= number <= HIGHEST:
        raise Unreadable(f"its `score` lies outside 0 to {HIGHEST}")
    return score


def weighable(score: int | float | str, logprobs: Mapping[str, Any] | None) -> tuple[Token, ...]:
    """Return the tokens of a reply, alternatives only where the score was written.

    `logprobs` is the protocol's `choices[0].logprobs`. Raises Odd with the reason when a weighted score
    would not be the judge's: the library would then fall back to the integer, or weigh something else,
    without a word.
    """
    content = _content(logprobs)
    written = str(score)
    if not written.isdecimal():
        raise Odd(f"the score {written[:20]!r} is no integer")
    at = next((i for i in range(len(content) - 1, -1, -1) if content[i].get("token") == written), None)
    if at is None:
        raise Odd(f"no token of the reply is {written!r}")
    before = "".join(str(part.get("token")) for part in content[max(0, at - _FAR) : at])
    if not _BEFORE_SCORE.search(before):
        raise Odd(f"the last token {written!r} does not follow `score`")
    alternatives = _alternatives(content[at])
    _check(int(written), alternatives)
    return tuple(
        Token(str(part.get("token")), alternatives if i == at else ()) for i, part in enumerate(content)
    )


def _content(logprobs: object) -> list[Mapping[str, Any]]:
    if logprobs is None:
        raise Odd("the reply came without logprobs")
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    if not isinstance(content, list) or not content or not all(isinstance(part, dict) for part in content):
        raise Odd("the logprobs hold no tokens")
    return content


def _alternatives(part: Mapping[str, Any]) -> tuple[Alternative, ...]:
    top = part.get("top_logprobs")
    if not isinstance(top, list) or not top:
        raise Odd("the token of the score has no alternatives")
    found = []
    for entry in top:
        token = entry.get("token") if isinstance(entry, dict) else None
        logprob = entry.get("logprob") if isinstance(entry, dict) else None
        if not isinstance(token, str) or isinstance(logprob, bool) or not isinstance(logprob, int | float):
            raise Odd("the alternatives of the score's token are malformed")
        if math.isnan(logprob) or logprob > 0:
            raise Odd(f"a logarithm of a probability is {logprob!r}")
        found.append(Alternative(token, float(logprob)))
    return tuple(found)


def _check(score: int, alternatives: tuple[Alternative, ...]) -> None:
    """Raise Odd unless every alternative that the library would weigh stands for a score from 0 to 10."""
    weighed = {
        int(entry.token)
        for entry in alternatives
        if entry.logprob >= math.log(LEAST_SHARE) and entry.token.isdecimal()
    }
    if not weighed:
        raise Odd(f"no alternative that is a number reaches {LEAST_SHARE:.0%}")
    if max(weighed) > HIGHEST:
        raise Odd(f"an alternative is {max(weighed)}, which is no score")
    if 1 in weighed and score > HIGHEST // 2 and all(entry.token != "10" for entry in alternatives):
        raise Odd("an alternative 1 beside a high score may be the first figure of 10")
