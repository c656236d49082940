"""The list of runs, and one run with its progress, errors, scores and commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.core.wording import counted
from assay.report.frame import SiteFrame
from assay.report.inline import simulation_notice
from assay.report.site.style import site_page
from assay.results.plans import RunPlan
from assay.runs.site.progress import ListedRuns, ShownRun


@dataclass(frozen=True, slots=True)
class RunsView:
    """A page of runs."""

    listed: ListedRuns
    made: None = None

    @property
    def simulation(self) -> str | None:
        """The notice of simulated runs; None without any."""
        simulated = [run.simulated for run in self.listed.runs]
        if not any(simulated):
            return None
        if all(simulated):
            return "All runs on this page are simulated: no real model was measured."
        return "The runs that are marked as simulated did not measure real models."


def runs_page(listed: ListedRuns, site: SiteFrame) -> str:
    """Return the page of runs."""
    return site_page("site_runs.html", RunsView(listed), site)


@dataclass(frozen=True, slots=True)
class RunView:
    """A run's page. `budget` is the workspace's limit of a run's cost in US dollars, None without one.

    `simulated` are the names of its models that are not real.
    """

    shown: ShownRun
    budget: float | None
    simulated: Sequence[str]
    made: None = None

    @property
    def simulation(self) -> str | None:
        """The notice of simulated models; None without any."""
        run = self.shown.progress.run
        return (
            simulation_notice(self.simulated, [model.model for model in run.models])
            if run.simulated
            else None
        )

    @property
    def plan(self) -> str | None:
        """The plan in words; None for runs without one."""
        stored = self.shown.stored
        return (
            None
            if stored is None or stored.plan is None
            else describe_plan(stored.plan, len(stored.run.models))
        )


def describe_plan(plan: RunPlan, models: int) -> str:
    """Return a plan for a number of models in words."""
    if plan.adaptive is not None:
        return f"adaptive: {plan.adaptive}"
    least, most = plan.used_epochs[0], plan.used_epochs[-1]
    epochs = counted(most, "epoch") if least == most else f"{least}-{most} epochs"
    text = f"{counted(models, 'model')} × {counted(plan.cases, 'case')} × {epochs}"
    text += f" = {counted(plan.samples, 'sample')}"
    if plan.topped:
        text += f"; {counted(len(plan.topped), 'pair')} of model and use case topped up"
    return text if plan.sampling == "suite" else f"{text}; sampling parameters: the providers' defaults"


def run_view_page(shown: ShownRun, budget: float | None, simulated: Sequence[str], site: SiteFrame) -> str:
    """Return the page of a run."""
    follow = shown.progress.going_on and site.live
    return site_page(
        "site_run.html",
        RunView(shown, budget, simulated),
        site,
        data={"events": site.to(f"events/runs/{shown.progress.run.run}")} if follow else {},
        scripts=("page.js", "site.js", "runs.js"),
    )
