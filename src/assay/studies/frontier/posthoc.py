"""Studying selection after the fact: judges that choose answers, sequences of models, and sets of models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.core.errors import InvalidInput, Problem
from assay.frontier.carriers.cheapest import cheapest
from assay.frontier.carriers.shapley import carriers, grouped
from assay.frontier.methods.method import ProgressCallback
from assay.frontier.mixture.fit import fit_mixture
from assay.frontier.oracle import luck_alone
from assay.frontier.per_prompt import naive_posterior
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import named, prepare
from assay.frontier.selection.break_even import break_even
from assay.frontier.selection.posthoc import posthoc
from assay.frontier.selection.sequential import sequential
from assay.frontier.tensor import Tensor
from assay.results.frontier_selection import BreakEven, Carriers, Posthoc, Scope
from assay.results.note import NoteKind, not_of_kind
from assay.studies.frontier.fitting import PRICES
from assay.studies.frontier.posthoc_judges import NamedJudge, in_unit
from assay.studies.frontier.posthoc_result import PosthocOptions, PosthocStudy, Selected
from assay.studies.frontier.report_parts import Bootstrap

REPEATED = 50
"""The least number of cells with two or more answers from which a posterior is fitted."""

ENOUGH = 0.1
"""The least share of cells that have k answers, for the largest k by default."""

STEPS = 1_000
"""The most steps of a sequential plan."""
INDEPENDENT = (
    "a judge's errors are assumed to be independent, even on answers to one prompt: a judge that accepts the "
    "same mistake of every model does worse, and gains less from more answers"
)
AGENTIC = (
    "results for agentic tasks are too low: where one answer is a whole trajectory, a change of model "
    "between steps could reach more, and it is not considered here"
)


def posthoc_study(
    tensor: Tensor,
    judges: tuple[NamedJudge, ...],
    options: PosthocOptions | None = None,
    *,
    price: float | None = None,
    progress: ProgressCallback | None = None,
) -> PosthocStudy:
    """Return the quality and cost of selection among many answers by each judge, the perfect one first.

    For all models or one model, recorded counts are unbiased up to the recorded number of answers, and they
    are used there. For more answers, and for the best model by prompt, a posterior (`mixture`) is used, which
    needs cells with two generations. `price` is the stated price of one judgement. Raises InvalidInput for an
    unknown model, for graded quality without `right`, for more answers than can be estimated, and for a price
    that cannot be added to costs.
    """
    options, progress = options or PosthocOptions(), progress or (lambda text: None)
    prepared = prepare(_binary(_choose_models(tensor, options.models), options.right))
    used = prepared.tensor
    judges, dropped = in_unit(judges, used, price)
    most = _most(used, options.most)
    posterior = None
    if _repeated(used) >= REPEATED:
        progress(f"mixture: a model of {len(used.prompts):,} x {len(used.models)} cells")
        posterior = fit_mixture(used, seed=options.seed)
    counts_suffice = options.scope != "per_prompt_best" and most <= used.generations
    drawn = None if counts_suffice else posterior
    bootstrap: Bootstrap = {"level": options.level, "resamples": options.resamples, "seed": options.seed}
    selected = tuple(_select(used, judge, drawn, most, options, bootstrap, progress) for judge in judges)
    progress("the models that carry the frontier, and the cheapest set")
    cells = posterior or naive_posterior(used.mean_quality(), used.mean_cost())
    model_carriers, groups = _carriers(cells, used.models, options, bootstrap)
    answers = used.answers
    return PosthocStudy(
        wish=options,
        prompts=len(used.prompts),
        models=used.models,
        generations=used.generations,
        answers=int(answers.sum()),
        missing=int((answers == 0).sum()),
        most=most,
        basis="counts" if drawn is None else drawn.method,
        selected=selected,
        break_even=_break_even(used, drawn, most, selected[0].posthoc, bootstrap, progress),
        carriers=model_carriers,
        groups=groups,
        cheapest=cheapest(cells, used.models, share=options.share, **bootstrap),
        notes=tuple(dict.fromkeys((*prepared.notes, *dropped, *_notes(used, posterior, options, selected)))),
        caveats=caveats(used, selected[0].posthoc, most, options.scope, tensor.cost is not None),
    )


def _choose_models(tensor: Tensor, models: tuple[str, ...]) -> Tensor:
    """Return the tensor of these models, or of all if none are named."""
    if not models:
        return tensor
    unknown = [name for name in models if name not in tensor.models]
    if unknown:
        known = ", ".join(tensor.models[:10]) + (", ..." if len(tensor.models) > 10 else "")
        raise InvalidInput(
            [Problem(f"--model {name!r} is not in the source: use one of {known}") for name in unknown]
        )
    return tensor.take(models=[column for column, name in enumerate(tensor.models) if name in models])


def _binary(tensor: Tensor, right: float | None) -> Tensor:
    """Return the tensor with quality 0 and 1. With `right`, a quality of `right` or more becomes 1."""
    if right is None:
        if not tensor.binary:
            low, high = float(np.nanmin(tensor.quality)), float(np.nanmax(tensor.quality))
            raise InvalidInput(
                Problem(
                    f"quality goes from {low:g} to {high:g}, but a judge accepts or rejects: give the least "
                    "quality of a right answer with --right"
                )
            )
        return tensor
    quality = np.where(np.isnan(tensor.quality), np.nan, (tensor.quality >= right).astype(np.float64))
    return replace(tensor, quality=quality)


def _most(tensor: Tensor, most: int | None) -> int:
    """Return the largest number of answers of a model: by default the largest that enough cells have."""
    if most is None:
        answers = tensor.answers[tensor.observed]
        return next(k for k in range(tensor.generations, 0, -1) if k == 1 or (answers >= k).mean() >= ENOUGH)
    if most < 1:
        raise InvalidInput(Problem(f"invalid --most {most!r}: give 1 or more"))
    if most > tensor.generations and _repeated(tensor) < REPEATED:
        raise InvalidInput(
            Problem(
                f"--most {most} is more than the {tensor.generations} answers of a cell, and too few cells "
                f"have two answers to estimate more; give at most {tensor.generations}"
            )
        )
    return most


def _repeated(tensor: Tensor) -> int:
    """Return the number of cells with two or more answers, from which noise is estimated."""
    return int((tensor.answers >= 2).sum())


def _select(
    tensor: Tensor,
    judge: NamedJudge,
    posterior: Posterior | None,
    most: int,
    options: PosthocOptions,
    bootstrap: Bootstrap,
    progress: ProgressCallback,
) -> Selected:
    progress(f"judge {judge.label}: up to {most} answers a model")
    curve = posthoc(
        tensor,
        judge.judge,
        posterior=posterior,
        scope=options.scope,
        rule=options.rule,
        most=most,
        **bootstrap,
    )
    plan = sequential(
        tensor,
        judge.judge,
        posterior=posterior,
        models=[curve.single] if options.scope == "fixed_best" else None,
        attempts=most,
        most=STEPS,
        **bootstrap,
    )
    return Selected(judge, curve, plan)


def _break_even(
    tensor: Tensor,
    posterior: Posterior | None,
    most: int,
    curve: Posthoc,
    bootstrap: Bootstrap,
    progress: ProgressCallback,
) -> tuple[BreakEven, ...]:
    """Return the break-even errors at k = 1 and `most`; empty for the oracle's model by prompt.

    For a single model k = 1 is left out, because there is only one answer to choose from.
    """
    if curve.scope == "per_prompt_best":
        return ()
    progress("the judge's error from which selection has no gain")
    alone = curve.scope == "fixed_best" or len(tensor.models) == 1
    models = [curve.single] if alone else None
    return tuple(
        break_even(tensor, k, posterior=posterior, models=models, rule=curve.rule, **bootstrap)
        for k in sorted({1, most})
        if k > 1 or not alone
    )


def _carriers(
    cells: Posterior, models: tuple[str, ...], options: PosthocOptions, bootstrap: Bootstrap
) -> tuple[Carriers, Carriers | None]:
    """Return the carriers of the frontier: the models or arms, and their groups with one share each."""
    if options.groups is None:
        return carriers(cells, models, **bootstrap), None
    labels = [options.groups[name] for name in models]
    together, names = grouped(cells, labels)
    return carriers(cells, models, groups=labels, **bootstrap), carriers(together, names, **bootstrap)


def _naive_note(tensor: Tensor) -> str:
    """Return a note on the bias of one answer a cell: the oracle if all models were equal (equation 10)."""
    reason = "one answer a cell (G = 1)"
    if tensor.generations > 1:
        reason = f"only {_repeated(tensor):,} cells have two answers, too few to estimate noise"
    true, naive = luck_alone(tensor.mean_quality())
    return (
        f"{reason}: selection among the recorded answers is as recorded, but the carriers and the cheapest "
        "set are naive, because luck cannot be separated from skill. If all models were equal on a prompt, "
        f"luck alone would lift the oracle from {100 * true:.1f} to about {100 * naive:.1f} %"
    )


def _notes(
    tensor: Tensor, posterior: Posterior | None, options: PosthocOptions, selected: tuple[Selected, ...]
) -> list[str]:
    """Return the notes on these data and figures."""
    notes: list[str] = []
    if posterior is None:
        notes.append(_naive_note(tensor))
    if tensor.latency is not None and selected[0].sequential.everybody.latency is None:
        unknown = np.isnan(tensor.latency).all(axis=(0, 2))
        without = named([tensor.models[column] for column in np.flatnonzero(unknown)])
        notes.append(f"seconds are left out: no latency is recorded for {without}")
    if options.right is not None:
        notes.append(f"an answer of quality {options.right:g} or more counts as right")
    for selection in selected:
        own = (*selection.posthoc.notes, *selection.sequential.notes)
        notes += not_of_kind(own, NoteKind.CAVEAT)
        if selection.judge.rates is not None:
            notes += [f"judge {selection.judge.label}: {note}" for note in selection.judge.rates.notes]
    if posterior is not None:
        notes += posterior.notes
    return notes


def caveats(tensor: Tensor, curve: Posthoc, most: int, scope: Scope, costed: bool) -> tuple[str, ...]:
    """Return the caveats, with the numbers that they concern."""
    paid = curve.points[-1].answers.value or 0.0
    texts = [INDEPENDENT]
    if scope == "all_models":
        count = len(tensor.models)
        average = "" if abs(paid - most * count) < 0.5 else f" (on average {paid:,.4g}, as recorded)"
        texts.append(
            f"selection generates and pays for every answer: {most} x {count} = {most * count:,} a prompt at "
            f"k = {most}{average}; sequential prompting pays only until an answer is accepted"
        )
    elif scope == "per_prompt_best":
        texts.append(
            "the best model for each prompt is known from an oracle, which is free and which no router has; "
            f"all of its k = 1 to {most} answers are paid for"
        )
    else:
        texts.append(f"all k answers are generated and paid for: {most} a prompt at k = {most}")
    texts.append(AGENTIC)
    texts.append(
        PRICES
        if costed
        else "no costs are recorded: answers are counted instead, whatever their model's price"
    )
    return tuple(texts)
