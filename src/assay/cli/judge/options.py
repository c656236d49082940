"""The options that choose judges, shared by the commands that call judges."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import typer

from assay.runs.judging.panels import JudgeChoice


class Exclude(StrEnum):
    """The answers that a judge does not mark: its own model's, or its whole family's."""

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
    None, "--exclude", metavar="self|family", help="Answers that a judge skips: of its own model or family."
)
SUBSTITUTE = typer.Option(
    None, metavar="PROVIDER/MODEL", help="Judge to use if the only judge would mark its own model."
)
WITHHOLD = typer.Option(False, "--withhold-flags", help="Hide the flags of automatic checks from judges.")


def judge_choice(
    judge: Sequence[str],
    geval: str | None = None,
    exclude: Exclude | None = None,
    substitute: str | None = None,
    withhold: bool = False,
) -> JudgeChoice:
    """Return the chosen judges and rules."""
    return JudgeChoice(tuple(judge), geval, None if exclude is None else exclude.value, substitute, withhold)
