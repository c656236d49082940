"""The missing data of a board, by model and by judge, in lines that name no case."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.wording import counted
from assay.ranking.board.measured import Status
from assay.results.board_judged import Standing
from assay.results.board_keyed import KeyedStanding, Rights
from assay.results.ranking import AnswerUsage
from assay.runs.board.stored import StoredBoard, StoredKeyedBoard

MOST_NAMED = 8
RUN = re.compile(r"run \d+ \w+")


@dataclass(frozen=True, slots=True)
class Gap:
    """One kind of missing data, with a line for each model, judge or run that has it."""

    title: str
    lines: tuple[str, ...]


def judged_gaps(stored: StoredBoard) -> tuple[Gap, ...]:
    """Return the gaps of a judged board; kinds without a line are left out.

    The reason why a run of a private suite stopped is hidden, because it can quote a prompt.
    """
    board = stored.board
    whole = board.prompts * board.epochs
    answered = _answered_prompts(stored)

    def by_model(describe: Callable[[Standing], str | None]) -> tuple[str, ...]:
        lines = [(standing.model, line) for standing in board.standings if (line := describe(standing))]
        return _grouped(lines, len(board.standings))

    return _with_lines(
        Gap("From the runs", tuple(_run_lines(stored))),
        Gap("No composite, so no rank", tuple(_unranked(board.standings))),
        Gap("One half missing", by_model(_half)),
        Gap(
            "Samples never taken",
            by_model(lambda standing: _share(whole - standing.samples.n, whole, "never taken")),
        ),
        Gap(
            "Samples that errored, left out of every mean",
            by_model(lambda standing: _share(standing.samples.error, standing.samples.n, "errored")),
        ),
        Gap(
            "Ungraded samples",
            by_model(lambda standing: _share(standing.samples.ungraded, standing.samples.n, "ungraded")),
        ),
        Gap("Missing marks, estimated in the adjusted composite", tuple(_estimated(board.standings))),
        Gap("Judges left out for incomplete coverage", tuple(_partial(board.standings))),
        Gap("Missing G-Eval", by_model(lambda standing: _geval(standing, answered[standing.model]))),
        Gap(
            "Unknown figures",
            by_model(lambda standing: _unknown(standing.usage, standing.samples.n - standing.samples.error)),
        ),
    )


def keyed_gaps(stored: StoredKeyedBoard) -> tuple[Gap, ...]:
    """Return the gaps of a keyed board; kinds without a line are left out."""
    standings = stored.board.standings

    def shares(count: Callable[[Rights], int], what: str) -> tuple[str, ...]:
        lines = (
            (standing.model, _share(count(standing.rights), standing.rights.samples.n, what))
            for standing in standings
        )
        return tuple(f"{model}: {line}" for model, line in lines if line)

    return _with_lines(
        Gap("From the runs", stored.missing),
        Gap(
            "No answer, so no rank",
            tuple(standing.model for standing in standings if standing.ranks is None),
        ),
        Gap(
            "Errors: not right of all samples, and left out of ranks",
            shares(lambda rights: rights.samples.error, "errored"),
        ),
        Gap("Ungraded answers", shares(lambda rights: rights.samples.ungraded, "ungraded")),
        Gap(
            "Answers without a readable letter, counted as wrong",
            shares(lambda rights: rights.unread, "unread"),
        ),
        Gap(
            "Bundles left out of the consistency",
            tuple(
                f"{standing.model}: {counted(standing.consistency.left_out, 'bundle')} with an answer missing"
                for standing in standings
                if standing.consistency.left_out
            ),
        ),
        Gap("Unknown figures", tuple(_unknown_lines(standings))),
    )


def _with_lines(*kinds: Gap) -> tuple[Gap, ...]:
    return tuple(kind for kind in kinds if kind.lines)


def _grouped(lines: list[tuple[str, str]], models: int) -> tuple[str, ...]:
    """Return one line for all models that have the same text."""
    named: dict[str, list[str]] = {}
    for model, line in lines:
        named.setdefault(line, []).append(model)
    return tuple(f"{_names(names, models)}: {line}" for line, names in named.items())


def _names(names: list[str], models: int) -> str:
    if 1 < models == len(names):
        return f"all {models} models"
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def _run_lines(stored: StoredBoard) -> Iterator[str]:
    for line in stored.missing:
        run = RUN.match(line)
        if stored.private and run is not None:
            yield f"{run.group()} (the suite is private: `assay show` of the run gives the reason)"
        else:
            yield line


def _unranked(standings: Sequence[Standing]) -> Iterator[str]:
    for standing in standings:
        if standing.score.composite is None:
            yield f"{standing.model}: no judge counts for it, and it has no G-Eval"


def _half(standing: Standing) -> str | None:
    missing = {"judges only": "no G-Eval", "geval only": "no judge counts for it"}
    basis = standing.score.basis
    return f"{missing[basis]}, so the composite is the other half alone" if basis in missing else None


def _estimated(standings: Sequence[Standing]) -> Iterator[str]:
    for standing in standings:
        adjusted = standing.adjusted
        if adjusted.missing and adjusted.lowest is not None and adjusted.highest is not None:
            yield (
                f"{standing.model}: {counted(adjusted.missing, 'mark')}; the composite is between "
                f"{100 * adjusted.lowest:.1f} and {100 * adjusted.highest:.1f} whatever they would be"
            )


def _partial(standings: Sequence[Standing]) -> Iterator[str]:
    for standing in standings:
        for judge in standing.judges:
            if not judge.counts and not judge.own:
                yield f"{judge.judge} on {standing.model}: {judge.marked:,} of {judge.asked:,} answers marked"


def _answered_prompts(stored: StoredBoard) -> dict[str, int]:
    """Return for each model the number of prompts with a visible answer in any epoch."""
    status = np.stack([epoch.status for epoch in stored.measured])
    visible = np.isin(status, (int(Status.OK), int(Status.UNGRADED)))
    return dict(zip(stored.measured[0].models, visible.any(axis=0).sum(axis=1).tolist(), strict=True))


def _geval(standing: Standing, answered: int) -> str | None:
    missing = answered - standing.score.geval_n
    parts = [f"{missing} of {counted(answered, 'answered prompt')} without G-Eval"] if missing > 0 else []
    parts += [
        f"{metric.metric.replace('_', ' ')} on {metric.n} of {standing.score.geval_n} prompts"
        for metric in standing.metrics
        if metric.n < standing.score.geval_n
    ]
    return ", ".join(parts) or None


def _unknown_lines(standings: Sequence[KeyedStanding]) -> Iterator[str]:
    for standing in standings:
        samples = standing.rights.samples
        line = _unknown(standing.usage, samples.n - samples.error)
        if line:
            yield f"{standing.model}: {line}"


def _unknown(usage: AnswerUsage, answered: int) -> str | None:
    parts = []
    if usage.cost_unknown:
        parts.append(f"cost of {usage.cost_unknown:,} of {counted(answered, 'answer')}")
    if usage.tokens.value is None:
        parts.append("output tokens")
    if usage.latency.value is None:
        parts.append("latency")
    return ", ".join(parts) or None


def _share(number: int, whole: int, what: str) -> str | None:
    return f"{number:,} of {whole:,} {what}" if number > 0 else None
