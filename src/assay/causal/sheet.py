"""The layout in which a multiple-choice question is put to a model, written and read back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import ascii_uppercase

from assay.causal.item import Item
from assay.core.errors import InvalidInput

_STRICT = re.compile(r"([A-Z])\)(?: (.*))?")
_LENIENT = re.compile(r"\s*[(\[]?([A-Za-z])[).:\]](?:\s+(.*))?")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A question as it was read: the letters as written, which may be wrong, with an option for each."""

    stem: str
    letters: tuple[str, ...]
    options: tuple[str, ...]
    instruction: str


def prompt(item: Item, end: str) -> str:
    """Return what a model is shown: the stem, a blank line, `A) ...` and so on, a blank line, what to write.

    `end` is what to write.

    Raises InvalidInput for options that do not fit on a line each, or that are too many for the letters.
    """
    if not 2 <= len(item.options) <= len(ascii_uppercase):
        raise InvalidInput(f"{item.id!r} has {len(item.options)} options: give 2 to {len(ascii_uppercase)}")
    for option in item.options:
        if option.splitlines() != [option.strip()]:
            raise InvalidInput(f"{item.id!r}: the option {option!r} is not one line without outer spaces")
    lines = (f"{letter}) {option}" for letter, option in zip(ascii_uppercase, item.options, strict=False))
    return "\n".join([item.stem, "", *lines, "", end])


def parse(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the stem and the options of a prompt, as `prompt` wrote it.

    Raises InvalidInput where the options are not lettered A), B) and so on, in order, after a blank line.
    """
    sheet = read(text)
    if len(sheet.letters) < 2 or sheet.letters != tuple(ascii_uppercase[: len(sheet.letters)]):
        found = ", ".join(sheet.letters) or "none"
        raise InvalidInput(f"the options are lettered {found}: write a blank line, then `A) ...`, `B) ...`")
    return sheet.stem, sheet.options


def read(text: str) -> Sheet:
    """Read a question leniently: the last block of lettered lines is its options, whatever their letters.

    Without such a block everything is the stem. Options written `A.`, `(a)` or with blank lines between
    them are read too.
    """
    lines = text.split("\n")
    after = len(lines)
    while after and not _LENIENT.fullmatch(lines[after - 1]):
        after -= 1
    if not after:
        return Sheet(text.strip("\n"), (), (), "")
    first = _first(lines, after)
    found = [_option(line) for line in lines[first:after] if line.strip()]
    above = first - 1 if first and not lines[first - 1].strip() else first
    return Sheet(
        "\n".join(lines[:above]),
        tuple(letter.upper() for letter, _ in found),
        tuple(option for _, option in found),
        "\n".join(lines[after:]).strip(),
    )


def _first(lines: list[str], after: int) -> int:
    """Return where the block of options that ends before `after` begins.

    A blank line ends it unless the options so far lack an A and an option stands above the blank.
    """
    at = after - 1
    while at:
        above = lines[at - 1]
        if _LENIENT.fullmatch(above):
            at -= 1
            continue
        lacks = not any(_option(line)[0].upper() == "A" for line in lines[at:after] if line.strip())
        if above.strip() or not lacks or at < 2 or not _LENIENT.fullmatch(lines[at - 2]):
            break
        at -= 2
    return at


def _option(line: str) -> tuple[str, str]:
    match = _STRICT.fullmatch(line) or _LENIENT.fullmatch(line)
    assert match is not None
    return match[1], (match[2] or "").strip()
