"""Computing the report of a frontier. The posterior is fitted once and used for every part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from assay.core.errors import InvalidInput, Problem
from assay.frontier.capability import frontier
from assay.frontier.methods.extrapolation import POWER, SMOOTH
from assay.frontier.methods.method import ProgressCallback
from assay.frontier.methods.registry import DEFAULT, check_names, method_named
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import prepare
from assay.frontier.sweep.prices import Price, price_change
from assay.frontier.tensor import Tensor
from assay.results.frontier import OracleEstimate
from assay.results.frontier_report import FittedDecay, Judged, KShot, ReportSettings
from assay.results.frontier_selection import BreakEven, Carriers, Cheapest, Sequential
from assay.results.note import Note, NoteKind
from assay.studies.frontier.report_groups import group, groups_of
from assay.studies.frontier.report_parts import ReportParts
from assay.studies.frontier.report_result import FrontierReport
from assay.studies.frontier.report_shots import default_ks
from assay.studies.frontier.tensor_source import TensorSource

BESIDE: tuple[str, ...] = ("naive", "bracket", "power", "smooth")
NO_ROUTER = (
    "the oracle is not a router: it knows in advance which model is best on each prompt, so its figures are "
    "an upper bound that no router reaches"
)
PERFECT_JUDGE = (
    "k-shot figures assume a judge that never errs and costs nothing; the table of judges shows the figures "
    "of judges that err"
)
TRAJECTORIES = (
    "results for agentic tasks are too low: where one generation is a whole trajectory, a change of model "
    "between steps could reach more, and it is not considered here"
)
SCOPE = (
    "results hold for the models, prompts and categories of the source, not for others, nor for prompts that "
    "were in training data"
)


def frontier_report(
    read: TensorSource,
    *,
    method: str = DEFAULT,
    methods_beside: Sequence[str] = BESIDE,
    ks: Sequence[int] | None = None,
    prices: Mapping[str, Price] | None = None,
    prices_date: str | None = None,
    level: float = 0.95,
    resamples: int = 500,
    seed: int = 0,
    progress: ProgressCallback | None = None,
) -> FrontierReport:
    """Return the report of one source by one method, with the oracle by other methods for comparison.

    If no cell has two generations, no method can separate skill from luck: `naive` and `bracket` replace
    `mixture` and `pgm`, and a note gives the possible size of the bias. `ks` has the k of the k-shot results
    (default 1..G). `prices` has new prices by model, used for decisions and costs; `prices_date` is the date
    of the recorded prices. Parts that the data do not allow are None, with a note: reliability, sequential
    prompting and judges need quality 0/1, topic entropy needs two categories. Raises InvalidInput if no
    result is possible.
    """
    progress = progress or (lambda text: None)
    check_names((method, *methods_beside))
    prepared = prepare(read.tensor)
    tensor = prepared.tensor
    used, fallback = _choose_method(tensor, method)
    beside = tuple(dict.fromkeys(name for name in (*methods_beside, *fallback.beside) if name != used))
    if ks is not None and any(k < 1 for k in ks):
        raise InvalidInput(Problem(f"invalid numbers of shots {list(ks)!r}: give whole numbers from 1"))
    settings = ReportSettings(
        used,
        method,
        beside,
        tuple(ks) if ks is not None else default_ks(tensor.generations),
        level,
        resamples,
        seed,
        prices is not None,
        prices_date,
    )
    if method_named(used).modelled:
        progress(f"{used}: a model of {len(tensor.prompts):,} x {len(tensor.models)} cells")
    posterior = method_named(used).fit(tensor, seed=seed, progress=progress)
    if posterior is not None and not posterior.claims_point and len(tensor.models) > 1:
        settings, fallback, posterior = _fall_back_to_bracket(settings, fallback, posterior)
        used = settings.method
    priced, priced_posterior = tensor, posterior
    if prices is not None:
        if tensor.cost is None:
            raise InvalidInput(Problem("the source has no costs, so new prices cannot apply: leave them out"))
        change = price_change(prices, tensor.models)
        priced = change.of_tensor(tensor)
        priced_posterior = None if posterior is None else change.of_posterior(posterior)
    parts = ReportParts(priced, priced_posterior, settings, progress)
    with ThreadPoolExecutor(1) as second_thread:
        submitted = second_thread.submit(_other_parts, parts)
        progress("the frontier")
        whole_frontier = frontier(
            tensor, used, posterior=posterior, prices=prices, level=level, resamples=resamples, seed=seed
        )
        whole = group(priced, priced_posterior, whole_frontier, settings)
        groups, few = groups_of(priced, priced_posterior, settings, progress)
        notes = [*prepared.notes, *fallback.notes, *(posterior.notes if posterior is not None else ())]
        reliability = parts.reliability(notes)
        uplift_notes: list[str] = []
        uplift = parts.uplift(read, uplift_notes)
        others = submitted.result()
    methods = others.methods
    notes += [*others.notes, *uplift_notes]
    return FrontierReport(
        read=read,
        settings=settings,
        whole=whole,
        groups=groups,
        few=few,
        methods=methods,
        decay=_decay(methods[0]),
        reliability=reliability,
        carriers=others.carriers,
        cheapest=others.cheapest,
        sequential=others.sequential,
        judged=others.judged,
        break_even=others.break_even,
        uplift=uplift,
        notes=tuple(dict.fromkeys((*notes, *whole_frontier.notes, *methods[0].notes))),
        caveats=caveats(priced, whole.shots, prices_date),
    )


@dataclass(frozen=True, slots=True)
class _OtherParts:
    """The parts that a second thread computes while the first one computes the frontier."""

    methods: tuple[OracleEstimate, ...]
    carriers: Carriers
    cheapest: Cheapest
    judged: tuple[Judged, ...]
    break_even: BreakEven | None
    sequential: Sequential | None
    notes: tuple[str, ...]


def _other_parts(parts: ReportParts) -> _OtherParts:
    """Compute the parts that do not depend on the frontier."""
    notes: list[str] = []
    return _OtherParts(
        parts.methods(),
        parts.carriers(),
        parts.cheapest(),
        parts.judged(),
        parts.break_even(),
        parts.sequential(notes),
        tuple(notes),
    )


@dataclass(frozen=True, slots=True)
class _Fallback:
    """The notes on a method that could not be used, and the methods to show for comparison."""

    notes: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


def _choose_method(tensor: Tensor, method: str) -> tuple[str, _Fallback]:
    """Return the method that can be used, and the reason if it is not the requested one."""
    if not method_named(method).modelled or not method_named(method).unmet_need(tensor.generations):
        return method, _Fallback()
    if len(tensor.models) == 1:
        return "naive", _Fallback()
    note = Note(
        f"G = 1: one generation is too few for {method} to estimate noise, so all figures are naive, with an "
        "upward bias that cannot be measured; the bracket is shown too, without a lower end",
        NoteKind.OTHER_METHOD,
    )
    return "naive", _Fallback((note,), ("bracket",))


def _fall_back_to_bracket(
    settings: ReportSettings, fallback: _Fallback, posterior: Posterior
) -> tuple[ReportSettings, _Fallback, None]:
    """Replace a method that gives no point estimate by the bracket, and note the reasons."""
    text = f"{settings.method} gives no single value here: the two ends of the bracket are the result"
    note = Note(text, NoteKind.OTHER_METHOD)
    beside = tuple(name for name in settings.beside if name != "bracket")
    return (
        replace(settings, method="bracket", beside=beside),
        _Fallback((note, *fallback.notes, *posterior.notes), fallback.beside),
        None,
    )


def _decay(estimate: OracleEstimate) -> FittedDecay:
    """Return the forms fitted to the biased curve."""
    size = len(estimate.curve)
    return FittedDecay(
        estimate.points,
        *(form.fit(estimate.curve) if size >= form.parameters else None for form in (POWER, SMOOTH)),
    )


def caveats(tensor: Tensor, shots: tuple[KShot, ...], prices_date: str | None) -> tuple[str, ...]:
    """Return the caveats of a report, with the numbers that they concern."""
    texts = [NO_ROUTER, PERFECT_JUDGE]
    if shots:
        last = shots[-1]
        paid = last.all_models.answers.value
        made = f"{last.k} x {len(tensor.models)} = {last.k * len(tensor.models):,}"
        average = (
            ""
            if paid is None or abs(paid - last.k * len(tensor.models)) < 0.5
            else f" (on average {paid:,.4g}, because fewer are recorded)"
        )
        texts.append(
            f"all models at k = {last.k} generate and pay for {made} answers a prompt{average}; the best "
            "model by prompt pays for k, and the oracle's knowledge is free"
        )
    texts.append(TRAJECTORIES)
    if tensor.cost is None:
        texts.append("no costs are known: there are no figures on savings")
    elif prices_date is None:
        texts.append(
            "date of prices: not stated (--prices-date); costs are as the source recorded them, and prices "
            "fall quickly"
        )
    else:
        texts.append(f"date of prices: {prices_date}; other prices may lead to other choices (--prices)")
    texts.append(SCOPE)
    return tuple(texts)
