"""The suite made for an imported history: its cases are known by name and have no graders."""

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
"""The most characters of a one-line prompt that counts as a name; longer prompts are texts."""

HEAD = 40
SHOWN = 10


@dataclass(frozen=True, slots=True)
class ImportedCase:
    """A case of an imported suite. `text` is its prompt, None if the table has only a name.

    `most` is the greatest number of answers that one run has from one model.
    """

    id: str
    use_case: str
    text: str | None
    most: int


def case_id(prompt: str) -> str:
    """Return the id of a prompt's case: the prompt itself, or for a text its beginning and its hash."""
    if len(prompt) <= LONGEST_ID and "\n" not in prompt:
        return prompt
    head = " ".join(prompt[: 4 * HEAD].split())[:HEAD].rstrip()
    return f"{head} #{hashlib.sha256(prompt.encode()).hexdigest()[:12]}"


def imported_cases(suite: str, prompts: Iterable[PromptRows]) -> list[ImportedCase]:
    """Return the cases of a table's prompts; a blank use case gets the name of the suite.

    Raises InvalidInput with the prompts that are in several use cases.
    """
    cases, problems = [], []
    for rows in prompts:
        names = sorted({name or suite for name in rows.use_cases})
        if len(names) > 1:
            listed = ", ".join(repr(name) for name in names)
            problems.append(
                Problem(
                    f"prompt {cut(rows.prompt)} is in several use cases ({listed}): keep one of them, or "
                    f"give the prompts different names, such as '{names[0]}/...'"
                )
            )
        name = case_id(rows.prompt)
        cases.append(ImportedCase(name, names[0], None if name == rows.prompt else rows.prompt, rows.most))
    if problems:
        raise InvalidInput(problems[:SHOWN])
    return cases


def imported_suite(engine: Engine, name: str, version: str, cases: Sequence[ImportedCase]) -> Suite:
    """Return the suite of these cases: the stored one of that name and version, or a new one.

    A stored suite keeps its cases and its digest; only the number of samples of a case may grow. Raises
    Conflict if it does not have these cases, or if Assay itself ran a suite of that name and version.
    """
    known = _stored(engine, name, version)
    if known is None:
        return _new(name, version, cases)
    own = {case.id: case.use_case for case in known.cases}
    new = [case for case in cases if case.id not in own]
    moved = [case for case in cases if own.get(case.id, case.use_case) != case.use_case]
    if new or moved:
        change = f"{len(new)} prompts are new" if new else f"{len(moved)} changed their use case"
        first = (new or moved)[0].id
        raise Conflict(
            f"suite {name!r} {version} was imported with {len(own)} prompts, {change} (such as {first!r}): "
            "scores over other prompts are not comparable; import the whole history as another --version, "
            "with new baselines, or leave these prompts out"
        )
    return widened(known, {case.use_case: case.most for case in sorted(cases, key=lambda case: case.most)})


def widened(suite: Suite, most: dict[str, int]) -> Suite:
    """Return an imported suite with at least `most` samples for each case of a use case in a run."""
    use_cases = (
        _use_case(use_case.name, use_case.cases, max(use_case.base, most.get(use_case.name, 1)))
        for use_case in suite.use_cases
    )
    return _suite(suite.name, suite.version, tuple(use_cases))


def _stored(engine: Engine, name: str, version: str) -> Suite | None:
    try:
        known = read_suite(engine, find_digest(engine, name, version))
    except NotFound:
        return None
    if known.digest != _digest(name, version, known.use_cases):
        raise Conflict(
            f"Assay ran suite {name!r} {version} with its own graders, so imported scores cannot be added to "
            "it: import the history as another --suite"
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
