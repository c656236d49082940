"""Sources of a contamination study: questions of the bank, a suite, a file, or made-up ones as control."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import orjson
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, Problem
from assay.core.question import Language, Question, QuestionKind
from assay.core.suite import Suite
from assay.files.lines import read_lines
from assay.questions.replay import Cloze, clozes
from assay.results.contamination import SourceName
from assay.store.bank.questions import questions_by_id
from assay.store.bank.units import drawable_families, drawable_members
from assay.store.engine import reading
from assay.studies.contamination_control import control_questions

CONTROL: Final = "control"
SPARE: Final = 2
"""So many times `n` questions of the bank are read, because some are too short to be replayed."""
MOST_PROBLEMS: Final = 20
STEMS: Final = ("stem", "question", "text")


@dataclass(frozen=True, slots=True)
class ClozeSource:
    """The clozes of one source. `questions` has their ids in the bank, in order; empty for other sources.

    `short` counts the questions that were skipped because their text is too short.
    """

    name: str
    kind: SourceName
    items: tuple[Cloze, ...]
    short: int = 0
    questions: tuple[int, ...] = ()

    def described(self) -> dict[str, Any]:
        """Return the source in the form in which a run's plan stores it."""
        return {
            "name": self.name,
            "kind": self.kind,
            "short": self.short,
            "questions": list(self.questions),
            "items": [[item.text, item.start, item.end, item.language] for item in self.items],
        }


def described_source(description: dict[str, Any]) -> ClozeSource:
    """Return the source of a description by `ClozeSource.described`."""
    return ClozeSource(
        description["name"],
        description["kind"],
        tuple(Cloze(*item) for item in description["items"]),
        description["short"],
        tuple(description["questions"]),
    )


def bank_source(engine: Engine, n: int, rng: random.Random) -> ClozeSource:
    """Return `n` questions that exams could draw, at most one of a family, chosen at random."""
    with reading(engine) as connection:
        families = drawable_families(connection)
        chosen = rng.sample(families, min(len(families), SPARE * n))
        ids = [rng.choice(members) for members in drawable_members(connection, sorted(chosen)).values()]
    rng.shuffle(ids)
    stored = questions_by_id(engine, ids)
    rows = [stored[identifier] for identifier in ids if identifier in stored]
    source, used = _source("bank", "bank", [row.question for row in rows], n)
    return replace(source, questions=tuple(rows[index].id for index in used))


def suite_source(suite: Suite, n: int, rng: random.Random) -> ClozeSource:
    """Return at most `n` prompts of a suite, chosen at random."""
    texts = ["\n".join(turn.content for turn in case.messages if turn.role == "user") for case in suite.cases]
    rng.shuffle(texts)
    return _source(f"{suite.name} {suite.version}", "suite", [_question(text) for text in texts], n)[0]


def file_source(path: Path, n: int, rng: random.Random) -> ClozeSource:
    """Return at most `n` questions of a JSONL file, chosen at random.

    Each line is an object with `stem` (or `question`, or `text`) and, optionally, `options` (texts),
    `passage` and `language` (en, zh). Raises NotFound if the file does not exist, InvalidInput with the bad
    lines.
    """
    problems: list[Problem] = []
    questions: list[Question] = []
    for number, raw in read_lines(path):
        if not raw.strip():
            continue
        parsed = _parse_line(raw)
        if isinstance(parsed, str):
            problems.append(Problem(parsed, str(path), number))
        else:
            questions.append(parsed)
        if len(problems) >= MOST_PROBLEMS:
            break
    if problems or not questions:
        raise InvalidInput(problems or Problem("has no questions: write one JSON object a line", str(path)))
    rng.shuffle(questions)
    return _source(path.name, "file", questions, n)[0]


def control_source(languages: Sequence[Language], n: int, rng: random.Random) -> ClozeSource:
    """Return `n` made-up questions, distributed evenly over the languages."""
    questions = [
        question
        for index, language in enumerate(languages)
        for question in control_questions(language, n // len(languages) + (index < n % len(languages)), rng)
    ]
    return _source(CONTROL, "control", questions, n)[0]


def _source(
    name: str, kind: SourceName, questions: Sequence[Question], n: int
) -> tuple[ClozeSource, list[int]]:
    """Return the first `n` questions that can be replayed, and their positions in `questions`."""
    items: list[Cloze] = []
    used: list[int] = []
    short = 0
    for index, cloze in enumerate(clozes(questions)):
        if len(items) == n:
            break
        if cloze is None:
            short += 1
        else:
            items.append(cloze)
            used.append(index)
    return ClozeSource(name, kind, tuple(items), short), used


def _parse_line(raw: bytes) -> Question | str:
    """Return the question of a line, or the reason why there is none."""
    try:
        line = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return "is not JSON: write one object a line"
    if not isinstance(line, dict):
        return "is not an object: write one a line"
    stem = next((line[name] for name in STEMS if isinstance(line.get(name), str)), None)
    if stem is None:
        return "has no text under `stem`, `question` or `text`: add one"
    options, passage = line.get("options") or [], line.get("passage") or ""
    if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
        return "has `options` that are not a list of texts: write a list"
    if not isinstance(passage, str):
        return "has a `passage` that is not a text: write a text"
    language = line.get("language")
    if language not in (None, "en", "zh"):
        return f"has the `language` {language!r}: write en or zh"
    return _question(stem, tuple(options), passage, language)


def _question(
    stem: str, options: tuple[str, ...] = (), passage: str = "", language: Language | None = None
) -> Question:
    """Return a question. Without a `language` it is Chinese if more than a third of its characters are."""
    whole = "".join((passage, stem, *options))
    chinese = sum("一" <= letter <= "鿿" for letter in whole)
    detected: Language = language or ("zh" if 3 * chinese > len(whole) else "en")
    return Question("replayed", QuestionKind.SHORT_ANSWER, stem, "", options, passage or None, None, detected)
