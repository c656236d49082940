"""What a board lacks, model by model and judge by judge, in lines that name no case."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from assay.ranking.board import Standing
from assay.ranking.measured import Status
from assay.report.board_figures import several
from assay.runs.board import StoredBoard

MOST_NAMED = 8
RUN = re.compile(r"run \d+ \w+")


@dataclass(frozen=True, slots=True)
class Gap:
    """One kind of thing that is missing, with a line for each place where it is."""

    title: str
    lines: tuple[str, ...]


def gaps(stored: StoredBoard) -> tuple[Gap, ...]:
    """Return what is missing, kinds without a line left out.

    Why a run of a private suite stopped is not told: a provider's words can quote what it was asked.
    """
    found = stored.board
    whole = found.prompts * found.epochs
    valid = _valid_prompts(stored)
    models = len(found.standings)

    def by_model(told: Callable[[Standing], str | None]) -> tuple[str, ...]:
        return _together([(each.model, line) for each in found.standings if (line := told(each))], models)

    kinds = (
        Gap("From the runs", tuple(_said(stored))),
        Gap("No composite, so no rank", tuple(_unranked(found.standings))),
        Gap("One half missing", by_model(_half)),
        Gap(
            "Samples never taken",
            by_model(lambda each: _share(whole - each.counts.n, whole, "never taken")),
        ),
        Gap(
            "Samples that errored, left out of every mean",
            by_model(lambda each: _share(each.counts.error, each.counts.n, "errored")),
        ),
        Gap(
            "Ungraded samples", by_model(lambda each: _share(each.counts.ungraded, each.counts.n, "ungraded"))
        ),
        Gap("Missing marks, estimated in the adjusted composite", tuple(_estimated(found.standings))),
        Gap("Judges left out for incomplete coverage", tuple(_partial(found.standings))),
        Gap("G-Eval that did not return", by_model(lambda each: _geval(each, valid[each.model]))),
        Gap("Unknown figures", by_model(_unknown)),
    )
    return tuple(kind for kind in kinds if kind.lines)


def _together(lines: list[tuple[str, str]], models: int) -> tuple[str, ...]:
    """Return one line for all the models of which the same is said."""
    named: dict[str, list[str]] = {}
    for model, line in lines:
        named.setdefault(line, []).append(model)
    return tuple(f"{_named(names, models)}: {line}" for line, names in named.items())


def _named(names: list[str], models: int) -> str:
    if 1 < models == len(names):
        return f"all {models} models"
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def _said(stored: StoredBoard) -> Iterator[str]:
    for line in stored.missing:
        run = RUN.match(line)
        if stored.private and run is not None:
            yield f"{run.group()} (the suite is private: `assay show` of the run says why)"
        else:
            yield line


def _unranked(standings: tuple[Standing, ...]) -> Iterator[str]:
    for each in standings:
        if each.score.composite is None:
            yield f"{each.model}: no judge counts for it, and it has no G-Eval"


def _half(standing: Standing) -> str | None:
    lacks = {"judges only": "no G-Eval", "geval only": "no judge counts for it"}
    basis = standing.score.basis
    return f"{lacks[basis]}, so the composite is the other half alone" if basis in lacks else None


def _estimated(standings: tuple[Standing, ...]) -> Iterator[str]:
    for each in standings:
        found = each.adjusted
        if found.missing and found.lowest is not None and found.highest is not None:
            yield (
                f"{each.model}: {several(found.missing, 'mark')}; the composite is between "
                f"{100 * found.lowest:.1f} and {100 * found.highest:.1f} whatever they would be"
            )


def _partial(standings: tuple[Standing, ...]) -> Iterator[str]:
    for standing in standings:
        for each in standing.judges:
            if not each.counts and not each.own:
                yield f"{each.judge} on {standing.model}: {each.marked:,} of {each.asked:,} answers marked"


def _valid_prompts(stored: StoredBoard) -> dict[str, int]:
    """Return for each model on how many prompts it gave a visible answer in any epoch."""
    status = np.stack([each.status for each in stored.measured])
    there = np.isin(status, (int(Status.OK), int(Status.UNGRADED))).any(axis=0).sum(axis=1)
    return dict(zip(stored.measured[0].models, there.tolist(), strict=True))


def _geval(standing: Standing, valid: int) -> str | None:
    lacking = valid - standing.score.geval_n
    thin = [
        f"{name.replace('_', ' ')} on {average.n} of {standing.score.geval_n}"
        for name, average in standing.metrics
        if average.n < standing.score.geval_n
    ]
    told = [f"{lacking} of {several(valid, 'answered prompt')} without G-Eval"] if lacking > 0 else []
    return ", ".join((*told, *(f"{text} prompts" for text in thin))) or None


def _unknown(standing: Standing) -> str | None:
    answered = standing.counts.n - standing.counts.error
    told = []
    if standing.cost_unknown:
        told.append(f"cost of {standing.cost_unknown:,} of {several(answered, 'answer')}")
    if standing.tokens.value is None:
        told.append("output tokens")
    if standing.latency.value is None:
        told.append("latency")
    return ", ".join(told) or None


def _share(number: int, whole: int, what: str) -> str | None:
    return f"{number:,} of {whole:,} {what}" if number > 0 else None
