"""The state of the workspace: the doctor's checks, and upgrades and copies of the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.core.documented import DocumentedStrEnum, HelpText
from assay.results.figure import Figure, Hidden
from assay.results.table import Table

CheckName = Literal[
    "python",
    "workspace",
    "models",
    "pins",
    "provider",
    "model",
    "suite",
    "judges",
    "board",
    "notify",
    "database",
    "lock",
    "sandbox",
]


class CheckState(DocumentedStrEnum):
    """The result of a check; Assay works in spite of a `warn`."""

    OK = (
        "ok",
        HelpText("""
            `assay doctor` checked this part of the setup and found nothing wrong.

            The check was made now and from this machine. It does not promise that a provider answers
            tomorrow.

            Nothing. To check a model that the workspace does not name, call `assay doctor --model
            PROVIDER/MODEL`.
        """),
    )
    WARN = (
        "warn",
        HelpText("""
            `assay doctor` found something that limits what Assay can do, but Assay works: for example a judge
            without a key, or a model that is not in the workspace.

            A warning that is ignored shows up later as ungraded answers or as costs that are unknown.

            Read the advice under the check. The exit status is 0 if there are only warnings.
        """),
    )
    FAIL = (
        "fail",
        HelpText("""
            `assay doctor` found something that has to be fixed before Assay can work, such as a missing key,
            an unreachable endpoint, or a database of another version.

            Runs would stop at this point, perhaps after some of their calls were paid for.

            Follow the advice under the check and run `assay doctor` again. The exit status is 2 if
            something is set up wrongly here, and 3 if only a service cannot be reached.
        """),
    )


@dataclass(frozen=True, slots=True)
class SystemCheck:
    """One check of the doctor. `exit_status` applies if the check failed."""

    check: Annotated[CheckName, Figure("check")]
    state: Annotated[CheckState, Figure("state")]
    text: Annotated[str, Figure("what was found")]
    advice: Annotated[str | None, Figure("advice", meaning="what to do")] = None
    exit_status: Annotated[int, Hidden()] = 2


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of all checks of the doctor."""

    checks: tuple[SystemCheck, ...]

    @property
    def ok(self) -> Annotated[bool, Figure("ok", meaning="whether no check failed")]:
        """Whether no check failed."""
        return all(check.state is not CheckState.FAIL for check in self.checks)


@dataclass(frozen=True, slots=True)
class SchemaUpgrade:
    """The schema of a database before and after an upgrade."""

    database: Annotated[str, Figure("database", meaning="its address, without the password")]
    before: Annotated[str | None, Figure("before", meaning="schema before; none if the database was empty")]
    after: Annotated[str, Figure("after", meaning="schema after")]


@dataclass(frozen=True, slots=True)
class CopiedTable:
    """A table that is equal in both databases."""

    table: Annotated[str, Figure("table")]
    rows: Annotated[int, Figure("rows")]
    sha256: Annotated[
        str, Figure("SHA-256", meaning="of all rows, sorted by key; the same in both databases")
    ]


@dataclass(frozen=True, slots=True)
class DatabaseCopy:
    """A copy of a database, compared row by row."""

    source: Annotated[str, Figure("source", meaning="its address, without the password")]
    target: Annotated[str, Figure("target", meaning="its address, without the password")]
    tables: tuple[CopiedTable, ...]

    @property
    def rows(self) -> Annotated[int, Figure("rows", meaning="rows of all tables")]:
        """The number of rows of all tables."""
        return sum(table.rows for table in self.tables)


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "db-copy": (DatabaseCopy, "assay db copy --json: every table is equal in both databases"),
    "db-upgrade": (SchemaUpgrade, "assay db upgrade --json"),
    "doctor": (Diagnosis, "assay doctor --json"),
}
