"""Printing a keyed board: one line a model, its bundles, and what has to be known to read it."""

from __future__ import annotations

from collections.abc import Iterator

from assay.cli.board.judged import SIMULATED, print_excluded, print_not_ranked
from assay.cli.board.pairs import explain_ranks
from assay.cli.output import notes, print_rows, print_table
from assay.core.wording import counted
from assay.results.board import JudgedScore
from assay.results.board_keyed import CONSISTENCY, KEYED_STANDINGS, Accuracy, Part
from assay.runs.board.companion import Companion
from assay.runs.board.stored import StoredKeyedBoard

MOST_NAMED = 4
"""With more models than this the columns of concepts have no room for names and intervals."""


def print_keyed_board(found: StoredKeyedBoard) -> None:
    """Print the standings, best first, then how right answers keep together by concept; out of 100."""
    table, suite = found.board, found.suite
    title = (
        f"{suite.name} {suite.version}: {counted(table.questions, 'question')} on "
        f"{counted(len(table.concepts), 'concept')}, {counted(len(table.standings), 'model')}"
    )
    print_rows(KEYED_STANDINGS, table.standings, title, _beside(found))
    _print_bundles(found)
    print_not_ranked(found.not_ranked)
    print_excluded(found.excluded)
    for line in _told(found):
        notes().print(line)


def print_parts(found: StoredKeyedBoard, by: str) -> None:
    """Print every model's accuracy over valid answers in each concept or variant, with its interval.

    Variants stand in columns, concepts in rows; beyond a few models their columns have numbers for names.
    """
    title = f"{found.suite.name} {found.suite.version}: right/valid by {by}"
    if by == "variant":
        _print_variants(found, title)
    else:
        _print_concepts(found, title)
    notes().print("Few questions each: read them as hints, not as measurements.")
    if found.simulated:
        notes().print(SIMULATED)


def _print_variants(found: StoredKeyedBoard, title: str) -> None:
    standings = found.board.standings
    names = [f"{part.name} ({part.questions})" for part in standings[0].variants]
    print_table(
        f"{title}, with 95 % intervals out of 100",
        ("model", *names),
        [(standing.model, *map(_part, standing.variants)) for standing in standings],
        right=names,
    )


def _print_concepts(found: StoredKeyedBoard, title: str) -> None:
    standings = found.board.standings
    few = len(standings) <= MOST_NAMED
    heads = [each.model if few else str(place) for place, each in enumerate(standings, start=1)]
    print_table(
        f"{title}, with 95 % intervals out of 100" if few else f"{title}; columns are models by place",
        ("concept", "questions", *heads),
        [
            (
                part.name,
                part.questions,
                *(
                    _part(each.concepts[place]) if few else _counted(each.concepts[place])
                    for each in standings
                ),
            )
            for place, part in enumerate(standings[0].concepts)
        ],
        right=("questions", *heads),
    )
    if not few:
        notes().print(", ".join(f"{place} {each.model}" for place, each in enumerate(standings, start=1)))


def _beside(found: StoredKeyedBoard) -> list[tuple[str, ...]]:
    """Return the column of a judged suite: the composite."""
    if found.beside is None:
        return []
    beside = found.beside
    return [(beside.suite.name,), *((_composite(beside, each.model),) for each in found.board.standings)]


def _composite(beside: Companion[JudgedScore], model: str) -> str:
    if model in beside.excluded:
        return "excluded"
    line = beside.lines.get(model)
    value = None if line is None else line.score.composite
    return "-" if value is None else f"{100 * value:.2f}"


def _print_bundles(found: StoredKeyedBoard) -> None:
    """Print how many bundles have 0, 1, ... questions right, and what scattered rights would give."""
    counting = [each for each in found.board.standings if each.consistency.bundles]
    if not counting:
        return
    most = max(len(each.consistency.spread) for each in counting)
    counts = [[str(part.bundles) for part in each.consistency.spread] for each in counting]
    names = ("model", *(str(k) for k in range(most)))
    rows = [
        (each.model, *count, *("" for _ in range(most - len(count))), *cells)
        for each, count, cells in zip(
            counting, counts, CONSISTENCY.cells([each.consistency for each in counting]), strict=True
        )
    ]
    print_table(
        "\nBundles with so many questions right",
        (*names, *CONSISTENCY.headings),
        rows,
        right=(*names[1:], *CONSISTENCY.right),
    )


def _told(found: StoredKeyedBoard) -> Iterator[str]:
    table = found.board
    yield (
        f"valid: right of those with a visible answer; all: of all asked. Blind guessing reaches "
        f"{100 * table.chance:.1f}."
    )
    low = [each.model for each in table.standings if each.chance is not None and not each.chance.above]
    if low:
        yield f"not shown to be above chance: {', '.join(low)}"
    left = sum(each.consistency.left_out for each in table.standings)
    if left:
        yield f"{counted(left, 'bundle')} with an answer missing left out of the bundles"
    yield from found.missing
    yield from explain_ranks(table, found.suite.name, "paired bootstrap over concepts")
    yield "Ranks count an invalid answer as not right and leave errors out."
    if found.beside is not None:
        yield f"{found.beside.suite.name} {found.beside.suite.version} stands beside and is not blended in."
    if found.simulated or (found.beside is not None and found.beside.simulated):
        yield SIMULATED


def _part(part: Part) -> str:
    return f"{_counted(part)} {_interval(part.rights.valid):>6}"


def _counted(part: Part) -> str:
    return f"{part.rights.right}/{part.rights.samples.ok}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _interval(found: Accuracy) -> str:
    if found.interval is None:
        return ""
    return f"{100 * found.interval.low:.0f}-{100 * found.interval.high:.0f}"
