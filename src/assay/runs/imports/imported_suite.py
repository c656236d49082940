"""The suite that stands for an imported history: its cases are known by name, their graders are not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.core.ask import Message
from assay.core.canonical import digest
from assay.core.case import Case, Grading
from assay.core.errors import Conflict, InvalidInput, NotFound, Problem
from assay.core.suite import Suite, UseCase
from assay.files.long_form import PromptRows
from assay.files.shape import cut
from assay.store.suites import find_digest, read_suite

LONGEST_ID = 80
"""A prompt of at most so many characters on one line is a name; a longer one is a text."""

HEAD = 40
SHOWN = 10


@dataclass(frozen=True, slots=True)
class ImportedCase:
    """A case of an imported suite: `text` is the prompt where the table gave more than a name.

    `most` is the most answers one run holds of it from one model.
    """

    id: str
    use_case: str
    text: str | None
    most: int


def case_id(prompt: str) -> str:
    """Return the name of a prompt's case: the prompt itself, or for a text its head and its hash."""
    if len(prompt) <= LONGEST_ID and "\n" not in prompt:
        return prompt
    head = " ".join(prompt[: 4 * HEAD].split())[:HEAD].rstrip()
    return f"{head} #{hashlib.sha256(prompt.encode()).hexdigest()[:12]}"


def imported_cases(suite: str, prompts: Iterable[PromptRows]) -> list[ImportedCase]:
    """Return the cases of a table's prompts; a blank use case is named after the suite.

    Raises InvalidInput with the prompts that stand in several use cases.
    """
    found, problems = [], []
    for each in prompts:
        names = sorted({name or suite for name in each.use_cases})
        if len(names) > 1:
            listed = ", ".join(repr(name) for name in names)
            problems.append(
                Problem(
                    f"prompt {cut(each.prompt)} stands in several use cases ({listed}): a prompt is one "
                    f"case; keep one of them, or write them apart, as in '{names[0]}/...'"
                )
            )
        name = case_id(each.prompt)
        found.append(ImportedCase(name, names[0], None if name == each.prompt else each.prompt, each.most))
    if problems:
        raise InvalidInput(problems[:SHOWN])
    return found


def imported_suite(engine: Engine, name: str, version: str, cases: Sequence[ImportedCase]) -> Suite:
    """Return the suite that these cases belong to: the stored one of that name and version, or a new one.

    A stored one keeps its cases and its digest; the samples a case may have grow. Raises Conflict where the
    cases are not among its own, or where a suite of that name and version was run by Assay itself.
    """
    known = _stored(engine, name, version)
    if known is None:
        return _new(name, version, cases)
    own = {case.id: case.use_case for case in known.cases}
    strange = [case for case in cases if case.id not in own]
    moved = [case for case in cases if own.get(case.id, case.use_case) != case.use_case]
    if strange or moved:
        told = f"{len(strange)} prompts are new to it" if strange else f"{len(moved)} changed their use case"
        first = (strange or moved)[0].id
        raise Conflict(
            f"suite {name!r} {version} was imported with {len(own)} prompts, and {told} (such as {first!r}): "
            "scores over other prompts are not comparable; import the whole history as another --version "
            "(baselines start anew), or leave these prompts out"
        )
    return widened(known, {case.use_case: case.most for case in sorted(cases, key=lambda case: case.most)})


def widened(suite: Suite, most: dict[str, int]) -> Suite:
    """Return an imported suite whose use cases have room for at least so many samples a case and run."""
    use_cases = []
    for use_case in suite.use_cases:
        room = max(use_case.base, most.get(use_case.name, 1))
        use_cases.append(_use_case(use_case.name, use_case.cases, room))
    return _suite(suite.name, suite.version, tuple(use_cases))


def _stored(engine: Engine, name: str, version: str) -> Suite | None:
    try:
        known = read_suite(engine, find_digest(engine, name, version))
    except NotFound:
        return None
    if known.digest != _digest(name, version, known.use_cases):
        raise Conflict(
            f"suite {name!r} {version} was run by Assay with graders of its own, and imported scores were "
            "not given by them: import the history as another --suite"
        )
    return known


def _new(name: str, version: str, cases: Sequence[ImportedCase]) -> Suite:
    grouped: dict[str, list[ImportedCase]] = {}
    for case in sorted(cases, key=lambda case: (case.use_case, case.id)):
        grouped.setdefault(case.use_case, []).append(case)
    return _suite(
        name,
        version,
        tuple(
            _use_case(use_case, tuple(_case(case) for case in group), max(case.most for case in group))
            for use_case, group in grouped.items()
        ),
    )


def _suite(name: str, version: str, use_cases: tuple[UseCase, ...]) -> Suite:
    return Suite(
        name=name,
        version=version,
        title=name,
        visibility="private",
        use_cases=use_cases,
        digest=_digest(name, version, use_cases),
        description="Imported: the scores were given elsewhere.",
    )


def _use_case(name: str, cases: tuple[Case, ...], most: int) -> UseCase:
    return UseCase(name, name, Grading.DETERMINISTIC, most, most, cases)


def _case(case: ImportedCase) -> Case:
    messages = () if case.text is None else (Message("user", case.text),)
    return Case(case.id, case.use_case, messages, ())


def _digest(name: str, version: str, use_cases: Sequence[UseCase]) -> str:
    cases = [[case.id, case.use_case] for use_case in use_cases for case in use_case.cases]
    return digest({"imported": name, "version": version, "cases": cases})
