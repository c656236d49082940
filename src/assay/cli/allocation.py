"""The option `--allocation`: how many questions of each discipline an exam draws."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from assay.questions.draw import TEN_SUBJECTS

ALLOCATION = typer.Option(
    [],
    "--allocation",
    metavar="NAME|D=N",
    help="Allocation: ten-subjects (default), proportional, or the number of questions of a discipline, as "
    "law=50; repeatable.",
)


def allocation_of(options: Sequence[str]) -> str:
    """Return the allocation that the options name, as draws are told it."""
    return ",".join(options) or TEN_SUBJECTS
