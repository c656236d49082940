"""Measured routers as tables: each beside the best single model and the oracle, and at matched cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

from assay.cli.output import counted, dollars, print_table

if TYPE_CHECKING:
    from assay.frontier.estimate import Estimate
    from assay.frontier.routing.result import Routed, Routing

Spelled = Callable[[float], str]


def print_routing(found: Routing, verdict: str, caveats: tuple[str, ...]) -> None:
    """Print the verdict, one row a router, the same at matched cost, what was learnt, notes and caveats."""
    typer.echo(verdict)
    typer.echo("")
    _print_any_cost(found)
    if found.random.cost is not None:
        typer.echo("")
        _print_matched(found)
    typer.echo("")
    for each in found.routers:
        if each.settings and not each.answers:
            told = ", ".join(f"{name} ({count})" for name, count in each.settings)
            typer.echo(f"{each.name}: {told} of {counted(found.folds * found.repeats, 'training set')}")
    for note in found.notes:
        typer.echo(note)
    for caveat in caveats:
        typer.echo(f"caveat: {caveat}")


def _print_any_cost(found: Routing) -> None:
    share = f"{100 * found.level:g} %"
    prompts = counted(found.prompts, "prompt")
    folds = f"{found.folds} folds, {counted(found.repeats, 'time')}"
    typer.echo(f"{prompts}, {folds}; quality at any cost, on prompts not trained on")
    costed = found.random.cost is not None
    columns = ["router", "quality", "gain", share, "of the gap", f"{share} ", "above shuffled", f"{share}  "]
    columns += ["cost"] if costed else []
    spent = _spent(found.unit)
    rows = [["random", _percent(found.random.quality), *[""] * 6, spent(found.random.cost or 0.0)]]
    for each in found.routers:
        rows.append(
            [
                each.name + (" *" if each.answers else ""),
                _one(each.quality, _percent),
                *_with_ends(each.gain),
                *_with_ends(each.share),
                *(("", "") if each.over_shuffled is None else _with_ends(each.over_shuffled)),
                _one(each.cost, spent),
            ]
        )
    oracle = f"oracle ({found.method})"
    rows.append(
        [
            oracle,
            _one(found.oracle, _percent),
            *_with_ends(found.gap),
            "100.0",
            "",
            "",
            "",
            _one(found.oracle_cost, spent),
        ]
    )
    print_table(None, columns, [row[: len(columns)] for row in rows], right=columns[1:])
    if any(each.answers for each in found.routers):
        typer.echo("* reads answers and asks again, which the oracle here does not: its share may exceed 100")


def _print_matched(found: Routing) -> None:
    share = f"{100 * found.level:g} %"
    single = found.router(found.best_single)
    spent = _spent(found.unit)
    typer.echo(
        f"at the best single model's cost ({_one(single.cost, spent)}), the setting chosen in training"
    )
    columns = ["router", "quality", "cost", "gain", share, "of the gap", f"{share} ", "AIQ"]
    rows = [_matched_row(each, spent) for each in found.routers if each.matched is not None]
    rows.append(
        ["frontier", "", "", *_with_ends(found.gap_at_cost), "100.0", "", _one(found.frontier_aiq, _percent)]
    )
    print_table(None, columns, rows, right=columns[1:])


def _matched_row(each: Routed, spent: Spelled) -> list[str]:
    assert each.matched is not None
    matched = each.matched
    return [
        each.name + (" *" if each.answers else ""),
        _one(matched.quality, _percent),
        _one(matched.cost, spent),
        *_with_ends(matched.gain),
        *_with_ends(matched.share),
        _one(each.aiq, _percent),
    ]


def _with_ends(estimate: Estimate) -> tuple[str, str]:
    ends = estimate.over_prompts
    told = "-" if ends is None else f"{_percent(ends.low)} to {_percent(ends.high)}"
    return _one(estimate, _percent), told


def _one(estimate: Estimate, shown: Spelled) -> str:
    return "-" if estimate.value is None else shown(estimate.value)


def _percent(value: float) -> str:
    told = f"{100 * value:.1f}"
    return "0.0" if told == "-0.0" else told


def _spent(unit: str) -> Spelled:
    return dollars if unit == "USD" else (lambda value: f"{value:.4g} {unit}")
