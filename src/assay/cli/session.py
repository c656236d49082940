"""Opening the workspace that a command works on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from assay.runs.work import Work


def open_session(ctx: typer.Context, *, concurrency: int | None = None) -> Work:
    """Return the workspace here, or the one named by --workspace, with --database over its own."""
    import os

    from assay.runs.work import open_work

    given = ctx.find_root().obj or {}
    environment = dict(os.environ)
    if given.get("database"):
        environment["ASSAY_DATABASE"] = given["database"]
    workspace = given.get("workspace")
    return open_work(
        Path.cwd(),
        workspace=None if workspace is None else Path(workspace),
        environment=environment,
        concurrency=concurrency,
    )
