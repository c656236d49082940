"""The commands of `assay model`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Literal

import typer

from assay.cli.output import OutputFormat, notes, print_listed, print_rows, prints
from assay.cli.session import open_session
from assay.core.errors import InvalidInput, Problem
from assay.core.model import Model, Pin, SuiteExclusion
from assay.core.money import Prices
from assay.core.wording import counted
from assay.files.workspace import load_workspace
from assay.files.workspace_writer import add_model
from assay.results.models import KNOWN_PRICES, MODELS, ListedModel, PriceRefresh
from assay.runs.work import Work


@prints("one row per model")
def list_(ctx: typer.Context, output: OutputFormat) -> None:
    """List the workspace's models with their pins and prices."""
    work = open_session(ctx)
    workspace = work.workspace
    models = [
        ListedModel(known, known.model, known.name in workspace.watch.models, known.name in workspace.judges)
        for known in work.known_prices(_models(work))
    ]
    print_listed(MODELS, models, output, text=lambda: _print_models(models))
    if not models:
        place = workspace.path or "here (there is no assay.yaml)"
        notes().print(f"no models are listed in {place}: add one with `assay model add PROVIDER/MODEL`")


def _models(work: Work) -> list[Model]:
    """Return the models that the workspace lists, watches or judges with."""
    workspace = work.workspace
    names = dict.fromkeys([*workspace.models, *workspace.watch.models, *workspace.judges])
    return [workspace.model(name) for name in names]


def _print_models(models: Sequence[ListedModel]) -> None:
    if models:
        print_rows(MODELS, models)
    watched = [model.known.name for model in models if model.watched]
    judging = [model.known.name for model in models if model.judge]
    for use, names in (("watched", watched), ("judging", judging)):
        if names:
            typer.echo(f"{use}: {', '.join(names)}")
    for model in models:
        for exclusion in model.model.exclusions:
            typer.echo(f"{model.known.name} is not measured on {exclusion.suite}: {exclusion.reason}")


def add(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="PROVIDER/MODEL", help="Name of the model, as PROVIDER/MODEL."),
    pin: list[str] = typer.Option(
        [], metavar="SLUG", help="Upstream provider that may serve the model; repeatable."
    ),
    organisation: str | None = typer.Option(None, metavar="NAME", help="Organisation that made the model."),
    family: str | None = typer.Option(None, metavar="NAME", help="Family, such as gpt-5."),
    series: str | None = typer.Option(None, metavar="NAME", help="Series, such as gpt-5-mini."),
    released: str | None = typer.Option(None, metavar="DATE", help="Release date, such as 2025-08-07."),
    weights: str | None = typer.Option(
        None, metavar="open|closed", help="Whether its weights are published."
    ),
    prompt_price: float | None = typer.Option(
        None, metavar="USD", help="Price in US dollars per million prompt tokens."
    ),
    completion_price: float | None = typer.Option(
        None, metavar="USD", help="Price in US dollars per million answer tokens."
    ),
    exclude: list[str] = typer.Option(
        [], metavar="SUITE=REASON", help="Suite on which the model is not measured; repeatable."
    ),
) -> None:
    """Add a model to assay.yaml; other text there stays unchanged."""
    work = open_session(ctx)
    problems: list[Problem] = []
    provider, _, upstream = name.partition("/")
    model = Model(
        provider,
        upstream,
        pin=Pin(tuple(pin)) if pin else None,
        prices=_prices(prompt_price, completion_price, problems),
        organisation=organisation,
        family=family,
        series=series,
        released=_date(released, problems),
        weights=_weights(weights, problems),
        exclusions=tuple(_exclusions(exclude, problems)),
    )
    _check(work, name, model, problems)
    path = Path(work.workspace.path or "assay.yaml")
    add_model(path, model)
    load_workspace(path, environment=work.environment)
    typer.echo(f"added {name} to {path}")


def _check(work: Work, name: str, model: Model, problems: list[Problem]) -> None:
    """Raise InvalidInput before anything is written, if the workspace could not be read afterwards."""
    known = work.workspace.providers
    if not model.upstream or any(letter.isspace() for letter in name):
        text = f"invalid model name {name!r}: write `provider/model`, such as local/llama3"
        problems.append(Problem(text))
    elif model.provider not in known:
        names = ", ".join(sorted(known))
        problems.append(Problem(f"unknown provider {model.provider!r}: use one of {names}"))
    elif model.pin is not None and known[model.provider].dialect != "openrouter":
        text = f"{name!r} cannot be pinned: only OpenRouter chooses between providers; leave --pin out"
        problems.append(Problem(text))
    if problems:
        raise InvalidInput(problems)


def _prices(prompt: float | None, completion: float | None, problems: list[Problem]) -> Prices | None:
    if prompt is None and completion is None:
        return None
    if prompt is None or completion is None:
        problems.append(Problem("only one price is given: give both --prompt-price and --completion-price"))
        return None
    if prompt < 0 or completion < 0:
        problems.append(Problem("a price is below 0: give US dollars per million tokens"))
    return Prices(prompt, completion)


def _date(text: str | None, problems: list[Problem]) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        problems.append(Problem(f"invalid --released {text!r}: use YYYY-MM-DD"))
        return None


def _weights(text: str | None, problems: list[Problem]) -> Literal["open", "closed"] | None:
    known: dict[str, Literal["open", "closed"]] = {"open": "open", "closed": "closed"}
    if text is not None and text not in known:
        problems.append(Problem(f"invalid --weights {text!r}: write open or closed"))
    return known.get(text or "")


def _exclusions(texts: list[str], problems: list[Problem]) -> list[SuiteExclusion]:
    exclusions = []
    for text in texts:
        suite, _, reason = text.partition("=")
        if not suite.strip() or not reason.strip():
            problems.append(Problem(f"invalid --exclude {text!r}: write SUITE=REASON"))
        exclusions.append(SuiteExclusion(suite.strip(), reason.strip()))
    return exclusions


@prints("one row per model")
def prices(
    ctx: typer.Context,
    output: OutputFormat,
    provider: list[str] = typer.Argument(
        None, metavar="[PROVIDER]...", help="Provider (default: all of the workspace's)."
    ),
) -> None:
    """Refresh prices from the providers' model lists. Prices in the workspace take precedence."""
    work = open_session(ctx)
    models = _models(work)
    lists = asyncio.run(work.refresh_prices(list(provider or []) or _listing(work, models)))
    refresh = PriceRefresh(tuple(lists), tuple(work.known_prices(models)))
    print_listed(KNOWN_PRICES, refresh.models, output, result=refresh, text=lambda: _print_refresh(refresh))
    statuses = [listed.failure.exit_status for listed in refresh.providers if listed.failure is not None]
    if statuses:
        raise typer.Exit(max(statuses))


def _print_refresh(refresh: PriceRefresh) -> None:
    for provider in refresh.providers:
        if provider.error is not None:
            notes().print(f"assay: {provider.error}")
            continue
        prices = f"{counted(provider.listed, 'model')} listed, {provider.priced:,} with prices"
        advice = "" if provider.priced else ": this provider publishes no prices, write them into assay.yaml"
        typer.echo(f"{provider.provider}: {prices}{advice} ({provider.source})")
    if refresh.models:
        typer.echo("")
        print_rows(KNOWN_PRICES, refresh.models)


def _listing(work: Work, models: list[Model]) -> list[str]:
    names = dict.fromkeys(
        model.provider
        for model in models
        if work.workspace.providers[model.provider].dialect not in ("simulated", "recorded")
    )
    if not names:
        raise InvalidInput("no models are listed in the workspace: give a provider, such as openrouter")
    return list(names)
