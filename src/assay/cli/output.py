"""Printing: documents and tables on stdout, everything else on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text


def print_json(document: Any) -> None:
    """Print one JSON document on stdout and nothing else."""
    sys.stdout.write(orjson.dumps(document, option=orjson.OPT_INDENT_2, default=str).decode() + "\n")


def console() -> Console:
    """Return the console for results: as wide as the terminal or COLUMNS, else 160."""
    width = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else 160
    return Console(highlight=False, markup=False, emoji=False, width=width)


def notes() -> Console:
    """Return the console for progress, warnings and hints, on stderr."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def print_table(
    title: str | None, columns: Sequence[str], rows: Iterable[Sequence[object]], *, right: Iterable[str] = ()
) -> None:
    """Print a table; the columns named in `right` are aligned to the right."""
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        header_style="",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
    )
    aligned = set(right)
    for column in columns:
        table.add_column(column, justify="right" if column in aligned else "left", overflow="fold")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(_plain(cell)) for cell in row))
    out = console()
    with out.capture() as printed:
        out.print(table)
    sys.stdout.write("".join(line.rstrip() + "\n" for line in printed.get().splitlines()))


def _plain(cell: object) -> str:
    return "" if cell is None else str(cell)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, as in `1 case` and `1,200 cases`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def dollars(cost: float | None) -> str:
    """Return a cost with digits enough to be seen; an unknown one says so."""
    if cost is None:
        return "unknown"
    if 0 < cost < 0.01:
        return f"${cost:.6f}"
    return f"${cost:.4f}" if cost < 1 else f"${cost:,.2f}"


def moment(seconds: float | None) -> str | None:
    """Return a time as JSON documents and tables hold it: `2026-11-20T06:00:00Z`; None stays None."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
