"""Characters that a reader does not see or that change how others are seen: written as their code points."""

from __future__ import annotations

import re

OPEN, CLOSE = "⟦", "⟧"
"""The signs around everything that was changed. The same signs in a text are written as code points too."""

_BASIC = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
)
_BEYOND = "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
_HIDDEN = re.compile(f"[{_BASIC}{_BEYOND}]+")
_PERHAPS = re.compile(f"[{_BASIC}\U00010000-\U0010ffff]")
"""Finds what `_HIDDEN` finds and more, four times as fast."""
_SIGNS = {ord(sign): f"{OPEN}U+{ord(sign):04X}{CLOSE}" for sign in (OPEN, CLOSE)}
_JOINERS = frozenset({"\u200c", "\u200d", "\ufe0e", "\ufe0f", "\ufe0f\u200d"})
_KEYCAP = "\u20e3"
_FEW = 3


def shown(text: str) -> str:
    """Return a text in which nothing is hidden. A line break is one newline; tabs stay.

    Control, zero-width, bidirectional, tag, filler and variation characters, line separators and half
    surrogates become `⟦U+200B⟧`, a long run its first and its number. Joiners and variation selectors stay
    where scripts and emoji need them: alone, after a character beyond ASCII.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if text.isascii():
        if text.replace("\n", "").replace("\t", "").isprintable():
            return text
    elif OPEN in text or CLOSE in text:
        text = text.translate(_SIGNS)
    return _HIDDEN.sub(_told, text) if _PERHAPS.search(text) else text


def plain(text: str) -> str:
    """Return a text on one line without hidden characters: for words of a judge that are kept and printed."""
    return " ".join(_HIDDEN.sub(_needed, text).split())


def _told(match: re.Match[str]) -> str:
    run = match[0]
    if _joins(match):
        return run
    if len(run) <= _FEW:
        return f"{OPEN}{' '.join(f'U+{ord(sign):04X}' for sign in run)}{CLOSE}"
    return f"{OPEN}U+{ord(run[0]):04X} and {len(run) - 1} more hidden characters{CLOSE}"


def _needed(match: re.Match[str]) -> str:
    return match[0] if _joins(match) else " "


def _joins(match: re.Match[str]) -> bool:
    """Whether these characters join or vary visible ones, as in emoji and in scripts with joined letters."""
    run, text = match[0], match.string
    if run not in _JOINERS:
        return False
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    if run[-1] in "\ufe0e\ufe0f":
        return after == _KEYCAP or (before != "" and not before.isascii())
    return before != "" and after != "" and not before.isascii() and not after.isascii()
