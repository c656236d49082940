"""Suites as tables and as JSON documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import typer

from assay.cli.output import console, counted, notes, print_table
from assay.core.case import Case
from assay.core.errors import group_problems
from assay.core.suite import Suite, UseCase
from assay.files.suite_folder import built_in_suites
from assay.files.suite_lint import SuiteCheck
from assay.runs.work import Work
from assay.store.engine import database_exists
from assay.store.suites import list_suites


@dataclass(frozen=True, slots=True)
class Listed:
    """One suite of the list: built in, or stored because it was run."""

    name: str
    version: str
    visibility: str
    cases: int
    digest: str
    origin: str


def stored_suites(work: Work) -> list[Listed]:
    """Return the built-in suites, then those of the database that are not among them."""
    found = []
    for name in built_in_suites():
        suite = work.suite(name)
        found.append(
            Listed(suite.name, suite.version, suite.visibility, len(suite.cases), suite.digest, "built in")
        )
    known = {each.digest for each in found}
    if database_exists(work.workspace.database):
        found += [
            Listed(each.name, each.version, each.visibility, each.cases, each.digest, "database")
            for each in list_suites(work.engine)
            if each.digest not in known
        ]
    return found


def list_document(found: list[Listed]) -> dict[str, Any]:
    """Return the list as a JSON document."""
    return {
        "suites": [
            {
                "name": each.name,
                "version": each.version,
                "visibility": each.visibility,
                "cases": each.cases,
                "digest": each.digest,
                "built_in": each.origin == "built in",
            }
            for each in found
        ]
    }


def suite_document(suite: Suite, *, reveal: bool) -> dict[str, Any]:
    """Return a suite as a JSON document; a private one shows its prompts only with `reveal`."""
    shown = reveal or suite.visibility == "public"
    return {
        "name": suite.name,
        "version": suite.version,
        "title": suite.title,
        "description": suite.description,
        "visibility": suite.visibility,
        "digest": suite.digest,
        "judge": suite.judge,
        "parameters": dict(suite.parameters),
        "cases": len(suite.cases),
        "base_calls": sum(use_case.base * len(use_case.cases) for use_case in suite.use_cases),
        "hidden": not shown,
        "use_cases": [_use_case_document(use_case, shown) for use_case in suite.use_cases],
    }


def _use_case_document(use_case: UseCase, shown: bool) -> dict[str, Any]:
    return {
        "name": use_case.name,
        "title": use_case.title,
        "grading": use_case.grading.value,
        "base": use_case.base,
        "full": use_case.full,
        "cases": [
            {
                "id": case.id,
                "graders": [{"name": spec.name, "weight": spec.weight} for spec in case.graders],
                "max_tokens": case.max_tokens,
                "exemplars": len(case.exemplars),
                "tags": list(case.tags),
                "messages": _messages(case) if shown else None,
            }
            for case in use_case.cases
        ],
    }


def _messages(case: Case) -> list[dict[str, str]]:
    return [{"role": turn.role, "content": turn.content} for turn in case.messages]


def print_suite(suite: Suite) -> None:
    """Print a suite: its head, a line a use case, and the cases with their graders."""
    typer.echo(f"{suite.name} {suite.version}  {suite.title}  ({suite.visibility})")
    typer.echo(f"digest {suite.digest}")
    if suite.judge is not None:
        typer.echo(f"judge {suite.judge}")
    if suite.description:
        console().print("\n" + suite.description + "\n")
    print_table(
        None,
        ("use case", "grading", "cases", "samples a day", "case: graders"),
        [
            (
                use_case.name,
                use_case.grading.value,
                len(use_case.cases),
                f"{use_case.base} -> {use_case.full}" if use_case.full > use_case.base else use_case.base,
                "\n".join(
                    f"{case.id}: {', '.join(spec.name for spec in case.graders)}" for case in use_case.cases
                ),
            )
            for use_case in suite.use_cases
        ],
        right=("cases", "samples a day"),
    )


def check_document(found: SuiteCheck) -> dict[str, Any]:
    """Return the findings on a suite as a JSON document."""
    suite = found.suite
    return {
        "good": found.good,
        "name": None if suite is None else suite.name,
        "version": None if suite is None else suite.version,
        "digest": None if suite is None else suite.digest,
        "use_cases": None if suite is None else len(suite.use_cases),
        "cases": None if suite is None else len(suite.cases),
        "problems": [
            {"file": problem.file, "line": problem.line, "text": problem.text} for problem in found.problems
        ],
        "warnings": [{"text": str(problem)} for problem in found.warnings],
    }


def print_check(found: SuiteCheck) -> None:
    """Print the findings: what refuses the suite and what weakens it on stderr, its digest on stdout."""
    for text in group_problems(found.problems):
        notes().print(f"assay: {text}")
    if found.suite is None:
        return
    suite = found.suite
    for text in group_problems(found.warnings):
        notes().print(f"warning: {text}")
    typer.echo(f"{suite.name} {suite.version}  {suite.digest}")
    parts = ((len(suite.use_cases), "use case"), (len(suite.cases), "case"), (len(found.warnings), "warning"))
    typer.echo(", ".join(counted(*part) for part in parts))
