"""Prompts of questions: zero-shot, few-shot or step by step. All ask for reasons.

The styles are those of seed 003, figures 9 and 10; the wording and the exemplars are Assay's own, in
versioned data files.
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
class PromptExemplar:
    """A public question with a model answer. It is in no bank."""

    question: Question
    answer: str


@dataclass(frozen=True, slots=True)
class _Wording:
    version: str
    parts: dict[str, str]


def messages(question: Question, prompting: Prompting) -> tuple[Message, ...]:
    """Return the prompt for a candidate: one message in the question's language.

    It does not reveal how many options of a choice are right. Few-shot prompts show exemplars in the
    question's language (`exemplars_for`). Equal questions give equal messages in every session.
    """
    parts = _wording(question.language).parts
    asked = _asked(question, parts)
    if prompting is Prompting.CHAIN_OF_THOUGHT:
        text = f"{asked}\n\n{parts['steps']}"
    elif prompting is Prompting.FEW_SHOT:
        shown = [
            f"{parts['question']}\n{_asked(shot.question, parts)}\n\n{parts['answer']}\n{shot.answer}"
            for shot in exemplars_for(question)
        ]
        last = f"{parts['now']}\n\n{parts['question']}\n{asked}\n\n{parts['answer']}"
        text = "\n\n".join([parts["examples"], *shown, last])
    else:
        text = asked
    return (Message("user", text),)


def exemplars_for(question: Question) -> tuple[PromptExemplar, ...]:
    """Return the exemplars for a question: of six, those that cannot hint at its answer.

    Exemplars of the question's own discipline are left out, and the question itself.
    """
    return tuple(
        shot
        for shot in exemplars(question.language)
        if shot.question.discipline != question.discipline and shot.question.stem != question.stem.strip()
    )


@cache
def exemplars(language: Language) -> tuple[PromptExemplar, ...]:
    """Return the exemplars of a language, each of another discipline, in the order of the file."""
    listed = _listed()["exemplars"]
    return tuple(
        PromptExemplar(
            Question(
                uuid=f"exemplar-{place}",
                kind=QuestionKind(entry["kind"]),
                stem=entry["stem"],
                discipline=entry["discipline"],
                options=tuple(entry["options"]),
                language=language,
            ),
            entry["answer"],
        )
        for place, entry in enumerate(listed)
        if entry["language"] == language
    )


@cache
def prompting_version() -> str:
    """Return the version of wording and exemplars from their files: `en 1, zh 1, exemplars 2`."""
    versions = [f"{language} {_wording(language).version}" for language in LANGUAGES]
    return ", ".join([*versions, f"exemplars {_listed()['version']}"])


def lettered(options: tuple[str, ...]) -> str:
    """Return the options of a choice, one on each line: `A. …`, `B. …`."""
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
