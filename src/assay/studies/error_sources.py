"""Wrong answers to sort: of a stored run or of a table, and the hand labels of a table."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine

from assay.core.case import Case
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.files.rows import open_rows
from assay.results.study_errors import ErrorCategory
from assay.store.ledger import subject_calls
from assay.store.runs import read_run
from assay.store.samples import list_samples
from assay.store.suites import read_suite
from assay.studies.rank.score_columns import as_number

NEEDED: Final = ("item", "model", "question", "answer")
REFERENCES: Final = ("reference", "ideal", "expected", "answer")
BATCH: Final = 500
LONGEST: Final = 20_000
"""Questions and answers are cut to so many characters before a judge sees them."""


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """One answer to sort. `reference` is the correct answer, empty if it is not known."""

    item: str
    model: str
    discipline: str
    question: str
    answer: str
    reference: str = ""

    def described(self) -> dict[str, Any]:
        """Return the answer in the form in which a run's plan stores it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class WrongAnswers:
    """The wrong answers of a source, with notes on what was left out."""

    source: str
    answers: tuple[WrongAnswer, ...]
    notes: tuple[str, ...]
    simulated: bool


def choose_answers(read: WrongAnswers, n: int, seed: int) -> WrongAnswers:
    """Return at most `n` answers of each model, chosen at random."""
    rng = random.Random(seed)
    by_model: dict[str, list[WrongAnswer]] = {}
    for answer in read.answers:
        by_model.setdefault(answer.model, []).append(answer)
    chosen: list[WrongAnswer] = []
    notes = list(read.notes)
    for model, own in sorted(by_model.items()):
        if len(own) > n:
            notes.append(f"{model}: {n:,} of {len(own):,} wrong answers were chosen at random")
        chosen += own if len(own) <= n else rng.sample(own, n)
    return WrongAnswers(read.source, tuple(chosen), tuple(notes), read.simulated)


def answers_of_run(engine: Engine, number: int, below: float) -> WrongAnswers:
    """Return the graded answers of a run with a score below `below` (0-100).

    Raises InvalidInput for a sealed suite, whose answers may not be shown to another judge, and if no answer
    is wrong.
    """
    run = read_run(engine, number)
    suite = read_suite(engine, run.suite)
    if suite.sealed:
        raise InvalidInput(f"run {number} is of the sealed suite {suite.name!r}: its answers stay sealed")
    names = {row: model.name for row, model in run.models}
    rows = [line.row for line in list_samples(engine, number, only="ok")]
    wrong = [row for row in rows if row.score is not None and row.score < below]
    texts: dict[int, str] = {}
    for start in range(0, len(wrong), BATCH):
        part = [row.position for row in wrong[start : start + BATCH]]
        texts |= {at: call.answer for at, call in subject_calls(engine, number, part).items() if call.answer}
    answers = tuple(
        _of_sample(suite.cases[row.case_ordinal], row.epoch, names[row.model], texts[row.position])
        for row in wrong
        if row.position in texts
    )
    if not answers:
        raise InvalidInput(
            f"run {number} has no answer with a score below {below:g}: give a higher --below, or another run"
        )
    notes = [f"{len(wrong):,} of {counted(len(rows), 'graded answer')} score below {below:g}"]
    return WrongAnswers(f"run:{number}", answers, tuple(notes), run.simulated)


def _of_sample(case: Case, epoch: int, model: str, text: str) -> WrongAnswer:
    question = "\n\n".join(f"{turn.role}: {turn.content}" for turn in case.messages)
    if len(case.messages) == 1:
        question = case.messages[0].content
    item = case.id if epoch == 0 else f"{case.id} ({epoch + 1})"
    return WrongAnswer(item, model, case.use_case, question[:LONGEST], text[:LONGEST], _reference(case))


def _reference(case: Case) -> str:
    for spec in case.graders:
        for name in REFERENCES:
            value = spec.parameters.get(name)
            if isinstance(value, str) and value.strip():
                return value[:LONGEST]
    return ""


def answers_of_file(path: Path) -> WrongAnswers:
    """Return the answers of a table with the columns item, model, question and answer.

    `discipline` and `reference` may be given. Raises InvalidInput for a missing column, an answer that stands
    twice, and if no row can be read.
    """
    rows = open_rows(path)
    names = {column.strip().lower(): column for column in rows.columns}
    for column in NEEDED:
        if column not in names:
            raise InvalidInput(
                f"{str(path)!r} has no column {column!r}: give {', '.join(NEEDED)}, and optionally "
                "discipline and reference"
            )
    answers: dict[tuple[str, str], WrongAnswer] = {}
    for row in rows:
        cells = {name: row.cells.get(column) or "" for name, column in names.items()}
        blank = [column for column in NEEDED if not cells[column].strip()]
        if blank:
            rows.refuse(row.place, f"{blank[0]} is blank: fill it in")
            continue
        key = cells["item"], cells["model"]
        if key in answers:
            raise InvalidInput(
                f"{str(path)!r}: item {key[0]!r} of model {key[1]!r} stands twice ({row.place}): give each "
                "answer its own item"
            )
        answers[key] = WrongAnswer(
            *key,
            cells.get("discipline") or "all",
            cells["question"][:LONGEST],
            cells["answer"][:LONGEST],
            cells.get("reference", "")[:LONGEST],
        )
    if not answers:
        raise InvalidInput(f"{str(path)!r} has no answers: write one row per wrong answer")
    notes = (
        [f"{counted(len(rows.problems), 'row')} refused; the first: {rows.problems[0]}"]
        if rows.problems
        else []
    )
    return WrongAnswers(str(path), tuple(answers.values()), tuple(notes), simulated=False)


def read_hand_labels(path: Path) -> dict[tuple[str, str], ErrorCategory]:
    """Return the categories of a table with the columns item, model and category.

    A category is its name or its number from 0 to 5. Raises InvalidInput for another one, and for two labels
    of one answer that differ.
    """
    rows = open_rows(path)
    names = {column.strip().lower(): column for column in rows.columns}
    missing = [column for column in ("item", "model", "category") if column not in names]
    if missing:
        raise InvalidInput(f"{str(path)!r} has no column {missing[0]!r}: give item, model and category")
    labels: dict[tuple[str, str], ErrorCategory] = {}
    for row in rows:
        item, model, text = (row.cells.get(names[column]) for column in ("item", "model", "category"))
        if item is None or model is None or text is None:
            continue
        label = as_category(text)
        if label is None:
            known = ", ".join(f"{number} {name.value}" for number, name in enumerate(ErrorCategory))
            raise InvalidInput(f"{str(path)!r}: unknown category {text!r} ({row.place}): use one of {known}")
        if labels.setdefault((item, model), label) is not label:
            raise InvalidInput(
                f"{str(path)!r}: item {item!r} of model {model!r} has two labels ({row.place}): keep one"
            )
    if not labels:
        raise InvalidInput(f"{str(path)!r} has no labels: write one row per answer")
    return labels


def as_category(text: str) -> ErrorCategory | None:
    """Return a category by its name or number, None for another text."""
    number = as_number(text)
    categories: Sequence[ErrorCategory] = tuple(ErrorCategory)
    if number is not None:
        return categories[int(number)] if number in range(len(categories)) else None
    by_name: Mapping[str, ErrorCategory] = {category.value: category for category in categories}
    return by_name.get(" ".join(text.lower().split()))
