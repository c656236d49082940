"""Showing causal forms: progress, and a question explained."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from assay.causal.explain import Checked, Explanation, Option

WIDTH = 100


@contextmanager
def progress(what: str) -> Iterator[Callable[[], None]]:
    """Give a function to be called at every step; on a terminal the count is shown on stderr."""
    done = 0
    shown = sys.stderr.isatty()

    def step() -> None:
        nonlocal done
        done += 1
        if shown:
            print(f"\r{done} {what}", end="", file=sys.stderr, flush=True)

    try:
        yield step
    finally:
        if shown and done:
            print(file=sys.stderr)


def print_explanation(found: Explanation) -> None:
    """Print a question's model, the steps to its key, and each option with what decides it."""
    typer.echo(f"{found.id}   wording {found.template}, scene {found.scene}, drawn: {found.state}")
    _head("Question")
    typer.echo("\n".join(_wrapped(line) for line in found.stem.split("\n")))
    _head("Model")
    typer.echo(_wrapped(", ".join(found.arrows) or "no arrows"))
    for each in found.mechanisms:
        unmeasured = "  (not measured)" if each.hidden else ""
        if each.rows:
            typer.echo(f"  {each.name}{unmeasured}: levels 0, 1, ... with chances")
            for row in each.rows:
                typer.echo(f"    {row}")
        elif each.hidden:
            typer.echo(f"  {each.name}{unmeasured}")
    if found.steps:
        _head("Derivation")
        for label, term, value in found.steps:
            typer.echo(_wrapped(f"{label}: {term} = {value}", "  "))
    _head("Options")
    for option in found.options:
        _print_option(option)


def _print_option(option: Option) -> None:
    verdict = "right" if option.right else f"wrong: {option.kind}"
    typer.echo(_wrapped(f"{option.letter}) {option.text}"))
    typer.echo(_wrapped(f"[{verdict}] {option.why}", "   "))
    if option.number is not None:
        typer.echo(_wrapped(f"the figure is {option.number.query} = {option.number.derived}", "   "))
    for claim in option.claims:
        typer.echo(_wrapped(_claim(claim), "   "))
    typer.echo("")


def _claim(claim: Checked) -> str:
    mark = "true " if claim.true else "FALSE"
    found = f"derived {claim.derived}, counted {claim.counted}"
    return f"{mark} claims {claim.query}: {claim.asserted}; {found}"


def _head(text: str) -> None:
    typer.echo(f"\n{text}\n{'-' * len(text)}")


def _wrapped(text: str, indent: str = "") -> str:
    if text.startswith("|"):
        return text
    return textwrap.fill(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent + "  " if indent else ""
    )


def explanation_document(found: Explanation) -> dict[str, Any]:
    """Return an explanation as a JSON document."""
    return {
        "id": found.id,
        "concept": found.concept,
        "variant": found.variant,
        "template": found.template,
        "scene": found.scene,
        "state": found.state,
        "stem": found.stem,
        "arrows": [{"arrow": arrow} for arrow in found.arrows],
        "variables": [
            {
                "name": each.name,
                "parents": [{"name": parent} for parent in each.parents],
                "hidden": each.hidden,
                "rows": [{"row": row} for row in each.rows],
            }
            for each in found.mechanisms
        ],
        "derivation": [{"label": label, "term": term, "value": value} for label, term, value in found.steps],
        "options": [
            {
                "letter": option.letter,
                "text": option.text,
                "right": option.right,
                "kind": option.kind,
                "why": option.why,
                "figure": None if option.number is None else _checked(option.number),
                "claims": [_checked(claim) for claim in option.claims],
            }
            for option in found.options
        ],
    }


def _checked(claim: Checked) -> dict[str, Any]:
    return {
        "query": claim.query,
        "asserted": claim.asserted,
        "derived": claim.derived,
        "counted": claim.counted,
        "true": claim.true,
    }
