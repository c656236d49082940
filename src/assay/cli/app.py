"""How every group of commands is made, and the environment variables that stand for its options."""

from __future__ import annotations

from typing import Any

import typer

PREFIX = "ASSAY"
# Read by the workspace, where they count for every way in, not only for this command.
OF_THE_WORKSPACE = frozenset(
    {"ASSAY_WATCH_MODEL", "ASSAY_WATCH_SUITE", "ASSAY_WATCH_SCHEDULE", "ASSAY_WATCH_ALLOW_UNPINNED"}
)


def new_app(**settings: Any) -> typer.Typer:
    """Return an empty group of commands: plain help that reads well in 80 columns and in a pipe."""
    return typer.Typer(
        add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, **settings
    )


def give_variables(command: Any, prefix: str) -> None:
    """Let every option of a command be given as `ASSAY_<COMMAND>_<OPTION>` too; several values by spaces."""
    for parameter in command.params:
        names = [name for name in parameter.opts if name.startswith("--")]
        if not names or parameter.param_type_name != "option":
            continue
        variable = f"{prefix}_{names[0].removeprefix('--')}".upper().replace("-", "_")
        if variable not in OF_THE_WORKSPACE:
            parameter.envvar = variable
            parameter.show_envvar = False
    for name, below in getattr(command, "commands", {}).items():
        give_variables(below, f"{prefix}_{name}")
