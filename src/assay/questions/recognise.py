"""Deciding what a draft is: a question of one of the six kinds with its key, or why it is none."""

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
from assay.questions.refusal import Reason, Refused
from assay.questions.repair import is_chinese, is_sound, lost, repair
from assay.questions.validate import count_blanks

STEM, OPTION, PASSAGE, ANSWER = 20_000, 5_000, 100_000, 50_000
"""The most characters of each text."""

KIND_CORRECTED = "kind put right by what the question holds"

_TERM = re.compile(
    r"名词解释|解释(?:下列)?(?:名词|术语|概念)"
    r"|(?:explain|define|what is meant by) (?:the |this )?(?:following )?(?:term|concept|notion)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[?？]\s*$")


@dataclass(slots=True)
class Draft:
    """What was read of one question, before anything is known of it.

    `kind` is what a heading or a record says, None where nothing does; `single` whether that is a choice with
    one key. `options` are without their letters, `key` as written: a text, or a list of letters or answers.
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
    """A question's content with its key, and what was repaired in it."""

    kind: QuestionKind
    language: Language
    stem: str
    options: tuple[str, ...]
    passage: str | None
    key: AnswerKey
    repairs: tuple[str, ...]


def recognise(draft: Draft) -> Recognised | Refused:
    """Return the question that a draft is, its texts repaired, or the first reason why it is none."""
    texts = _Texts(draft)
    refused = texts.faulty()
    if refused is not None:
        return refused
    stem, options, passage, key, made = texts.stem, texts.options, texts.passage, texts.key, texts.made
    chinese = not texts.plain and is_chinese(
        stem if len(stem) > 20 or not options else "".join((stem, *options))
    )
    found = _kind_and_answers(draft, stem, options, passage, key, chinese)
    if isinstance(found, Refused):
        return found
    kind, answers = found
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
    """A draft's texts, repaired; `made` holds the names of the repairs, in order."""

    __slots__ = ("explanation", "key", "made", "options", "passage", "plain", "stem")

    def __init__(self, draft: Draft) -> None:
        self.made: dict[str, None] = dict.fromkeys(draft.repairs)
        key = draft.key or ""
        listed = [key] if isinstance(key, str) else key
        whole = " ".join((draft.stem, *draft.options, draft.explanation, *listed))
        self.plain = is_sound(whole) and len(whole) <= OPTION and not draft.passage
        mended = str.strip if self.plain else self._mended
        self.stem = mended(draft.stem)
        self.options = tuple([mended(option) for option in draft.options])
        self.explanation = mended(draft.explanation)
        self.key = mended(key) if isinstance(key, str) else [mended(part) for part in key]
        self.passage: str | None = None
        if draft.passage:
            self.passage, repairs = _mended_passage(draft.passage)
            self.made.update(dict.fromkeys(repairs))

    def _mended(self, text: str) -> str:
        text, repairs = repair(text)
        if repairs:
            self.made.update(dict.fromkeys(repairs))
        return text

    def faulty(self) -> Refused | None:
        """Return what is wrong with the texts as such: empty, too long, beyond repair."""
        if not self.stem:
            return Refused(Reason.NO_STEM)
        if not self.key or not all(self.key):
            return Refused(Reason.NO_KEY)
        if self.plain:
            return None
        answers = self.key if isinstance(self.key, str) else "\n".join(self.key)
        whole = "\n".join((self.stem, *self.options, self.explanation, answers))
        if lost(whole) or (self.passage is not None and lost(self.passage)):
            return Refused(Reason.LOST)
        for name, longest, longer in (
            ("question", STEM, len(self.stem)),
            ("option", OPTION, max(map(len, self.options), default=0)),
            ("passage", PASSAGE, len(self.passage or "")),
            ("key or explanation", ANSWER, max(len(answers), len(self.explanation))),
        ):
            if longer > longest:
                return Refused(
                    Reason.TOO_LONG, f"the {name} has {longer:,} characters, of at most {longest:,}"
                )
        return None


@lru_cache(maxsize=64)
def _mended_passage(text: str) -> tuple[str | None, tuple[str, ...]]:
    mended, repairs = repair(text)
    return mended or None, repairs


def _kind_and_answers(
    draft: Draft,
    stem: str,
    options: tuple[str, ...],
    passage: str | None,
    key: str | list[str],
    chinese: bool,
) -> tuple[QuestionKind, tuple[str, ...]] | Refused:
    said = draft.kind
    single = key if isinstance(key, str) else key[0] if len(key) == 1 else None
    if options and said is QuestionKind.TRUE_OR_FALSE and len(options) == 2:
        truths = [read_truth(option) for option in options]
        if set(truths) == {TRUE, FALSE} and single is not None:
            return _of_two(truths, single, options)
    if options:
        letters = _choice(options, key, single=draft.single)
        return letters if isinstance(letters, Refused) else (QuestionKind.MULTIPLE_CHOICE, letters)
    if said is QuestionKind.MULTIPLE_CHOICE:
        return Refused(Reason.NO_OPTIONS)
    truth = None if single is None else read_truth(single)
    if said is QuestionKind.TRUE_OR_FALSE:
        return Refused(Reason.NEITHER) if truth is None else (said, (truth,))
    if said is None:
        said = _guess(stem, passage, single)
        if said is QuestionKind.TRUE_OR_FALSE and truth is not None:
            return said, (truth,)
    if said is QuestionKind.FILL_IN_THE_BLANK:
        wanted = count_blanks(stem)
        if wanted == 0:
            if single is None or not _ASKS.search(stem):
                return Refused(Reason.NO_BLANK)
            return QuestionKind.SHORT_ANSWER, (single,)
        found = read_blanks(key, wanted)
        return found if isinstance(found, Refused) else (said, found)
    return said, (accepted([key] if isinstance(key, str) else key, chinese=chinese),)


def _of_two(
    truths: list[str | None], key: str, options: tuple[str, ...]
) -> tuple[QuestionKind, tuple[str, ...]] | Refused:
    """Return the statement that a choice between true and false is."""
    truth = read_truth(key)
    if truth is None:
        letters = read_letters(key, options)
        if isinstance(letters, Refused) or len(letters) > 1:
            return Refused(Reason.NEITHER)
        truth = truths[LETTERS.index(letters[0])]
    return QuestionKind.TRUE_OR_FALSE, (str(truth),)


def _guess(stem: str, passage: str | None, single: str | None) -> QuestionKind:
    if single is not None and single.casefold() in SAYS_TRUE | SAYS_FALSE and not _ASKS.search(stem):
        return QuestionKind.TRUE_OR_FALSE
    if count_blanks(stem):
        return QuestionKind.FILL_IN_THE_BLANK
    if _TERM.match(stem):
        return QuestionKind.TERM_EXPLANATION
    return QuestionKind.SHORT_ANSWER if passage is None else QuestionKind.MATERIAL_ANALYSIS


def _choice(options: tuple[str, ...], key: str | list[str], *, single: bool) -> tuple[str, ...] | Refused:
    if len(options) == 1:
        return Refused(Reason.ONE_OPTION)
    if len(options) > len(LETTERS):
        return Refused(Reason.MANY_OPTIONS, f"{len(options)}")
    if "" in options:
        return Refused(Reason.EMPTY_OPTION, f"option {LETTERS[options.index('')]}")
    if len(set(options)) < len(options) or len({" ".join(each.split()) for each in options}) < len(options):
        return Refused(Reason.SAME_OPTIONS)
    text = key if isinstance(key, str) else key[0] if len(key) == 1 else ", ".join(key)
    letters = (text,) if len(text) == 1 and text in LETTERS[: len(options)] else read_letters(text, options)
    if not isinstance(letters, Refused) and single and len(letters) > 1:
        return Refused(Reason.SEVERAL_KEYS)
    return letters
