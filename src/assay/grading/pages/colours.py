"""Colours declared in CSS, and the contrast between text and ground (WCAG 2.1, relative luminance)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

LEAST = 4.5
"""The contrast that WCAG 2.1 wants of plain text (1.4.3, level AA)."""

_NAMED = """
black 000000 silver c0c0c0 gray 808080 grey 808080 white ffffff maroon 800000 red ff0000 purple 800080
fuchsia ff00ff magenta ff00ff green 008000 lime 00ff00 olive 808000 yellow ffff00 navy 000080 blue 0000ff
teal 008080 aqua 00ffff cyan 00ffff orange ffa500 pink ffc0cb brown a52a2a gold ffd700 tomato ff6347
"""
NAMED = dict(zip(_NAMED.split()[::2], _NAMED.split()[1::2], strict=True))
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
_RGB = re.compile(r"rgb\(\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*\)")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*\)")

Colour = tuple[int, int, int]


def without_comments(css: str) -> str:
    """Return the style sheet without its comments."""
    return _COMMENT.sub(" ", css)


def rules(css: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield each rule's selector and declarations; rules within `@media` come as rules of their own."""
    for chunk in without_comments(css).split("}"):
        head, brace, body = chunk.rpartition("{")
        if brace:
            yield head.rpartition("{")[2].strip(), declarations(body)


def declarations(text: str) -> Mapping[str, str]:
    """Return property -> value of one block or `style` attribute, names in small letters."""
    pairs = (part.split(":", 1) for part in text.split(";") if ":" in part)
    return {name.strip().lower(): value.replace("!important", "").strip() for name, value in pairs}


def colour(value: str) -> Colour | None:
    """Return the colour that a value plainly names, or None (transparent, a gradient, an unknown name)."""
    value = value.strip().lower()
    if found := re.fullmatch(r"#([0-9a-f]{3}|[0-9a-f]{6})", "#" + NAMED[value] if value in NAMED else value):
        digits = found[1] if len(found[1]) == 6 else "".join(digit * 2 for digit in found[1])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    if found := _RGB.fullmatch(value):
        red, green, blue = (min(255, int(part)) for part in found.groups())
        return red, green, blue
    return None


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def faint(blocks: Iterable[tuple[str, Mapping[str, str]]]) -> list[str]:
    """Return, in words, the blocks whose own text and ground colours have too little contrast."""
    blocks = list(blocks)
    variables = {name: value for _, block in blocks for name, value in block.items() if name.startswith("--")}
    found = []
    for where, block in blocks:
        text = colour(_resolved(block.get("color", ""), variables))
        ground = colour(_resolved(block.get("background-color", block.get("background", "")), variables))
        if text is not None and ground is not None and (ratio := contrast(text, ground)) < LEAST:
            found.append(f"{where or 'style'}: contrast {ratio:.1f}, at least {LEAST} wanted")
    return found


def _resolved(value: str, variables: Mapping[str, str]) -> str:
    found = _VARIABLE.fullmatch(value.strip())
    return variables.get(found[1], "") if found else value


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(channel / 255) for channel in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.03928 else float(((channel + 0.055) / 1.055) ** 2.4)
