"""Showing what the attacks on a causal form found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from assay.cli.output import counted, notes, print_table
from assay.stats.intervals import Interval
from assay.stats.proportion import clopper_pearson

if TYPE_CHECKING:
    from assay.causal.lint.form import FormLint
    from assay.runs.summary import UseCaseScore

CHANCE = 0.25


@dataclass(frozen=True, slots=True)
class Trial:
    """What a model got right when shown the options only, or the whole questions; errors count as wrong."""

    model: str
    shown: str
    run: int
    right: int
    n: int
    error: int

    @property
    def simulated(self) -> bool:
        """Whether nobody was asked: simulated models answer from the exemplars, which know the key."""
        return self.model.startswith("simulated/")

    @property
    def interval(self) -> Interval:
        """The exact 95 % interval of its accuracy."""
        return clopper_pearson(self.right, self.n)

    @classmethod
    def of(cls, model: str, shown: str, run: int, scores: Sequence[UseCaseScore]) -> Trial:
        """Return the trial that a run's scores amount to."""
        right = sum(round((each.score or 0.0) / 100 * each.cases) for each in scores)
        return cls(model, shown, run, right, sum(s.n for s in scores), sum(s.error for s in scores))


def print_lint(found: FormLint, trials: Sequence[Trial], *, everything: bool) -> None:
    """Print the findings, and with `everything` each attack."""
    typer.echo(f"{counted(found.questions, 'question')}, {len(found.tests)} attacks and tests")
    if everything:
        print_table(
            None,
            ("test", "right", "of", "by chance", "p", "Holm"),
            [
                (
                    test.name,
                    "" if test.right is None else f"{test.right:.4g}",
                    test.n,
                    "" if test.chance is None else f"{test.chance:.4g}",
                    f"{test.p:.2g}",
                    f"{test.adjusted:.2g}",
                )
                for test in found.tests
            ],
            right=("right", "of", "by chance", "p", "Holm"),
        )
    for finding in found.findings:
        typer.echo(f"{finding.kind}: {finding.text}")
    for trial in trials:
        low, high = trial.interval.low, trial.interval.high
        typer.echo(
            f"{trial.model}, {trial.shown}: {trial.right} of {trial.n} right ({trial.right / trial.n:.0%}, "
            f"95% {low:.0%} to {high:.0%}; chance {CHANCE:.0%}), {trial.error} errors, run {trial.run}"
        )
        if trial.simulated:
            notes().print(f"{trial.model} is simulated and knows the keys: it measures nothing real")
        elif trial.shown == "options only" and low > CHANCE:
            notes().print(
                f"{trial.model} beats chance without the questions: the options give something away"
            )
    typer.echo("passed" if found.passed else f"{counted(len(found.findings), 'finding')}: not fit to publish")


def lint_document(form: str, found: FormLint, trials: Sequence[Trial]) -> dict[str, Any]:
    """Return the lint as a JSON document."""
    return {
        "form": form,
        "questions": found.questions,
        "passed": found.passed,
        "findings": [{"kind": each.kind, "text": each.text} for each in found.findings],
        "tests": [
            {
                "name": test.name,
                "description": test.description,
                "n": test.n,
                "right": test.right,
                "chance": test.chance,
                "p": test.p,
                "adjusted": test.adjusted,
            }
            for test in found.tests
        ],
        "baselines": [
            {
                "model": trial.model,
                "shown": trial.shown,
                "simulated": trial.simulated,
                "run": trial.run,
                "n": trial.n,
                "right": trial.right,
                "error": trial.error,
                "accuracy": trial.right / trial.n,
                "low": trial.interval.low,
                "high": trial.interval.high,
            }
            for trial in trials
        ],
    }
