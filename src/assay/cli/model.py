"""`assay model`: add and list models, and refresh their prices."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path
from typing import Any, Literal

import typer

from assay.cli.app import new_app
from assay.cli.models import listed_models, models_document, prices_document, print_models_list, print_prices
from assay.cli.output import print_json
from assay.cli.session import open_session
from assay.core.errors import InvalidInput, Problem
from assay.core.model import Exclusion, Model, Pin
from assay.core.money import Prices
from assay.runs.work import Work

app = new_app(no_args_is_help=True)


@app.callback()
def model() -> None:
    """Add and list models, and refresh their prices."""


@app.command("list")
def list_(
    ctx: typer.Context, as_json: bool = typer.Option(False, "--json", help="Print one JSON document.")
) -> None:
    """List the workspace's models with their pins and prices."""
    work = open_session(ctx)
    known = work.known_prices(listed_models(work))
    if as_json:
        print_json(models_document(work, known))
    else:
        print_models_list(work, known)


@app.command()
def add(
    ctx: typer.Context,
    name: str = typer.Argument(metavar="PROVIDER/MODEL", help="As it is named on the command line."),
    pin: list[str] = typer.Option([], metavar="SLUG", help="An upstream provider allowed to serve it."),
    organisation: str | None = typer.Option(None, metavar="NAME", help="Who made it."),
    family: str | None = typer.Option(None, metavar="NAME", help="Such as gpt-5."),
    series: str | None = typer.Option(None, metavar="NAME", help="Such as gpt-5-mini."),
    released: str | None = typer.Option(None, metavar="DATE", help="Such as 2025-08-07."),
    weights: str | None = typer.Option(
        None, metavar="open|closed", help="Whether its weights are published."
    ),
    prompt_price: float | None = typer.Option(None, metavar="USD", help="Per million prompt tokens."),
    completion_price: float | None = typer.Option(None, metavar="USD", help="Per million answer tokens."),
    exclude: list[str] = typer.Option([], metavar="SUITE=REASON", help="A suite it is not measured on."),
) -> None:
    """Add a model to assay.yaml. Comments and all other text there stay as they are."""
    from assay.files.workspace import load_workspace
    from assay.files.workspace_writer import add_model

    work = open_session(ctx)
    problems: list[Problem] = []
    provider, _, upstream = name.partition("/")
    made = Model(
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
    _check(work, name, made, problems)
    path = Path(work.workspace.path or "assay.yaml")
    add_model(path, made)
    load_workspace(path, environment=work.environment)
    typer.echo(f"added {name} to {path}")


def _check(work: Work, name: str, made: Model, problems: list[Problem]) -> None:
    """Refuse what the workspace would refuse on its next reading, before anything is written."""
    known = work.workspace.providers
    if not made.upstream or any(letter.isspace() for letter in name):
        problems.append(Problem(f"{name!r} names no model: write `provider/model`, such as local/llama3"))
    elif made.provider not in known:
        told = ", ".join(sorted(known))
        problems.append(Problem(f"no provider is called {made.provider!r}: there are {told}"))
    elif made.pin is not None and known[made.provider].dialect != "openrouter":
        problems.append(Problem(f"{name!r} cannot be pinned: only OpenRouter routes; leave --pin out"))
    if problems:
        raise InvalidInput(problems)


def _prices(prompt: float | None, completion: float | None, problems: list[Problem]) -> Prices | None:
    if prompt is None and completion is None:
        return None
    if prompt is None or completion is None:
        problems.append(Problem("only one price is given: give --prompt-price and --completion-price"))
        return None
    if prompt < 0 or completion < 0:
        problems.append(Problem("a price is below 0: give US dollars per million tokens"))
    return Prices(prompt, completion)


def _date(text: str | None, problems: list[Problem]) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        problems.append(Problem(f"--released is {text!r}: write a date such as 2025-08-07"))
        return None


def _weights(text: str | None, problems: list[Problem]) -> Literal["open", "closed"] | None:
    known: dict[str, Literal["open", "closed"]] = {"open": "open", "closed": "closed"}
    if text is not None and text not in known:
        problems.append(Problem(f"--weights is {text!r}: write open or closed"))
    return known.get(text or "")


def _exclusions(texts: list[str], problems: list[Problem]) -> list[Exclusion]:
    found = []
    for text in texts:
        suite, _, reason = text.partition("=")
        if not suite.strip() or not reason.strip():
            problems.append(Problem(f"--exclude is {text!r}: write SUITE=REASON"))
        found.append(Exclusion(suite.strip(), reason.strip()))
    return found


@app.command()
def prices(
    ctx: typer.Context,
    provider: list[str] = typer.Argument(None, metavar="[PROVIDER]...", help="Else the workspace's."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Refresh prices from the providers' model lists. The workspace's own prices still win."""
    work = open_session(ctx)
    models = listed_models(work)
    names = list(provider or []) or _listing(work, models)
    refreshed = asyncio.run(work.refresh_prices(names))
    known = work.known_prices(models)
    if as_json:
        print_json(prices_document(refreshed, known))
    else:
        print_prices(refreshed, known)
    failed: list[Any] = [each.error for each in refreshed if each.error is not None]
    if failed:
        raise typer.Exit(max(error.exit_status for error in failed))


def _listing(work: Work, models: list[Model]) -> list[str]:
    names = dict.fromkeys(
        model.provider
        for model in models
        if work.workspace.providers[model.provider].dialect not in ("simulated", "recorded")
    )
    if not names:
        raise InvalidInput("no models are listed in the workspace: name a provider, such as openrouter")
    return list(names)
