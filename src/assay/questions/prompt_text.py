"""The wording of asks about questions, read once from the package's text files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_PART = re.compile(r"^%% (\w+)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PromptText:
    """An ask's fixed words: the system message, the ask, and what is said after an unreadable reply."""

    version: str
    system: str
    ask: str
    again: str


@cache
def prompt_text(name: str) -> PromptText:
    """Return the wording of that name in `questions/prompts`."""
    text = (files("assay.questions") / "prompts" / f"{name}.md").read_text("utf-8")
    head, *parts = _PART.split(text)
    named = dict(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))
    return PromptText(head.partition(":")[2].strip(), **named)


def filled(text: str, **values: object) -> str:
    """Return a text with its `{names}` filled in, each once: what is filled in is not searched again."""
    pattern = re.compile("|".join(re.escape(f"{{{name}}}") for name in values))
    return pattern.sub(lambda found: str(values[found[0][1:-1]]), text)
