"""Runs and samples as they are published: read from the database, with private texts left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields

from sqlalchemy import Engine

from assay.calls.asking import ASKED
from assay.calls.stand_ins import SIMULATED
from assay.core.ask import CallStatus
from assay.core.case import Case
from assay.core.errors import NotFound
from assay.core.model import Provider
from assay.core.suite import Suite
from assay.core.wording import counted
from assay.results.plans import RunPlan, ToppedUp
from assay.results.run_pages import (
    ListedSample,
    RunPage,
    SampleCall,
    SampleGrade,
    SampleHead,
    SamplePage,
)
from assay.results.runs import RunCounts, RunKind, RunModel, RunSummary, SuiteKey
from assay.runs.plan import AdaptivePlan, Plan, stored_plan
from assay.runs.resume_command import unfinished
from assay.runs.score_run import score_run
from assay.store.rows import CallRow, SampleRow
from assay.store.runs import StoredRun, count_runs, read_run
from assay.store.samples import StoredSample, list_samples, read_sample
from assay.store.suites import read_suite


def run_summary(run: StoredRun, counts: RunCounts) -> RunSummary:
    """Return the published form of a stored run."""
    return RunSummary(
        run=run.id,
        kind=RunKind(run.kind),
        suite=SuiteKey(run.suite_name, run.suite_version, run.suite),
        day=run.day,
        status=run.status,
        reason=run.reason,
        simulated=run.simulated,
        created_at=run.created_at,
        finished_at=run.finished_at,
        holder=None if run.holder is None else str(run.holder),
        resume=unfinished(run),
        models=tuple(RunModel(model.name, model.fingerprint) for _, model in run.models),
        counts=counts,
    )


def run_page(engine: Engine, number: int, *, only: str | None, limit: int | None) -> RunPage:
    """Read a run's page from the database.

    Imports, calibrations and runs without a suite (`ASKED`) have no plan. Runs without a suite have no
    samples either, because their calls are not answers to cases.
    """
    run = read_run(engine, number)
    suite = read_suite(engine, run.suite)
    planned = run.kind not in {"import", "calibrate", *ASKED}
    cases = suite.cases
    lines = [] if run.kind in ASKED else list_samples(engine, number, only=only, limit=limit)
    return RunPage(
        run_summary(run, count_runs(engine, [number])[number]),
        _plan(run, suite) if planned else None,
        score_run(engine, run, suite),
        tuple(ListedSample(sample_head(run, cases, line.row), line.last) for line in lines),
    )


def _plan(run: StoredRun, suite: Suite) -> RunPlan:
    plan = stored_plan(suite, [model for _, model in run.models], run.plan)
    return RunPlan(
        samples=plan.size,
        cases=len(plan.chosen),
        sampling=plan.sampling,
        epochs=plan.epochs,
        topped=tuple(ToppedUp(plan.models[model].name, use_case) for model, use_case in sorted(plan.topped)),
        used_epochs=tuple(sorted({plan.epochs[suite.cases[ordinal].use_case] for ordinal in plan.chosen})),
        adaptive=None if plan.adaptive is None else _describe_adaptive(plan, plan.adaptive),
    )


def _describe_adaptive(plan: Plan, adaptive: AdaptivePlan) -> str:
    rule, batches = adaptive.rule, adaptive.batches
    state = "stopped" if adaptive.settled else "going on"
    left = len(batches[-1].models) if batches else len(plan.models)
    return (
        f"separate {rule.separate}, alpha {rule.alpha:g}; {state} after {adaptive.used} of "
        f"{len(adaptive.order)} cases, the last batch with {counted(left, 'model')}; "
        f"the full run has {counted(plan.full_size, 'sample')}"
    )


def sample_head(run: StoredRun, cases: Sequence[Case], row: SampleRow) -> SampleHead:
    """Return the case, status and score of a stored sample."""
    case = cases[row.case_ordinal]
    return SampleHead(
        id=f"{run.id}.{row.position}",
        model=dict(run.models)[row.model].name,
        use_case=case.use_case,
        case=case.id,
        epoch=row.epoch,
        status=CallStatus(row.status),
        score=row.score,
        routing_changed=bool(row.routing_changed),
        finished_at=row.finished_at,
    )


def sample_page(
    engine: Engine, providers: Mapping[str, Provider], number: int, position: int, *, reveal: bool
) -> SamplePage:
    """Read a sample's page from the database. Without `reveal` it holds no text of a private suite."""
    stored = read_run(engine, number)
    if stored.kind in ASKED:
        raise NotFound(f"run {number} has no samples because it ran no suite: use `assay show {number}`")
    sample = read_sample(engine, number, position)
    suite = read_suite(engine, stored.suite)
    return next(published_samples(stored, suite, providers, [sample], reveal=reveal))


def published_samples(
    run: StoredRun,
    suite: Suite,
    providers: Mapping[str, Provider],
    stored: Iterable[StoredSample],
    *,
    reveal: bool,
) -> Iterator[SamplePage]:
    """Yield stored samples of a run as they are published."""
    hidden = suite.visibility == "private" and not reveal
    cases, models, key = suite.cases, dict(run.models), SuiteKey.of(suite)
    for sample in stored:
        provider = providers.get(models[sample.row.model].provider)
        yield SamplePage(
            sample=sample_head(run, cases, sample.row),
            run=run.id,
            position=sample.row.position,
            suite=key,
            simulated=run.simulated and (provider is None or provider.dialect == SIMULATED),
            hidden=hidden,
            messages=None if hidden else cases[sample.row.case_ordinal].messages,
            answer=None if hidden else sample.answer,
            grades=tuple(
                SampleGrade(grade.grader, grade.value, grade.reason, None if hidden else grade.evidence)
                for grade in sample.grades
            ),
            calls=tuple(_call(call, hidden) for call in sample.calls),
        )


def _call(call: CallRow, hidden: bool) -> SampleCall:
    shown = {field.name: getattr(call, field.name) for field in fields(SampleCall)}
    return SampleCall(**{**shown, "detail": None if hidden else call.detail})
