"""Choosing who judges a run: what the caller says, else the workspace, else the suite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from assay.core.errors import InvalidInput
from assay.core.judging import Panel
from assay.core.suite import Suite
from assay.core.workspace import Workspace
from assay.runs.plan import default_panel

NONE = "none"
SIMULATED = "simulated"
SIMULATED_PANEL = ("simulated/judge", "simulated/judge-strict", "simulated/judge-lenient")


@dataclass(frozen=True, slots=True)
class Judges:
    """What a caller says of a run's judges; None (or nothing) where the workspace or the suite decides.

    `judges` are models as `provider/model`; the single name `none` leaves judged cases ungraded. `geval`
    likewise.
    """

    judges: tuple[str, ...] = ()
    geval: str | None = None
    exclude: Literal["self", "family"] | None = None
    substitute: str | None = None
    withhold_flags: bool = False


def choose_panel(
    suite: Suite, workspace: Workspace, said: Judges, *, subjects: Sequence[str], simulated: Sequence[str]
) -> Panel:
    """Return the panel of a run of `subjects` (model names); `simulated` are the simulated providers' names.

    A run of simulated models alone is judged by simulated judges unless something else is said: nobody is
    to pay for judging made-up answers. Raises InvalidInput where `none` stands beside other judges.
    """
    if NONE in said.judges and len(said.judges) > 1:
        raise InvalidInput(f"judge 'none' stands beside {len(said.judges) - 1} more: write it alone")
    panel = default_panel(suite)
    if suite.panel.judges and workspace.judges:
        panel = replace(panel, judges=workspace.judges)
    if workspace.geval is not None and panel.geval is not None:
        panel = replace(panel, geval=workspace.geval)
    providers = {name.partition("/")[0] for name in subjects}
    if providers and providers <= set(simulated):
        several = len(panel.judges) > 1
        panel = replace(
            panel,
            judges=SIMULATED_PANEL if several else SIMULATED_PANEL[: len(panel.judges)],
            geval=None if panel.geval is None else SIMULATED_PANEL[0],
            substitute=None,
        )
    if said.judges:
        panel = replace(panel, judges=() if said.judges == (NONE,) else tuple(dict.fromkeys(said.judges)))
        if said.judges == (NONE,) and said.geval is None:
            panel = replace(panel, geval=None)
    if said.geval is not None:
        panel = replace(panel, geval=None if said.geval == NONE else said.geval)
    return replace(
        panel,
        exclude=said.exclude or panel.exclude,
        substitute=said.substitute or panel.substitute,
        flags=panel.flags and not said.withhold_flags,
    )
