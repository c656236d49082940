"""`assay exam demo`: a whole exam in one command, with simulated candidates and a simulated judge."""

from __future__ import annotations

import asyncio
import logging
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

import typer

from assay.bank.ingest import import_example
from assay.bank.screening import screen
from assay.calls.asking import AskingContext
from assay.cli.exam.results import print_results
from assay.cli.output import notes, print_legend, print_table
from assay.core.errors import Conflict
from assay.exam.demo import (
    DAY,
    DEMO_JUDGE,
    SERIES,
    SITTINGS,
    DemoCandidate,
    Items,
    N,
    demo_cases,
    enter,
    mark_series,
    read_items,
    sit_series,
)
from assay.exam.keys import Keyring
from assay.exam.manifest import as_csv, series_rows, write_new
from assay.exam.results import read_results
from assay.files.sealing import KeySealer, bank_sealer, write_bank_key
from assay.files.workspace_writer import init_workspace
from assay.results.exam import ExamResults, Spread
from assay.results.exam_marking import SeriesRow
from assay.results.table import legend_of
from assay.runs.work import Work, open_work
from assay.web.app import create_app
from assay.web.serving import serving_here

SIMULATED = "Candidates and judge are simulated: no real model was measured."
PUBLIC = "The questions are Assay's example bank, which is public: a score over them is never published."
KEY, EXAMPLE, MANIFEST, CANDIDATES = "bank.key", "example", "manifest.csv", "candidates"


def demo(
    out: Path | None = typer.Option(
        None, metavar="FOLDER", help="New folder that keeps everything (default: removed at the end)."
    ),
) -> None:
    """Run a simulated exam, from the bank to the published table.

    Imports the example bank, serves it over real HTTP, lets three simulated candidates sit three times
    each, marks the answers with a simulated judge, writes the manifest, and compares the results with
    the truth. Takes about a minute.
    """
    if out is not None and out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Conflict(f"--out {str(out)!r} is not empty: name a new folder")
    with nullcontext(str(out)) if out is not None else tempfile.TemporaryDirectory() as folder:
        _hold(Path(folder))
    if out is not None:
        hints = notes()
        hints.print(f"kept in {out}; look closer there with:")
        hints.print(f"  export ASSAY_BANK_KEY_FILE={(out / KEY).resolve()}")
        hints.print(f"  cd {out} && assay exam results --judge simulated/judge && assay bank stats")


def _hold(folder: Path) -> None:
    """Hold the exam in a folder, and say on stderr how far it is."""
    begun = time.monotonic()

    def say(text: str) -> None:
        notes().print(f"{time.monotonic() - begun:5.1f} s  {text}")

    notes().print(f"Assay's exam in one command. {SIMULATED}")
    notes().print(PUBLIC)
    folder.mkdir(parents=True, exist_ok=True)
    init_workspace(folder)
    write_bank_key(folder / KEY)
    environment = {"ASSAY_BANK_KEY_FILE": str(folder / KEY)}
    work = open_work(folder, environment={**environment, "ASSAY_DATABASE": str(folder / "assay.db")})
    try:
        sealer = bank_sealer(environment)
        say("a workspace with a new sealing key")
        import_example(work.engine, sealer, folder / EXAMPLE, clock=time.time)
        screen(work.engine, sealer, disciplines=None, accept_clean=True, now=time.time())
        items = read_items(work.engine, sealer)
        say(f"{len(items)} questions imported, sealed and screened")
        candidates = enter(work.engine, items, clock=time.time)
        say(f"an official series, with {len(candidates)} candidates of as many organisations")
        asyncio.run(_sit_and_mark(work, sealer, folder, items, candidates, say))
        rows = series_rows(work.engine, SERIES, DEMO_JUDGE.name)
        write_new(folder / MANIFEST, as_csv(SeriesRow, rows).encode())
        say(f"a manifest of {len(rows)} answers with their stars")
        found = read_results(work.engine, DEMO_JUDGE.name, simulated_judge=True)
    finally:
        work.engine.dispose()
    _print(found, candidates)


async def _sit_and_mark(
    work: Work,
    sealer: KeySealer,
    folder: Path,
    items: Items,
    candidates: Sequence[DemoCandidate],
    say: Callable[[str], None],
) -> None:
    """Serve the exam, let the candidates sit in workspaces of their own, and have the answers marked."""
    logging.getLogger("assay.exam").setLevel(logging.ERROR)  # a bank this small drains, as is intended
    cases = demo_cases(items)
    Keyring(work.engine, sealer).reload(now=time.time())
    theirs = {each.organisation: _candidate_work(folder, each.organisation) for each in candidates}
    places = {
        name: AskingContext(each.engine, each.workspace.providers, {}, cases=cases, simulated_day=DAY)
        for name, each in theirs.items()
    }

    def sat(candidate: DemoCandidate, number: int) -> None:
        say(f"{candidate.model.name} of {candidate.organisation}: sitting {number} of {SITTINGS} finished")

    try:
        with serving_here(create_app(work.engine, sealer, judge=DEMO_JUDGE.name)) as port:
            address = f"http://127.0.0.1:{port}"
            say(f"the exam service listens on {address}; each sitting has {N} questions")
            sessions = await sit_series(
                work.engine, places, address, candidates, clock=time.time, on_finished=sat
            )
    finally:
        for each in theirs.values():
            each.engine.dispose()
    place = AskingContext(work.engine, work.workspace.providers, {}, cases=cases, simulated_day=DAY)
    await mark_series(
        place, sessions, sealer, on_marked=lambda done: say(f"{done} of {len(sessions)} sittings marked")
    )


def _candidate_work(folder: Path, organisation: str) -> Work:
    """Return a candidate's own workspace: its folder and database, without the bank and its key."""
    own = folder / CANDIDATES / organisation
    own.mkdir(parents=True)
    return open_work(own, environment={"ASSAY_DATABASE": str(own / "assay.db")})


def _print(found: ExamResults, candidates: Sequence[DemoCandidate]) -> None:
    """Print the results as `assay exam results` does, and beside them what was simulated."""
    print_results(found)
    scores = {one.identity.organisation: one.score for one in found.models}
    rows = []
    for each in candidates:
        score = scores[each.organisation]
        assert score is not None
        low, high = score.interval.low, score.interval.high
        within = "yes" if low <= each.share <= high else "no"
        knows = f"{each.share:.1f} ({each.known} of {each.questions})"
        rows.append((each.model.name, knows, f"{score.mean:.1f}", f"{low:.1f} to {high:.1f}", within))
    print_table(
        "What was simulated, and what the exam says",
        ("model", "simulated to know, %", "S", "S 95 %", "inside"),
        rows,
        right=("simulated to know, %", "S"),
    )
    print_legend(f"S = {legend_of(Spread, 'mean')}")
    typer.echo(SIMULATED)
    typer.echo(PUBLIC)
