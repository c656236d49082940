"""Exam results as tables."""

from __future__ import annotations

from collections.abc import Sequence

from assay.cli.output import counted, notes, print_table
from assay.core.exam import Prompting
from assay.exams.publish import DrawSizeRow, PromptingRow
from assay.exams.results import ModelResult, Results
from assay.ranking.exam.spread import Spread
from assay.ranking.exam.standing import LACKING, ZERO_BY_RULE, Standing
from assay.stats.intervals import Interval

SHORT = {
    "engineering": "Eng.",
    "economics": "Econ.",
    "education": "Edu.",
    "law": "Law",
    "literature": "Lit.",
    "management": "Mgmt.",
    "science": "Sci.",
    "history": "Hist.",
    "medicine": "Med.",
    "military": "Mil.",
}
"""The ten reported subjects as seed 003's table 7 heads them."""

SITTING = (
    "session", "model", "state", "n", "0 by rule", "excluded", "unmarked", "S", "S 95 %", "R", "R rests on",
    "flags",
)  # fmt: skip
COLUMNS = ("model", "prompting", "R", "R 95 %", "S", "S 95 %", "sd", "sittings")


def print_results(found: Results) -> None:
    """Print published models, the others with what they lack, and every sitting."""
    told = " (simulated)" if found.judge_simulated else ""
    published = [one for one in found.models if one.published]
    if published:
        codes = list(dict.fromkeys(each.code for one in published for each in one.subjects))
        print_table(
            f"Published, judged by {found.judge}{told}",
            (*COLUMNS, *(SHORT.get(code, code) for code in codes)),
            [_published(one, codes) for one in published],
            right=("R", "S", "sd", "sittings", *(SHORT.get(code, code) for code in codes)),
        )
    others = [one for one in found.models if not one.published]
    if others:
        print_table(
            f"Not published yet, judged by {found.judge}{told}",
            ("model", "prompting", "S so far", "missing"),
            [(_name(one), one.prompting.value, _mean(one.score), "; ".join(one.missing)) for one in others],
            right=("S so far",),
        )
    numbers = ("n", "0 by rule", "excluded", "unmarked", "S", "R", "flags")
    print_table("Sittings", SITTING, _sittings(found), right=numbers)
    flagged = [
        (each.sitting.session, flag.kind, f"{flag.count}", f"{flag.n}", flag.told)
        for one in found.models
        for each in one.sittings
        for flag in each.flags
    ]
    if flagged:
        columns = ("session", "implausible metering", "answers", "of", "bound")
        print_table("To be looked at", columns, flagged, right=("answers", "of"))
    _remarks(found)


def _published(one: ModelResult, codes: Sequence[str]) -> tuple[str, ...]:
    subjects = {each.code: f"{each.score:.2f}" for each in one.subjects}
    return (
        _name(one),
        one.prompting.value,
        _mean(one.relative),
        _interval(one.relative),
        _mean(one.score),
        _interval(one.score),
        "-" if one.score is None or one.score.sd is None else f"{one.score.sd:.2f}",
        f"{one.score.n if one.score else 0}",
        *(subjects.get(code, "-") for code in codes),
    )


def _sittings(found: Results) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for model in found.models:
        for one in model.sittings:
            score, relative = one.score, one.relative
            rows.append(
                (
                    one.sitting.session,
                    model.model,
                    one.sitting.state.value,
                    f"{one.sitting.n}",
                    f"{sum(one.standings.get(how, 0) for how in ZERO_BY_RULE)}",
                    f"{one.standings.get(Standing.EXCLUDED, 0)}",
                    f"{sum(one.standings.get(how, 0) for how in LACKING)}",
                    "-" if score is None else f"{score.value:.2f}",
                    "-" if score is None else _bounds(score.interval),
                    "-" if relative is None else f"{relative.value:.2f}",
                    "-" if relative is None else f"{relative.basis}{f', {relative.n}' if relative.n else ''}",
                    f"{len(one.flags) or ''}",
                )
            )
    return rows


def _remarks(found: Results) -> None:
    out = notes()
    if found.judge not in found.judges and found.models:
        known = ", ".join(f"{name} ({marks:,} marks)" for name, marks in found.judges.items()) or "nobody"
        out.print(f"{found.judge} has marked nothing; marked have: {known}. Name one with --judge.")
    references = {one.reference for one in found.models if one.reference is not None}
    if references:
        out.print(f"R is relative to {', '.join(sorted(references))}; each sitting says on which questions.")
    for one in found.models:
        if one.kin is not None:
            out.print(f"{one.model}: the judge {one.kin}, so its marks may favour it")
        if one.published and one.draws == 1:
            out.print(
                f"{one.model}: all sittings had one draw; the interval says nothing about other questions"
            )
        if one.abandoned:
            out.print(f"{one.model}: {counted(one.abandoned, 'session')} ended unfinished and does not count")
    if found.judge_simulated or any(one.simulated for one in found.models):
        out.print("Simulated models or judges took part: nothing real was measured of them.")


def print_promptings(found: Results, rows: Sequence[PromptingRow]) -> None:
    """Print S by prompting with mean and variance over the three."""
    print_table(
        f"S by prompting, judged by {found.judge}; population variance (divided by n)",
        ("model", *(each.value for each in Prompting), "mean", "variance", "draws"),
        [
            (
                f"{one.model}{' (simulated)' if one.simulated else ''}",
                *(_figure(one.scores.get(each)) for each in Prompting),
                _figure(one.mean),
                _figure(one.variance),
                f"{one.draws}",
            )
            for one in rows
        ],
        right=(*(each.value for each in Prompting), "mean", "variance", "draws"),
    )
    if any(one.draws > 1 for one in rows):
        notes().print("Several draws: part of the variance is that of questions. Compare on one: --draw NAME")


def print_draw_sizes(found: Results, rows: Sequence[DrawSizeRow]) -> None:
    """Print R by draw size with mean and variance over the sittings."""
    print_table(
        f"R by draw size, judged by {found.judge}; sample variance (divided by n - 1)",
        ("model", "prompting", "R of each sitting (questions)", "mean", "variance"),
        [
            (
                f"{one.model}{' (simulated)' if one.simulated else ''}",
                one.prompting.value,
                "  ".join(f"{each.relative:.2f} ({each.n})" for each in one.trials) or "-",
                _figure(one.mean),
                _figure(one.variance),
            )
            for one in rows
        ],
        right=("mean", "variance"),
    )


def _name(one: ModelResult) -> str:
    return f"{one.model}{' (simulated)' if one.simulated else ''}"


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _mean(one: Spread | None) -> str:
    return "-" if one is None else f"{one.mean:.2f}"


def _interval(one: Spread | None) -> str:
    return "-" if one is None or one.interval is None else _bounds(one.interval)


def _bounds(interval: Interval) -> str:
    return f"{interval.low:.1f} to {interval.high:.1f}"
