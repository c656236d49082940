"""Printing a keyed board: one line a model, its bundles, and what has to be known to read it."""

from __future__ import annotations

from collections.abc import Iterator

from assay.cli.output import counted, dollars, notes, print_table
from assay.cli.shown_board import SIMULATED, figure, print_excluded, print_not_ranked, ranks_told
from assay.cli.shown_pairs import explain_ranks
from assay.ranking.keyed.accuracy import Accuracy
from assay.ranking.keyed.board import KeyedStanding, Part
from assay.runs.boards.keyed import StoredKeyedBoard

MOST_NAMED = 4
"""With more models than this the columns of concepts have no room for names and intervals."""


def print_keyed_board(found: StoredKeyedBoard) -> None:
    """Print the standings, best first, then how right answers keep together by concept; out of 100."""
    table, suite = found.board, found.suite
    beside = () if found.beside is None else (found.beside.suite.name,)
    print_table(
        f"{suite.name} {suite.version}: {counted(table.questions, 'question')} on "
        f"{counted(len(table.concepts), 'concept')}, {counted(len(table.standings), 'model')}",
        (
            "rank",
            "model",
            "valid",
            "95 %",
            "all",
            "95 %",
            "n (ok/inv/err/ungr)",
            "s",
            "tokens",
            "cost",
            *beside,
        ),
        [_row(found, standing) for standing in table.standings],
        right=("valid", "all", "s", "tokens", "cost", *beside),
    )
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


def _row(found: StoredKeyedBoard, standing: KeyedStanding) -> tuple[object, ...]:
    rights, counts = standing.rights, standing.rights.counts
    told = [f"{counts.n} ({counts.ok}/{counts.invalid}/{counts.error}/{counts.ungraded})"]
    told += [f"{counts.truncated} truncated"] if counts.truncated else []
    told += [f"{counts.unread} unread"] if counts.unread else []
    return (
        ranks_told(standing.ranks),
        standing.model,
        _percent(rights.valid.value),
        _interval(rights.valid),
        _percent(rights.overall.value),
        _interval(rights.overall),
        ", ".join(told),
        figure(standing.latency.value, 1),
        figure(standing.tokens.value, 0),
        "unknown" if standing.cost is None else dollars(standing.cost),
        *_beside(found, standing.model),
    )


def _beside(found: StoredKeyedBoard, model: str) -> tuple[str, ...]:
    if found.beside is None:
        return ()
    if model in found.beside.excluded:
        return ("excluded",)
    line = found.beside.lines.get(model)
    value = None if line is None else line.score.composite
    return ("-" if value is None else f"{100 * value:.2f}",)


def _print_bundles(found: StoredKeyedBoard) -> None:
    """Print how many bundles have 0, 1, ... questions right, and what scattered rights would give."""
    counting = [each for each in found.board.standings if each.consistency.bundles]
    if not counting:
        return
    most = max(len(each.consistency.spread) for each in counting)
    columns = [str(k) for k in range(most)]
    print_table(
        "\nBundles with so many questions right",
        ("model", *columns, "of", "mean", "all right", "if scattered", "dispersion", "p"),
        [
            (
                standing.model,
                *(each.bundles for each in standing.consistency.spread),
                *("" for _ in range(most - len(standing.consistency.spread))),
                standing.consistency.bundles,
                figure(standing.consistency.mean, 2),
                f"{_percent(standing.consistency.whole)} %",
                f"{_percent(standing.consistency.whole_expected)} %",
                figure(standing.consistency.dispersion, 2),
                figure(standing.consistency.p, 3),
            )
            for standing in counting
        ],
        right=(*columns, "of", "mean", "all right", "if scattered", "dispersion", "p"),
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
    return f"{part.rights.counts.right}/{part.rights.counts.ok}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _interval(found: Accuracy) -> str:
    if found.interval is None:
        return ""
    return f"{100 * found.interval.low:.0f}-{100 * found.interval.high:.0f}"
