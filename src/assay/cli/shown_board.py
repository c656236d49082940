"""Printing a board: one line a model, and what has to be known to read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.cli.output import counted, dollars, notes, print_table
from assay.cli.shown_pairs import explain_ranks
from assay.ranking.board import Standing
from assay.ranking.groups import Group
from assay.ranking.rank_range import RankRange
from assay.runs.board import StoredBoard
from assay.runs.boards.names import geval_by
from assay.runs.boards.source import Excluded, NotRanked

SIMULATED = "Some of these models are simulated: their numbers measure nothing real."


def print_board(found: StoredBoard) -> None:
    """Print the standings, best first; composites out of 100."""
    table, suite = found.board, found.suite
    beside = () if found.beside is None else (f"{found.beside.suite.name}: valid", "all", "of")
    print_table(
        f"{suite.name} {suite.version}: {counted(table.prompts, 'prompt')}, "
        f"{counted(len(table.standings), 'model')}",
        (
            "rank",
            "model",
            "composite",
            "adjusted",
            "95 %",
            "judges",
            "G-Eval",
            "eff.",
            "n (ok/inv/err/ungr)",
            "flagged",
            "s",
            "tokens",
            "cost",
            *beside,
        ),
        [(*_row(standing), *_beside(found, standing.model)) for standing in table.standings],
        right=(
            "composite",
            "adjusted",
            "judges",
            "G-Eval",
            "eff.",
            "flagged",
            "s",
            "tokens",
            "cost",
            *beside,
        ),
    )
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
                for place, lack in enumerate(each.lacks)
            ],
        )


def print_excluded(excluded: Sequence[Excluded]) -> None:
    """Print the models that the workspace excludes from the suite, each with its reason."""
    if excluded:
        print_table(
            "\nExcluded, so without a rank",
            ("model", "reason", "runs that do not count"),
            [(each.model, each.reason, ", ".join(map(str, each.runs)) or "-") for each in excluded],
        )


def _beside(found: StoredBoard, model: str) -> tuple[str, ...]:
    """Return a keyed suite's accuracy over valid answers, over all, and how many were asked."""
    if found.beside is None:
        return ()
    if model in found.beside.excluded:
        return ("excluded", "", "")
    line = found.beside.lines.get(model)
    if line is None:
        return ("-", "-", "-")
    valid, overall = (
        "-" if each.value is None else f"{100 * each.value:.1f}" for each in (line.valid, line.overall)
    )
    return (valid, overall, str(line.counts.n))


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


def _row(standing: Standing) -> tuple[object, ...]:
    score, counts, adjusted = standing.score, standing.counts, standing.adjusted
    interval = adjusted.interval
    marked = "" if score.basis in ("both", None) else f" ({score.basis})"
    truncated = f", {counts.truncated} truncated" if counts.truncated else ""
    cost = "unknown" if standing.cost is None else dollars(standing.cost)
    return (
        ranks_told(standing.ranks),
        standing.model,
        "-" if score.composite is None else f"{100 * score.composite:.2f}{marked}",
        "-" if adjusted.composite is None else f"{100 * adjusted.composite:.2f}",
        "" if interval is None else f"{100 * interval.low:.1f}-{100 * interval.high:.1f}",
        figure(score.judge_mean, 2),
        figure(score.geval_mean, 4),
        figure(standing.efficiency, 3),
        f"{counts.n} ({counts.ok}/{counts.invalid}/{counts.error}/{counts.ungraded}){truncated}",
        counts.flagged,
        figure(standing.latency.value, 1),
        figure(standing.tokens.value, 0),
        cost,
    )


def ranks_told(ranks: RankRange | None) -> str:
    """Return a range of ranks, as in `1-3`; a dash without one."""
    if ranks is None:
        return "-"
    return f"{ranks.low}" if ranks.low == ranks.high else f"{ranks.low}-{ranks.high}"


def figure(value: float | None, digits: int) -> str:
    """Return a figure with fixed decimals; a dash for none."""
    return "-" if value is None else f"{value:.{digits}f}"


def _told(found: StoredBoard) -> Iterator[str]:
    judges = ", ".join(
        each.judge if each.effect is None else f"{each.judge} ({each.effect:+.2f})"
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
