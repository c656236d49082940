"""The administration of exams: read-only tables, each with the commands that change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from assay.exam.administration import MOST, Administration
from assay.report.frame import SiteFrame
from assay.report.site.style import site_page
from assay.results.bank import StateCounts
from assay.results.exam import SERIES
from assay.results.exam_service import (
    DRAINS,
    EXPOSURES,
    KEYS,
    LIMITS,
    ORGANISATIONS,
    QUOTAS,
    SESSIONS,
    TOKENS,
    USERS,
)
from assay.results.review import REVIEWERS, ReviewerWork
from assay.results.table import Column, Table

SIMULATED: Final = "At least one session here was sat by a simulated model."
Commands = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AdminTable:
    """One table with the commands that change it. `empty` says what to do while it has no rows."""

    anchor: str
    title: str
    table: Table
    rows: Sequence[object]
    empty: str
    commands: Commands
    text: str = ""

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the table."""
        return self.table.columns

    @property
    def cut(self) -> bool:
        """Whether there may be more rows than are listed."""
        return len(self.rows) == MOST


@dataclass(frozen=True, slots=True)
class AdminView:
    """All tables of the administration."""

    tables: tuple[AdminTable, ...]
    simulation: str | None
    made: None = None


def admin_page(
    lists: Administration, states: StateCounts, reviewers: Sequence[ReviewerWork], site: SiteFrame
) -> str:
    """Return the page of the administration."""
    simulated = any(listed.session.simulated for listed in lists.sessions)
    tables = (*_people(lists), *_exams(lists), *_limits(lists), *_bank(states, reviewers))
    return site_page("site_admin.html", AdminView(tables, SIMULATED if simulated else None), site)


def _people(lists: Administration) -> tuple[AdminTable, ...]:
    return (
        AdminTable(
            "organisations",
            "Organisations",
            ORGANISATIONS,
            lists.organisations,
            "No organisation takes part yet. Add your own first, with `--operator`.",
            (
                ("assay exam organisation add NAME", "add an organisation"),
                ("assay exam organisation add NAME --operator", "add the one that runs this service"),
            ),
        ),
        AdminTable(
            "users",
            "Candidates and other users",
            USERS,
            lists.users,
            "There are no users yet.",
            (
                ("assay exam candidate add NAME --organisation NAME", "add a candidate"),
                ("assay exam user add NAME --organisation NAME --role ROLE", "add a user of another role"),
                ("assay exam user renew USER", "give a user a new secret"),
                ("assay exam user disable USER", "disable a user and all tokens at once"),
                ("assay exam user enable USER", "enable a user again"),
            ),
            "Secrets are shown once, when they are made, and never here.",
        ),
        AdminTable(
            "tokens",
            "Tokens",
            TOKENS,
            lists.tokens,
            "No token is valid now.",
            (
                ("assay exam token issue USER", "issue a token; it is printed once"),
                ("assay exam token revoke JTI", "revoke a token at once"),
                ("assay exam token revoke --user USER", "revoke all tokens of a user"),
                ("assay exam token list --all", "list expired tokens too"),
            ),
            "Tokens that have not expired, by their ids. The tokens themselves are not stored.",
        ),
        AdminTable(
            "keys",
            "Signing keys",
            KEYS,
            lists.keys,
            "There is no signing key yet: `assay serve` makes one.",
            (
                ("assay exam key rotate", "sign with a new key; older tokens stay valid"),
                ("assay exam key withdraw KID", "refuse all tokens that a key signed"),
            ),
        ),
    )


def _exams(lists: Administration) -> tuple[AdminTable, ...]:
    return (
        AdminTable(
            "series",
            "Exam series",
            SERIES,
            lists.series,
            "There is no official series yet. Only results of a series are published and ranked.",
            (
                ("assay exam series add NAME --reference ORGANISATION/MODEL", "create a series"),
                ("assay exam series register SERIES ORGANISATION/MODEL", "register a model"),
                ("assay exam series void SESSION --reason TEXT", "declare a sitting void"),
                ("assay exam results", "show results and ranks"),
            ),
        ),
        AdminTable(
            "sessions",
            "Exams",
            SESSIONS,
            lists.sessions,
            "No session was opened yet.",
            (
                ("assay exam open --candidate USER --model NAME", "open a session"),
                ("assay exam close SESSION", "end a session"),
                ("assay exam mark SESSION", "let judges mark a finished session"),
                ("assay exam sessions", "list sessions and end overdue ones"),
            ),
        ),
    )


def _limits(lists: Administration) -> tuple[AdminTable, ...]:
    ledger = lists.exposure
    alarms = AdminTable(
        "alarms",
        "Alarms",
        DRAINS,
        ledger.alarms,
        "",
        (("assay bank import FILE", "add questions to the bank"),),
        "Disciplines of which an organisation has seen more than the drain share.",
    )
    return (
        AdminTable(
            "quotas",
            "Quotas",
            QUOTAS,
            lists.quotas,
            "No organisation has a quota: the operator’s own has none.",
            (
                ("assay exam limits --organisation NAME --quota N", "give an organisation its own quota"),
                ("assay exam limits --organisation NAME --common", "let the common quota apply again"),
            ),
            f"Questions of the last {ledger.limits.period_days} days.",
        ),
        AdminTable(
            "limits",
            "Limits",
            LIMITS,
            [ledger.limits],
            "",
            (("assay exam limits --quota N --days DAYS --exposure-rate SHARE", "change the limits"),),
        ),
        *((alarms,) if ledger.alarms else ()),
        AdminTable(
            "exposure",
            "Exposure",
            EXPOSURES,
            ledger.exposures,
            "No question was served yet.",
            (
                ("assay exam vendor NAME --retention TEXT --source TEXT", "register what a vendor keeps"),
                ("assay exam exposure", "list exposure; the exit status is 1 on an alarm"),
            ),
            f"The most exposed question is in {ledger.most_draws:,} of {ledger.draws:,} exams.",
        ),
    )


def _bank(states: StateCounts, reviewers: Sequence[ReviewerWork]) -> tuple[AdminTable, ...]:
    return (
        AdminTable(
            "bank",
            "Questions of the bank",
            Table(StateCounts),
            [states],
            "",
            (
                ("assay bank import FILE", "import questions"),
                ("assay bank screen", "check raw questions automatically"),
                ("assay bank stats", "count questions by source, discipline and kind"),
            ),
        ),
        AdminTable(
            "reviewers",
            "Reviewers",
            REVIEWERS,
            reviewers,
            "The bank has no reviewers yet.",
            (
                ("assay bank reviewer add NAME", "add a reviewer"),
                ("assay exam user add NAME --organisation NAME --role reviewer", "let one sign in"),
                ("assay bank reviewer leave NAME", "record that one has left"),
            ),
        ),
    )
