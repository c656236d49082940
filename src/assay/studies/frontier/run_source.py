"""Runs of the workspace as outcomes: samples with their scores, and what their answers cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from sqlalchemy import Engine

from assay.core.case import Case
from assay.core.errors import InvalidInput
from assay.core.model import Model
from assay.core.suite import Suite
from assay.files.outcome_table import ERROR, INVALID, OK, UNGRADED, Outcomes
from assay.store.runs import StoredRun, read_run
from assay.store.samples import SampleLine, list_samples
from assay.store.suites import read_suite

KINDS = ("run", "import", "watch")


def read_runs(engine: Engine, numbers: Sequence[int]) -> tuple[Outcomes, str]:
    """Return the samples of runs of one suite, and how to name them.

    Quality is the sample's score, 0 for an invalid answer; cost and latency are those of the subject's last
    call, the one that was graded. A model measured in several runs has the generations of all. Raises
    NotFound for a run that is not there, InvalidInput for runs of different suites or without samples.
    """
    runs = [read_run(engine, number) for number in dict.fromkeys(numbers)]
    for run in runs:
        if run.kind not in KINDS:
            raise InvalidInput(
                f"run {run.id} is a {run.kind}: name runs that measured models, see `assay runs`"
            )
    first, told = runs[0], ",".join(f"run:{run.id}" for run in runs)
    other = next((run for run in runs if run.suite != first.suite), None)
    if other is not None:
        raise InvalidInput(
            f"run {first.id} is of {_suite(first)}, run {other.id} of {_suite(other)}: only runs of one "
            "suite (of one digest) can be joined"
        )
    suite = read_suite(engine, first.suite)
    samples = [sample for run in runs for sample in list_samples(engine, run.id)]
    if not samples:
        raise InvalidInput(f"{told} has no samples yet: `assay resume {first.id}` goes on with it")
    models = {row: model for run in runs for row, model in run.models}
    return _outcomes(suite, runs, models, samples), f"{told} ({_suite(first)})"


def _outcomes(
    suite: Suite, runs: Sequence[StoredRun], models: Mapping[int, Model], samples: Sequence[SampleLine]
) -> Outcomes:
    asked = {sample.row.case_ordinal for sample in samples}
    cases = {ordinal: name for ordinal, name in _case_names(suite.cases).items() if ordinal in asked}
    names = _model_names(models)
    prompts, subjects = sorted(cases.values()), sorted(names.values())
    at_prompt = {name: place for place, name in enumerate(prompts)}
    at_model = {name: place for place, name in enumerate(subjects)}
    of_case = {name: suite.cases[ordinal] for ordinal, name in cases.items()}
    status = np.array([_status(sample) for sample in samples], dtype=np.int64)
    score = np.array([np.nan if each.row.score is None else each.row.score for each in samples]) / 100
    public = suite.visibility == "public"
    return Outcomes(
        prompts=tuple(prompts),
        models=tuple(subjects),
        row=np.arange(1, len(samples) + 1),
        prompt=np.array([at_prompt[cases[each.row.case_ordinal]] for each in samples], dtype=np.int64),
        model=np.array([at_model[names[each.row.model]] for each in samples], dtype=np.int64),
        quality=np.where(status == INVALID, 0.0, np.where(status == OK, score, np.nan)),
        status=status,
        generation=np.arange(len(samples)),
        cost=_amounts([each.last.cost for each in samples]),
        latency=_amounts([each.last.latency for each in samples]),
        categories=tuple(of_case[name].use_case for name in prompts),
        # The wording of a private suite stays where it is.
        texts=tuple(_wording(of_case[name]) for name in prompts) if public else None,
        digest=suite.digest,
        simulated=any(run.simulated for run in runs),
        notes=tuple(_notes(runs, samples)),
    )


def _status(sample: SampleLine) -> int:
    if sample.row.status == "error":
        return ERROR
    if sample.row.status == "invalid":
        return INVALID
    return UNGRADED if sample.row.score is None else OK


def _amounts(values: Sequence[float | None]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _notes(runs: Sequence[StoredRun], samples: Sequence[SampleLine]) -> list[str]:
    notes = [
        f"run {run.id} {run.status}: what it lacks is missing here"
        for run in runs
        if run.status != "finished"
    ]
    if any(run.simulated for run in runs):
        notes.append("models are simulated: nothing real was measured of them")
    rerouted = sum(sample.row.routing_changed for sample in samples)
    if rerouted:
        notes.append(f"{rerouted:,} answers came from another provider than the one pinned")
    notes.append("a cost is that of the subject's last call for an answer; judges' costs are not in it")
    return notes


def _case_names(cases: Sequence[Case]) -> dict[int, str]:
    """Return a name for each case by its ordinal: its id, with the use case where two share one."""
    count = Counter(case.id for case in cases)
    return {
        ordinal: case.id if count[case.id] == 1 else f"{case.use_case}/{case.id}"
        for ordinal, case in enumerate(cases)
    }


def _model_names(models: Mapping[int, Model]) -> dict[int, str]:
    """Return a name for each model row; settings of one model that differ get their fingerprint's start."""
    plain = {row: model.name.removeprefix("imported/") for row, model in models.items()}
    count = Counter(plain.values())
    return {
        row: name if count[name] == 1 else f"{name} ({models[row].fingerprint[:6]})"
        for row, name in plain.items()
    }


def _wording(case: Case) -> str:
    return "\n\n".join(message.content for message in case.messages if isinstance(message.content, str))


def _suite(run: StoredRun) -> str:
    return f"suite {run.suite_name} {run.suite_version}, digest {run.suite[:12]}"
