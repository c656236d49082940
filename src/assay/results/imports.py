"""Imports of history that was recorded elsewhere: a long-form table, or results of the seed-002 project."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Final

from assay.core.errors import Problem
from assay.results.figure import Figure, Listed
from assay.results.table import Table


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of importing a long-form table. Counts by status are of the rows that were added."""

    suite: Annotated[str, Figure("suite")]
    version: Annotated[str, Figure("version")]
    digest: Annotated[str, Figure("digest", meaning="SHA-256 of the suite")]
    rows: Annotated[int, Figure("rows", meaning="rows of the table")]
    known: Annotated[int, Figure("known", meaning="rows that were imported before and skipped", of="rows")]
    runs: Annotated[int, Figure("runs", meaning="runs that were made")]
    models: Annotated[tuple[str, ...], Figure("models"), Listed("model")]
    cases: Annotated[int, Figure("cases")]
    ok: Annotated[int, Figure("ok", of="added")]
    invalid: Annotated[int, Figure("invalid", of="added")]
    error: Annotated[int, Figure("error", of="added")]
    ungraded: Annotated[int, Figure("ungraded", of="added")]
    first: Annotated[date, Figure("first day", unit="UTC")]
    last: Annotated[date, Figure("last day", unit="UTC")]
    ignored: Annotated[
        tuple[str, ...], Figure("ignored", meaning="columns that were not read"), Listed("column")
    ]
    rerouted: Annotated[
        tuple[str, ...],
        Figure("rerouted", meaning="models served by more than one provider"),
        Listed("model"),
    ]
    simulated: Annotated[bool, Figure("simulated", meaning="no real model was measured")]

    @property
    def added(self) -> Annotated[int, Figure("added", meaning="rows that are new", of="rows")]:
        """The number of new rows."""
        return self.rows - self.known


@dataclass(frozen=True, slots=True)
class Replay:
    """The files of a replay: the file of recordings, and the suite's folder with its models."""

    recordings: Annotated[Path, Figure("recordings")]
    suite: Annotated[Path, Figure("suite", meaning="the suite's folder")]
    models: Annotated[tuple[str, ...], Figure("models"), Listed("model")]
    lines: Annotated[int, Figure("lines", meaning="recordings in the file")]

    @property
    def command(self) -> Annotated[str, Figure("command", meaning="the command that replays them")]:
        """The command that replays the recordings."""
        folder = str(self.suite)
        suite = folder if "/" in folder else f"./{folder}"
        models = " ".join(f"-m {shlex.quote(model)}" for model in self.models)
        variable = f"ASSAY_RECORDED_RECORDINGS={shlex.quote(str(self.recordings))}"
        return f"{variable} assay run {shlex.quote(suite)} {models}"


@dataclass(frozen=True, slots=True)
class SuiteImport:
    """The rows imported into one suite. Counts by status and of marks are of the rows that were added."""

    suite: Annotated[str, Figure("suite")]
    version: Annotated[str, Figure("version")]
    digest: Annotated[str, Figure("digest", meaning="SHA-256 of the suite")]
    added: Annotated[int, Figure("added", meaning="rows that are new")]
    known: Annotated[int, Figure("known", meaning="rows that were imported before and skipped")]
    runs: Annotated[int, Figure("runs", meaning="runs that were made")]
    models: Annotated[tuple[str, ...], Figure("models"), Listed("model")]
    judges: Annotated[
        tuple[str, ...],
        Figure(
            "judges",
            meaning="judges of the rubric; none for causal answers. The file does not name G-Eval's judge",
        ),
        Listed("judge"),
    ]
    cases: Annotated[int, Figure("cases")]
    ok: Annotated[int, Figure("ok", of="added")]
    invalid: Annotated[int, Figure("invalid", meaning="answers without visible text", of="added")]
    error: Annotated[int, Figure("error", meaning="calls that failed", of="added")]
    ungraded: Annotated[int, Figure("ungraded", of="added")]
    marks: Annotated[int, Figure("marks", meaning="marks that were added")]
    unread: Annotated[int, Figure("unread", meaning="marks without a value", of="marks")]
    differing: Annotated[
        int | None,
        Figure(
            "differing",
            meaning="causal answers in which the project had read another letter than `choice` does; none "
            "for a suite that judges mark",
        ),
    ]
    replay: Replay | None = None


@dataclass(frozen=True, slots=True)
class WorkbenchReport:
    """The result of importing workbench results: the judged suite, then the causal suite, if any."""

    rows: Annotated[
        int,
        Figure("rows", meaning="rows of the file: added and known rows of all suites + earlier + refused"),
    ]
    earlier: Annotated[
        int,
        Figure("earlier", meaning="attempts that a later attempt at the same prompt replaced", of="rows"),
    ]
    problems: tuple[Problem, ...]
    suites: tuple[SuiteImport, ...]

    @property
    def refused(self) -> Annotated[int, Figure("refused", meaning="invalid rows", of="rows")]:
        """The number of invalid rows, each of which has a problem."""
        return len(self.problems)


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "import-table": (ImportReport, "assay import table --json"),
    "import-workbench": (WorkbenchReport, "assay import workbench --json"),
}
