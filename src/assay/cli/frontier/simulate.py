"""`assay frontier simulate`: the decay of the oracle's bias, and its gain by the mixture of topics."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import typer

from assay.cli.app import new_app
from assay.cli.frontier.printing import write_charts
from assay.cli.frontier.source import SHARED, Null, ZeroCost, print_source, progress, read_source
from assay.cli.output import OutputFormat, notes, print_csv, print_legend, print_output, print_table, prints
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
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of the simulated rates."),
    out: Path | None = typer.Option(None, "--out", metavar="DIR", help="Folder for charts."),
) -> None:
    """Show how the oracle's bias decays with more generations.

    Covers equal success rates in closed form, rates that differ by prompt and model, and rates of the
    graphical model. Rates are drawn at random; the effect of the generations is exact (appendix A).
    """
    study = simulate_bias(
        np.random.default_rng(seed),
        models=models,
        rates=rate,
        correlations=correlation,
        generations=generations,
        prompts=prompts,
        topics=topics,
        progress=progress(),
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

        write_charts(bias_charts(study), out)


@app.command()
@prints("one row per mixture of topics")
def entropy(
    ctx: typer.Context,
    output: OutputFormat,
    source: list[str] = typer.Argument(
        None,
        metavar="[SOURCE]...",
        help="Table or runs with categories to mix, shown separately from the simulation.",
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

    Simulates worlds from evenly mixed topics to a single one (appendix G). With SOURCE, also mixes its
    recorded prompts in the same way; that part is not simulated and is shown separately.
    """
    print_step = progress()
    options: dict[str, Any] = {"source": source, "column": column, "arm": arm, "where": where, "null": null}
    options |= {"zero_cost": zero_cost, "quality_range": quality_range, "least_coverage": least_coverage}
    read = None if not source else read_source(ctx, options)
    settings = {"models": models, "topics": topics, "prompts": prompts, "generations": generations}
    settings["repeats"] = repeats
    print_step("simulating worlds")
    simulated = simulate_entropy(np.random.default_rng(seed), **settings)
    recorded = None
    if read is not None:
        fit = partial(fit_mixture, seed=seed)
        recorded = recorded_uplift(read, fit=fit, repeats=repeats, seed=seed, progress=print_step)
    if read is not None:
        print_source(read)
    beside = None if read is None or recorded is None else SourceUplift(read.summary, recorded)
    result = entropy_result(simulated, beside, seed=seed, settings=settings)
    print_output(
        output,
        result=result,
        csv=lambda: print_csv(_mixtures(result)),
        text=lambda: print_entropy(simulated, recorded, settings),
    )
    if out is not None:
        from assay.report.frontier.uplift import entropy_charts

        write_charts(entropy_charts(simulated, recorded, settings), out)


def _mixtures(result: EntropyResult) -> Iterator[dict[str, Any]]:
    """Yield the simulated mixtures, then the mixtures of recorded prompts."""
    for point in result.simulation.points:
        yield {"simulated": True, **record(point)}
    for step in () if result.recorded is None else result.recorded.recorded.uplift.path:
        yield {"simulated": False, **record(step)}


def print_bias(study: BiasStudy) -> None:
    """Print the bias and its decay exponent at powers of ten, and the range in which equation 25 fits."""
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
    prompts = counted(study.prompts, "prompt")
    typer.echo(f"Rates are simulated ({prompts} where they differ); given the rates, the bias is exact.")
    typer.echo("With many generations the bias decays as G^-0.5 if the best models of a prompt tie, and as")
    typer.echo(
        "1/G if their rates differ by continuous gaps. An exponent below 0.5 is not a limit: the curve"
    )
    typer.echo("has only begun to fall.")


def _correlation(curve: BiasCurve) -> str:
    requested, measured = curve.population.correlation, curve.population.measured_correlation
    if requested is None:
        return "-" if measured is None else f"({measured:.2f})"
    return f"{requested:g}"


def print_entropy(
    simulated: SimulatedEntropy, recorded: RecordedUplift | None, settings: dict[str, int]
) -> None:
    """Print the simulated uplift by entropy and, separately, the uplift of recorded prompts."""
    weights = np.linspace(0.0, 1.0, len(simulated.entropy))
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
                f"{simulated.entropy[at]:.3f}",
                f"{100 * simulated.oracle[at]:.2f}",
                f"{100 * simulated.best_single[at]:.2f}",
                _hundredfold(simulated.uplift[at]),
                f"{_hundredfold(simulated.low[at])} to {_hundredfold(simulated.high[at])}",
            )
            for at in range(len(weights))
        ],
        right=columns,
    )
    typer.echo("")
    rank = "undefined" if simulated.rank_correlation is None else f"{simulated.rank_correlation:.3f}"
    share = f"{simulated.rising:.0%}"
    typer.echo(
        f"Rank correlation of mean uplift with entropy: {rank}; uplift never falls in {share} of worlds."
    )
    typer.echo(f"{simulated.observations:,} observations per world and mixture.")
    if recorded is not None:
        typer.echo("")
        _print_recorded(recorded)


def _print_recorded(recorded: RecordedUplift) -> None:
    uplift = recorded.uplift
    naive = uplift.debiased_by is None
    columns = ["to one category", "entropy (nats)", "naive uplift", "over prompts"]
    columns += [] if naive else ["debiased", "over prompts ", "these prompts"]
    rows = [
        [
            f"{step.weight:.0%}",
            f"{step.entropy:.3f}",
            *_points(step.naive)[:2],
            *(() if step.debiased is None else _points(step.debiased)),
        ]
        for step in uplift.path
    ]
    typer.echo(f"RECORDED: {recorded.source}: {len(uplift.categories)} categories, mean over them")
    print_table(None, columns, rows, right=columns)
    typer.echo("")
    rise, spread, _ = _points(uplift.rise)
    chance, by_chance, _ = _points(uplift.rise_by_chance)
    typer.echo(f"From one category to the whole mixture uplift rises by {rise} points ({spread});")
    share = f"{uplift.p_value:.1%}"
    typer.echo(f"with random categories it rises by {chance} ({by_chance}), as much in {share} of draws.")
    rank = uplift.rank_correlation
    rank_text = "undefined" if rank.value is None else f"{rank.value:.2f}"
    if rank.over_prompts is not None:
        rank_text += f" ({rank.over_prompts.low:.2f} to {rank.over_prompts.high:.2f})"
    typer.echo(f"Rank correlation with entropy over single workloads: {rank_text}.")
    kind = "naive, so the oracle is too high" if naive else f"debiased by {uplift.debiased_by}"
    typer.echo(f"These figures are {kind}. Averaged over categories, uplift cannot fall with")
    typer.echo("entropy, whatever the data: only the size of the rise is informative, not its direction.")
    for note in recorded.notes:
        notes().print(f"  {note}")


def _points(estimate: Estimate) -> tuple[str, str, str]:
    value = "-" if estimate.value is None else _hundredfold(estimate.value)
    return value, _interval_text(estimate.over_prompts), _interval_text(estimate.these_prompts)


def _interval_text(interval: Interval | None) -> str:
    return "" if interval is None else f"{_hundredfold(interval.low)} to {_hundredfold(interval.high)}"


def _hundredfold(value: float) -> str:
    """Return a quality in points of 100; a value that rounds to 0 has no sign."""
    return f"{round(100.0 * value, 2) + 0.0:.2f}"


def _figure(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.2f}"
