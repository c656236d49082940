"""`assay watch simulate` and `assay watch tune`: how often each rule cries wolf, how soon it sees."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from assay.cli.output import console, notes, print_json, print_table
from assay.cli.session import open_session
from assay.core.errors import InvalidInput

if TYPE_CHECKING:
    from assay.watch.montecarlo import Estimate
    from assay.watch.operating import OperatingReport

RULES = {
    "seed": "the suite's thresholds",
    "sequential": "sequential test (guaranteed)",
    "cusum": "CUSUM (simulated)",
}


def simulate(
    ctx: typer.Context,
    drop: list[float] = typer.Option([], metavar="PERCENT", help="A fall by this much; else several."),
    days: int = typer.Option(365, min=30, help="Days with nothing wrong to count false alarms on."),
    replicates: int = typer.Option(400, min=20, help="Simulated models for each figure."),
    seed: int = typer.Option(0, help="Seed of the simulation."),
    suite: str | None = typer.Option(None, help="The suite; else the workspace's."),
    plot: Path | None = typer.Option(None, metavar="FILE", help="Write a chart (.html, .png or .svg)."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Simulate each rule on this suite.

    Prints how often it raises a false alarm in a year, and after how many days it sees a fall.
    """
    import numpy as np

    from assay.runs.operating import suite_profile
    from assay.watch.operating import DROPS, Rules
    from assay.watch.operating import simulate as simulated

    work = open_session(ctx)
    loaded = work.suite(suite or work.workspace.watch.suite)
    wrong = [value for value in drop if not 0 < value < 100]
    if wrong:
        raise InvalidInput(
            f"a fall of {wrong[0]:g} % cannot be simulated: give a percentage between 0 and 100"
        )
    measured = suite_profile(work.engine, loaded, seed=seed)
    notes().print(f"simulating {replicates} models; variance of cases {measured.source}")
    report = simulated(
        measured.profile,
        Rules(thresholds=loaded.thresholds),
        np.random.default_rng(seed),
        drops=[value / 100 for value in drop] or DROPS,
        days=days,
        replicates=replicates,
    )
    if plot is not None:
        _plot(report, plot)
    if as_json:
        print_json({"source": measured.source, "seed": seed, **asdict(report)})
        return
    _print_report(report, measured.source)


def tune(
    ctx: typer.Context,
    false_alarms: float = typer.Option(0.05, help="False alarms a model-year to aim for."),
    replicates: int = typer.Option(400, min=20, help="Simulated models for each figure."),
    seed: int = typer.Option(0, help="Seed of the simulation."),
    suite: str | None = typer.Option(None, help="The suite; else the workspace's."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Propose thresholds that keep to a number of false alarms."""
    import numpy as np

    from assay.runs.operating import suite_profile
    from assay.watch.operating import Rules
    from assay.watch.tuning import tune as tuned

    work = open_session(ctx)
    loaded = work.suite(suite or work.workspace.watch.suite)
    measured = suite_profile(work.engine, loaded, seed=seed)
    notes().print(f"searching with {replicates} simulated models; variance of cases {measured.source}")
    proposal = tuned(
        measured.profile,
        Rules(thresholds=loaded.thresholds),
        np.random.default_rng(seed),
        false_alarms=false_alarms,
        replicates=replicates,
    )
    if as_json:
        print_json({"source": measured.source, "seed": seed, **asdict(proposal)})
        return
    out = console()
    if proposal.scale is None:
        out.print(
            f"No scaling of the suite's bounds that was tried keeps to {false_alarms:g} false alarms "
            "a model-year."
        )
    else:
        out.print(
            f"Scale the suite's z and drop bounds by {proposal.scale:g} for at most {false_alarms:g} "
            "false alarms a model-year:"
        )
        out.print(_thresholds_yaml(asdict(proposal.rules.thresholds)))
    out.print(f"CUSUM height: {proposal.rules.cusum_threshold:g} (now {proposal.before.cusum_threshold:g})")
    out.print("Before:")
    _print_report(proposal.before, measured.source)
    out.print("After, on fresh simulated days:")
    _print_report(proposal.after, measured.source)


def _thresholds_yaml(thresholds: dict[str, Any]) -> str:
    lines = ["thresholds:"]
    for kind in ("deterministic", "judged"):
        inner = ", ".join(f"{name}: {value:.4g}" for name, value in thresholds[kind].items())
        lines.append(f"  {kind}: {{{inner}}}")
    return "\n".join(lines)


def _print_report(report: OperatingReport, source: str) -> None:
    print_table(
        f"False alarms in {report.days} days with nothing wrong (simulated; variance {source})",
        ("rule", "alarms a model-year", "95 %", "model-years with any"),
        [
            (
                RULES[found.rule],
                _figure(found.per_year),
                _range(found.per_year),
                f"{100 * (found.years_with_any.value or 0):.1f} %",
            )
            for found in report.false_alarms
        ],
        right=("alarms a model-year", "95 %", "model-years with any"),
    )
    print_table(
        f"Days until a fall is seen (simulated; looked for {report.horizon} days)",
        ("fall", "rule", "median days", "95 %", f"seen within {report.horizon} days"),
        [
            (
                f"{100 * found.drop:g} %",
                RULES[found.rule],
                _figure(found.median) if found.median.value is not None else f"over {report.horizon}",
                _range(found.median),
                f"{100 * (found.within.value or 0):.0f} %",
            )
            for found in report.detections
        ],
        right=("fall", "median days", "95 %", f"seen within {report.horizon} days"),
    )


def _figure(estimate: Estimate) -> str:
    return "-" if estimate.value is None else f"{estimate.value:.3g}"


def _range(estimate: Estimate) -> str:
    ends = ["…" if end is None else f"{end:.3g}" for end in (estimate.low, estimate.high)]
    return "-".join(ends)


def _plot(report: OperatingReport, path: Path) -> None:
    from assay.report.operating_chart import operating_chart
    from assay.report.save import save_chart

    save_chart(operating_chart(report), path)
    notes().print(f"chart written to {path}")
