"""Models with their prices as tables and as JSON documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import typer

from assay.cli.output import counted, moment, notes, print_table
from assay.core.model import Model
from assay.core.money import Prices
from assay.runs.prices import KnownPrices, Refreshed
from assay.runs.work import Work

PRICE_COLUMNS = ("prompt", "completion", "cached", "request")
SHOWN_COLUMNS = ("$/M prompt", "$/M answer", "prices from")


def listed_models(work: Work) -> list[Model]:
    """Return the models that the workspace names: listed, watched, or judging."""
    workspace = work.workspace
    names = dict.fromkeys([*workspace.models, *workspace.watch.models, *workspace.judges])
    return [workspace.model(name) for name in names]


def _prices(prices: Prices | None) -> dict[str, float | None] | None:
    return None if prices is None else {name: getattr(prices, name) for name in PRICE_COLUMNS}


def _price_document(known: KnownPrices) -> dict[str, Any]:
    return {
        "model": known.model.name,
        "prices": _prices(known.prices),
        "origin": known.origin,
        "source": known.source,
        "at": moment(known.at),
    }


def models_document(work: Work, known: Sequence[KnownPrices]) -> dict[str, Any]:
    """Return the workspace's models as a JSON document."""
    workspace = work.workspace
    return {
        "models": [
            {
                **_price_document(each),
                "pin": None if each.model.pin is None else list(each.model.pin.only),
                "parameters": dict(each.model.parameters),
                "organisation": each.model.organisation,
                "family": each.model.family,
                "series": each.model.series,
                "released": None if each.model.released is None else each.model.released.isoformat(),
                "weights": each.model.weights,
                "exclusions": [{"suite": one.suite, "reason": one.reason} for one in each.model.exclusions],
                "watched": each.model.name in workspace.watch.models,
                "judge": each.model.name in workspace.judges,
            }
            for each in known
        ]
    }


def prices_document(refreshed: Sequence[Refreshed], known: Sequence[KnownPrices]) -> dict[str, Any]:
    """Return what a refresh came to, and the prices that now hold, as a JSON document."""
    return {
        "providers": [
            {
                "provider": each.provider,
                "source": each.source,
                "listed": each.listed,
                "priced": each.priced,
                "error": None if each.error is None else str(each.error),
            }
            for each in refreshed
        ],
        "models": [_price_document(each) for each in known],
    }


def print_models_list(work: Work, known: Sequence[KnownPrices]) -> None:
    """Print one line a model; an unknown price is said."""
    if not known:
        place = work.workspace.path or "here (there is no assay.yaml)"
        notes().print(f"no models are listed in {place}: `assay model add PROVIDER/MODEL` lists one")
        return
    print_table(
        None,
        ("model", "pin", *SHOWN_COLUMNS),
        [
            (each.model.name, ", ".join(each.model.pin.only) if each.model.pin else "-", *_shown(each))
            for each in known
        ],
        right=SHOWN_COLUMNS[:2],
    )
    workspace = work.workspace
    for use, names in (("watched", workspace.watch.models), ("judging", workspace.judges)):
        if names:
            typer.echo(f"{use}: {', '.join(names)}")
    for each in known:
        for one in each.model.exclusions:
            typer.echo(f"{each.model.name} is not measured on {one.suite}: {one.reason}")


def print_prices(refreshed: Sequence[Refreshed], known: Sequence[KnownPrices]) -> None:
    """Print where prices were asked for, and those that now hold."""
    for each in refreshed:
        if each.error is not None:
            notes().print(f"assay: {each.error}")
            continue
        found = f"{counted(each.listed, 'model')} listed, {each.priced:,} with prices"
        none = "" if each.priced else ": this provider publishes none, write them into assay.yaml"
        typer.echo(f"{each.provider}: {found}{none} ({each.source})")
    if known:
        typer.echo("")
        print_table(
            None,
            ("model", *SHOWN_COLUMNS),
            [(each.model.name, *_shown(each)) for each in known],
            right=SHOWN_COLUMNS[:2],
        )


def _shown(known: KnownPrices) -> tuple[str, str, str]:
    if known.prices is None:
        return "unknown", "unknown", "-"
    came = "workspace" if known.origin == "workspace" else f"model list of {(moment(known.at) or '')[:10]}"
    return f"{known.prices.prompt:g}", f"{known.prices.completion:g}", came
