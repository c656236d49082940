"""Opening the workspace that a command works on."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from assay.runs.work import Work


class Place(StrEnum):
    """Where a run is executed."""

    HERE = "here"
    RAY = "ray"


def open_session(
    ctx: typer.Context, *, concurrency: int | None = None, existing: bool = False, on: Place = Place.HERE
) -> Work:
    """Return the workspace here, or the one named by --workspace, with --database over its own.

    With `existing` nothing is begun: NotFound where there is no database yet.
    `on` is where runs are executed.
    """
    import os

    from assay.core.errors import NotFound
    from assay.runs.work import open_work
    from assay.store.engine import database_exists

    given = ctx.find_root().obj or {}
    environment = dict(os.environ)
    if given.get("database"):
        environment["ASSAY_DATABASE"] = given["database"]
    workspace = given.get("workspace")
    work = open_work(
        Path(),
        workspace=None if workspace is None else Path(workspace),
        environment=environment,
        concurrency=concurrency,
        on=on.value,
    )
    if existing and not database_exists(work.workspace.database):
        raise NotFound(
            f"there is no database at {work.workspace.database!r} yet: `assay run` and `assay watch` begin "
            "one; name another with --database FILE"
        )
    return work
