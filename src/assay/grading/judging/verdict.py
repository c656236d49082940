"""A judge's verdict: the form it must have, and the reading of a reply: a mark or nothing."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from assay.grading.judging import hidden
from assay.grading.judging.loose_json import Budget, LooseList, LooseObject, Malformed, budget_for, object_at

RATIONALE, MARK, TOKEN = "rationale", "mark", "token"
KEYS = (RATIONALE, MARK, TOKEN)
LONGEST_RATIONALE = 1_500
MOST_TOKENS = 32
"""Places of the token in one reply; a reply with more is looping."""
MOST_BRACES = 200
"""Opening braces tried, counted back from each place of the token and again from the start of the reply."""

_OPENS_THOUGHT = re.compile(
    r"\s*(?:<(?:think(?:ing)?|thought|reasoning|reflection|scratchpad|analysis)>|\[THINK\]|◁think▷|<\|channel\|>analysis)",
    re.IGNORECASE,
)
_ENDS_THOUGHT = re.compile(
    r"</(?:think(?:ing)?|thought|reasoning|reflection|scratchpad|analysis)>|\[/THINK\]|◁/think▷|<\|channel\|>final",
    re.IGNORECASE,
)
_OPENS = re.compile(r"\{(?=\s*+[\"'“”„‘’‚A-Za-z_])")
_AT_THE_END = re.compile(r"[\s`~\]})]*(?:<[|｜][\w▁]{1,40}[|｜]>|</s>|\s)*\Z")
_TOKEN_KEY = re.compile(r"token\W{0,8}\Z", re.IGNORECASE)
_NEAR = 20
_WHOLE = re.compile(r"(-?\d{1,4})(?:\.0{1,9})?", re.ASCII)
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

    It is the object whose key `token` holds `wanted`, wherever it stands: in prose, a code fence, a list,
    beside other objects or after reasoning. `loose_json` says which departures from JSON are accepted. Keys
    are read in any case, and further keys are passed over. The mark is a whole number from `low` to `high`
    (`4`, `4.0` or `"4"`), the rationale a text. A reply that holds several such objects must give the same
    mark in all, drafts inside closed reasoning apart. No text may stand between the token and a mark that
    follows it: an unescaped quotation there could write the mark. Nothing else is a verdict, and no number
    outside of one is a mark.
    """
    places = _places(reply, wanted)
    if not places:
        return Unreadable("it holds no verdict with the token of the message")
    if len(places) > MOST_TOKENS:
        return Unreadable("it repeats the token of the message too often")
    signed = signed_objects(reply, wanted, places, budget_for(reply))
    if not signed:
        return Unreadable("the token stands in no complete JSON object as the value of `token`")
    last = max(found.end for found in signed)
    if any(at >= last and _TOKEN_KEY.search(reply, max(0, at - _NEAR), at) for at in places):
        return Unreadable("a later verdict is not complete")
    return _settled(reply, signed, last, low, high)


def _settled(reply: str, signed: list[LooseObject], last: int, low: int, high: int) -> Verdict | Unreadable:
    """Return the verdict that all signed objects outside of reasoning agree on."""
    if _ENDS_THOUGHT.search(reply, last):
        return Unreadable("the verdict stands inside the reasoning, and none follows it")
    begun = _begun_after_reasoning(reply, signed)
    final = [found for found in signed if found.start >= begun]
    if not begun and _OPENS_THOUGHT.match(reply) and not _AT_THE_END.match(reply, last):
        first = min(found.start for found in final)
        if not _ENDS_THOUGHT.search(reply, 0, first):
            return Unreadable("the verdict stands inside the reasoning, and none follows it")
    verdicts = [_verdict(found, low, high) for found in final]
    for verdict in verdicts:
        if isinstance(verdict, Unreadable):
            return verdict
    if len({verdict.mark for verdict in verdicts if isinstance(verdict, Verdict)}) > 1:
        return Unreadable("it holds several verdicts with different marks")
    return verdicts[-1]


def _begun_after_reasoning(reply: str, signed: list[LooseObject]) -> int:
    """Return where the reasoning that holds drafts ends: after the last closing sign between two objects."""
    begun = 0
    for before, after in pairwise(signed):
        if before.end <= after.start and _ENDS_THOUGHT.search(reply, before.end, after.start):
            begun = after.start
    return begun


def _places(reply: str, wanted: str) -> list[int]:
    """Return where the token stands, one place more than `MOST_TOKENS` at most."""
    places: list[int] = []
    at = reply.find(wanted)
    while at >= 0 and len(places) <= MOST_TOKENS:
        places.append(at)
        at = reply.find(wanted, at + 1)
    return places


def signed_objects(reply: str, wanted: str, places: list[int], budget: Budget) -> list[LooseObject]:
    """Return every object that can be read around a place and whose own `token` is the wanted one, in order.

    Braces that a key follows are tried, the nearest `MOST_BRACES` before a place and as many from the start
    of the reply: a text that can be read in two ways gives two objects.
    """
    braces = [found.start() for found in _OPENS.finditer(reply, 0, places[-1])]
    tried = set(braces[:MOST_BRACES])
    for place in places:
        before = bisect_left(braces, place)
        tried.update(braces[max(0, before - MOST_BRACES) : before])
    signed = []
    for at in sorted(tried, reverse=True):
        found = _read(reply, at, budget)
        if found and (TOKEN, wanted) in ((_name(key), value) for key, value in found.pairs):
            signed.append(found)
    return signed[::-1]


def _read(reply: str, at: int, budget: Budget) -> LooseObject | None:
    try:
        return object_at(reply, at, budget)
    except Malformed:
        return None


def _name(key: str) -> str:
    return key.strip().lower()


def _verdict(found: LooseObject, low: int, high: int) -> Verdict | Unreadable:
    names = [_name(key) for key, _ in found.pairs]
    if any(names.count(key) > 1 for key in KEYS):
        return Unreadable("a key stands twice")
    values = dict(zip(names, (value for _, value in found.pairs), strict=True))
    if MARK not in values or RATIONALE not in values:
        return Unreadable(f"it lacks one of the keys {', '.join(KEYS)}")
    if names.index(MARK) > names.index(TOKEN) + 1:
        return Unreadable(
            "the token stands before the text and the mark, where it proves nothing: write it last"
        )
    rationale = values[RATIONALE]
    mark = _whole(values[MARK])
    if isinstance(mark, Unreadable):
        return mark
    if not low <= mark <= high:
        return Unreadable(f"the mark is {mark if abs(mark) < 1000 else 'a number'}, outside {low}-{high}")
    if not isinstance(rationale, str):
        return Unreadable("the rationale is no text")
    return Verdict(mark, _kept(rationale))


def _whole(mark: object) -> int | Unreadable:
    """Return a whole number written as such, with zero decimals, or as a text of that form."""
    if isinstance(mark, str) and (digits := _WHOLE.fullmatch(mark.strip())):
        return int(digits[1])
    if isinstance(mark, bool | str) or not isinstance(mark, int | float):
        return Unreadable(f"the mark is {_KINDS.get(type(mark), 'no number')}, not a whole number")
    if mark != mark or mark in (float("inf"), float("-inf")) or mark != int(mark):
        return Unreadable(f"the mark is {_KINDS[float]}, not a whole number")
    return int(mark)


_KINDS = {
    str: "text",
    float: "a fraction",
    bool: "true or false",
    type(None): "null",
    LooseList: "a list or object",
    LooseObject: "a list or object",
}


def _kept(rationale: str) -> str:
    text = hidden.plain(rationale)
    return text if len(text) <= LONGEST_RATIONALE else f"{text[: LONGEST_RATIONALE - 1]}…"
