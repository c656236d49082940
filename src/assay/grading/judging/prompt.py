"""What a judge is told, read once from the package's text files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_PART = re.compile(r"^%% (\w+)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The fixed words of a judge's question. `version` and `text`, the whole, enter the essence of every ask.

    `system` is the system message. `opening` names the message's code (`{code}`), `closing` asks for the
    verdict (`{token}`), `again` asks once more after an unreadable reply (`{why}`, `{token}`).
    """

    version: str
    text: str
    system: str
    opening: str
    closing: str
    again: str


@cache
def prompt(name: str) -> Prompt:
    """Return the prompt of that name."""
    folder = files("assay.grading") / "prompts"
    fenced = (folder / "fenced.md").read_text("utf-8").strip()
    text = (folder / f"{name}.md").read_text("utf-8").replace("{fenced}", fenced)
    head, *parts = _PART.split(text)
    named = dict(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))
    return Prompt(head.partition(":")[2].strip(), text, **named)
