"""Format validation: does a question with its key hold together, before anybody reads it?

Seed 003, appendix A.2: the options agree with the key, the answer spaces with the answers. No finding ever
shows a key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from assay.core.question import FALSE, TRUE, Question, QuestionKind
from assay.core.sealed import AnswerKey
from assay.questions.refer import referring
from assay.questions.text_faults import TextFault, text_faults

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


class Severity(StrEnum):
    """One that blocks stands against accepting a question at all, one that warns against doing so unread."""

    BLOCKS = "blocks"
    WARNS = "warns"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with a question. `kind` is a short code to count by; `text` holds no key."""

    kind: str
    severity: Severity
    text: str


def validate(question: Question, key: AnswerKey) -> tuple[Finding, ...]:
    """Return what is wrong with a question and its key; nothing where they hold together."""
    return (*_of_text(question), *_of_key(question, key))


def blocks(findings: tuple[Finding, ...]) -> bool:
    """Whether one of the findings stands against accepting the question at all."""
    return any(finding.severity is Severity.BLOCKS for finding in findings)


def count_blanks(stem: str) -> int:
    """Return how many answer spaces a stem has: `____`, `( )`, `（ ）`, `__1__`, `【 】` and the like."""
    return sum(1 for _ in _BLANK.finditer(stem))


def _block(kind: str, text: str) -> Finding:
    return Finding(kind, Severity.BLOCKS, text)


def _warn(kind: str, text: str) -> Finding:
    return Finding(kind, Severity.WARNS, text)


def _of_text(question: Question) -> Iterator[Finding]:
    stem = question.stem.strip()
    if not stem:
        yield _block("empty-stem", "there is no question: the stem is empty")
        return
    if len(stem) < SHORT_STEM and question.kind is not QuestionKind.TERM_EXPLANATION:
        yield _warn("short-stem", f"the stem has {len(stem)} characters")
    if len(stem) > LONG_STEM:
        yield _warn("long-stem", f"the stem has {len(stem):,} characters: are several questions in it?")
    for text in (stem, *question.options):
        if ("nswer" in text or "NSWER" in text or "答案" in text) and _LEAKED.search(text):
            yield _block("leaked-key", "a text that is shown holds an answer marker with something after it")
            break
        if ("xplanation" in text or "解析" in text) and _EXPLAINED.search(text):
            yield _block("leaked-key", "a text that is shown holds the marker of an explanation")
            break
    for fault in text_faults(question):
        yield _found(fault)


def _found(fault: TextFault) -> Finding:
    return Finding(fault.kind, Severity.BLOCKS if fault.blocks else Severity.WARNS, fault.text)


def _of_key(question: Question, key: AnswerKey) -> Iterator[Finding]:
    if not key.answers or not all(answer.strip() for answer in key.answers):
        yield _block("no-answer", "an answer is missing or empty")
        return
    if question.kind is QuestionKind.MULTIPLE_CHOICE:
        yield from _of_choice(question, key)
        return
    if question.options:
        yield _block("stray-options", f"it has options, but is {question.kind.value}: is its kind right?")
    if question.kind is QuestionKind.TRUE_OR_FALSE:
        if len(key.answers) != 1 or key.answers[0] not in (TRUE, FALSE):
            yield _block("key-not-true-or-false", f"its key is neither {TRUE!r} nor {FALSE!r}")
    elif question.kind is QuestionKind.FILL_IN_THE_BLANK:
        yield from _of_blanks(question, key)
    elif len(key.answers) != 1:
        yield _warn("several-answers", f"{len(key.answers)} answers to one open question")
    material = question.stem if question.passage is None else question.passage
    if question.kind is QuestionKind.MATERIAL_ANALYSIS and len(material) < SHORT_MATERIAL:
        yield _warn("no-material", f"the material has {len(material)} characters: is it all there?")


def _of_blanks(question: Question, key: AnswerKey) -> Iterator[Finding]:
    blanks, answers = count_blanks(question.stem), len(key.answers)
    if blanks == 0 and answers == 1:
        if not _ASKS.search(question.stem):
            yield _warn("no-blank", "it has no answer space and asks for nothing")
    elif blanks != answers:
        yield _block("blanks-and-answers", f"{blanks} answer spaces, but {answers} answers")


def _of_choice(question: Question, key: AnswerKey) -> Iterator[Finding]:
    options = question.options
    if not 2 <= len(options) <= len(LETTERS):
        yield _block("option-count", f"a choice has 2 to {len(LETTERS)} options, this one {len(options)}")
        return
    if len(options) > MANY_OPTIONS:
        yield _warn("many-options", f"{len(options)} options: do they belong to one question?")
    if not all(option.strip() for option in options):
        yield _block("empty-option", "an option is empty")
    if len({_narrow(option) for option in options}) < len(options):
        yield _block("same-option", "two options read the same")
    if any(_SWALLOWED.search(option) for option in options[:-1]) and _swallowed(options):
        yield _warn("swallowed-option", "an option seems to hold the next one's letter: was it split right?")
    letters = LETTERS[: len(options)]
    if any(len(answer) != 1 or answer not in letters for answer in key.answers):
        yield _block("key-outside-options", f"the key names what is no letter from A to {letters[-1]}")
        return
    if len(set(key.answers)) < len(key.answers):
        yield _block("key-repeats", "the key names a letter twice")
    filled = _FILLED.search(question.stem)
    if filled and set(re.findall("[A-Z]", filled[1])) == set(key.answers):
        yield _block("leaked-key", "the answer space in the stem is filled in")
    yield from _of_references(options, key)


def _of_references(options: tuple[str, ...], key: AnswerKey) -> Iterator[Finding]:
    for place, option in enumerate(options):
        reference = referring(option, place, len(options))
        if reference is None:
            continue
        if reference.places is None:
            yield _warn("unclear-reference", "an option refers to others in a way that is not understood")
        elif LETTERS[place] in key.answers and len(key.answers) > 1:
            rest = {LETTERS.index(letter) for letter in key.answers} - {place}
            if not rest <= reference.places:
                yield _block("contradictory-key", "the key names an option and one that rules it out")


def _narrow(option: str) -> str:
    """Return an option without widths and runs of spaces; case matters: the genotypes Tt and TT differ."""
    return " ".join(option.translate(_WIDE).split())


def _swallowed(options: tuple[str, ...]) -> bool:
    """Whether an option holds the letter that comes next after its own, as `A. one B. two` would."""
    return any(
        re.search(rf"(?:^|\s){LETTERS[place + 1]}[.．、)）]\s*\S", option)
        for place, option in enumerate(options[:-1])
    )
