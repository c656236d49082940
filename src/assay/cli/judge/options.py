"""The options that say who judges, shared by the commands that ask judges."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import typer

from assay.runs.judging.panels import JudgeChoice


class Exclude(StrEnum):
    """Whose answers a judge does not mark."""

    SELF = "self"
    FAMILY = "family"


JUDGE = typer.Option(
    [],
    "--judge",
    metavar="PROVIDER/MODEL",
    help="Judge; repeatable. `none` leaves judged cases ungraded.",
)
GEVAL = typer.Option(
    None, "--geval-judge", metavar="PROVIDER/MODEL", help="Judge for G-Eval; `none` skips G-Eval."
)
EXCLUDE = typer.Option(
    None, "--exclude", metavar="self|family", help="Whether a judge skips its own model, or its whole family."
)
SUBSTITUTE = typer.Option(
    None, metavar="PROVIDER/MODEL", help="Judge to use where the only judge would mark its own model."
)
WITHHOLD = typer.Option(False, "--withhold-flags", help="Hide the automatic checks' flags from judges.")


def said(
    judge: Sequence[str],
    geval: str | None = None,
    exclude: Exclude | None = None,
    substitute: str | None = None,
    withhold: bool = False,
) -> JudgeChoice:
    """Return what the options say."""
    return JudgeChoice(tuple(judge), geval, None if exclude is None else exclude.value, substitute, withhold)
