"""A judge's verdict: its schema, and reading it from a reply."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

from assay.grading.judging.fence import one_line
from assay.grading.judging.loose_json import (
    LooseList,
    LooseObject,
    MalformedJson,
    ParseBudget,
    budget_for,
    object_at,
)

RATIONALE, MARK, WINNER, TOKEN = "rationale", "mark", "winner", "token"
LONGEST_RATIONALE = 1_500
MOST_TOKENS = 32
"""The most occurrences of the token in one reply; a reply with more is looping."""
MOST_BRACES = 200
"""The most opening braces tried before each occurrence of the token, and from the start of the reply."""

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
class JudgeVerdict:
    """A mark and its rationale. The mark of a choice is the position of what was chosen, from 0."""

    mark: int
    rationale: str


@dataclass(frozen=True, slots=True)
class UnreadableVerdict:
    """The reason why a reply has no verdict, for the judge and for the record; it never quotes the reply."""

    why: str


@dataclass(frozen=True, slots=True)
class _Form:
    """The key under which a verdict has its mark, and how the value is read."""

    key: str
    read: Callable[[object], int | UnreadableVerdict]

    @property
    def keys(self) -> tuple[str, ...]:
        return (RATIONALE, self.key, TOKEN)


@lru_cache(maxsize=4096)
def token(fence: str) -> str:
    """Return the word that a verdict must contain: ten letters derived from the fence of its ask.

    The author of the answer could not know it, so a verdict inside an answer, or one that a judge repeats
    from it, is never read.
    """
    return hashlib.sha256(f"verdict {fence}".encode()).hexdigest()[:10].translate(_LETTERS)


def schema(low: int, high: int) -> Mapping[str, Any]:
    """Return the JSON Schema of a verdict, as the strict mode of every endpoint accepts it.

    It has no bounds and no list of numbers, which some endpoints refuse, and is the same for every ask, since
    endpoints compile each new schema; `read` checks the bounds and the token.
    """
    return _schema(MARK, {"type": "integer", "description": f"a whole number from {low} to {high}"})


def choice_schema(choices: Sequence[str]) -> Mapping[str, Any]:
    """Return the JSON Schema of a verdict that names one of `choices`, in the same form as `schema`."""
    return _schema(WINNER, {"type": "string", "description": f"one of: {', '.join(choices)}"})


def _schema(key: str, mark: Mapping[str, str]) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": {
            RATIONALE: {"type": "string", "description": "what decided the mark, at most 80 words"},
            key: mark,
            TOKEN: {"type": "string", "description": "the token of the message, copied"},
        },
        "required": [RATIONALE, key, TOKEN],
        "additionalProperties": False,
    }


def read(reply: str, wanted: str, low: int, high: int) -> JudgeVerdict | UnreadableVerdict:
    """Return the verdict in a reply.

    It is the object whose key `token` is `wanted`, anywhere in the reply: in prose, a code fence, a list,
    next to other objects or after reasoning. `loose_json` defines the accepted deviations from JSON. Keys are
    case-insensitive, and further keys are ignored. The mark is a whole number from `low` to `high` (`4`,
    `4.0` or `"4"`), the rationale a text. Several such objects must have the same mark, except drafts inside
    closed reasoning. There may be no text between the token and a mark after it, since an unescaped quotation
    there could write the mark. Nothing else is read as a verdict or mark.
    """
    return _read_form(reply, wanted, _Form(MARK, partial(_mark, low, high)))


def read_choice(reply: str, wanted: str, choices: Sequence[str]) -> JudgeVerdict | UnreadableVerdict:
    """Return the verdict in a reply that names one of `choices` under the key `winner`, in either case.

    All other rules are those of `read`.
    """
    return _read_form(reply, wanted, _Form(WINNER, partial(_choice, tuple(choices))))


def _read_form(reply: str, wanted: str, form: _Form) -> JudgeVerdict | UnreadableVerdict:
    positions = _positions(reply, wanted)
    if not positions:
        return UnreadableVerdict("it holds no verdict with the token of the message")
    if len(positions) > MOST_TOKENS:
        return UnreadableVerdict("it repeats the token of the message too often")
    signed = signed_objects(reply, wanted, positions, budget_for(reply))
    if not signed:
        return UnreadableVerdict("the token stands in no complete JSON object as the value of `token`")
    last = max(candidate.end for candidate in signed)
    if any(at >= last and _TOKEN_KEY.search(reply, max(0, at - _NEAR), at) for at in positions):
        return UnreadableVerdict("a later verdict is not complete")
    return _agreed_verdict(reply, signed, last, form)


def _agreed_verdict(
    reply: str, signed: list[LooseObject], last: int, form: _Form
) -> JudgeVerdict | UnreadableVerdict:
    """Return the verdict on which all signed objects outside of reasoning agree."""
    if _ENDS_THOUGHT.search(reply, last):
        return UnreadableVerdict("the verdict stands inside the reasoning, and none follows it")
    begun = _begun_after_reasoning(reply, signed)
    final = [candidate for candidate in signed if candidate.start >= begun]
    if not begun and _OPENS_THOUGHT.match(reply) and not _AT_THE_END.match(reply, last):
        first = min(candidate.start for candidate in final)
        if not _ENDS_THOUGHT.search(reply, 0, first):
            return UnreadableVerdict("the verdict stands inside the reasoning, and none follows it")
    verdicts = [_verdict(candidate, form) for candidate in final]
    for verdict in verdicts:
        if isinstance(verdict, UnreadableVerdict):
            return verdict
    if len({verdict.mark for verdict in verdicts if isinstance(verdict, JudgeVerdict)}) > 1:
        return UnreadableVerdict(f"it holds several verdicts with different {form.key}s")
    return verdicts[-1]


def _begun_after_reasoning(reply: str, signed: list[LooseObject]) -> int:
    """Return the end of reasoning with drafts: after the last closing sign between two objects."""
    begun = 0
    for before, after in pairwise(signed):
        if before.end <= after.start and _ENDS_THOUGHT.search(reply, before.end, after.start):
            begun = after.start
    return begun


def _positions(reply: str, wanted: str) -> list[int]:
    """Return the positions of the token, at most one more than `MOST_TOKENS`."""
    positions: list[int] = []
    at = reply.find(wanted)
    while at >= 0 and len(positions) <= MOST_TOKENS:
        positions.append(at)
        at = reply.find(wanted, at + 1)
    return positions


def signed_objects(reply: str, wanted: str, positions: list[int], budget: ParseBudget) -> list[LooseObject]:
    """Return the objects around these positions whose own `token` is the wanted one, in order.

    Braces before a key are tried: the nearest `MOST_BRACES` before a position and as many from the start of
    the reply. A text that can be read in two ways gives two objects.
    """
    braces = [match.start() for match in _OPENS.finditer(reply, 0, positions[-1])]
    tried = set(braces[:MOST_BRACES])
    for position in positions:
        before = bisect_left(braces, position)
        tried.update(braces[max(0, before - MOST_BRACES) : before])
    signed = []
    for at in sorted(tried, reverse=True):
        candidate = _read(reply, at, budget)
        if candidate and (TOKEN, wanted) in ((_name(key), value) for key, value in candidate.pairs):
            signed.append(candidate)
    return signed[::-1]


def _read(reply: str, at: int, budget: ParseBudget) -> LooseObject | None:
    try:
        return object_at(reply, at, budget)
    except MalformedJson:
        return None


def _name(key: str) -> str:
    return key.strip().lower()


def _verdict(candidate: LooseObject, form: _Form) -> JudgeVerdict | UnreadableVerdict:
    names = [_name(key) for key, _ in candidate.pairs]
    if any(names.count(key) > 1 for key in form.keys):
        return UnreadableVerdict("a key stands twice")
    values = dict(zip(names, (value for _, value in candidate.pairs), strict=True))
    if form.key not in values or RATIONALE not in values:
        return UnreadableVerdict(f"it lacks one of the keys {', '.join(form.keys)}")
    if names.index(form.key) > names.index(TOKEN) + 1:
        return UnreadableVerdict(
            f"the token stands before the text and the {form.key}, where it proves nothing: write it last"
        )
    rationale = values[RATIONALE]
    mark = form.read(values[form.key])
    if isinstance(mark, UnreadableVerdict):
        return mark
    if not isinstance(rationale, str):
        return UnreadableVerdict("the rationale is no text")
    return JudgeVerdict(mark, _shortened(rationale))


def _mark(low: int, high: int, value: object) -> int | UnreadableVerdict:
    mark = _whole(value)
    if isinstance(mark, int) and not low <= mark <= high:
        return UnreadableVerdict(
            f"the mark is {mark if abs(mark) < 1000 else 'a number'}, outside {low}-{high}"
        )
    return mark


def _choice(choices: tuple[str, ...], value: object) -> int | UnreadableVerdict:
    chosen = value.strip().casefold() if isinstance(value, str) else None
    for place, choice in enumerate(choices):
        if choice.casefold() == chosen:
            return place
    return UnreadableVerdict(f"the winner is none of {', '.join(choices)}")


def _whole(mark: object) -> int | UnreadableVerdict:
    """Return a mark that is a whole number, has only zero decimals, or is a text of that form."""
    if isinstance(mark, str) and (digits := _WHOLE.fullmatch(mark.strip())):
        return int(digits[1])
    if isinstance(mark, bool | str) or not isinstance(mark, int | float):
        return UnreadableVerdict(f"the mark is {_KINDS.get(type(mark), 'no number')}, not a whole number")
    if mark != mark or mark in (float("inf"), float("-inf")) or mark != int(mark):
        return UnreadableVerdict(f"the mark is {_KINDS[float]}, not a whole number")
    return int(mark)


_KINDS = {
    str: "text",
    float: "a fraction",
    bool: "true or false",
    type(None): "null",
    LooseList: "a list or object",
    LooseObject: "a list or object",
}


def _shortened(rationale: str) -> str:
    text = one_line(rationale)
    return text if len(text) <= LONGEST_RATIONALE else f"{text[: LONGEST_RATIONALE - 1]}…"
