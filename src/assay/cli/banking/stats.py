"""`assay bank stats`: what the bank holds, by source, by discipline and by state."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from assay.cli.output import counted, notes, print_json, print_table
from assay.cli.session import open_session

if TYPE_CHECKING:
    from assay.bank.stats import Growth, Stats


def stats(
    ctx: typer.Context,
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Count the bank's questions before and after expanding.

    Rewritten counts what stands after expanding: an original with variants gives way to them. Rejected and
    retired questions are counted by state alone. Needs no key.
    """
    from assay.bank.stats import bank_stats

    found = bank_stats(open_session(ctx, existing=True).engine)
    if as_json:
        print_json(document(found))
    else:
        _print(found)


def document(found: Stats) -> dict[str, Any]:
    """Return the bank's tables as a JSON document; percentages are 0-100 and more, null of nothing."""
    return {
        "sources": [
            {
                "source": each.kind.value,
                "original": each.original,
                "original_share": each.original_share,
                "rewritten": each.rewritten,
                "rewritten_share": each.rewritten_share,
            }
            for each in found.sources
        ],
        "disciplines": [{"discipline": each.name, **_growth(each)} for each in found.disciplines],
        "total": _growth(found.total),
        "kinds": [{"kind": kind, "questions": count} for kind, count in found.kinds.items()],
        "states": asdict(found.states),
        "held": found.held,
        "synthetic": found.synthetic,
        "near_duplicates": found.duplicates,
    }


def _growth(growth: Growth) -> dict[str, Any]:
    return {
        "original": growth.original,
        "rewritten": growth.rewritten,
        "increase": growth.increase,
        "percentage": growth.percentage,
    }


def _print(found: Stats) -> None:
    print_table(
        None,
        ("source", "original", "%", "rewritten", "% "),
        [
            (
                each.kind.value,
                f"{each.original:,}",
                f"{each.original_share:.1f}",
                f"{each.rewritten:,}",
                f"{each.rewritten_share:.1f}",
            )
            for each in found.sources
        ],
        right=("original", "%", "rewritten", "% "),
    )
    typer.echo("")
    print_table(
        None,
        ("subject", "original", "rewritten", "increase", "increase %"),
        [
            (
                each.name,
                f"{each.original:,}",
                f"{each.rewritten:,}",
                f"{each.increase:,}",
                "-" if each.percentage is None else f"{each.percentage:.2f}",
            )
            for each in (*found.disciplines, found.total)
        ],
        right=("original", "rewritten", "increase", "increase %"),
    )
    typer.echo("")
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in found.kinds.items())
    states = ", ".join(f"{count:,} {state}" for state, count in asdict(found.states).items())
    typer.echo(f"{counted(found.held, 'question')} held, originals and variants: {kinds or 'none'}")
    typer.echo(f"states: {states}")
    if found.synthetic:
        notes().print(f"{found.synthetic:,} of those held are synthetic: they come from sources labelled so")
    if found.duplicates:
        notes().print(f"{counted(found.duplicates, 'pair')} of near-duplicates wait for a decision")
