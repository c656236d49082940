"""Printing a keyed board: one line for each model, its bundles, and notes on how to read it."""

from __future__ import annotations

from collections.abc import Iterator

from assay.cli.board.judged import SIMULATED, print_excluded, print_not_ranked
from assay.cli.board.pairs import explain_ranks
from assay.cli.output import notes, print_rows, print_table
from assay.core.wording import counted
from assay.results.board import JudgedScore
from assay.results.board_keyed import CONSISTENCY, KEYED_STANDINGS, Accuracy, Part
from assay.results.board_twins import TWINS
from assay.runs.board.companion import Companion
from assay.runs.board.stored import StoredKeyedBoard

MOST_NAMED = 4
"""The most models whose columns in the table of concepts have room for names and intervals."""


def print_keyed_board(stored: StoredKeyedBoard) -> None:
    """Print the standings out of 100, best first, then how right answers are spread over the bundles."""
    table, suite = stored.board, stored.suite
    title = (
        f"{suite.name} {suite.version}: {counted(table.questions, 'question')} on "
        f"{counted(len(table.concepts), 'concept')}, {counted(len(table.standings), 'model')}"
    )
    print_rows(KEYED_STANDINGS, table.standings, title, _beside(stored))
    _print_bundles(stored)
    _print_twins(stored)
    print_not_ranked(stored.not_ranked)
    print_excluded(stored.excluded)
    for line in _notes(stored):
        notes().print(line)


def print_parts(stored: StoredKeyedBoard, by: str) -> None:
    """Print every model's accuracy over valid answers in each group, with its interval.

    Concepts are rows, and other groups are columns. With more than a few models, the columns of concepts have
    numbers instead of names.
    """
    title = f"{stored.suite.name} {stored.suite.version}: right/valid by {by}"
    if by == "concept":
        _print_concepts(stored, title)
    else:
        _print_columns(stored, by, title)
    notes().print("Each group has few questions: these figures are hints, not measurements.")
    if stored.simulated:
        notes().print(SIMULATED)


def _print_columns(stored: StoredKeyedBoard, by: str, title: str) -> None:
    standings = stored.board.standings
    names = [f"{part.name} ({part.questions})" for part in standings[0].parts(by)]
    print_table(
        f"{title}, with 95 % intervals out of 100",
        ("model", *names),
        [(standing.model, *map(_part, standing.parts(by))) for standing in standings],
        right=names,
    )


def _print_concepts(stored: StoredKeyedBoard, title: str) -> None:
    standings = stored.board.standings
    few = len(standings) <= MOST_NAMED
    heads = [standing.model if few else str(place) for place, standing in enumerate(standings, start=1)]
    print_table(
        f"{title}, with 95 % intervals out of 100" if few else f"{title}; one numbered column for each model",
        ("concept", "questions", *heads),
        [
            (
                part.name,
                part.questions,
                *(
                    _part(standing.concepts[place]) if few else _counted(standing.concepts[place])
                    for standing in standings
                ),
            )
            for place, part in enumerate(standings[0].concepts)
        ],
        right=("questions", *heads),
    )
    if not few:
        numbered = (f"{place} {standing.model}" for place, standing in enumerate(standings, start=1))
        notes().print(", ".join(numbered))


def _beside(stored: StoredKeyedBoard) -> list[tuple[str, ...]]:
    """Return the column of a judged suite: the composite."""
    beside = stored.beside
    if beside is None:
        return []
    return [
        (beside.suite.name,),
        *((_composite(beside, standing.model),) for standing in stored.board.standings),
    ]


def _composite(beside: Companion[JudgedScore], model: str) -> str:
    if model in beside.excluded:
        return "excluded"
    line = beside.lines.get(model)
    value = None if line is None else line.score.composite
    return "-" if value is None else f"{100 * value:.2f}"


def _print_bundles(stored: StoredKeyedBoard) -> None:
    """Print the number of bundles with 0, 1, ... right answers, beside that of randomly spread answers."""
    standings = [standing for standing in stored.board.standings if standing.consistency.bundles]
    if not standings:
        return
    most = max(len(standing.consistency.spread) for standing in standings)
    counts = [[str(part.bundles) for part in standing.consistency.spread] for standing in standings]
    names = ("model", *(str(k) for k in range(most)))
    consistency = CONSISTENCY.cells([standing.consistency for standing in standings])
    rows = [
        (standing.model, *count, *("" for _ in range(most - len(count))), *cells)
        for standing, count, cells in zip(standings, counts, consistency, strict=True)
    ]
    print_table(
        "\nNumber of bundles by questions right",
        (*names, *CONSISTENCY.headings),
        rows,
        right=(*names[1:], *CONSISTENCY.right),
    )


def _print_twins(stored: StoredKeyedBoard) -> None:
    """Print a table for each kind of twin that the suite has, with the meanings of its headings."""
    for kind, (title, table) in TWINS.items():
        parts = [(line.model, getattr(line, kind)) for line in stored.board.twins]
        if any(part is not None for _, part in parts):
            rows = [
                (model, *cells)
                for (model, _), cells in zip(parts, table.cells([part for _, part in parts]), strict=True)
            ]
            print_table(f"\n{title}", ("model", *table.headings), rows, right=table.right)


def _notes(stored: StoredKeyedBoard) -> Iterator[str]:
    """Yield the notes below the tables."""
    table, beside = stored.board, stored.beside
    yield (
        "valid: accuracy over visible answers; all: accuracy over all questions asked. Blind guessing "
        f"reaches {100 * table.chance:.1f}."
    )
    low = [
        standing.model
        for standing in table.standings
        if standing.chance is not None and not standing.chance.above
    ]
    if low:
        yield f"not significantly above chance: {', '.join(low)}"
    if table.twins:
        yield "Twins count in their own tables only. Their intervals are over concepts, at 95 %."
    left_out = sum(standing.consistency.left_out for standing in table.standings)
    if left_out:
        yield f"left out of the bundles: {counted(left_out, 'bundle')} with a missing answer"
    yield from stored.missing
    yield from explain_ranks(table, stored.suite.name, "paired bootstrap over concepts")
    yield "For ranks, an invalid answer counts as wrong, and errors are left out."
    if beside is not None:
        yield f"{beside.suite.name} {beside.suite.version} is shown for comparison and does not affect ranks."
    if stored.simulated or (beside is not None and beside.simulated):
        yield SIMULATED


def _part(part: Part) -> str:
    return f"{_counted(part)} {_interval(part.rights.valid):>6}"


def _counted(part: Part) -> str:
    return f"{part.rights.right}/{part.rights.samples.ok}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _interval(accuracy: Accuracy) -> str:
    interval = accuracy.interval
    return "" if interval is None else f"{100 * interval.low:.0f}-{100 * interval.high:.0f}"
