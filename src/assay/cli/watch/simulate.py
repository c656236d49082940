"""`assay watch simulate` and `assay watch tune`: false alarms and days to detection of each rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import typer

from assay.cli.output import OutputFormat, console, notes, print_csv, print_output, print_rows, prints
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.suite import Thresholds
from assay.results.operating import (
    DETECTIONS,
    FALSE_ALARMS,
    OperatingReport,
    Proposal,
    SimulatedRules,
    TunedRules,
)
from assay.results.table import record
from assay.runs.watch.operating import suite_profile
from assay.watch import operating, tuning


@prints("one row per rule and drop")
def simulate(
    ctx: typer.Context,
    output: OutputFormat,
    drop: list[float] = typer.Option(
        [], metavar="PERCENT", help="Drop to simulate, in percent; repeatable (default: several)."
    ),
    days: int = typer.Option(
        365, min=30, help="Number of days without a drop on which false alarms are counted."
    ),
    replicates: int = typer.Option(400, min=20, help="Number of simulated models for each figure."),
    seed: int = typer.Option(0, help="Seed of the simulation."),
    suite: str | None = typer.Option(None, help="Suite to simulate (default: the workspace's)."),
    out: Path | None = typer.Option(None, metavar="FILE", help="File for a chart: .html, .png or .svg."),
) -> None:
    """Simulate the verdict's rules on this suite.

    Prints the false alarms of each rule in a year, and the days that it takes to detect a drop.
    """
    work = open_session(ctx)
    loaded = work.suite(suite or work.workspace.watch.suite)
    invalid = [percent for percent in drop if not 0 < percent < 100]
    if invalid:
        raise InvalidInput(f"invalid --drop {invalid[0]:g}: give a percentage between 0 and 100")
    suite_variance = suite_profile(work.engine, loaded, seed=seed)
    notes().print(f"simulating {replicates} models; variance of cases {suite_variance.source}")
    report = operating.simulate(
        suite_variance.profile,
        operating.Rules(thresholds=loaded.thresholds),
        np.random.default_rng(seed),
        drops=[percent / 100 for percent in drop] or operating.DROPS,
        days=days,
        replicates=replicates,
    )
    if out is not None:
        _plot(report, out)
    print_output(
        output,
        result=SimulatedRules(suite_variance.source, seed, report),
        csv=lambda: print_csv(_records(report)),
        text=lambda: _print_report(report, suite_variance.source),
    )


@prints("one row per rule and drop, before and after")
def tune(
    ctx: typer.Context,
    output: OutputFormat,
    false_alarms: float = typer.Option(0.05, help="Target number of false alarms per model and year."),
    replicates: int = typer.Option(400, min=20, help="Number of simulated models for each figure."),
    seed: int = typer.Option(0, help="Seed of the simulation."),
    suite: str | None = typer.Option(None, help="Suite to simulate (default: the workspace's)."),
) -> None:
    """Propose thresholds that give a target number of false alarms."""
    work = open_session(ctx)
    loaded = work.suite(suite or work.workspace.watch.suite)
    suite_variance = suite_profile(work.engine, loaded, seed=seed)
    notes().print(f"searching with {replicates} simulated models; variance of cases {suite_variance.source}")
    proposal = tuning.tune(
        suite_variance.profile,
        operating.Rules(thresholds=loaded.thresholds),
        np.random.default_rng(seed),
        false_alarms=false_alarms,
        replicates=replicates,
    )
    print_output(
        output,
        result=TunedRules(suite_variance.source, seed, proposal),
        csv=lambda: print_csv(
            {"thresholds": name, **row}
            for name, report in (("before", proposal.before), ("after", proposal.after))
            for row in _records(report)
        ),
        text=lambda: _print_proposal(proposal, suite_variance.source, false_alarms),
    )


def _print_proposal(proposal: Proposal, source: str, false_alarms: float) -> None:
    out = console()
    if proposal.scale is None:
        out.print(
            f"No factor that was tried on the suite's bounds keeps to {false_alarms:g} false alarms per "
            "model-year."
        )
    else:
        out.print(
            f"Multiply the suite's z and drop bounds by {proposal.scale:g} for at most {false_alarms:g} "
            "false alarms per model-year:"
        )
        out.print(_thresholds_yaml(proposal.rules.thresholds))
    out.print(f"CUSUM height: {proposal.rules.cusum_threshold:g} (now {proposal.before.cusum_threshold:g})")
    out.print("Before:")
    _print_report(proposal.before, source)
    out.print("After, on fresh simulated days:")
    _print_report(proposal.after, source)


def _thresholds_yaml(thresholds: Thresholds) -> str:
    lines = ["thresholds:"]
    for kind, bounds in (("deterministic", thresholds.deterministic), ("judged", thresholds.judged)):
        inner = ", ".join(f"{name}: {value:.4g}" for name, value in asdict(bounds).items())
        lines.append(f"  {kind}: {{{inner}}}")
    return "\n".join(lines)


def _records(report: OperatingReport) -> Iterator[dict[str, object]]:
    """Yield each rule's false alarms together with its days to detect each drop."""
    alarms = {row.rule: record(row) for row in report.false_alarms}
    for detection in report.detections:
        yield {**alarms[detection.rule], **record(detection)}


def _print_report(report: OperatingReport, source: str) -> None:
    title = f"False alarms in {report.days} days without a drop (simulated; variance {source})"
    print_rows(FALSE_ALARMS, report.false_alarms, title)
    title = f"Days until a drop is detected (simulated; at most {report.horizon} days)"
    print_rows(DETECTIONS, report.detections, title)


def _plot(report: OperatingReport, path: Path) -> None:
    from assay.report.save import save_chart
    from assay.report.watch.operating import operating_chart

    save_chart(operating_chart(report), path)
    notes().print(f"chart written to {path}")
