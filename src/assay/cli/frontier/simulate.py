"""`assay frontier simulate`: how the oracle's bias decays, and its uplift by the mixture of topics."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import typer

from assay.cli.app import new_app
from assay.cli.frontier.source import (
    SHARED,
    Null,
    ZeroCost,
    progress,
    read_source,
    tell_source,
)
from assay.cli.output import OutputFormat, notes, print_csv, print_legend, print_output, print_table, prints
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.frontier.mixture.fit import fit_mixture
from assay.frontier.simulate.bias import BiasCurve, BiasStudy, simulate_bias
from assay.frontier.simulate.topics import SimulatedEntropy, simulate_entropy
from assay.results.frontier import Estimate
from assay.results.frontier_uplift import EntropyResult, PopulationBias, RecordedUplift, SourceUplift
from assay.results.table import legend_of, record
from assay.stats.intervals import Interval
from assay.studies.frontier.simulating import bias_result, entropy_result, inside_sizes, recorded_uplift

app = new_app(no_args_is_help=True)
SHOWN = (1, 10, 100, 1_000, 10_000)


@app.callback()
def simulate() -> None:
    """Simulate the oracle's bias, and its gain by topic entropy."""


@app.command()
@prints("one row per population and number of generations")
def bias(
    ctx: typer.Context,
    output: OutputFormat,
    models: list[int] = typer.Option([2, 10], metavar="N", help="Number of models; repeatable."),
    rate: list[float] = typer.Option(
        [0, 0.1, 0.3, 0.5, 0.7, 0.9, 1], metavar="P", help="Success rate; repeatable."
    ),
    correlation: list[float] = typer.Option(
        [0, 0.5, 0.9, 0.99, 1],
        metavar="R",
        help="Correlation of the models' rates over prompts; repeatable.",
    ),
    generations: int = typer.Option(10_000, metavar="G", help="Largest number of generations."),
    prompts: int = typer.Option(1_000, metavar="N", help="Number of prompts of the simulated population."),
    topics: int = typer.Option(30, metavar="T", help="Number of topics of the graphical model."),
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed that draws the rates."),
    out: Path | None = typer.Option(None, "--out", metavar="DIR", help="Folder for charts."),
) -> None:
    """Show how the oracle's bias decays with more generations.

    Covers equal rates in closed form, rates that differ by prompt and model, and rates of the graphical
    model. Success rates are drawn; the effect of generations is exact (appendix A).
    """
    study = simulate_bias(
        np.random.default_rng(seed),
        models=models,
        rates=rate,
        correlations=correlation,
        generations=generations,
        prompts=prompts,
        topics=topics,
        tell=progress(),
    )
    result = bias_result(study, seed=seed)
    print_output(
        output,
        result=result,
        csv=lambda: print_csv(
            {**record(population), **record(point)}
            for population in result.populations
            for point in population.points
        ),
        text=lambda: print_bias(study),
    )
    if out is not None:
        from assay.report.frontier.simulated import bias_charts

        _write(bias_charts(study), out)


@app.command()
@prints("one row per mixture of topics")
def entropy(
    ctx: typer.Context,
    output: OutputFormat,
    source: list[str] = typer.Argument(
        None,
        metavar="[SOURCE]...",
        help="Table or runs whose categories are mixed, shown beside the simulation.",
    ),
    models: int = typer.Option(10, metavar="N", help="Number of simulated models."),
    topics: int = typer.Option(30, metavar="T", help="Number of simulated topics."),
    prompts: int = typer.Option(1_000, metavar="N", help="Number of simulated prompts."),
    generations: int = typer.Option(10_000, metavar="G", help="Number of simulated generations."),
    repeats: int = typer.Option(
        200, metavar="N", help="Number of simulated worlds, and of resamples of SOURCE."
    ),
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of the simulation and of resamples."),
    out: Path | None = typer.Option(None, "--out", metavar="DIR", help="Folder for charts."),
    column: list[str] = SHARED["column"][1],
    arm: list[str] = SHARED["arm"][1],
    where: list[str] = SHARED["where"][1],
    null: Null | None = SHARED["null"][1],
    zero_cost: ZeroCost | None = SHARED["zero_cost"][1],
    quality_range: tuple[float, float] | None = SHARED["quality_range"][1],
    least_coverage: float = SHARED["least_coverage"][1],
) -> None:
    """Show how the oracle's gain grows with topic entropy.

    Simulates worlds from evenly mixed topics to a single one (appendix G). With SOURCE, also uses its
    recorded prompts in the same way; that part is real and shown separately.
    """
    tell = progress()
    wish: dict[str, Any] = {"source": source, "column": column, "arm": arm, "where": where, "null": null}
    wish |= {"zero_cost": zero_cost, "quality_range": quality_range, "least_coverage": least_coverage}
    read = None if not source else read_source(ctx, wish)
    settings = {"models": models, "topics": topics, "prompts": prompts, "generations": generations}
    settings["repeats"] = repeats
    tell("simulating worlds")
    found = simulate_entropy(np.random.default_rng(seed), **settings)
    recorded = None
    if read is not None:
        fit = partial(fit_mixture, seed=seed)
        recorded = recorded_uplift(read, fit=fit, repeats=repeats, seed=seed, tell=tell)
    if read is not None:
        tell_source(read)
    beside = None if read is None or recorded is None else SourceUplift(read.summary, recorded)
    result = entropy_result(found, beside, seed=seed, settings=settings)
    print_output(
        output,
        result=result,
        csv=lambda: print_csv(_mixtures(result)),
        text=lambda: print_entropy(found, recorded, settings),
    )
    if out is not None:
        from assay.report.frontier.uplift import entropy_charts

        _write(entropy_charts(found, recorded, settings), out)


def _mixtures(result: EntropyResult) -> Iterator[dict[str, Any]]:
    """Yield the simulated mixtures, then those of the recorded prompts."""
    for point in result.simulation.points:
        yield {"simulated": True, **record(point)}
    for step in () if result.recorded is None else result.recorded.recorded.uplift.path:
        yield {"simulated": False, **record(step)}


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


def print_bias(study: BiasStudy) -> None:
    """Print the bias and its decay exponent at powers of ten, the fit of equation 25 and where it holds."""
    places = [(size, int(np.searchsorted(study.sizes, size))) for size in SHOWN if size <= study.sizes[-1]]
    heads = [f"G={size:,}" for size, _ in places]
    exponents = [f"λ at {size:,}" for size, _ in places[1:]]
    columns = (
        "rates",
        "models",
        "mean p",
        "corr.",
        *heads,
        *exponents,
        "fit from 50",
        "0.5±0.1 from",
        "in 0.25-0.75",
    )
    rows = []
    for curve in study.curves:
        population, inside = curve.population, inside_sizes(curve, study)
        rows.append(
            (
                population.kind.value,
                population.rates.shape[1],
                f"{population.rates.mean():.2f}",
                _correlation(curve),
                *(f"{100 * curve.bias[at]:.2f}" for _, at in places),
                *(_figure(curve.exponents[at]) for _, at in places[1:]),
                "-" if curve.fit is None else f"{curve.fit.exponent:.2f}",
                "-" if curve.settles is None else f"{curve.settles:,}",
                "-" if inside is None else f"{inside[0]:,} to {inside[1]:,}",
            )
        )
    title = "SIMULATED: bias of the biased oracle in points of 100, and its decay exponent λ"
    print_table(title, columns, rows, right=columns[1:])
    print_legend(
        f"mean p = mean success rate; corr. = {legend_of(PopulationBias, 'correlation')}, measured in "
        "parentheses; G = number of generations"
    )
    typer.echo("")
    drawn = counted(study.prompts, "prompt")
    typer.echo(f"Rates are simulated ({drawn} where they differ); the bias is exact given them.")
    typer.echo(
        "Where the best models of a prompt tie, the bias decays as G^-0.5 in the end; where their rates"
    )
    typer.echo("differ by continuous gaps, as 1/G. Below 0.5 is no limit: it is the start of a curve.")


def _correlation(curve: BiasCurve) -> str:
    asked, measured = curve.population.correlation, curve.population.measured_correlation
    if asked is None:
        return "-" if measured is None else f"({measured:.2f})"
    return f"{asked:g}"


def print_entropy(found: SimulatedEntropy, recorded: RecordedUplift | None, settings: dict[str, int]) -> None:
    """Print the simulated uplift by entropy and, apart from it, that of recorded prompts."""
    weights = np.linspace(0.0, 1.0, len(found.entropy))
    typer.echo(
        f"SIMULATED: {settings['repeats']} worlds of {settings['models']} models, "
        f"{settings['topics']} topics, {settings['prompts']:,} prompts, "
        f"{settings['generations']:,} generations"
    )
    columns = ("to one topic", "entropy (nats)", "oracle", "best single", "uplift", "95 % of worlds")
    print_table(
        None,
        columns,
        [
            (
                f"{weights[at]:.0%}",
                f"{found.entropy[at]:.3f}",
                f"{100 * found.oracle[at]:.2f}",
                f"{100 * found.best_single[at]:.2f}",
                _hundredfold(found.uplift[at]),
                f"{_hundredfold(found.low[at])} to {_hundredfold(found.high[at])}",
            )
            for at in range(len(weights))
        ],
        right=columns,
    )
    typer.echo("")
    rank = "undefined" if found.rank_correlation is None else f"{found.rank_correlation:.3f}"
    share = f"{found.rising:.0%}"
    typer.echo(
        f"Rank correlation of mean uplift with entropy {rank}; no step lowers it in {share} of worlds."
    )
    typer.echo(f"{found.observations:,} observations a world and mixture.")
    if recorded is not None:
        typer.echo("")
        _print_recorded(recorded)


def _print_recorded(recorded: RecordedUplift) -> None:
    found = recorded.uplift
    naive = found.debiased_by is None
    columns = ["to one category", "entropy (nats)", "naive uplift", "over prompts"]
    columns += [] if naive else ["debiased", "over prompts ", "these prompts"]
    rows = [
        [
            f"{each.weight:.0%}",
            f"{each.entropy:.3f}",
            *_points(each.naive)[:2],
            *(() if each.debiased is None else _points(each.debiased)),
        ]
        for each in found.path
    ]
    typer.echo(f"RECORDED: {recorded.source}: {len(found.categories)} categories, mean over them")
    print_table(None, columns, rows, right=columns)
    typer.echo("")
    rise, spread, _ = _points(found.rise)
    chance, by_chance, _ = _points(found.rise_by_chance)
    typer.echo(f"From one category to the whole mixture uplift rises by {rise} points ({spread});")
    share = f"{found.p_value:.1%}"
    typer.echo(f"with categories dealt out at random by {chance} ({by_chance}), as far in {share} of deals.")
    rank = found.rank_correlation
    told = "undefined" if rank.value is None else f"{rank.value:.2f}"
    if rank.over_prompts is not None:
        told += f" ({rank.over_prompts.low:.2f} to {rank.over_prompts.high:.2f})"
    typer.echo(f"Rank correlation with entropy over single workloads: {told}.")
    kind = "naive: the oracle's part is too high" if naive else f"debiased by {found.debiased_by}"
    typer.echo(f"These figures are {kind}. Averaged over categories uplift cannot fall with")
    typer.echo("entropy, whatever the data: its size tells, not its direction.")
    for note in recorded.notes:
        notes().print(f"  {note}")


def _points(found: Estimate) -> tuple[str, str, str]:
    value = "-" if found.value is None else _hundredfold(found.value)
    return value, _ends(found.over_prompts), _ends(found.these_prompts)


def _ends(found: Interval | None) -> str:
    return "" if found is None else f"{_hundredfold(found.low)} to {_hundredfold(found.high)}"


def _hundredfold(value: float) -> str:
    """Return a quality in points of 100; what rounds to nothing has no sign."""
    return f"{round(100.0 * value, 2) + 0.0:.2f}"


def _figure(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.2f}"
