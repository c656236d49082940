"""Importing history that was recorded elsewhere: a long-form table, or results of the seed-002 project."""

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
    """What importing a long-form table came to. The counts by status are of the rows added."""

    suite: Annotated[str, Figure("suite")]
    version: Annotated[str, Figure("version")]
    digest: Annotated[str, Figure("digest", meaning="SHA-256 of the suite")]
    rows: Annotated[int, Figure("rows", meaning="rows of the table")]
    known: Annotated[int, Figure("known", meaning="rows imported before, passed over", of="rows")]
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
        """How many rows were new."""
        return self.rows - self.known


@dataclass(frozen=True, slots=True)
class Replay:
    """What was written for a replay: the file of recordings, the suite's folder, and its models."""

    recordings: Annotated[Path, Figure("recordings")]
    suite: Annotated[Path, Figure("suite", meaning="the suite's folder")]
    models: Annotated[tuple[str, ...], Figure("models"), Listed("model")]
    lines: Annotated[int, Figure("lines", meaning="recordings in the file")]

    @property
    def command(self) -> Annotated[str, Figure("command", meaning="what replays them")]:
        """The command that repeats what was written."""
        folder = str(self.suite)
        suite = folder if "/" in folder else f"./{folder}"
        models = " ".join(f"-m {shlex.quote(model)}" for model in self.models)
        variable = f"ASSAY_RECORDED_RECORDINGS={shlex.quote(str(self.recordings))}"
        return f"{variable} assay run {shlex.quote(suite)} {models}"


@dataclass(frozen=True, slots=True)
class SuiteImport:
    """What came into one suite. The counts by status and of marks are of the rows added."""

    suite: Annotated[str, Figure("suite")]
    version: Annotated[str, Figure("version")]
    digest: Annotated[str, Figure("digest", meaning="SHA-256 of the suite")]
    added: Annotated[int, Figure("added", meaning="rows that are new")]
    known: Annotated[int, Figure("known", meaning="rows imported before, passed over")]
    runs: Annotated[int, Figure("runs", meaning="runs that were made")]
    models: Annotated[tuple[str, ...], Figure("models"), Listed("model")]
    judges: Annotated[
        tuple[str, ...],
        Figure(
            "judges",
            meaning="judges of the rubric, none for causal answers; the file does not name G-Eval's judge",
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
            meaning="causal answers in which the project had read another letter than `choice` does; "
            "none where judges mark",
        ),
    ]
    replay: Replay | None = None


@dataclass(frozen=True, slots=True)
class WorkbenchReport:
    """What an import of workbench results came to: the judged suite, then the causal one, if any."""

    rows: Annotated[
        int,
        Figure("rows", meaning="rows of the file: those added and known of all suites + earlier + refused"),
    ]
    earlier: Annotated[
        int, Figure("earlier", meaning="attempts that a later one of the same prompt replaced", of="rows")
    ]
    problems: tuple[Problem, ...]
    suites: tuple[SuiteImport, ...]

    @property
    def refused(self) -> Annotated[int, Figure("refused", meaning="rows that are wrong", of="rows")]:
        """How many rows are wrong, each with its problem."""
        return len(self.problems)


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "import-table": (ImportReport, "assay import table --json"),
    "import-workbench": (WorkbenchReport, "assay import workbench --json"),
}
