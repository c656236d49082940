"""Fences around the texts that a judge is shown, and neutralising texts so that they cannot leave them."""

from __future__ import annotations

import re

VERSION = "1"
"""The version of neutralising; it is part of the essence of every ask. Raise it with every change."""

LONGEST = 200_000
SHORTEST_FENCE = 8

NAMES = (
    "TASK",
    "IDEAL ANSWER",
    "CORRECT ANSWER",
    "RUBRIC",
    "CRITERIA",
    "AUTOMATIC CHECKS",
    "ANSWER",
)
"""The names of the sections of a judge's message."""

_ANGLES = "<＜‹«≪⋘⟪《〈⟨〈❮❰"
_WORDS = "|".join(("END", "TURN", *(word for name in NAMES for word in name.split())))
_LABELLED = rf"(?=[ \t/*_\[-]{{0,4}}(?:{_WORDS})\b)"
_PERHAPS_LABELLED = rf"(?=[ \t/*_\[-]{{0,4}}(?:(?i:{_WORDS})\b|\w{{0,12}}[^\x00-\x7f]))"
_TAGS = r"think(?:ing)?|reasoning|scratchpad|\w+_of_turn|[be]os|(?-i:s)|system|assistant|human|developer"
_TEMPLATE = "INST|SYS(?:TEM_PROMPT)?|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|THINK"
_AFTER = (
    rf"(?<=<)(?:[|｜][\w/▁.:-]{{1,64}}[|｜]>|(?i:</?SYS>>|/?(?:{_TAGS})>))",
    rf"(?<=\[)(?=[/ISAT])/?(?:{_TEMPLATE})\]",
    r"(?<=◁)/?think▷",
    rf"(?<=[{_ANGLES}])(?:[ \t]?[{_ANGLES}]){{2,12}}+{_PERHAPS_LABELLED}",
    rf"(?<=[{_ANGLES[1:]}])(?:[ \t]?[{_ANGLES}]){{0,12}}+{_LABELLED}",
    rf"(?<=\n[{_ANGLES}])(?:[ \t]?[{_ANGLES}]){{2,}}+",
)
_MARKUP = re.compile(rf"[\[◁{_ANGLES}](?:{'|'.join(_AFTER)})")
"""Markup of chat templates, and text that looks like a fence: a bracket and what follows it."""
_ROLES = re.compile(
    r"\n([ \t>*_#\[(-]{0,12}+)(?=[SUAHDJGEsuahdjge])"
    r"((?i:system|assistant|user|human|developer|judge|grader|evaluator|examiner))(?=[ \t*_\])]{0,4}[:：])"
)


def section(name: str, text: str, fence: str) -> str:
    """Return a neutralised text between its fences."""
    return f"<<<{name} {fence}>>>\n{text}\n<<<END {name} {fence}>>>"


def neutralise(text: str) -> str:
    """Return a text that can be shown to a judge between fences.

    Hidden characters become visible (`reveal_hidden`). Markup of chat templates (`<|im_start|>`, `[INST]`,
    `<think>`), lines that open a turn (`system:`) and anything like a fence are put between ⟦ and ⟧, with
    spaces in between. Everything else is unchanged: code, tables, other scripts, and encoded text, which is
    data. Text beyond `LONGEST` characters is replaced by a remark.
    """
    if len(text) > LONGEST:
        remark = f"{OPEN}{len(text) - LONGEST} more characters are not shown{CLOSE}"
        return f"{neutralise(text[:LONGEST])}\n{remark}"
    text = f"\n{reveal_hidden(text)}"
    if "<" in text or "[" in text or not text.isascii():
        text = _MARKUP.sub(_split_markup, text)
    return _ROLES.sub(_bracket_role, text)[1:]


def checked_fence(fence: str) -> str:
    """Return the fence. Raises ValueError if it is short or has characters other than letters and digits."""
    if len(fence) < SHORTEST_FENCE or not (fence.isascii() and fence.isalnum()):
        raise ValueError(f"invalid fence {fence!r}: use at least {SHORTEST_FENCE} random letters and digits")
    return fence


def _split_markup(match: re.Match[str]) -> str:
    """Return markup with spaces inside the brackets of a token, or between all brackets of a fence."""
    markup = match[0]
    if markup[-1] in "]>▷":
        return f"{OPEN}{markup[0]} {markup[1:-1]} {markup[-1]}{CLOSE}"
    return f"{OPEN}{' '.join(''.join(markup.split()))}{CLOSE}"


def _bracket_role(match: re.Match[str]) -> str:
    return f"\n{match[1]}{OPEN}{match[2]}{CLOSE}"


OPEN, CLOSE = "⟦", "⟧"
"""The signs around every change. The same signs in a text are replaced by their code points."""

_BASIC = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
)
_BEYOND = "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
_HIDDEN = re.compile(f"[{_BASIC}{_BEYOND}]+")
_PERHAPS = re.compile(f"[{_BASIC}\U00010000-\U0010ffff]")
"""Matches everything that `_HIDDEN` matches and more, four times as fast."""
_SIGNS = {ord(sign): f"{OPEN}U+{ord(sign):04X}{CLOSE}" for sign in (OPEN, CLOSE)}
_JOINERS = frozenset({"\u200c", "\u200d", "\ufe0e", "\ufe0f", "\ufe0f\u200d"})
_KEYCAP = "\u20e3"
_FEW = 3


def reveal_hidden(text: str) -> str:
    """Return a text without hidden characters. A line break is one newline; tabs remain.

    Control, zero-width, bidirectional, tag, filler and variation characters, line separators and lone
    surrogates become `⟦U+200B⟧`, a long run its first character and its length. Joiners and variation
    selectors remain if scripts and emoji need them: alone, after a character beyond ASCII.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if text.isascii():
        if text.replace("\n", "").replace("\t", "").isprintable():
            return text
    elif OPEN in text or CLOSE in text:
        text = text.translate(_SIGNS)
    return _HIDDEN.sub(_name_hidden, text) if _PERHAPS.search(text) else text


def one_line(text: str) -> str:
    """Return a text on one line without hidden characters, for words of a judge that are printed."""
    return " ".join(_HIDDEN.sub(_remove_hidden, text).split())


def _name_hidden(match: re.Match[str]) -> str:
    run = match[0]
    if _joins(match):
        return run
    if len(run) <= _FEW:
        return f"{OPEN}{' '.join(f'U+{ord(sign):04X}' for sign in run)}{CLOSE}"
    return f"{OPEN}U+{ord(run[0]):04X} and {len(run) - 1} more hidden characters{CLOSE}"


def _remove_hidden(match: re.Match[str]) -> str:
    return match[0] if _joins(match) else " "


def _joins(match: re.Match[str]) -> bool:
    """Return whether these characters join or vary visible ones, as in emoji and scripts with ligatures."""
    run, text = match[0], match.string
    if run not in _JOINERS:
        return False
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    if run[-1] in "\ufe0e\ufe0f":
        return after == _KEYCAP or (before != "" and not before.isascii())
    return before != "" and after != "" and not before.isascii() and not after.isascii()
