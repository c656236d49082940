"""Format validation: problems of a question's text and key that can be found without reading it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.core.question import FALSE, TRUE, Question, QuestionKind
from assay.core.sealed import AnswerKey
from assay.questions.finding_kinds import FindingKind
from assay.questions.refer import referring
from assay.results.review import Severity

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MANY_OPTIONS, LONG_STEM, SHORT_STEM, SHORT_MATERIAL = 10, 6000, 4, 160

_BLANK = re.compile(
    r"_{2,}(?:\s?[(（\[]?\s?\d{1,2}\s?[)）\]]?\s?_{2,})?"  # ____  __1__  __(1)__
    r"|_{1,}\s?[(（]\s?\d{1,2}\s?[)）]\s?_{1,}"
    r"|[(（][\s\u3000_.…$]*(?:\\q?quad[\s$]*)*[)）]"
    r"|【[\s\u3000_]*】|\[[\s\u3000_]+\]"
    r"|(?:…|\.{3}){2,}|—{4,}|\\underline\{[\s\\a-z{}]*\}"
)
_LEAKED = re.compile(
    r"(?:^|[\n。.;；?？!！])\s*[\[【(（]?\s*(?:(?:correct |right |model |reference )?answers?(?: key)?|"
    r"(?:参考|正确|标准)?答案)\s*(?:[\]】)）]\s*[:：]?|[:：])\s*[^\s_(（]",
    re.IGNORECASE,
)
_EXPLAINED = re.compile(r"(?:^|\n)\s*[\[【]?\s*(?:explanation|(?:答案)?解析)\s*[\]】]?\s*[:：]", re.I)
_FILLED = re.compile(r"[(（]\s*([A-Z](?:\s*[,、]?\s*[A-Z])*)\s*[)）]\s*[.。?？:：]?\s*$")
_SWALLOWED = re.compile(r"(?:^|\s)[(（]?[B-J][)）.．、]\s*\S")
_ASKS = re.compile(
    r"[?？:：=]\s*\$?\s*$|\b(?:find|compute|evaluate|determine|calculate|what|how|express|simplify|solve|name|give"
    r"|state|who|which|where|when|write|factor|convert|round)\b|求|计算|写出|多少|几|什么|谁|哪",
    re.IGNORECASE,
)


_WIDE = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
"""Full-width letters, digits and signs with their usual forms."""
SHORT_ENOUGH = 400
"""A stem of at least this length may contain the passage that it refers to."""
MOSTLY = 0.3
"""The share of Chinese characters among a text's letters above which it is Chinese."""
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
class QuestionProblem:
    """A problem of a question. `kind` is a short code for counting; `text` does not reveal the key."""

    kind: FindingKind
    severity: Severity
    text: str


def validate(question: Question, key: AnswerKey) -> tuple[QuestionProblem, ...]:
    """Return the problems of a question and its key; empty if there are none."""
    return (*_text_problems(question), *_key_problems(question, key))


def blocks(findings: tuple[QuestionProblem, ...]) -> bool:
    """Whether one of the findings prevents accepting the question."""
    return any(finding.severity is Severity.BLOCKS for finding in findings)


def count_blanks(stem: str) -> int:
    """Return the number of answer spaces in a stem: `____`, `( )`, `（ ）`, `__1__`, `【 】` and others."""
    return sum(1 for _ in _BLANK.finditer(stem))


def _block(kind: FindingKind, text: str) -> QuestionProblem:
    return QuestionProblem(kind, Severity.BLOCKS, text)


def _warn(kind: FindingKind, text: str) -> QuestionProblem:
    return QuestionProblem(kind, Severity.WARNS, text)


def _text_problems(question: Question) -> Iterator[QuestionProblem]:
    stem = question.stem.strip()
    if not stem:
        yield _block(FindingKind.EMPTY_STEM, "there is no question: the stem is empty")
        return
    if len(stem) < SHORT_STEM and question.kind is not QuestionKind.TERM_EXPLANATION:
        yield _warn(FindingKind.SHORT_STEM, f"the stem has only {len(stem)} characters")
    if len(stem) > LONG_STEM:
        yield _warn(
            FindingKind.LONG_STEM,
            f"the stem has {len(stem):,} characters: check whether it contains several questions",
        )
    for text in (stem, *question.options):
        if ("nswer" in text or "NSWER" in text or "答案" in text) and _LEAKED.search(text):
            yield _block(FindingKind.LEAKED_KEY, "the shown text contains an answer marker with an answer")
            break
        if ("xplanation" in text or "解析" in text) and _EXPLAINED.search(text):
            yield _block(FindingKind.LEAKED_KEY, "the shown text contains the marker of an explanation")
            break
    yield from _odd_text(question)


def _key_problems(question: Question, key: AnswerKey) -> Iterator[QuestionProblem]:
    if not key.answers or not all(answer.strip() for answer in key.answers):
        yield _block(FindingKind.NO_ANSWER, "an answer is missing or empty")
        return
    if question.kind is QuestionKind.MULTIPLE_CHOICE:
        yield from _choice_problems(question, key)
        return
    if question.options:
        yield _block(
            FindingKind.STRAY_OPTIONS,
            f"it has options, but its kind is {question.kind.value}: check the kind",
        )
    if question.kind is QuestionKind.TRUE_OR_FALSE:
        if len(key.answers) != 1 or key.answers[0] not in (TRUE, FALSE):
            yield _block(FindingKind.KEY_NOT_TRUE_OR_FALSE, f"its key is neither {TRUE!r} nor {FALSE!r}")
    elif question.kind is QuestionKind.FILL_IN_THE_BLANK:
        yield from _blank_problems(question, key)
    elif len(key.answers) != 1:
        yield _warn(FindingKind.SEVERAL_ANSWERS, f"an open question has {len(key.answers)} answers")
    material = question.stem if question.passage is None else question.passage
    if question.kind is QuestionKind.MATERIAL_ANALYSIS and len(material) < SHORT_MATERIAL:
        yield _warn(
            FindingKind.NO_MATERIAL,
            f"the material has only {len(material)} characters: check whether it is complete",
        )


def _blank_problems(question: Question, key: AnswerKey) -> Iterator[QuestionProblem]:
    blanks, answers = count_blanks(question.stem), len(key.answers)
    if blanks == 0 and answers == 1:
        if not _ASKS.search(question.stem):
            yield _warn(FindingKind.NO_BLANK, "it has no answer space and does not ask for anything")
    elif blanks != answers:
        yield _block(FindingKind.BLANKS_AND_ANSWERS, f"it has {blanks} answer spaces, but {answers} answers")


def _choice_problems(question: Question, key: AnswerKey) -> Iterator[QuestionProblem]:
    options = question.options
    if not 2 <= len(options) <= len(LETTERS):
        yield _block(
            FindingKind.OPTION_COUNT, f"it has {len(options)} options: a choice has 2 to {len(LETTERS)}"
        )
        return
    if len(options) > MANY_OPTIONS:
        yield _warn(
            FindingKind.MANY_OPTIONS,
            f"it has {len(options)} options: check whether they belong to one question",
        )
    if not all(option.strip() for option in options):
        yield _block(FindingKind.EMPTY_OPTION, "an option is empty")
    if len({_narrow(option) for option in options}) < len(options):
        yield _block(FindingKind.SAME_OPTION, "two options are the same")
    if any(_SWALLOWED.search(option) for option in options[:-1]) and _swallowed(options):
        yield _warn(
            FindingKind.SWALLOWED_OPTION,
            "an option seems to contain the next one's letter: check how it was split",
        )
    letters = LETTERS[: len(options)]
    if any(len(answer) != 1 or answer not in letters for answer in key.answers):
        yield _block(FindingKind.KEY_OUTSIDE_OPTIONS, f"the key has a letter outside A to {letters[-1]}")
        return
    if len(set(key.answers)) < len(key.answers):
        yield _block(FindingKind.KEY_REPEATS, "the key has a letter twice")
    filled = _FILLED.search(question.stem)
    if filled and set(re.findall("[A-Z]", filled[1])) == set(key.answers):
        yield _block(FindingKind.LEAKED_KEY, "the answer space in the stem is filled in")
    yield from _reference_problems(options, key)


def _reference_problems(options: tuple[str, ...], key: AnswerKey) -> Iterator[QuestionProblem]:
    for place, option in enumerate(options):
        reference = referring(option, place, len(options))
        if reference is None:
            continue
        if reference.places is None:
            yield _warn(
                FindingKind.UNCLEAR_REFERENCE, "an option refers to others in a way that is not understood"
            )
        elif LETTERS[place] in key.answers and len(key.answers) > 1:
            rest = {LETTERS.index(letter) for letter in key.answers} - {place}
            if not rest <= reference.places:
                yield _block(
                    FindingKind.CONTRADICTORY_KEY, "the key contains an option and another that excludes it"
                )


def _narrow(option: str) -> str:
    """Return an option without differences in width and spaces; case matters (genotypes Tt and TT)."""
    return " ".join(option.translate(_WIDE).split())


def _swallowed(options: tuple[str, ...]) -> bool:
    """Whether an option contains the next option's letter, as in `A. one B. two`."""
    return any(
        re.search(rf"(?:^|\s){LETTERS[place + 1]}[.．、)）]\s*\S", option)
        for place, option in enumerate(options[:-1])
    )


def _odd_text(question: Question) -> Iterator[QuestionProblem]:
    """Yield signs of damaged or incomplete text."""
    shown = "\n".join((question.stem, *question.options))
    if _CONTROL.search(shown):
        yield _block(
            FindingKind.ODD_SIGNS, "it has control characters, or characters lost in a wrong encoding"
        )
    elif not shown.isascii() and _PRIVATE.search(shown):
        yield _warn(FindingKind.ODD_SIGNS, "it has characters of a private font, which others cannot read")
    if ("<" in shown or "&" in shown) and _MARKUP.search(shown):
        yield _warn(FindingKind.MARKUP, "it contains HTML")
    if not balanced(shown):
        yield _warn(
            FindingKind.UNBALANCED_BRACKETS, "a bracket or quotation mark is not closed or not opened"
        )
    if _has_hint(shown, _FIGURE_HINTS) and _FIGURE.search(shown):
        yield _warn(FindingKind.MISSING_FIGURE, "it refers to a figure, which cannot be shown")
    bare = question.passage is None and len(question.stem) < SHORT_ENOUGH
    if bare and _has_hint(question.stem, _PASSAGE_HINTS) and _PASSAGE.search(question.stem):
        yield _warn(FindingKind.MISSING_PASSAGE, "it refers to a passage, but has none")
    if question.language == "zh" and not _CHINESE.search(shown):
        yield _warn(FindingKind.OTHER_LANGUAGE, "its language is Chinese, but it has no Chinese characters")
    elif question.language == "en" and _chinese(shown) > MOSTLY:
        yield _warn(FindingKind.OTHER_LANGUAGE, "its language is English, but it is mostly Chinese")


def _has_hint(text: str, hints: tuple[str, ...]) -> bool:
    """Whether a text contains a hint: a quick check before the pattern."""
    return any(hint in text for hint in hints)


def balanced(text: str) -> bool:
    """Whether every bracket is closed; half- and full-width brackets are equal.

    Enumerations (`1)`, `a)`), half-open intervals and escaped signs of formulas do not count as brackets.
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
