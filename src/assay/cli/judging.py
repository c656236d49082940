"""The options that say who judges, shared by the commands that ask judges."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import typer

from assay.runs.judged.panels import Judges


class Exclude(StrEnum):
    """Whose answers a judge does not mark."""

    SELF = "self"
    FAMILY = "family"


JUDGE = typer.Option(
    [],
    "--judge",
    metavar="PROVIDER/MODEL",
    help="May be given several times; `none` leaves judged cases ungraded.",
)
GEVAL = typer.Option(
    None, "--geval-judge", metavar="PROVIDER/MODEL", help="The judge of G-Eval; `none` for no G-Eval."
)
EXCLUDE = typer.Option(
    None, "--exclude", metavar="self|family", help="A judge does not mark its own model, or its family."
)
SUBSTITUTE = typer.Option(
    None, metavar="PROVIDER/MODEL", help="Marks in the place of a single judge that is the model itself."
)
WITHHOLD = typer.Option(False, "--withhold-flags", help="Judges are not told what auto-checks flagged.")


def said(
    judge: Sequence[str],
    geval: str | None = None,
    exclude: Exclude | None = None,
    substitute: str | None = None,
    withhold: bool = False,
) -> Judges:
    """Return what the options say."""
    return Judges(tuple(judge), geval, None if exclude is None else exclude.value, substitute, withhold)
