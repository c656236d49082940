"""Composes a study of selection after the fact: what judges, sequences and sets of models give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from assay.core.errors import InvalidInput, Problem
from assay.frontier.carriers.cheapest import cheapest
from assay.frontier.carriers.shapley import carriers, grouped
from assay.frontier.mixture.fit import fit_mixture
from assay.frontier.oracle import alike
from assay.frontier.per_prompt import naive_posterior
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import named, prepare
from assay.frontier.selection.break_even import break_even
from assay.frontier.selection.posthoc import posthoc
from assay.frontier.selection.sequential import sequential
from assay.frontier.tensor import Tensor
from assay.results.frontier_selection import BreakEven, Carriers, Posthoc, Scope
from assay.studies.frontier.posthoc_judges import NamedJudge, in_unit
from assay.studies.frontier.posthoc_result import PosthocStudy, Selected, Wish
from assay.studies.frontier.report_parts import Bootstrap

Tell = Callable[[str], None]
REPEATED = 50
"""With fewer cells of two answers or more there is no posterior."""

ENOUGH = 0.1
"""The default goes to the k that this share of the cells has."""

SAID_BELOW = ("a judge's errors are taken", "no costs are recorded")
"""Notes that the caveats hold as well."""

STEPS = 1_000
"""Sequential plans of more steps than this are cut."""
INDEPENDENT = (
    "a judge's errors are taken to be independent, even on answers to one prompt: a judge that is fooled by "
    "the same mistake of every model does worse, and more answers help it less"
)
AGENTIC = (
    "agentic tasks are understated: where one answer is a whole trajectory, changing models from step to "
    "step could reach more, and is out of scope"
)


def posthoc_study(
    tensor: Tensor,
    judges: tuple[NamedJudge, ...],
    wish: Wish | None = None,
    *,
    price: float | None = None,
    tell: Tell | None = None,
) -> PosthocStudy:
    """Return what selection among many answers reaches and costs under each judge, the perfect one first.

    Recorded counts are unbiased for what all models', or one model's, answers give up to the recorded
    number, and are used there; beyond, and for the best model by prompt, a posterior (`mixture`) is, where a
    cell has two generations. `price` is what was stated of a judgement. InvalidInput for an unknown model,
    graded quality without `wish.right`, more answers than can be said anything of, or a price that cannot be
    added to costs.
    """
    wish, tell = wish or Wish(), tell or (lambda text: None)
    prepared = prepare(_right(_kept(tensor, wish.models), wish.right))
    used = prepared.tensor
    judges, dropped = in_unit(judges, used, price)
    most = _most(used, wish.most)
    posterior = None
    if _repeated(used) >= REPEATED:
        tell(f"mixture: a model of {len(used.prompts):,} x {len(used.models)} cells")
        posterior = fit_mixture(used, seed=wish.seed)
    counts = wish.scope != "per_prompt_best" and most <= used.generations
    drawn = None if counts else posterior
    bootstrap: Bootstrap = {"level": wish.level, "resamples": wish.resamples, "seed": wish.seed}
    selected = tuple(_selected(used, each, drawn, most, wish, bootstrap, tell) for each in judges)
    tell("who carries the frontier, and the cheapest set")
    cells = posterior or naive_posterior(used.mean_quality(), used.mean_cost())
    carried, groups = _carried(cells, used.models, wish, bootstrap)
    given = used.given
    return PosthocStudy(
        wish=wish,
        prompts=len(used.prompts),
        models=used.models,
        generations=used.generations,
        answers=int(given.sum()),
        missing=int((given == 0).sum()),
        most=most,
        basis="counts" if drawn is None else drawn.method,
        selected=selected,
        break_even=_break_even(used, drawn, most, selected[0].posthoc, bootstrap, tell),
        carriers=carried,
        groups=groups,
        cheapest=cheapest(cells, used.models, share=wish.share, **bootstrap),
        notes=tuple(dict.fromkeys((*prepared.notes, *dropped, *_notes(used, posterior, wish, selected)))),
        caveats=caveats(used, selected[0].posthoc, most, wish.scope, tensor.cost is not None),
    )


def _kept(tensor: Tensor, models: tuple[str, ...]) -> Tensor:
    """Return the tensor of these models, all where none are named."""
    if not models:
        return tensor
    unknown = [name for name in models if name not in tensor.models]
    if unknown:
        there = ", ".join(tensor.models[:10]) + (", ..." if len(tensor.models) > 10 else "")
        raise InvalidInput(
            [Problem(f"--model {name!r} is not in the source: there are {there}") for name in unknown]
        )
    wanted = dict.fromkeys(models)
    return tensor.take(models=[place for place, name in enumerate(tensor.models) if name in wanted])


def _right(tensor: Tensor, right: float | None) -> Tensor:
    """Return quality as 0 and 1: as it is, or 1 from `right` on."""
    if right is None:
        if not tensor.binary:
            low, high = float(np.nanmin(tensor.quality)), float(np.nanmax(tensor.quality))
            raise InvalidInput(
                Problem(
                    f"quality goes from {low:g} to {high:g}, not only 0 and 1, and a judge accepts or "
                    "rejects: say with --right from which quality on an answer is right"
                )
            )
        return tensor
    quality = np.where(np.isnan(tensor.quality), np.nan, (tensor.quality >= right).astype(np.float64))
    return replace(tensor, quality=quality)


def _most(tensor: Tensor, most: int | None) -> int:
    """Return how many answers a model are had: by default as many as enough cells have."""
    if most is None:
        given = tensor.given[tensor.there]
        return next(k for k in range(tensor.generations, 0, -1) if k == 1 or (given >= k).mean() >= ENOUGH)
    if most < 1:
        raise InvalidInput(Problem(f"--most {most!r}: give 1 or more"))
    if most > tensor.generations and _repeated(tensor) < REPEATED:
        raise InvalidInput(
            Problem(
                f"--most {most}: the source has at most {tensor.generations} a cell, and too few cells have "
                f"two for a model of what more would give; give at most {tensor.generations}"
            )
        )
    return most


def _repeated(tensor: Tensor) -> int:
    """Return how many cells have two answers or more, from which luck is learnt."""
    return int((tensor.given >= 2).sum())


def _selected(
    tensor: Tensor,
    judge: NamedJudge,
    posterior: Posterior | None,
    most: int,
    wish: Wish,
    bootstrap: Bootstrap,
    tell: Tell,
) -> Selected:
    tell(f"judge {judge.label}: up to {most} answers a model")
    curve = posthoc(
        tensor, judge.judge, posterior=posterior, scope=wish.scope, rule=wish.rule, most=most, **bootstrap
    )
    plan = sequential(
        tensor,
        judge.judge,
        posterior=posterior,
        models=[curve.single] if wish.scope == "fixed_best" else None,
        attempts=most,
        most=STEPS,
        **bootstrap,
    )
    return Selected(judge, curve, plan)


def _break_even(
    tensor: Tensor, posterior: Posterior | None, most: int, curve: Posthoc, bootstrap: Bootstrap, tell: Tell
) -> tuple[BreakEven, ...]:
    """Return the break-even errors at k = 1 and the most; nothing for an oracle's model by prompt.

    Among one answer of one model there is nothing to select.
    """
    if curve.scope == "per_prompt_best":
        return ()
    tell("the judge's error at which selection stops paying")
    alone = curve.scope == "fixed_best" or len(tensor.models) == 1
    models = [curve.single] if alone else None
    return tuple(
        break_even(tensor, k, posterior=posterior, models=models, rule=curve.rule, **bootstrap)
        for k in sorted({1, most})
        if k > 1 or not alone
    )


def _carried(
    cells: Posterior, models: tuple[str, ...], wish: Wish, bootstrap: Bootstrap
) -> tuple[Carriers, Carriers | None]:
    """Return who carries the frontier: models or arms, and their groups as one player each."""
    if wish.groups is None:
        return carriers(cells, models, **bootstrap), None
    labels = [wish.groups[name] for name in models]
    together, names = grouped(cells, labels)
    return carriers(cells, models, groups=labels, **bootstrap), carriers(together, names, **bootstrap)


def _luck(tensor: Tensor) -> str:
    """Say how far one answer a cell may mislead: what models that are all alike would show (equation 10)."""
    quality = tensor.mean_quality()
    head = "one answer a cell (G = 1)"
    if tensor.generations > 1:
        head = f"only {_repeated(tensor):,} cells have two answers, too few to learn luck from"
    shown = float(np.mean([alike(row[~np.isnan(row)]) for row in quality]))
    true = float(np.mean([row[~np.isnan(row)].mean() for row in quality]))
    return (
        f"{head}: selection among the recorded answers is as recorded, but who carries the frontier and the "
        "cheapest set are naive, for luck cannot be told from skill. Were all models alike on each prompt, "
        f"luck alone would lift the oracle from {100 * true:.1f} to about {100 * shown:.1f} %"
    )


def _notes(
    tensor: Tensor, posterior: Posterior | None, wish: Wish, selected: tuple[Selected, ...]
) -> list[str]:
    """Return what is to be known of these data and figures, once each."""
    found: list[str] = []
    if posterior is None:
        found.append(_luck(tensor))
    if tensor.latency is not None and selected[0].sequential.everybody.latency is None:
        unknown = np.isnan(tensor.latency).all(axis=(0, 2))
        without = named([tensor.models[place] for place in np.flatnonzero(unknown)])
        found.append(f"seconds are left out: no latency is recorded of {without}")
    if wish.right is not None:
        found.append(f"an answer of quality {wish.right:g} or more counts as right")
    for each in selected:
        told = (*each.posthoc.notes, *each.sequential.notes)
        found += [note for note in told if not note.startswith(SAID_BELOW)]
        if each.judge.rates is not None:
            found += [f"judge {each.judge.label}: {told}" for told in each.judge.rates.notes]
    if posterior is not None:
        found += posterior.notes
    return found


def caveats(tensor: Tensor, curve: Posthoc, most: int, scope: Scope, costed: bool) -> tuple[str, ...]:
    """Return the caveats with the numbers that they are about."""
    paid = curve.points[-1].answers.value or 0.0
    told = [INDEPENDENT]
    if scope == "all_models":
        count = len(tensor.models)
        uneven = "" if abs(paid - most * count) < 0.5 else f", {paid:,.4g} on average as many as are recorded"
        told.append(
            f"selection makes and pays every answer: {most} x {count} = {most * count:,} a prompt at k = "
            f"{most}{uneven}; asking one model after the other pays what was made until one is accepted"
        )
    elif scope == "per_prompt_best":
        told.append(
            "the best model for each prompt is known by an oracle, for free, and no router knows it; its "
            f"k = 1 to {most} answers are all paid"
        )
    else:
        told.append(f"all k answers are made and paid: {most} a prompt at k = {most}")
    told += [AGENTIC]
    told.append(
        "costs are as the source recorded them: prices are of that day"
        if costed
        else "no costs are recorded: answers are counted, whatever their model's price"
    )
    return tuple(told)
