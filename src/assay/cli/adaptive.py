"""The options of adaptive runs, shared by `assay run` and `assay rank adaptive`, and their printed result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from assay.cli.app import with_options
from assay.cli.output import notes, print_rows
from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.ranking.adaptive import BATCH, AdaptiveRule
from assay.results.adaptive_run import ADAPTIVE, AdaptiveResult, Separation
from assay.results.figure import dollars

RULE: dict[str, tuple[Any, Any]] = {
    "separate": (
        Separation | None,
        typer.Option(
            None,
            "--separate",
            metavar="first|all",
            help="What is settled: the first place, or the order of all pairs (default: first).",
        ),
    ),
    "alpha": (
        float | None,
        typer.Option(
            None, "--alpha", metavar="P", help="Largest probability of a false separation (default: 0.05)."
        ),
    ),
    "batch": (
        int | None,
        typer.Option(
            None, "--batch", metavar="N", help=f"Number of prompts between two looks (default: {BATCH})."
        ),
    ),
}
ADAPTIVELY: dict[str, tuple[Any, Any]] = {
    "adaptive": (
        bool,
        typer.Option(
            False,
            "--adaptive",
            help="Ask prompts in random order; leave out models that are decided; stop when all are.",
        ),
    ),
    **RULE,
}


def with_rule(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of the rule; it gets the rule as its parameter `rule`."""
    return with_options(command, "rule", RULE, lambda _, chosen: _rule(chosen))


def with_adaptive(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command `--adaptive` and the rule's options; its parameter `rule` is None by default."""
    return with_options(command, "rule", ADAPTIVELY, _rule_if_adaptive)


def _rule_if_adaptive(_: typer.Context, chosen: dict[str, Any]) -> AdaptiveRule | None:
    if chosen.pop("adaptive"):
        return _rule(chosen)
    for name, value in chosen.items():
        if value is not None:
            raise InvalidInput(f"--{name} {value} is for adaptive runs: add --adaptive, or leave it out")
    return None


def _rule(chosen: dict[str, Any]) -> AdaptiveRule:
    return AdaptiveRule(**{name: value for name, value in chosen.items() if value is not None})


def print_worst_case(rule: AdaptiveRule | None) -> None:
    """Say on stderr that the plan of an adaptive run is the most that it can need."""
    if rule is None:
        return
    aim = "one model is first" if rule.separate is Separation.FIRST else "all pairs are separated"
    notes().print(
        f"Adaptive: this is the most that is asked. Cases come in random order, {rule.batch} at a time; "
        f"decided models are left out, and the run stops when {aim}."
    )


def print_models(result: AdaptiveResult | None) -> None:
    """Print how much an adaptive run asked each model, and which are leading; nothing for other runs."""
    if result is not None:
        typer.echo("")
        print_rows(ADAPTIVE, result.models)


def explain_adaptive(result: AdaptiveResult | None, run: int) -> tuple[str, ...]:
    """Return in sentences what an adaptive run settled and saved; none for other runs."""
    if result is None:
        return ()
    sentences = (describe(result), describe_savings(result))
    if result.samples == result.all_samples:
        return sentences
    command = f"assay resume {run} --complete"
    return (*sentences, f"Boards rank complete runs only; ask for the samples left out with: {command}")


def describe(result: AdaptiveResult) -> str:
    """Return in words what an adaptive run settled."""
    leading = [model.model for model in result.models if model.leading]
    chance = f"(probability of any false separation at most {result.alpha:g})"
    if result.separate is Separation.ALL:
        if not result.open_pairs:
            return f"The order of all models is settled {chance}."
        return f"{counted(result.open_pairs, 'pair')} of models not separated {chance}."
    if len(leading) == 1:
        return f"{leading[0]} is first {chance}."
    return f"{len(leading)} models may be first {chance}: {', '.join(leading)}."


def describe_savings(result: AdaptiveResult) -> str:
    """Return in words what an adaptive run used and saved against the full run."""
    less = result.all_samples - result.samples
    share = less / result.all_samples
    text = (
        f"Used {result.prompts} of {result.all_prompts} prompts and {result.samples:,} of "
        f"{result.all_samples:,} samples: {share:.0%} fewer than the full run"
    )
    if result.saved is None or result.cost is None:
        return f"{text}; the cost saved is unknown."
    return f"{text}, about {dollars(result.saved)} saved of {dollars(result.cost + result.saved)}."
