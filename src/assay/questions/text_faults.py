"""What is wrong with a question's text as text: brackets, signs, language, figures that nobody sees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.core.question import Question

SHORT_ENOUGH = 400
"""A stem this long may hold the passage that it speaks of."""

MOSTLY = 0.3
"""A text is Chinese when a larger share of its letters than this are Chinese characters."""

_PAIRS = {")": "(", "]": "[", "}": "{", "》": "《", "」": "「", "”": "“"}
_OPENERS = frozenset(_PAIRS.values())
_WIDTHS = str.maketrans("（）【】［］｛｝", "()[][]{}")
_NOT_BRACKETS = re.compile(
    r"(?:^|[\s;；,，。、:：])(?:[0-9]{1,2}|[A-Za-z]|[ivx]{1,4}|[一二三四五六七八九十])\s?\)"  # 1) a) ii)
    r"|\\[{}\[\]()]|\\(?:left|right)[.()\[\]|]|[\[(]\s?-?[\w.\\∞+]+\s?,\s?-?[\w.\\∞+]+\s?[\])]"
)
_BRACKET = re.compile(r"[()\[\]{}《》「」“”]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd\ufffe\uffff]")
_PRIVATE = re.compile(r"[\ue000-\uf8ff]")
_MARKUP = re.compile(
    r"</?(?:p|br|div|span|img|td|tr|table|font|sub|sup|b|i|u)\b[^<>]{0,200}>|&(?:nbsp|lt|gt|amp|#\d+);", re.I
)
_FIGURE = re.compile(
    r"\b(?:shown|given|drawn|depicted|as|see) (?:in|on) the (?:figure|diagram|graph|picture|image|chart|map)"
    r"|\bthe (?:figure|diagram|picture|graph|image) (?:above|below|shown|on the right)|!\[[^\]]*\]\("
    r"|如(?:下|右|左|上)?图(?:所示|[,，:：]|\d)|(?:下|右|左|上)图(?:所示|中|是|为|表示)|读图",
    re.I,
)
_PASSAGE = re.compile(
    r"\baccording to the (?:passage|text|material|extract|article)\b|\bin the passage\b"
    r"|根据(?:上述|以上|下列|下面)?(?:材料|短文|文章|资料)|阅读(?:下列|下面|以下)?(?:材料|短文)|文中|本文",
    re.I,
)
_FIGURE_HINTS = ("igure", "iagram", "raph", "icture", "mage", "hart", "map", "图", "![")
_PASSAGE_HINTS = (
    "passage",
    "text",
    "material",
    "extract",
    "article",
    "材料",
    "短文",
    "文章",
    "资料",
    "文中",
    "本文",
)
_SAME_NUMBER = (("(（", ")）"), ("[【［", "]】］"), ("{｛", "}｝"), ("《", "》"), ("「", "」"), ("“", "”"))
_PLAIN = (("(", ")"), ("[", "]"), ("{", "}"))
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]")


@dataclass(frozen=True, slots=True)
class TextFault:
    """One thing wrong with a text; `blocks` when the question cannot be used with it."""

    kind: str
    blocks: bool
    text: str


def text_faults(question: Question) -> Iterator[TextFault]:
    """Yield what is wrong with what is shown of a question."""
    shown = "\n".join((question.stem, *question.options))
    if _CONTROL.search(shown):
        yield TextFault("odd-signs", True, "control characters or signs lost in a wrong encoding")
    elif not shown.isascii() and _PRIVATE.search(shown):
        yield TextFault("odd-signs", False, "signs of a font of its own, which nobody else can read")
    if ("<" in shown or "&" in shown) and _MARKUP.search(shown):
        yield TextFault("markup", False, "left-over HTML")
    if not balanced(shown):
        yield TextFault("unbalanced-brackets", False, "a bracket or quotation mark is not closed or opened")
    if _holds(shown, _FIGURE_HINTS) and _FIGURE.search(shown):
        yield TextFault("missing-figure", False, "it speaks of a figure, and none can be shown")
    bare = question.passage is None and len(question.stem) < SHORT_ENOUGH
    if bare and _holds(question.stem, _PASSAGE_HINTS) and _PASSAGE.search(question.stem):
        yield TextFault("missing-passage", False, "it speaks of a passage and has none")
    if question.language == "zh" and not _CHINESE.search(shown):
        yield TextFault("other-language", False, "it is said to be Chinese and has no Chinese in it")
    elif question.language == "en" and _chinese(shown) > MOSTLY:
        yield TextFault("other-language", False, "it is said to be English and is mostly Chinese")


def _holds(text: str, hints: tuple[str, ...]) -> bool:
    """Whether a text holds one of these: a quick look that spares most texts a close one."""
    return any(hint in text for hint in hints)


def balanced(text: str) -> bool:
    """Whether every bracket is closed, half- and full-width alike.

    Enumeration (`1)`, `a)`), half-open intervals and escaped signs of formulas are no brackets.
    """
    if text.isascii():
        even = all(text.count(opener) == text.count(closer) for opener, closer in _PLAIN)
    else:
        even = all(
            sum(map(text.count, openers)) == sum(map(text.count, closers))
            for openers, closers in _SAME_NUMBER
        )
    if even:
        return True
    waiting: list[str] = []
    for bracket in _BRACKET.findall(_NOT_BRACKETS.sub(" ", text.translate(_WIDTHS))):
        if bracket in _OPENERS:
            waiting.append(bracket)
        elif not waiting or waiting.pop() != _PAIRS[bracket]:
            return False
    return not waiting


def _chinese(text: str) -> float:
    """Return the share of Chinese characters among a text's letters."""
    if text.isascii() or _CHINESE.search(text) is None:
        return 0.0
    chinese = len(_CHINESE.findall(text))
    return chinese / (chinese + len(_LATIN.findall(text)))
