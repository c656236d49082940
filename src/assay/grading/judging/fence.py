"""The fence around each text that a judge is shown, and what is done to a text so that it cannot leave it."""

from __future__ import annotations

import re

from assay.grading.judging import hidden
from assay.grading.judging.hidden import CLOSE, OPEN

VERSION = "1"
"""Raised with every change to what a judge is shown of the same text; it enters the essence of every ask."""

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
"""The sections of a judge's message, as their fences name them."""

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
"""What chat templates give a meaning to, and what looks like a fence: a bracket, and what comes after it."""
_ROLES = re.compile(
    r"\n([ \t>*_#\[(-]{0,12}+)(?=[SUAHDJGEsuahdjge])"
    r"((?i:system|assistant|user|human|developer|judge|grader|evaluator|examiner))(?=[ \t*_\])]{0,4}[:：])"
)


def section(name: str, text: str, fence: str) -> str:
    """Return a neutralised text between its fences."""
    return f"<<<{name} {fence}>>>\n{text}\n<<<END {name} {fence}>>>"


def neutralised(text: str) -> str:
    """Return a text as a judge may be shown it between fences.

    Hidden characters become visible (`hidden.shown`). Markup that chat templates give a meaning to
    (`<|im_start|>`, `[INST]`, `<think>`), lines that open a turn (`system:`) and anything like the
    fences are set between ⟦ and ⟧ and taken apart with spaces. All else stays as it is: code, tables, other
    scripts, and encoded text, which is data. What is beyond `LONGEST` characters is left out, and told.
    """
    if len(text) > LONGEST:
        told = f"{OPEN}{len(text) - LONGEST} more characters are not shown{CLOSE}"
        return f"{neutralised(text[:LONGEST])}\n{told}"
    text = f"\n{hidden.shown(text)}"
    if "<" in text or "[" in text or not text.isascii():
        text = _MARKUP.sub(_apart, text)
    return _ROLES.sub(_named, text)[1:]


def accepted(fence: str) -> str:
    """Return a fence as it is. Raises ValueError for a short one, or other signs than letters and digits."""
    if len(fence) < SHORTEST_FENCE or not (fence.isascii() and fence.isalnum()):
        raise ValueError(f"a fence is at least {SHORTEST_FENCE} random letters and digits, not {fence!r}")
    return fence


def _apart(match: re.Match[str]) -> str:
    """Take markup apart: the brackets of a token stand alone, those of a fence each by itself."""
    found = match[0]
    if found[-1] in "]>▷":
        return f"{OPEN}{found[0]} {found[1:-1]} {found[-1]}{CLOSE}"
    return f"{OPEN}{' '.join(''.join(found.split()))}{CLOSE}"


def _named(match: re.Match[str]) -> str:
    return f"\n{match[1]}{OPEN}{match[2]}{CLOSE}"
