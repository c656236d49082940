"""`assay bank screen`: the mechanical screening, acceptance by it, and reviewers' tables of decisions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from assay.cli.output import counted, notes, print_json, print_table
from assay.cli.session import open_session
from assay.core.errors import InvalidInput

if TYPE_CHECKING:
    from assay.bank.redundancy import Redundancy
    from assay.bank.screening import Screened
    from assay.runs.work import Work

SHOWN = 10


def screen(
    ctx: typer.Context,
    accept_clean: bool = typer.Option(
        False, "--accept-clean", help="Accept what has no finding, in --reviewer's name."
    ),
    decisions: Path | None = typer.Option(
        None, metavar="FILE", help="Take in a table of decisions: uuid, decision, reason, seconds."
    ),
    reviewer: str | None = typer.Option(None, metavar="NAME", help="Who accepts or has decided."),
    second_review: bool = typer.Option(
        False, "--second-review", help="Two reviewers must agree; a third decides between two."
    ),
    discipline: list[str] = typer.Option(
        [], "--discipline", metavar="NAME", help="Only these; may be given several times."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Check raw questions mechanically, or take in decisions.

    Options against key, blanks against answers, leaked keys, brackets, signs, language, figures and
    passages that are missing, near-duplicates. Needs the bank's key, and never shows an answer.
    """
    if (accept_clean or decisions is not None) and reviewer is None:
        raise InvalidInput("say in whose name with --reviewer NAME: `assay bank reviewer add` makes one")
    if accept_clean and decisions is not None:
        raise InvalidInput("--accept-clean and --decisions are two deeds: do one after the other")
    work = open_session(ctx, existing=True)
    if decisions is not None and reviewer is not None:
        _take(work, decisions, reviewer, second_review, as_json)
    else:
        _look(work, discipline, reviewer if accept_clean else None, second_review, as_json)


def _look(work: Work, discipline: list[str], reviewer: str | None, second: bool, as_json: bool) -> None:
    import time

    from assay.bank.redundancy import find_duplicates
    from assay.bank.review import accept_mechanically, reviewer_at_work
    from assay.bank.screening import screen_bank
    from assay.files.sealing import bank_sealer
    from assay.questions.taxonomy import find_discipline

    sealer = bank_sealer(work.environment)
    codes = [find_discipline(name).code for name in discipline] or None
    if reviewer is not None:
        reviewer_at_work(work.engine, reviewer)
    redundancy = find_duplicates(work.engine, now=time.time())
    found = screen_bank(work.engine, sealer, disciplines=codes)
    counts: Counter[str] | None = None
    if reviewer is not None:
        counts = accept_mechanically(
            work.engine, reviewer, found.clean, second_review=second, now=time.time()
        )
    if as_json:
        print_json(screen_document(found, redundancy, reviewer, counts))
    else:
        _print(found, redundancy, reviewer, counts)


def _take(work: Work, file: Path, reviewer: str, second: bool, as_json: bool) -> None:
    import time

    from assay.bank.decision_table import read_decisions
    from assay.bank.review import take_decisions

    table = read_decisions(file)
    taken = take_decisions(work.engine, reviewer, table.decisions, second_review=second, now=time.time())
    refused = [
        (place, str(why)) for place, why in zip(table.places, taken.refused, strict=True) if why is not None
    ]
    problems = [*table.problems, *refused]
    rows = len(table.decisions) + len(table.problems)
    states = {state: count for state, count in sorted(taken.counts.items()) if state != "refused"}
    if as_json:
        print_json(
            {
                "file": str(file),
                "reviewer": reviewer,
                "rows": rows,
                "taken": sum(states.values()),
                "refused": len(problems),
                "states": [{"state": state, "questions": count} for state, count in states.items()],
                "problems": [{"place": place, "text": text} for place, text in problems],
            }
        )
    else:
        told = ", ".join(f"{count:,} {state}" for state, count in states.items()) or "none"
        typer.echo(
            f"{counted(rows, 'row')}: {sum(states.values()):,} taken in ({told}), {len(problems):,} refused"
        )
        for place, text in problems:
            notes().print(f"{file}: {place}: {text}")
    if problems:
        raise typer.Exit(1)


def screen_document(
    found: Screened, redundancy: Redundancy, reviewer: str | None, counts: Counter[str] | None
) -> dict[str, Any]:
    """Return what the screening came to as a JSON document; `accepted` is null where nobody accepted."""
    return {
        "questions": found.looked,
        "clean": len(found.clean),
        "blocked": found.blocked,
        "findings": [
            {
                "kind": kind,
                "severity": each.severity.value,
                "text": each.text,
                "questions": each.questions,
                "examples": [{"uuid": uuid} for uuid in each.examples],
            }
            for kind, each in sorted(found.kinds.items(), key=lambda pair: -pair[1].questions)
        ],
        "near_duplicates": {
            "compared": redundancy.questions,
            "pairs": len(redundancy.pairs),
            "new": redundancy.added,
            "faults": [{"text": fault} for fault in redundancy.faults],
        },
        "waiting": found.waiting,
        "disputed": [
            {
                "uuid": each.uuid,
                "discipline": each.discipline,
                "accepts": each.accepts,
                "rejects": each.rejects,
            }
            for each in found.disputed
        ],
        "accepted": None
        if counts is None
        else {
            "reviewer": reviewer,
            "accepted": counts["accepted"],
            "reviewed": counts["reviewed"],
            "left": counts["left"],
        },
    }


def _print(
    found: Screened, redundancy: Redundancy, reviewer: str | None, counts: Counter[str] | None
) -> None:
    listed = sorted(found.kinds.items(), key=lambda pair: -pair[1].questions)
    if listed:
        print_table(
            None,
            ("finding", "questions", "severity", "what it is", "for example"),
            [
                (kind, f"{each.questions:,}", each.severity.value, each.text, each.examples[0])
                for kind, each in listed
            ],
            right=("questions",),
        )
    found_in = found.looked - len(found.clean)
    typer.echo(
        f"{counted(found.looked, 'question')} looked at: {len(found.clean):,} clean, {found_in:,} with "
        f"findings ({found.blocked:,} that block); {len(redundancy.pairs):,} pairs of near-duplicates"
    )
    for fault in redundancy.faults:
        notes().print(fault)
    if counts is not None:
        typer.echo(
            f"{reviewer}: {counts['accepted']:,} accepted, {counts['reviewed']:,} wait for a second "
            f"reviewer, {counts['left']:,} left (other disciplines, or decided by {reviewer} already)"
        )
    elif found.clean:
        notes().print("accept the clean ones with --accept-clean --reviewer NAME")
    if found.waiting:
        notes().print(f"{counted(found.waiting, 'question')} had one reviewer and wait for a second")
    for each in found.disputed[:SHOWN]:
        notes().print(f"{each.uuid} ({each.discipline}) is disputed: a third reviewer decides")
    if len(found.disputed) > SHOWN:
        notes().print(f"and {len(found.disputed) - SHOWN:,} more are disputed: --json lists all")
