"""Printing a judged board: one line for each model, and notes on how to read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.cli.board.pairs import explain_ranks
from assay.cli.output import notes, print_rows, print_table
from assay.core.wording import counted
from assay.results.board_judged import STANDINGS, Group, Standing
from assay.results.board_keyed import Rights
from assay.results.judge_panel import panel_sentences
from assay.results.ranking import EXCLUDED, Excluded, NotRanked
from assay.runs.board.companion import Companion
from assay.runs.board.names import geval_by
from assay.runs.board.stored import StoredBoard

SIMULATED = "Some of these models are simulated: their figures say nothing about real models."


def print_board(stored: StoredBoard) -> None:
    """Print the standings, best first; composites out of 100."""
    table, suite = stored.board, stored.suite
    title = (
        f"{suite.name} {suite.version}: {counted(table.prompts, 'prompt')}, "
        f"{counted(len(table.standings), 'model')}"
    )
    print_rows(STANDINGS, table.standings, title, _beside(stored))
    print_not_ranked(stored.not_ranked)
    print_excluded(stored.excluded)
    for line in _notes(stored):
        notes().print(line)


def print_groups(stored: StoredBoard, by: str) -> None:
    """Print every model's composite in each category, subcategory or difficulty."""
    standings = stored.board.standings
    groups = [score.group for score in standings[0].groups if score.group.by == by]
    print_table(
        f"{stored.suite.name} {stored.suite.version}: composite by {by}, out of 100",
        (by, "prompts", *(standing.model for standing in standings)),
        [
            (
                group.name if group.category is None else f"{group.category}: {group.name}",
                group.prompts,
                *(_composite(standing, group) for standing in standings),
            )
            for group in groups
        ],
        right=("prompts", *(standing.model for standing in standings)),
    )
    notes().print("Groups are small: differences of a few points within a group can be noise.")
    if stored.simulated:
        notes().print(SIMULATED)


def print_not_ranked(not_ranked: Sequence[NotRanked]) -> None:
    """Print the models without a run that can be ranked, each with the reason and the command to run."""
    if not_ranked:
        print_table(
            "\nNot ranked: a run must be complete and have the same judges and conditions",
            ("model", "reason", "command to run"),
            [
                (model.model if place == 0 else "", lack.reason, lack.command)
                for model in not_ranked
                for place, lack in enumerate(model.reasons)
            ],
        )


def print_excluded(excluded: Sequence[Excluded]) -> None:
    """Print the models that the workspace excludes from the suite, each with its reason."""
    if excluded:
        print_rows(EXCLUDED, excluded, "\nExcluded from ranking")


def _beside(stored: StoredBoard) -> list[tuple[str, ...]]:
    """Return the columns of a keyed suite: accuracy over valid answers, over all, and number of questions."""
    if stored.beside is None:
        return []
    headings = (f"{stored.beside.suite.name}: valid", "all", "of")
    return [headings, *(_line(stored.beside, standing.model) for standing in stored.board.standings)]


def _line(beside: Companion[Rights], model: str) -> tuple[str, ...]:
    if model in beside.excluded:
        return ("excluded", "", "")
    line = beside.lines.get(model)
    if line is None:
        return ("-", "-", "-")
    valid, overall = (
        "-" if accuracy.value is None else f"{100 * accuracy.value:.1f}"
        for accuracy in (line.valid, line.overall)
    )
    return (valid, overall, str(line.samples.n))


def _missing(standing: Standing) -> str:
    """Return a model's number of missing marks, and the range of composites that they could give."""
    adjusted = standing.adjusted
    between = (
        ""
        if adjusted.lowest is None or adjusted.highest is None
        else f" (composite between {100 * adjusted.lowest:.1f} and {100 * adjusted.highest:.1f})"
    )
    return f"{standing.model} {adjusted.missing}{between}"


def _composite(standing: Standing, group: Group) -> str:
    value = next(score.score.composite for score in standing.groups if score.group == group)
    return "-" if value is None else f"{100 * value:.1f}"


def _notes(stored: StoredBoard) -> Iterator[str]:
    """Yield the notes below the table."""
    standings, beside = stored.board.standings, stored.beside
    judges = ", ".join(
        judge.judge if judge.leniency is None else f"{judge.judge} ({judge.leniency:+.2f})"
        for judge in stored.board.judges
    )
    if judges:
        yield f"judges, with leniency (difference from the panel's marks): {judges}"
    if stored.panel is not None:
        yield from panel_sentences(stored.panel)
    if stored.geval is not None:
        yield f"G-Eval by {geval_by(stored.geval)}"
    partial = [
        f"{judge.judge} on {standing.model} ({judge.marked} of {judge.asked})"
        for standing in standings
        for judge in standing.judges
        if not judge.counts and not judge.own and judge.asked
    ]
    if partial:
        more = f" and {len(partial) - 6} more" if len(partial) > 6 else ""
        yield f"left out for incomplete coverage: {', '.join(partial[:6])}{more}"
    missing = [_missing(standing) for standing in standings if standing.adjusted.missing]
    if missing:
        more = f" and {len(missing) - 6} more models" if len(missing) > 6 else ""
        yield f"missing marks, estimated in `adjusted`: {', '.join(missing[:6])}{more}"
    yield from stored.missing
    yield (
        "composite: the original formula, which leaves out judges without full coverage. adjusted, with its "
        "95 % interval: as if every judge had marked every answer. Ranks are based on adjusted."
    )
    yield from explain_ranks(stored.board, stored.suite.name, "common judges, paired bootstrap over prompts")
    if beside is not None:
        yield f"{beside.suite.name} {beside.suite.version} is shown for comparison and does not affect ranks."
    if stored.simulated or (beside is not None and beside.simulated):
        yield SIMULATED
