"""The judges of suites and workspace, with their keys, marks and last calibration."""

from __future__ import annotations

from collections.abc import Sequence

from assay.calls.subjects import check_keys
from assay.core.errors import InvalidInput
from assay.core.model import Model
from assay.core.suite import Suite
from assay.files.suite_folder import built_in_suites
from assay.grading.model_family import family
from assay.results.judges import JudgeRole, ListedJudge
from assay.runs.calibrating.calibrate import KIND
from assay.runs.judging.panels import JudgeChoice, choose_panel
from assay.runs.open_workspace import OpenWorkspace
from assay.store.engine import database_exists
from assay.store.marks import marks_by_judge
from assay.store.runs import StoredRun, list_runs


def list_judges(work: OpenWorkspace, suites: Sequence[str] = ()) -> list[ListedJudge]:
    """Return the judges of these suites, by default of all built-in ones, as the workspace sets them."""
    loaded = [work.suite(name) for name in suites or built_in_suites()]
    stored = database_exists(work.workspace.database)
    calibrations = list_runs(work.engine, kind=KIND) if stored else []
    counts = marks_by_judge(work.engine) if stored else {}
    return [
        _describe(work, suite, role, model, calibrations, counts)
        for suite in loaded
        for role, model in _roles(work, suite)
    ]


def _roles(work: OpenWorkspace, suite: Suite) -> list[tuple[JudgeRole, Model]]:
    panel = choose_panel(suite, work.workspace, JudgeChoice(), subjects=(), simulated=work.simulated)
    role: JudgeRole = "panel" if len(panel.judges) > 1 else "judge"
    roles: list[tuple[JudgeRole, str | None]] = [(role, name) for name in panel.judges]
    roles += [("geval", panel.geval), ("substitute", panel.substitute)]
    return [(role, work.models([name])[0]) for role, name in roles if name]


def _describe(
    work: OpenWorkspace,
    suite: Suite,
    role: JudgeRole,
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
