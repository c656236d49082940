"""Which judges there are: of suites and workspace, with their keys, marks and last calibration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assay.calls.subjects import check_keys
from assay.core.errors import InvalidInput
from assay.core.model import Model
from assay.core.suite import Suite
from assay.files.suite_folder import built_in_suites
from assay.grading.kinship import family
from assay.runs.judged.calibrate import KIND
from assay.runs.judged.panels import Judges, choose_panel
from assay.runs.surroundings import Surroundings
from assay.store.engine import database_exists
from assay.store.marks import marks_by_judge
from assay.store.runs import StoredRun, list_runs


@dataclass(frozen=True, slots=True)
class ListedJudge:
    """One judge of one suite. `role` is `judge`, `panel`, `geval` or `substitute`.

    `absent` tells why it cannot mark, None when it can. `marks` counts what it has marked so far, here;
    `calibrated` is the ISO day of its last calibration on the suite, `moved` the use cases in which it
    had moved then.
    """

    judge: str
    suite: str
    role: str
    absent: str | None
    family: str | None
    marks: int
    calibrated: str | None
    moved: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """Return this as JSON values."""
        return {**asdict(self), "moved": list(self.moved)}


def list_judges(work: Surroundings, suites: Sequence[str] = ()) -> list[ListedJudge]:
    """Return the judges of these suites, or of all built-in ones, as the workspace has them."""
    loaded = [work.suite(name) for name in suites or built_in_suites()]
    stored = database_exists(work.workspace.database)
    calibrations = list_runs(work.engine, kind=KIND) if stored else []
    counts = marks_by_judge(work.engine) if stored else {}
    return [
        _listed(work, suite, role, model, calibrations, counts)
        for suite in loaded
        for role, model in _seats(work, suite)
    ]


def _seats(work: Surroundings, suite: Suite) -> list[tuple[str, Model]]:
    panel = choose_panel(suite, work.workspace, Judges(), subjects=(), simulated=work.simulated)
    role = "panel" if len(panel.judges) > 1 else "judge"
    seats = [(role, name) for name in panel.judges]
    seats += [
        (kind, name) for kind, name in (("geval", panel.geval), ("substitute", panel.substitute)) if name
    ]
    return [(kind, work.models([name])[0]) for kind, name in seats]


def _listed(
    work: Surroundings,
    suite: Suite,
    role: str,
    model: Model,
    calibrations: Sequence[StoredRun],
    counts: dict[str, int],
) -> ListedJudge:
    try:
        check_keys([model], work.workspace.providers, work.environment)
        absent = None
    except InvalidInput as error:
        absent = str(error)
    last = next(
        (
            run
            for run in calibrations
            if run.suite == suite.digest
            and run.status == "finished"
            and any(judge.name == model.name for _, judge in run.judges)
        ),
        None,
    )
    limit = suite.thresholds.judge_shift
    shifts = {} if last is None else last.plan.get("shifts", {})
    moved = tuple(name for name, shift in shifts.items() if shift is None or shift > limit)
    day = None if last is None else last.day
    return ListedJudge(
        model.name, suite.name, role, absent, family(model), counts.get(model.name, 0), day, moved
    )
