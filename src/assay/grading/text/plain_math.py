"""Rewriting LaTeX, Markdown and typographic signs as plain text."""

from __future__ import annotations

import re
import unicodedata

HARD_SPACE = "\u00a0"

_SIGNS = {
    **dict.fromkeys((*range(8194, 8203), 8239, 8287, 12288), HARD_SPACE),
    **{ord(nothing): None for nothing in "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f"},
    **{ord(minus): "-" for minus in "\u2212\u2010\u2011\u2012\ufe63\uff0d"},
    **{ord(apostrophe): "'" for apostrophe in "\u2019\u2018\u02bc\u2032\u00b4"},
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code != 0xFF0D},
    **{first + digit: str(digit) for first in (0x0660, 0x06F0, 0x0966, 0x09E6) for digit in range(10)},
    **{0x2080 + digit: None for digit in range(10)},
    0x066B: ".",
    0x066C: ",",
    0x2044: "/",
    0x2215: "/",
    0x22C5: "·",
    0x2217: "*",
    0x2715: "×",
    0x21D2: "→",
    0x27F9: "→",
}  # fmt: skip
_SUPERSCRIPTS = {ord(sign): plain for sign, plain in zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+", strict=True)}
_SUPERSCRIPT_RUN = re.compile("[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_VULGAR = re.compile("(\\d?)([¼½¾⅐-⅞])")
_DASH_SIGN = re.compile(r"(?<!\d)(?<!\d )–(?=[\d.$€£])")

_COMMANDS = {
    **dict.fromkeys(",;: ", HARD_SPACE),
    **dict.fromkeys(("!", "left", "right", "displaystyle", "textstyle", "mathstrut"), ""),
    **dict.fromkeys(("times",), "×"),
    **dict.fromkeys(("cdot",), "·"),
    **dict.fromkeys(("approx", "simeq", "doteq"), "≈"),
    **dict.fromkeys(("to", "rightarrow", "implies", "Rightarrow", "Longrightarrow"), "→"),
    **dict.fromkeys(("circ", "degree"), "°"),
    **dict.fromkeys(("pm", "mp"), "±"),
    "pi": "π",
    "sqrt": "√",
    "%": "%",
    "euro": "€",
    "pounds": "£",
    "div": "÷",
    "#": "#",
}
_COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)
_WRAPPER = re.compile(
    r"\\(boxed|fbox|text[a-z]*|math[a-z]*|operatorname|mbox|emph|bf|rm|hbox|underline)\s*\{([^{}]*)\}"
)
_FRACTION = re.compile(r"(\d?)(\s{0,3})\\[dtc]?frac\s*(?:\{([^{}]*)\}|(\d))\s*(?:\{([^{}]*)\}|(\d))")
_SIMPLE = re.compile(r"\s*-?[\d.,]+\s*")
_MATH = re.compile(r"\$\$?(?=\S)([^$\n]*?[^\s$])\$\$?(?!\d)")
_POWER_OF_LETTERS = re.compile(r"(?<=[A-Za-z%°])\s?\^\(?-?\d+\)?")
_PYTHON_POWER = re.compile(r"(?<=\d)\*\*(?=[-(\d])")
_SUBSCRIPT = re.compile(r"_\{[^{}]*\}")
_ROOT = re.compile(r"\\sqrt\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}")
_RAISED = re.compile(r"\^\s*\{([^{}]*)\}")
_MOST_NESTING = 6


def plain(text: str) -> str:
    """Return the text with its mathematics in plain notation.

    `\\dfrac{3}{4}` becomes `3/4`, `10^{6}` and `10⁶` become `10^(6)`, `\\%` becomes `%`. Math delimiters,
    bold and code marks are removed. Digits and minus signs of other scripts become ASCII; all special spaces
    become U+00A0.
    """
    if not text.isascii():
        text = _typographic(text)
    if "**" in text:
        text = _PYTHON_POWER.sub("^", text).replace("**", "")
    if "`" in text:
        text = text.replace("`", "")
    if "__" in text:
        text = text.replace("__", "")
    if "\\" in text or "{" in text or text.count("$") > 1:
        text = _latex(text)
    if "^" in text:
        text = _POWER_OF_LETTERS.sub("", text)
    return text


def _typographic(text: str) -> str:
    text = _SUPERSCRIPT_RUN.sub(lambda run: f"^({run[0].translate(_SUPERSCRIPTS)})", text)
    text = _VULGAR.sub(_spelled_fraction, text).translate(_SIGNS)
    return _DASH_SIGN.sub("-", text) if "–" in text else text


def _spelled_fraction(match: re.Match[str]) -> str:
    spelled = unicodedata.normalize("NFKC", match[2]).replace("\u2044", "/")
    return f"{match[1]} {spelled}" if match[1] else spelled


def _latex(text: str) -> str:
    text = text.replace("{,}", ",").replace("{.}", ".").replace("{:}", ":").replace("\\$", "\x01")
    if "_{" in text:
        text = _SUBSCRIPT.sub("", text)
    text = _MATH.sub(r" \1 ", text)
    for _ in range(_MOST_NESTING):
        before = text
        text = _RAISED.sub(r"^(\1)", text)
        text = _ROOT.sub(r"√(\1)", text)
        text = _FRACTION.sub(_slashed, text)
        text = _WRAPPER.sub(_unwrapped, text)
        if text == before:
            break
    text = text.replace("$$", " ").replace("\x01", "$")
    text = _COMMAND.sub(lambda command: _COMMANDS.get(command[1], " "), text)
    return text.replace("~", HARD_SPACE).replace("{", " ").replace("}", " ")


def _unwrapped(match: re.Match[str]) -> str:
    return f" {match[2]} "


def _slashed(match: re.Match[str]) -> str:
    above = match[3] if match[3] is not None else match[4]
    below = match[5] if match[5] is not None else match[6]
    space = f"{match[1]} " if match[1] else match[2]
    if _SIMPLE.fullmatch(above) and _SIMPLE.fullmatch(below):
        return f"{space}{above.strip()}/{below.strip()}"
    return f"{space}({above})/({below})"
