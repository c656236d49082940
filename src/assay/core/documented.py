"""Names that Assay shows, each declared with the text of its help page."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from inspect import cleandoc
from typing import Self


@dataclass(frozen=True)
class HelpText:
    """The help page of one name, written as three paragraphs of Markdown, or four.

    They give its meaning, why it matters, what to do, and perhaps an example. The first sentence of the
    meaning is shown alone in lists and tooltips. Raises ValueError for another number of paragraphs.
    """

    text: str
    meaning: str = field(init=False)
    why: str = field(init=False)
    action: str = field(init=False)
    example: str = field(init=False)

    def __post_init__(self) -> None:
        paragraphs = [" ".join(part.split()) for part in cleandoc(self.text).split("\n\n")]
        if len(paragraphs) not in (3, 4) or not all(paragraphs):
            raise ValueError(f"a help text has 3 or 4 paragraphs, this one {len(paragraphs)}: {self.text!r}")
        for name, paragraph in zip(("meaning", "why", "action", "example"), [*paragraphs, ""], strict=False):
            object.__setattr__(self, name, paragraph)

    def markdown(self, name: str, head: str = "") -> str:
        """Return the page of a name; `head` is a line below its title."""
        parts = [
            f"# {name}",
            head,
            self.meaning,
            f"## Why it matters\n\n{self.why}",
            f"## What to do\n\n{self.action}",
            f"## Example\n\n{self.example}" if self.example else "",
        ]
        return "\n\n".join(part for part in parts if part) + "\n"

    @property
    def summary(self) -> str:
        """The first sentence of the meaning."""
        return self.meaning.split(". ")[0].rstrip(".") + "."


def slug(name: str) -> str:
    """Return a name in small letters and digits, joined by hyphens, as addresses and file names have it."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")


def explain_command(name: str) -> str:
    """Return the command that prints the page of a name, as it can be typed into a shell."""
    plain = re.fullmatch(r"[\w:. -]+", name, re.ASCII)
    return f"assay explain {name if plain else slug(name)}"


class DocumentedStrEnum(StrEnum):
    """A closed set of texts, each with its help: `OK = "ok", HelpText(...)`."""

    help: HelpText

    def __new__(cls, value: str, help_text: HelpText | None = None) -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.help = _required(value, help_text)
        return member


class DocumentedIntEnum(IntEnum):
    """A closed set of numbers, each with its help: `GAP = 0, HelpText(...)`."""

    help: HelpText

    def __new__(cls, value: int, help_text: HelpText | None = None) -> Self:
        member = int.__new__(cls, value)
        member._value_ = value
        member.help = _required(value, help_text)
        return member


def _required(value: object, help_text: HelpText | None) -> HelpText:
    # It has a default only so that type checkers accept the look-up of a member, as in `ModelState("OK")`.
    if help_text is None:
        raise TypeError(f"{value!r} has no help: declare it as a pair of value and HelpText")
    return help_text
