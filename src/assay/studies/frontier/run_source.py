"""Runs of the workspace as outcomes: samples with their scores, costs and latencies."""

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
    """Return the samples of runs of one suite, and a description of the runs.

    Quality is the sample's score, 0 for an invalid answer. Cost and latency are those of the subject's last
    call, whose answer was graded. A model measured in several runs has the generations of all of them. Raises
    NotFound for an unknown run, InvalidInput for runs of different suites or without samples.
    """
    runs = [read_run(engine, number) for number in dict.fromkeys(numbers)]
    for run in runs:
        if run.kind not in KINDS:
            raise InvalidInput(
                f"run {run.id} is of kind {run.kind!r}: give runs that measured models, see `assay runs`"
            )
    first, names = runs[0], ",".join(f"run:{run.id}" for run in runs)
    other = next((run for run in runs if run.suite != first.suite), None)
    if other is not None:
        raise InvalidInput(
            f"run {first.id} is of {_describe_suite(first)}, run {other.id} of {_describe_suite(other)}: "
            "give only runs of one suite (with the same digest)"
        )
    suite = read_suite(engine, first.suite)
    samples = [sample for run in runs for sample in list_samples(engine, run.id)]
    if not samples:
        raise InvalidInput(f"{names} has no samples yet: resume it with `assay resume {first.id}`")
    models = {row: model for run in runs for row, model in run.models}
    return _outcomes(suite, runs, models, samples), f"{names} ({_describe_suite(first)})"


def _outcomes(
    suite: Suite, runs: Sequence[StoredRun], models: Mapping[int, Model], samples: Sequence[SampleLine]
) -> Outcomes:
    asked = {sample.row.case_ordinal for sample in samples}
    cases = {ordinal: name for ordinal, name in _case_names(suite.cases).items() if ordinal in asked}
    names = _model_names(models)
    prompts, subjects = sorted(cases.values()), sorted(names.values())
    at_prompt = {name: index for index, name in enumerate(prompts)}
    at_model = {name: index for index, name in enumerate(subjects)}
    of_case = {name: suite.cases[ordinal] for ordinal, name in cases.items()}
    status = np.array([_status(sample) for sample in samples], dtype=np.int64)
    score = np.array([np.nan if sample.row.score is None else sample.row.score for sample in samples]) / 100
    public = suite.visibility == "public"
    return Outcomes(
        prompts=tuple(prompts),
        models=tuple(subjects),
        row=np.arange(1, len(samples) + 1),
        prompt=np.array([at_prompt[cases[sample.row.case_ordinal]] for sample in samples], dtype=np.int64),
        model=np.array([at_model[names[sample.row.model]] for sample in samples], dtype=np.int64),
        quality=np.where(status == INVALID, 0.0, np.where(status == OK, score, np.nan)),
        status=status,
        generation=np.arange(len(samples)),
        cost=_amounts([sample.last.cost for sample in samples]),
        latency=_amounts([sample.last.latency for sample in samples]),
        categories=tuple(of_case[name].use_case for name in prompts),
        # The texts of a private suite must not leave it.
        texts=tuple(_text(of_case[name]) for name in prompts) if public else None,
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
        f"run {run.id} is {run.status}: its missing samples are missing here too"
        for run in runs
        if run.status != "finished"
    ]
    if any(run.simulated for run in runs):
        notes.append("models are simulated: their figures measure no real model")
    rerouted = sum(sample.row.routing_changed for sample in samples)
    if rerouted:
        notes.append(f"{rerouted:,} answers came from another provider than the one pinned")
    notes.append("a cost is that of the model's last call for an answer, without the costs of judges")
    return notes


def _case_names(cases: Sequence[Case]) -> dict[int, str]:
    """Return a name for each case by its ordinal: its id, with the use case if two cases share an id."""
    count = Counter(case.id for case in cases)
    return {
        ordinal: case.id if count[case.id] == 1 else f"{case.use_case}/{case.id}"
        for ordinal, case in enumerate(cases)
    }


def _model_names(models: Mapping[int, Model]) -> dict[int, str]:
    """Return a name for each model row. Settings of one model have the start of their fingerprint in it."""
    plain = {row: model.name.removeprefix("imported/") for row, model in models.items()}
    count = Counter(plain.values())
    return {
        row: name if count[name] == 1 else f"{name} ({models[row].fingerprint[:6]})"
        for row, name in plain.items()
    }


def _text(case: Case) -> str:
    return "\n\n".join(message.content for message in case.messages if isinstance(message.content, str))


def _describe_suite(run: StoredRun) -> str:
    return f"suite {run.suite_name} {run.suite_version}, digest {run.suite[:12]}"
