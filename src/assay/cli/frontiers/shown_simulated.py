"""Tables of the frontier's simulations, each with what is simulated and what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import typer

from assay.cli.output import counted, notes, print_table

if TYPE_CHECKING:
    from assay.frontier.estimate import Estimate
    from assay.frontier.simulated.bias import BiasCurve, BiasStudy
    from assay.frontier.simulated.topics import SimulatedEntropy
    from assay.stats.intervals import Interval
    from assay.studies.frontier.simulating import RecordedUplift

SHOWN = (1, 10, 100, 1_000, 10_000)


def print_bias(study: BiasStudy) -> None:
    """Print the bias and its decay exponent at powers of ten, the fit of equation 25 and where it holds."""
    from assay.report.frontier.simulated_document import inside_sizes

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
    columns = ("to one topic", "entropy (nats)", "oracle", "best single", "uplift", "90 % of worlds")
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
