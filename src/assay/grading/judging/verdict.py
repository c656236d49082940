"""A judge's verdict: the form it must have, and the strict reading of a reply: a mark or nothing."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from assay.grading.judging import hidden

RATIONALE, MARK, TOKEN = "rationale", "mark", "token"
KEYS = (RATIONALE, MARK, TOKEN)
LONGEST_RATIONALE = 1_500
MOST_TRIED = 10_000_000
"""Characters read in broken objects, which may lie within each other, before a reply is given up."""

_OPENS_THOUGHT = re.compile(
    r"\s*(?:<(?:think(?:ing)?|thought|reasoning|reflection|scratchpad|analysis)>|\[THINK\]|◁think▷|<\|channel\|>analysis)",
    re.IGNORECASE,
)
_ENDS_THOUGHT = re.compile(
    r"</(?:think(?:ing)?|thought|reasoning|reflection|scratchpad|analysis)>|\[/THINK\]|◁/think▷|<\|channel\|>final",
    re.IGNORECASE,
)
_OPENS = re.compile(r"\{\s*\"")
_DEEP = 5_000
_WRAPS = re.compile(r"(?:\"[ \t]*:|[\[{,\\])[ \t]*\n?[ \t]*\Z")
_WRAPPED = re.compile(r"[ \t]*\n?[ \t]*[\]},]")
_DECODER = json.JSONDecoder(object_pairs_hook=list, strict=False)
_LETTERS = str.maketrans("0123456789abcdef", "bcdfghjklmnpqrst")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A mark and the reason given for it."""

    mark: int
    rationale: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a reply holds no verdict, in words for the judge and for the record; never words of the reply."""

    why: str


@lru_cache(maxsize=4096)
def token(fence: str) -> str:
    """Return the word that a verdict must carry: ten letters derived from the fence of its ask.

    Who wrote the answer could not know it, so a verdict that an answer holds, or that a judge repeats from
    one, is never read.
    """
    return hashlib.sha256(f"verdict {fence}".encode()).hexdigest()[:10].translate(_LETTERS)


def schema(low: int, high: int) -> Mapping[str, Any]:
    """Return the JSON Schema of a verdict, within what every endpoint's strict mode takes.

    It has no bounds and no list of numbers, which some endpoints refuse, and does not change from ask to ask,
    since endpoints compile each new schema; `read` sees to the bounds and the token.
    """
    return {
        "type": "object",
        "properties": {
            RATIONALE: {"type": "string", "description": "what decided the mark, at most 80 words"},
            MARK: {"type": "integer", "description": f"a whole number from {low} to {high}"},
            TOKEN: {"type": "string", "description": "the token of the message, copied"},
        },
        "required": list(KEYS),
        "additionalProperties": False,
    }


def read(reply: str, wanted: str, low: int, high: int) -> Verdict | Unreadable:
    """Return the verdict of a reply.

    It is the JSON object around the last occurrence of the token `wanted`. Other text, one code fence
    and reasoning before it are passed over. It must be complete, stand by itself (in no list or other object)
    and hold exactly the three keys, each once: a text, an integer from `low` to `high`, the token. Nothing
    else is a verdict, and no number outside of one is a mark. Line breaks inside its texts are allowed.
    """
    at = reply.rfind(wanted)
    if at < 0:
        return Unreadable("it holds no verdict with the token of the message")
    found = _object_around(reply, at)
    if found is None:
        return Unreadable("the token stands in no complete JSON object")
    pairs, start, end = found
    if _ENDS_THOUGHT.search(reply, end) or (
        _OPENS_THOUGHT.match(reply) and not _ENDS_THOUGHT.search(reply, 0, start)
    ):
        return Unreadable("the verdict stands inside the reasoning, and none follows it")
    if _WRAPS.search(reply, max(0, start - 40), start) or _WRAPPED.match(reply, end):
        return Unreadable("the verdict is part of a list or of another object")
    return _verdict(pairs, wanted, low, high)


def _verdict(pairs: list[tuple[str, Any]], wanted: str, low: int, high: int) -> Verdict | Unreadable:
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        return Unreadable("a key stands twice")
    values = dict(pairs)
    if values.keys() != set(KEYS):
        return Unreadable(f"its keys are not exactly {', '.join(KEYS)}")
    mark, rationale = values[MARK], values[RATIONALE]
    if values[TOKEN] != wanted:
        return Unreadable("its token is not that of the message")
    if type(mark) is not int:
        return Unreadable(f"the mark is {_KINDS.get(type(mark), 'no number')}, not a whole number")
    if not low <= mark <= high:
        return Unreadable(f"the mark is {mark if abs(mark) < 1000 else 'a number'}, outside {low}-{high}")
    if type(rationale) is not str:
        return Unreadable("the rationale is no text")
    return Verdict(mark, _kept(rationale))


_KINDS = {
    str: "text",
    float: "a fraction",
    bool: "true or false",
    type(None): "null",
    list: "a list or object",
}


def _object_around(text: str, at: int) -> tuple[list[tuple[str, Any]], int, int] | None:
    """Return the outermost complete JSON object that `at` lies in, as pairs, with its start and end."""
    tried, end = 0, 0
    while tried < MOST_TRIED and (opened := _OPENS.search(text, end, at)):
        start = opened.start()
        try:
            pairs, end = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            tried += error.pos - start + error.pos // 8
            end = start + 1
        except (ValueError, RecursionError):
            tried += _DEEP
            end = start + 1
        else:
            if end > at:
                return pairs, start, end
    return None


def _kept(rationale: str) -> str:
    text = hidden.plain(rationale)
    return text if len(text) <= LONGEST_RATIONALE else f"{text[: LONGEST_RATIONALE - 1]}…"
