"""`assay frontier simulate`: how the oracle's bias decays, and its uplift by the mixture of topics."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import typer

from assay.cli.app import new_app
from assay.cli.frontiers.source import SHARED, Null, ZeroCost, read_source, source_document, tell_source
from assay.cli.output import notes, print_json
from assay.core.errors import InvalidInput, Problem

QUIET_SECONDS = 2.0
"""Progress is told as often at most: what is over sooner needs none."""

app = new_app(no_args_is_help=True)


@app.callback()
def simulate() -> None:
    """Simulate the oracle's bias, and its gain by topic entropy."""


@app.command()
def bias(
    models: str = typer.Option("2,10", metavar="N,...", help="Numbers of models."),
    rates: str = typer.Option("0,0.1,0.3,0.5,0.7,0.9,1", metavar="P,...", help="Success rates."),
    correlation: str = typer.Option(
        "0,0.5,0.9,0.99,1", metavar="R,...", help="Correlations of the models' rates over prompts."
    ),
    generations: int = typer.Option(10_000, metavar="G", help="Most generations."),
    prompts: int = typer.Option(1_000, metavar="N", help="Prompts of a population whose rates differ."),
    topics: int = typer.Option(30, metavar="T", help="Topics of the graphical model."),
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Draws the rates."),
    out: Path | None = typer.Option(None, "--out", metavar="DIR", help="Write charts into this folder."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Show how the oracle's bias decays with generations.

    Equal rates in closed form; rates that differ by prompt and model, more or less alike; rates of the
    graphical model. Success rates are drawn, what generations add is exact. (Appendix A.)
    """
    import numpy as np

    from assay.cli.frontiers.shown_simulated import print_bias
    from assay.frontier.simulated.bias import simulate_bias
    from assay.report.frontier.simulated_document import bias_document

    wrong: list[Problem] = []
    given_models = _numbers("--models", models, int, wrong)
    given_rates = _numbers("--rates", rates, float, wrong)
    given_correlations = _numbers("--correlation", correlation, float, wrong)
    if wrong:
        raise InvalidInput(wrong)
    study = simulate_bias(
        np.random.default_rng(seed),
        models=given_models,
        rates=given_rates,
        correlations=given_correlations,
        generations=generations,
        prompts=prompts,
        topics=topics,
        tell=_progress(),
    )
    if as_json:
        print_json(bias_document(study, seed=seed))
    else:
        print_bias(study)
    if out is not None:
        from assay.report.frontier.simulated import bias_charts

        _write(bias_charts(study), out)


@app.command()
def entropy(
    ctx: typer.Context,
    source: str | None = typer.Argument(
        None, metavar="[SOURCE]", help="A table or runs whose categories are mixed, beside the simulation."
    ),
    models: int = typer.Option(10, metavar="N", help="Models of the simulation."),
    topics: int = typer.Option(30, metavar="T", help="Topics of the simulation."),
    prompts: int = typer.Option(1_000, metavar="N", help="Prompts of the simulation."),
    generations: int = typer.Option(10_000, metavar="G", help="Generations of the simulation."),
    repeats: int = typer.Option(200, metavar="N", help="Simulated worlds, and resamples of SOURCE."),
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of the simulation and of resamples."),
    out: Path | None = typer.Option(None, "--out", metavar="DIR", help="Write charts into this folder."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
    column: list[str] = SHARED["column"][1],
    arm: list[str] = SHARED["arm"][1],
    where: list[str] = SHARED["where"][1],
    null: Null | None = SHARED["null"][1],
    zero_cost: ZeroCost | None = SHARED["zero_cost"][1],
    quality_range: tuple[float, float] | None = SHARED["quality_range"][1],
    least_coverage: float = SHARED["least_coverage"][1],
) -> None:
    """Show how the oracle's gain grows with topic entropy.

    Simulated worlds whose topics go from even to one alone (appendix G). With SOURCE also its recorded
    prompts, from all categories to each one alone: that part is real and stands apart.
    """
    import numpy as np

    from assay.cli.frontiers.shown_simulated import print_entropy
    from assay.frontier.shrink.fit import fit_shrink
    from assay.frontier.simulated.topics import simulate_entropy
    from assay.report.frontier.simulated_document import entropy_document
    from assay.studies.frontier.simulating import recorded_uplift

    tell = _progress()
    wish: dict[str, Any] = {"source": source, "column": column, "arm": arm, "where": where, "null": null}
    wish |= {"zero_cost": zero_cost, "quality_range": quality_range, "least_coverage": least_coverage}
    read = None if source is None else read_source(ctx, wish)
    settings = {"models": models, "topics": topics, "prompts": prompts, "generations": generations}
    settings["repeats"] = repeats
    tell("simulating worlds")
    found = simulate_entropy(np.random.default_rng(seed), **settings)
    recorded = None
    if read is not None:
        fit = partial(fit_shrink, seed=seed)
        recorded = recorded_uplift(read, fit=fit, repeats=repeats, seed=seed, tell=tell)
    if as_json:
        told = None if read is None or recorded is None else (recorded, source_document(read))
        print_json(entropy_document(found, told, seed=seed, settings=settings))
    else:
        if read is not None:
            tell_source(read)
        print_entropy(found, recorded, settings)
    if out is not None:
        from assay.report.frontier.uplift import entropy_charts

        _write(entropy_charts(found, recorded, settings), out)


def _numbers(option: str, text: str, kind: type[Any], wrong: list[Problem]) -> tuple[Any, ...]:
    """Return the numbers between commas; what is none is added to the problems."""
    found = []
    for part in text.split(","):
        try:
            found.append(kind(part))
        except ValueError:
            what = "whole numbers" if kind is int else "numbers"
            wrong.append(Problem(f"{option} {text!r}: {part.strip()!r} is none; give {what} between commas"))
    return tuple(found)


def _progress() -> Callable[[str], None]:
    """Return what tells a step on stderr, when two seconds have passed without a word."""
    last = time.monotonic()

    def tell(text: str) -> None:
        nonlocal last
        if time.monotonic() - last >= QUIET_SECONDS:
            last = time.monotonic()
            notes().print(f"  {text}")

    return tell


def _write(charts: dict[str, Any], folder: Path) -> None:
    """Write each chart as a page, a drawing and a picture, and say where."""
    from assay.report.save import save_chart

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"cannot write charts to {str(folder)!r}: {error.strerror}") from None
    for name, chart in charts.items():
        for suffix in (".html", ".svg", ".png"):
            save_chart(chart, folder / f"{name}{suffix}")
    notes().print(f"charts in {folder}: {', '.join(charts)} (.html, .svg, .png)")
