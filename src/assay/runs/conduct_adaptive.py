"""Conducting an adaptive run: batch by batch, until the rule stops or all prompts are used."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from assay.calls.control import RunControl
from assay.ranking.adaptive import AdaptiveEvidence, epochs_needed, open_models
from assay.results.adaptive_run import AdaptiveModel, AdaptiveResult, Separation
from assay.results.runs import RunOutcome, Spend
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import AdaptivePlan, Plan, PromptBatch
from assay.stats.betting import mean_sequence
from assay.stats.intervals import Interval
from assay.store.runs import StoredRun
from assay.store.samples import SampleLine, list_samples

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


async def conduct_adaptively(
    context: RunContext,
    stored: StoredRun,
    plan: Plan,
    adaptive: AdaptivePlan,
    *,
    max_cost: float | None = None,
    control: RunControl | None = None,
) -> tuple[RunOutcome, Plan]:
    """Execute an adaptive run, new or resumed; return its outcome and its plan with all batches.

    Each batch is recorded in the run's plan before it is asked for, so a resumed run asks for what its
    batches lack and then goes on. The rule looks at the scores of finished batches only.
    """
    control = control or RunControl()
    resumed = bool(adaptive.batches)
    if not resumed:
        plan = replace(plan, adaptive=await asyncio.to_thread(_continued, context, stored, plan, adaptive))
    while True:
        outcome = await conduct(
            context, stored, plan, max_cost=max_cost, control=control, retry_errors=resumed
        )
        resumed, adaptive = False, plan.adaptive or adaptive
        asked = sum(1 for _ in plan.positions())
        if adaptive.settled or control.stop.reason is not None or outcome.counts.n < asked:
            return outcome, plan
        plan = replace(plan, adaptive=await asyncio.to_thread(_continued, context, stored, plan, adaptive))


def _continued(context: RunContext, stored: StoredRun, plan: Plan, adaptive: AdaptivePlan) -> AdaptivePlan:
    """Return the adaptive plan with its next batch, or settled if none follows."""
    scores = read_scores(plan, adaptive, list_samples(context.engine, stored.id))
    return next_batch(adaptive, scores)


def next_batch(adaptive: AdaptivePlan, scores: FloatArray) -> AdaptivePlan:
    """Return the adaptive plan with its next batch, or settled if none follows.

    `scores` (models, prompts so far, epochs) are 0-1, NaN where a sample has no score.
    """
    rule, left = adaptive.rule, len(adaptive.order) - adaptive.used
    evidence = evidence_of(adaptive, scores)
    asked = tuple(int(model) for model in np.flatnonzero(open_models(evidence, rule)))
    if not left or not asked:
        return replace(adaptive, settled=True)
    epochs = epochs_needed(scores, evidence, rule, left)
    batch = PromptBatch(min(rule.batch, left), epochs, asked)
    return replace(adaptive, batches=(*adaptive.batches, batch))


def read_scores(plan: Plan, adaptive: AdaptivePlan, samples: Sequence[SampleLine]) -> FloatArray:
    """Return the scores of an adaptive run's samples (models, prompts so far, epochs), 0-1, NaN for none."""
    epochs = max(plan.epochs.values(), default=1)
    scores = np.full((len(plan.models), adaptive.used, epochs), np.nan)
    place = {ordinal: number for number, ordinal in enumerate(adaptive.order[: adaptive.used])}
    for sample in samples:
        key = plan.locate(sample.row.position)
        if sample.row.score is not None and key.case in place and key.epoch < epochs:
            scores[key.model, place[key.case], key.epoch] = sample.row.score / 100.0
    return scores


def evidence_of(adaptive: AdaptivePlan, scores: FloatArray) -> AdaptiveEvidence:
    """Return the evidence of all batches from scores (models, prompts so far, epochs)."""
    evidence, start, means = AdaptiveEvidence.none(len(scores)), 0, mean_over_epochs(scores)
    for batch in adaptive.batches:
        evidence = evidence.add(means[:, start : start + batch.prompts])
        start += batch.prompts
    return evidence


def mean_over_epochs(scores: FloatArray) -> FloatArray:
    """Return the mean of the known scores over the last axis; NaN without any."""
    known = (~np.isnan(scores)).sum(axis=-1)
    means: FloatArray = np.full(known.shape, np.nan)
    np.divide(np.nansum(scores, axis=-1), known, out=means, where=known > 0)
    return means


def summarise(
    plan: Plan, adaptive: AdaptivePlan, samples: Sequence[SampleLine], spend: Spend
) -> AdaptiveResult:
    """Return what an adaptive run settled so far, and what it saved against the full run."""
    scores = read_scores(plan, adaptive, samples)
    evidence, means = evidence_of(adaptive, scores), mean_over_epochs(scores)
    by_model = _samples_of(plan, samples)
    saved = _saved(plan, by_model, spend)
    rule, models = adaptive.rule, len(plan.models)
    separated = evidence.separated(rule.alpha)
    first = rule.separate is Separation.FIRST
    behind: BoolArray = evidence.behind(rule.alpha) if first else np.any(separated, axis=0)
    return AdaptiveResult(
        separate=rule.separate,
        alpha=rule.alpha,
        prompts=adaptive.used,
        all_prompts=len(adaptive.order),
        samples=len(samples),
        all_samples=plan.full_size,
        cost=spend.cost,
        saved=saved,
        settled=not open_models(evidence, rule).any(),
        open_pairs=models * (models - 1) // 2 - int((separated | separated.T).sum()) // 2,
        models=_models(plan, means, behind, by_model),
    )


def _models(
    plan: Plan, means: FloatArray, behind: BoolArray, by_model: Sequence[Sequence[SampleLine]]
) -> tuple[AdaptiveModel, ...]:
    """Return the rows: the leading models, then those behind, each best first."""
    known = (~np.isnan(means)).sum(axis=1)
    mean = np.divide(np.nansum(means, axis=1), known, out=np.full(len(means), -1.0), where=known > 0)
    order = sorted(range(len(means)), key=lambda place: (behind[place], -known[place], -mean[place]))
    leaders = [place for place in order if not behind[place]] or order
    first = max(leaders, key=lambda place: mean[place])
    rows = []
    for place in order:
        lead = means[first] - means[place]
        lead = lead[~np.isnan(lead)]
        other = place != first and lead.size > 0
        ends = mean_sequence(lead) if other else None
        rows.append(
            AdaptiveModel(
                model=plan.models[place].name,
                prompts=int(known[place]),
                samples=len(by_model[place]),
                mean=100.0 * float(mean[place]) if known[place] else None,
                lead=100.0 * float(lead.mean()) if other else None,
                lead_interval=None
                if ends is None
                else Interval(100.0 * ends.low, 100.0 * ends.high, ends.level),
                leading=not behind[place],
            )
        )
    return tuple(rows)


def _samples_of(plan: Plan, samples: Sequence[SampleLine]) -> list[list[SampleLine]]:
    """Return the samples of each model."""
    by_model: list[list[SampleLine]] = [[] for _ in plan.models]
    for sample in samples:
        by_model[plan.locate(sample.row.position).model].append(sample)
    return by_model


def _saved(plan: Plan, by_model: Sequence[Sequence[SampleLine]], spend: Spend) -> float | None:
    """Return the estimated cost of the samples left out: each model's mean, and the judges' mean.

    None if no cost of some model is known.
    """
    full, own, saved, left = plan.full_size // len(plan.models), 0.0, 0.0, 0
    for samples in by_model:
        known = [sample.last.cost for sample in samples if sample.last.cost is not None]
        if not known:
            return None
        own += sum(known)
        left += full - len(samples)
        saved += sum(known) / len(known) * (full - len(samples))
    judges = max(0.0, spend.known - own)
    return saved + judges * left / sum(len(samples) for samples in by_model)
