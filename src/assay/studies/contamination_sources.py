"""What a contamination study replays: questions of the bank, a suite's prompts, a file, made-up ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import orjson
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, Problem
from assay.core.question import Language, Question, QuestionKind
from assay.core.suite import Suite
from assay.files.lines import read_lines
from assay.questions.replay import Cloze, clozes
from assay.store.bank.questions import questions_by_id
from assay.store.bank.units import drawable_families, drawable_members
from assay.store.engine import reading
from assay.studies.contamination_control import control_questions

Kind = Literal["bank", "suite", "file", "control"]
CONTROL: Final = "control"
SPARE: Final = 2
MOST_PROBLEMS: Final = 20
STEMS: Final = ("stem", "question", "text")


@dataclass(frozen=True, slots=True)
class ClozeSource:
    """Clozes from one place. `questions` are the bank's ids of them, in order, empty for other places.

    `short` counts the questions that were passed over because their text is too short.
    """

    name: str
    kind: Kind
    items: tuple[Cloze, ...]
    short: int = 0
    questions: tuple[int, ...] = ()

    def described(self) -> dict[str, Any]:
        """Return the source as a run's plan holds it."""
        return {
            "name": self.name,
            "kind": self.kind,
            "short": self.short,
            "questions": list(self.questions),
            "items": [[item.text, item.start, item.end, item.language] for item in self.items],
        }


def described_source(told: dict[str, Any]) -> ClozeSource:
    """Return the source that `Source.described` described."""
    items = tuple(Cloze(*each) for each in told["items"])
    return ClozeSource(told["name"], told["kind"], items, told["short"], tuple(told["questions"]))


def bank_source(engine: Engine, n: int, rng: random.Random) -> ClozeSource:
    """Return `n` questions that exams could draw, one of a family, chosen at random; nothing is changed."""
    with reading(engine) as connection:
        families = drawable_families(connection)
        chosen = rng.sample(families, min(len(families), SPARE * n))
        ids = [rng.choice(found) for found in drawable_members(connection, sorted(chosen)).values()]
    rng.shuffle(ids)
    stored = questions_by_id(engine, ids)
    found = [stored[each] for each in ids if each in stored]
    source, places = _source("bank", "bank", [each.question for each in found], n)
    return ClozeSource(
        source.name, source.kind, source.items, source.short, tuple(found[place].id for place in places)
    )


def suite_source(suite: Suite, n: int, rng: random.Random) -> ClozeSource:
    """Return at most `n` prompts of a suite, chosen at random."""
    texts = ["\n".join(turn.content for turn in case.messages if turn.role == "user") for case in suite.cases]
    rng.shuffle(texts)
    return _source(f"{suite.name} {suite.version}", "suite", [_question(text) for text in texts], n)[0]


def file_source(path: Path, n: int, rng: random.Random) -> ClozeSource:
    """Return at most `n` questions of a JSONL file, chosen at random.

    A line is an object with `stem` (or `question`, or `text`) and, if need be, `options` (texts), `passage`
    and `language` (en, zh). Raises NotFound without a file, InvalidInput with the lines that are none.
    """
    problems: list[Problem] = []
    questions: list[Question] = []
    for number, raw in read_lines(path):
        if not raw.strip():
            continue
        found = _line(raw)
        if isinstance(found, str):
            problems.append(Problem(found, str(path), number))
        else:
            questions.append(found)
        if len(problems) >= MOST_PROBLEMS:
            break
    if problems or not questions:
        raise InvalidInput(problems or Problem("holds no questions: give one JSON object a line", str(path)))
    rng.shuffle(questions)
    return _source(path.name, "file", questions, n)[0]


def control_source(languages: Sequence[Language], n: int, rng: random.Random) -> ClozeSource:
    """Return `n` made-up questions, spread evenly over languages."""
    questions = [
        question
        for place, language in enumerate(languages)
        for question in control_questions(language, n // len(languages) + (place < n % len(languages)), rng)
    ]
    return _source(CONTROL, "control", questions, n)[0]


def _source(name: str, kind: Kind, questions: Sequence[Question], n: int) -> tuple[ClozeSource, list[int]]:
    """Return the first `n` questions that can be replayed, with their places among those given."""
    items: list[Cloze] = []
    places: list[int] = []
    short = 0
    for place, cloze in enumerate(clozes(questions)):
        if len(items) == n:
            break
        if cloze is None:
            short += 1
        else:
            items.append(cloze)
            places.append(place)
    return ClozeSource(name, kind, tuple(items), short), places


def _line(raw: bytes) -> Question | str:
    try:
        found = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return "is not JSON: write one object a line"
    if not isinstance(found, dict):
        return "is not an object: write one a line"
    stem = next((found[name] for name in STEMS if isinstance(found.get(name), str)), None)
    if stem is None:
        return "has no text under `stem`, `question` or `text`"
    options, passage = found.get("options") or [], found.get("passage") or ""
    if not isinstance(options, list) or not all(isinstance(each, str) for each in options):
        return "has `options` that are no list of texts"
    language = found.get("language")
    if not isinstance(passage, str) or language not in (None, "en", "zh"):
        return "has a `passage` that is no text, or a `language` other than en and zh"
    return _question(stem, tuple(options), passage, language)


def _question(
    stem: str, options: tuple[str, ...] = (), passage: str = "", language: Language | None = None
) -> Question:
    whole = "".join((passage, stem, *options))
    chinese = sum("一" <= letter <= "鿿" for letter in whole)
    spoken: Language = language or ("zh" if 3 * chinese > len(whole) else "en")
    return Question("replayed", QuestionKind.SHORT_ANSWER, stem, "", options, passage or None, None, spoken)
