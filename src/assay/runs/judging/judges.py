"""The judges of a run: which of them can be asked, and which of them mark a model's answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from assay.calls.ask import ReadyModel
from assay.calls.subjects import RunCalls
from assay.core.errors import InvalidInput
from assay.core.judging import Panel
from assay.core.model import Model
from assay.grading.model_family import excluded


@dataclass(slots=True)
class Judge:
    """One judge of a run, with its model's row. `absent` is the reason why it cannot be asked (any more)."""

    model: Model
    row: int
    subject: ReadyModel | None
    absent: str | None = None
    failures: int = 0


class AssignedJudge(NamedTuple):
    """A judge of a model's answers. `conflict` is set if it is this model or of its family."""

    judge: Judge
    conflict: str | None


def ready_judges(models: Sequence[tuple[int, Model]], calls: RunCalls) -> dict[str, Judge]:
    """Return the judges by name.

    A judge without provider, key or proxy is absent, with the reason. It does not stop the run, and its marks
    can be asked for later.
    """
    judges: dict[str, Judge] = {}
    for row, model in models:
        try:
            judges[model.name] = Judge(model, row, calls.ready([(row, model)])[0])
        except InvalidInput as error:
            judges[model.name] = Judge(model, row, None, f"cannot judge: {error}")
    return judges


def assign_judges(
    panel: Panel, judges: Mapping[str, Judge], bench: str, subject: Model
) -> tuple[tuple[AssignedJudge, ...], dict[str, str]]:
    """Return the judges that mark a model's answers, and the reasons why the others do not, by name.

    In a panel of several, a judge never marks its own model's answer. A single judge is replaced by the
    panel's substitute; without one it marks, and the mark is flagged.
    """
    names = panel.judges if bench == "panel" else () if panel.geval is None else (panel.geval,)
    assigned, left_out = [], {}
    for name in names:
        conflict = excluded(judges[name].model, subject, panel.exclude)
        if conflict is None:
            assigned.append(AssignedJudge(judges[name], None))
        elif len(names) > 1:
            left_out[name] = conflict
        elif panel.substitute is not None:
            left_out[name] = conflict
            substitute = judges[panel.substitute]
            assigned.append(AssignedJudge(substitute, excluded(substitute.model, subject, panel.exclude)))
        else:
            assigned.append(AssignedJudge(judges[name], conflict))
    return tuple(assigned), left_out
