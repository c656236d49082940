"""Opening the workspace that a command works on."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from assay.runs.work import Work


class Place(StrEnum):
    """The place where a run is executed."""

    HERE = "here"
    RAY = "ray"


def open_session(
    ctx: typer.Context, *, concurrency: int | None = None, existing: bool = False, on: Place = Place.HERE
) -> Work:
    """Open the workspace in this folder, or the one that --workspace names; --database replaces its database.

    With `existing` no database is created: raises NotFound if there is none yet. `on` is where runs are
    executed.
    """
    import os

    from assay.core.errors import NotFound
    from assay.runs.work import open_work
    from assay.store.engine import database_exists

    root_options = ctx.find_root().obj or {}
    environment = dict(os.environ)
    if root_options.get("database"):
        environment["ASSAY_DATABASE"] = root_options["database"]
    workspace = root_options.get("workspace")
    work = open_work(
        Path(),
        workspace=None if workspace is None else Path(workspace),
        environment=environment,
        concurrency=concurrency,
        on=on.value,
    )
    if existing and not database_exists(work.workspace.database):
        raise NotFound(
            f"there is no database at {work.workspace.database!r} yet: `assay run` and `assay watch` create "
            "one; name another with --database FILE"
        )
    return work
