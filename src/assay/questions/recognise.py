"""Recognising a draft as a question of one of the six kinds with its key, or refusing it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from assay.core.question import FALSE, TRUE, Language, QuestionKind
from assay.core.sealed import AnswerKey
from assay.questions.keys import (
    LETTERS,
    SAYS_FALSE,
    SAYS_TRUE,
    accepted,
    read_blanks,
    read_letters,
    read_truth,
)
from assay.questions.refusal import Reason, RefusedRecord
from assay.questions.repair import is_chinese, is_sound, lost, repair
from assay.questions.validate import count_blanks

STEM, OPTION, PASSAGE, ANSWER = 20_000, 5_000, 100_000, 50_000
"""The most characters of each kind of text."""

KIND_CORRECTED = "kind corrected by the content of the question"

_TERM = re.compile(
    r"名词解释|解释(?:下列)?(?:名词|术语|概念)"
    r"|(?:explain|define|what is meant by) (?:the |this )?(?:following )?(?:term|concept|notion)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[?？]\s*$")


@dataclass(slots=True)
class QuestionDraft:
    """The texts of one question as read from a file.

    `kind` is given by a heading or a record, else None; `single` is true for a choice with one right option.
    `options` are without their letters; `key` is as written: a text, or a list of letters or answers.
    """

    stem: str
    key: str | Sequence[str] | None = field(repr=False)
    options: Sequence[str] = ()
    explanation: str = field(default="", repr=False)
    passage: str | None = None
    kind: QuestionKind | None = None
    single: bool = False
    repairs: list[str] = field(default_factory=list)


class Recognised(NamedTuple):
    """The content of a question with its key, and its repairs."""

    kind: QuestionKind
    language: Language
    stem: str
    options: tuple[str, ...]
    passage: str | None
    key: AnswerKey
    repairs: tuple[str, ...]


def recognise(draft: QuestionDraft) -> Recognised | RefusedRecord:
    """Return a draft as a question with repaired texts, or the first reason for a refusal."""
    texts = _Texts(draft)
    refused = texts.fault()
    if refused is not None:
        return refused
    stem, options, passage, key, made = texts.stem, texts.options, texts.passage, texts.key, texts.made
    chinese = not texts.plain and is_chinese(
        stem if len(stem) > 20 or not options else "".join((stem, *options))
    )
    result = _kind_and_answers(draft, stem, options, passage, key, chinese)
    if isinstance(result, RefusedRecord):
        return result
    kind, answers = result
    if draft.kind not in (None, kind) and draft.kind is not QuestionKind.MATERIAL_ANALYSIS:
        made[KIND_CORRECTED] = None
    if kind is not QuestionKind.MULTIPLE_CHOICE:
        options = ()
    return Recognised(
        kind,
        "zh" if chinese else "en",
        stem,
        options,
        passage,
        AnswerKey(answers, texts.explanation),
        tuple(made),
    )


class _Texts:
    """The repaired texts of a draft; `made` holds the names of the repairs, in order."""

    __slots__ = ("explanation", "key", "made", "options", "passage", "plain", "stem")

    def __init__(self, draft: QuestionDraft) -> None:
        self.made: dict[str, None] = dict.fromkeys(draft.repairs)
        key = draft.key or ""
        listed = [key] if isinstance(key, str) else key
        whole = " ".join((draft.stem, *draft.options, draft.explanation, *listed))
        self.plain = is_sound(whole) and len(whole) <= OPTION and not draft.passage
        clean = str.strip if self.plain else self._repair
        self.stem = clean(draft.stem)
        self.options = tuple([clean(option) for option in draft.options])
        self.explanation = clean(draft.explanation)
        self.key = clean(key) if isinstance(key, str) else [clean(part) for part in key]
        self.passage: str | None = None
        if draft.passage:
            self.passage, repairs = _repair_passage(draft.passage)
            self.made.update(dict.fromkeys(repairs))

    def _repair(self, text: str) -> str:
        text, repairs = repair(text)
        if repairs:
            self.made.update(dict.fromkeys(repairs))
        return text

    def fault(self) -> RefusedRecord | None:
        """Return a refusal if a text is empty, too long or beyond repair."""
        if not self.stem:
            return RefusedRecord(Reason.NO_STEM)
        if not self.key or not all(self.key):
            return RefusedRecord(Reason.NO_KEY)
        if self.plain:
            return None
        answers = self.key if isinstance(self.key, str) else "\n".join(self.key)
        whole = "\n".join((self.stem, *self.options, self.explanation, answers))
        if lost(whole) or (self.passage is not None and lost(self.passage)):
            return RefusedRecord(Reason.LOST)
        for name, longest, length in (
            ("question", STEM, len(self.stem)),
            ("option", OPTION, max(map(len, self.options), default=0)),
            ("passage", PASSAGE, len(self.passage or "")),
            ("key or explanation", ANSWER, max(len(answers), len(self.explanation))),
        ):
            if length > longest:
                return RefusedRecord(
                    Reason.TOO_LONG, f"the {name} has {length:,} characters, more than {longest:,}"
                )
        return None


@lru_cache(maxsize=64)
def _repair_passage(text: str) -> tuple[str | None, tuple[str, ...]]:
    passage, repairs = repair(text)
    return passage or None, repairs


def _kind_and_answers(
    draft: QuestionDraft,
    stem: str,
    options: tuple[str, ...],
    passage: str | None,
    key: str | list[str],
    chinese: bool,
) -> tuple[QuestionKind, tuple[str, ...]] | RefusedRecord:
    kind = draft.kind
    single = key if isinstance(key, str) else key[0] if len(key) == 1 else None
    if options and kind is QuestionKind.TRUE_OR_FALSE and len(options) == 2:
        truths = [read_truth(option) for option in options]
        if set(truths) == {TRUE, FALSE} and single is not None:
            return _truth_of_two(truths, single, options)
    if options:
        letters = _read_choice(options, key, single=draft.single)
        return letters if isinstance(letters, RefusedRecord) else (QuestionKind.MULTIPLE_CHOICE, letters)
    if kind is QuestionKind.MULTIPLE_CHOICE:
        return RefusedRecord(Reason.NO_OPTIONS)
    truth = None if single is None else read_truth(single)
    if kind is QuestionKind.TRUE_OR_FALSE:
        return RefusedRecord(Reason.NEITHER) if truth is None else (kind, (truth,))
    if kind is None:
        kind = _guess_kind(stem, passage, single)
        if kind is QuestionKind.TRUE_OR_FALSE and truth is not None:
            return kind, (truth,)
    if kind is QuestionKind.FILL_IN_THE_BLANK:
        wanted = count_blanks(stem)
        if wanted == 0:
            if single is None or not _ASKS.search(stem):
                return RefusedRecord(Reason.NO_BLANK)
            return QuestionKind.SHORT_ANSWER, (single,)
        answers = read_blanks(key, wanted)
        return answers if isinstance(answers, RefusedRecord) else (kind, answers)
    return kind, (accepted([key] if isinstance(key, str) else key, chinese=chinese),)


def _truth_of_two(
    truths: list[str | None], key: str, options: tuple[str, ...]
) -> tuple[QuestionKind, tuple[str, ...]] | RefusedRecord:
    """Return a choice between true and false as a true-or-false question."""
    truth = read_truth(key)
    if truth is None:
        letters = read_letters(key, options)
        if isinstance(letters, RefusedRecord) or len(letters) > 1:
            return RefusedRecord(Reason.NEITHER)
        truth = truths[LETTERS.index(letters[0])]
    return QuestionKind.TRUE_OR_FALSE, (str(truth),)


def _guess_kind(stem: str, passage: str | None, single: str | None) -> QuestionKind:
    if single is not None and single.casefold() in SAYS_TRUE | SAYS_FALSE and not _ASKS.search(stem):
        return QuestionKind.TRUE_OR_FALSE
    if count_blanks(stem):
        return QuestionKind.FILL_IN_THE_BLANK
    if _TERM.match(stem):
        return QuestionKind.TERM_EXPLANATION
    return QuestionKind.SHORT_ANSWER if passage is None else QuestionKind.MATERIAL_ANALYSIS


def _read_choice(
    options: tuple[str, ...], key: str | list[str], *, single: bool
) -> tuple[str, ...] | RefusedRecord:
    if len(options) == 1:
        return RefusedRecord(Reason.ONE_OPTION)
    if len(options) > len(LETTERS):
        return RefusedRecord(Reason.MANY_OPTIONS, f"{len(options)}")
    if "" in options:
        return RefusedRecord(Reason.EMPTY_OPTION, f"option {LETTERS[options.index('')]}")
    if len(set(options)) < len(options) or len({" ".join(text.split()) for text in options}) < len(options):
        return RefusedRecord(Reason.SAME_OPTIONS)
    text = key if isinstance(key, str) else key[0] if len(key) == 1 else ", ".join(key)
    letters = (text,) if len(text) == 1 and text in LETTERS[: len(options)] else read_letters(text, options)
    if not isinstance(letters, RefusedRecord) and single and len(letters) > 1:
        return RefusedRecord(Reason.SEVERAL_KEYS)
    return letters
