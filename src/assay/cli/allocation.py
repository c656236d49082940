"""The option `--allocation`: the number of questions of each discipline in an exam."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from assay.questions.draw import TEN_SUBJECTS

ALLOCATION = typer.Option(
    [],
    "--allocation",
    metavar="NAME|D=N",
    help="Questions per discipline: ten-subjects (default), proportional, or a discipline's number, such as "
    "law=50; repeatable.",
)


def allocation_of(options: Sequence[str]) -> str:
    """Return the allocation that the options name, written as draws expect it."""
    return ",".join(options) or TEN_SUBJECTS
