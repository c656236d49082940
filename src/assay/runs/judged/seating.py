"""Who marks whose answers: the judges of a run, and which of them a subject's answers are put to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from assay.calls.ask import Subject
from assay.core.judging import Panel
from assay.core.model import Model
from assay.grading.kinship import excluded


@dataclass(slots=True)
class Judge:
    """One judge of a run, with its model's row. `absent` says why it cannot be asked, or can no longer."""

    model: Model
    row: int
    subject: Subject | None
    absent: str | None = None
    failures: int = 0


class Seat(NamedTuple):
    """One judge's part in marking a subject; `own` tells why it should not: it is the model, or its kin."""

    judge: Judge
    own: str | None


def seated(
    panel: Panel, judges: Mapping[str, Judge], bench: str, subject: Model
) -> tuple[tuple[Seat, ...], dict[str, str]]:
    """Return who marks a subject's answers, and by name why others do not.

    In a panel of several a judge never marks its own model's answer. A single judge gives way to the panel's
    substitute; without one it marks, and the mark is flagged.
    """
    names = panel.judges if bench == "panel" else () if panel.geval is None else (panel.geval,)
    seats, left_out = [], {}
    for name in names:
        own = excluded(judges[name].model, subject, panel.exclude)
        if own is None:
            seats.append(Seat(judges[name], None))
        elif len(names) > 1:
            left_out[name] = own
        elif panel.substitute is not None:
            left_out[name] = own
            other = judges[panel.substitute]
            seats.append(Seat(other, excluded(other.model, subject, panel.exclude)))
        else:
            seats.append(Seat(judges[name], own))
    return tuple(seats), left_out
