"""Choosing the judges of a run: those that the caller names, else those of the workspace or the suite."""

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
class JudgeChoice:
    """A caller's choice of judges. The workspace or the suite decides where it is empty or None.

    `judges` are models as `provider/model`; the single name `none` leaves judged cases ungraded. The same
    holds for `geval`.
    """

    judges: tuple[str, ...] = ()
    geval: str | None = None
    exclude: Literal["self", "family"] | None = None
    substitute: str | None = None
    withhold_flags: bool = False


def choose_panel(
    suite: Suite,
    workspace: Workspace,
    choice: JudgeChoice,
    *,
    subjects: Sequence[str],
    simulated: Sequence[str],
) -> Panel:
    """Return the panel of a run of `subjects` (model names); `simulated` are the simulated providers' names.

    By default a run of simulated models only is judged by simulated judges, so that nobody pays for judging
    made-up answers. Raises InvalidInput for `none` together with other judges.
    """
    if NONE in choice.judges and len(choice.judges) > 1:
        raise InvalidInput("invalid judges: 'none' cannot be combined with others; name it alone")
    panel = default_panel(suite)
    if suite.panel.judges and workspace.judges:
        panel = replace(panel, judges=workspace.judges)
    if workspace.geval is not None and panel.geval is not None:
        panel = replace(panel, geval=workspace.geval)
    providers = {name.partition("/")[0] for name in subjects}
    if providers and providers <= set(simulated):
        panel = replace(
            panel,
            judges=SIMULATED_PANEL if len(panel.judges) > 1 else SIMULATED_PANEL[: len(panel.judges)],
            geval=None if panel.geval is None else SIMULATED_PANEL[0],
            substitute=None,
        )
    if choice.judges:
        panel = replace(panel, judges=() if choice.judges == (NONE,) else tuple(dict.fromkeys(choice.judges)))
        if choice.judges == (NONE,) and choice.geval is None:
            panel = replace(panel, geval=None)
    if choice.geval is not None:
        panel = replace(panel, geval=None if choice.geval == NONE else choice.geval)
    return replace(
        panel,
        exclude=choice.exclude or panel.exclude,
        substitute=choice.substitute or panel.substitute,
        flags=panel.flags and not choice.withhold_flags,
    )
