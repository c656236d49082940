"""Printing a board: one line a model, and what has to be known to read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.cli.board.pairs import explain_ranks
from assay.cli.output import notes, print_rows, print_table
from assay.core.wording import counted
from assay.results.board_judged import STANDINGS, Group, Standing
from assay.results.board_keyed import Rights
from assay.results.ranking import EXCLUDED, Excluded, NotRanked
from assay.runs.board.companion import Companion
from assay.runs.board.names import geval_by
from assay.runs.board.stored import StoredBoard

SIMULATED = "Some of these models are simulated: their numbers measure nothing real."


def print_board(found: StoredBoard) -> None:
    """Print the standings, best first; composites out of 100."""
    table, suite = found.board, found.suite
    title = (
        f"{suite.name} {suite.version}: {counted(table.prompts, 'prompt')}, "
        f"{counted(len(table.standings), 'model')}"
    )
    print_rows(STANDINGS, table.standings, title, _beside(found))
    print_not_ranked(found.not_ranked)
    print_excluded(found.excluded)
    for line in _told(found):
        notes().print(line)


def print_groups(found: StoredBoard, by: str) -> None:
    """Print every model's composite in each category, subcategory or difficulty."""
    standings = found.board.standings
    names = [each.group for each in standings[0].groups if each.group.by == by]
    print_table(
        f"{found.suite.name} {found.suite.version}: composite by {by}, out of 100",
        (by, "prompts", *(standing.model for standing in standings)),
        [
            (
                group.name if group.category is None else f"{group.category}: {group.name}",
                group.prompts,
                *(_composite(standing, group) for standing in standings),
            )
            for group in names
        ],
        right=("prompts", *(standing.model for standing in standings)),
    )
    notes().print("Groups are small: differences of a few points within one are noise.")
    if found.simulated:
        notes().print(SIMULATED)


def print_not_ranked(not_ranked: Sequence[NotRanked]) -> None:
    """Print the models without a run that can be ranked, each with the reason and what to type."""
    if not_ranked:
        print_table(
            "\nNot ranked: only complete runs with the same judges and conditions are",
            ("model", "reason", "what to type"),
            [
                (each.model if place == 0 else "", lack.reason, lack.command)
                for each in not_ranked
                for place, lack in enumerate(each.reasons)
            ],
        )


def print_excluded(excluded: Sequence[Excluded]) -> None:
    """Print the models that the workspace excludes from the suite, each with its reason."""
    if excluded:
        print_rows(EXCLUDED, excluded, "\nExcluded, so without a rank")


def _beside(found: StoredBoard) -> list[tuple[str, ...]]:
    """Return the columns of a keyed suite: accuracy over valid answers, over all, and how many were asked."""
    if found.beside is None:
        return []
    headings = (f"{found.beside.suite.name}: valid", "all", "of")
    return [headings, *(_line(found.beside, standing.model) for standing in found.board.standings)]


def _line(beside: Companion[Rights], model: str) -> tuple[str, ...]:
    if model in beside.excluded:
        return ("excluded", "", "")
    line = beside.lines.get(model)
    if line is None:
        return ("-", "-", "-")
    valid, overall = (
        "-" if each.value is None else f"{100 * each.value:.1f}" for each in (line.valid, line.overall)
    )
    return (valid, overall, str(line.samples.n))


def _missing(standing: Standing) -> str:
    """Return how many marks a model lacks, and between what the composite lies whatever they would be."""
    adjusted = standing.adjusted
    between = (
        ""
        if adjusted.lowest is None or adjusted.highest is None
        else f" (between {100 * adjusted.lowest:.1f} and {100 * adjusted.highest:.1f} whatever they would be)"
    )
    return f"{standing.model} {adjusted.missing}{between}"


def _composite(standing: Standing, group: Group) -> str:
    value = next(each.score.composite for each in standing.groups if each.group == group)
    return "-" if value is None else f"{100 * value:.1f}"


def _told(found: StoredBoard) -> Iterator[str]:
    judges = ", ".join(
        each.judge if each.leniency is None else f"{each.judge} ({each.leniency:+.2f})"
        for each in found.board.judges
    )
    if judges:
        yield f"judges, with how far each marks above the panel: {judges}"
    if found.geval is not None:
        yield f"G-Eval by {geval_by(found.geval)}"
    partial = [
        f"{each.judge} on {standing.model} ({each.marked} of {each.asked})"
        for standing in found.board.standings
        for each in standing.judges
        if not each.counts and not each.own and each.asked
    ]
    if partial:
        more = f" and {len(partial) - 6} more" if len(partial) > 6 else ""
        yield f"left out for incomplete coverage: {', '.join(partial[:6])}{more}"
    missing = [_missing(each) for each in found.board.standings if each.adjusted.missing]
    if missing:
        more = f" and {len(missing) - 6} more models" if len(missing) > 6 else ""
        yield f"missing marks, estimated in `adjusted`: {', '.join(missing[:6])}{more}"
    yield from found.missing
    yield (
        "composite: the original formula, which leaves out judges without full coverage; adjusted, with its "
        "95 % interval: as if every judge had marked every answer. Ranks follow from the adjusted one."
    )
    yield from explain_ranks(found.board, found.suite.name, "common judges, paired bootstrap over prompts")
    if found.beside is not None:
        yield f"{found.beside.suite.name} {found.beside.suite.version} stands beside and is not blended in."
    if found.simulated or (found.beside is not None and found.beside.simulated):
        yield SIMULATED
