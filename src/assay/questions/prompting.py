"""How a question is put to a candidate: zero-shot, few-shot or step by step, always with reasons asked for.

The paradigms are those of seed 003, figures 9 and 10; the wording and the exemplars are Assay's own and stand
as versioned data beside this file.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from assay.core.ask import Message
from assay.core.exam import Prompting
from assay.core.question import Language, Question, QuestionKind

LANGUAGES: Final[tuple[Language, ...]] = ("en", "zh")
_FOLDER: Final = files("assay.questions") / "prompts" / "prompting"
_PART: Final = re.compile(r"^%% ([\w-]+)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A public question with the answer that shows how answers are given. It is in no bank."""

    question: Question
    answer: str


@dataclass(frozen=True, slots=True)
class _Wording:
    version: str
    parts: dict[str, str]


def messages(question: Question, prompting: Prompting) -> tuple[Message, ...]:
    """Return what a candidate is told: one message with the question in its own language.

    Nothing in it tells how many options of a choice are right. Few-shot shows the exemplars of the
    question's language (`exemplars_for`). Equal questions give equal messages in every session.
    """
    parts = _wording(question.language).parts
    asked = _asked(question, parts)
    if prompting is Prompting.CHAIN_OF_THOUGHT:
        text = f"{asked}\n\n{parts['steps']}"
    elif prompting is Prompting.FEW_SHOT:
        shown = [
            f"{parts['question']}\n{_asked(one.question, parts)}\n\n{parts['answer']}\n{one.answer}"
            for one in exemplars_for(question)
        ]
        last = f"{parts['now']}\n\n{parts['question']}\n{asked}\n\n{parts['answer']}"
        text = "\n\n".join([parts["examples"], *shown, last])
    else:
        text = asked
    return (Message("user", text),)


def exemplars_for(question: Question) -> tuple[Exemplar, ...]:
    """Return the exemplars that may stand before a question: of six, those that cannot hint at its answer.

    One of the question's own discipline is left out, and the question itself.
    """
    return tuple(
        one
        for one in exemplars(question.language)
        if one.question.discipline != question.discipline and one.question.stem != question.stem.strip()
    )


@cache
def exemplars(language: Language) -> tuple[Exemplar, ...]:
    """Return the exemplars of a language, each of another discipline, in the order in which they stand."""
    listed = _listed()["exemplars"]
    return tuple(
        Exemplar(
            Question(
                uuid=f"exemplar-{place}",
                kind=QuestionKind(one["kind"]),
                stem=one["stem"],
                discipline=one["discipline"],
                options=tuple(one["options"]),
                language=language,
            ),
            one["answer"],
        )
        for place, one in enumerate(listed)
        if one["language"] == language
    )


@cache
def prompting_version() -> str:
    """Return the version of wording and exemplars, as the data tell it: `en 1, zh 1, exemplars 2`."""
    told = [f"{language} {_wording(language).version}" for language in LANGUAGES]
    return ", ".join([*told, f"exemplars {_listed()['version']}"])


def lettered(options: tuple[str, ...]) -> str:
    """Return the options of a choice one below the other: `A. …`, `B. …`."""
    return "\n".join(f"{chr(ord('A') + place)}. {option}" for place, option in enumerate(options))


def _asked(question: Question, parts: dict[str, str]) -> str:
    blocks = [parts[question.kind]]
    if question.passage:
        blocks.append(f"{parts['material']}\n{question.passage}")
    blocks.append(question.stem)
    if question.options:
        blocks.append(f"{parts['options']}\n{lettered(question.options)}")
    return "\n\n".join(blocks)


@cache
def _wording(language: Language) -> _Wording:
    head, *parts = _PART.split((_FOLDER / f"{language}.md").read_text("utf-8"))
    named = dict(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))
    return _Wording(head.partition(":")[2].strip(), named)


@cache
def _listed() -> Any:
    return json.loads((_FOLDER / "exemplars.json").read_text("utf-8"))
