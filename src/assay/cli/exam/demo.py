"""`assay exam demo`: a whole exam in one command, with simulated candidates and a simulated judge.

Its folder holds the workspace, the bank's key, the example bank, the manifest and the candidates' workspaces.
"""

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
PUBLIC = "The questions are Assay's public example bank: do not publish a score on them."
KEY, EXAMPLE, MANIFEST, CANDIDATES = "bank.key", "example", "manifest.csv", "candidates"


def demo(
    out: Path | None = typer.Option(
        None, metavar="FOLDER", help="New folder that keeps everything (default: removed at the end)."
    ),
) -> None:
    """Run a simulated exam, from the bank to the published table.

    Imports the example bank, serves it over real HTTP, lets three simulated candidates take the exam three
    times each, marks the answers with a simulated judge, writes the manifest, and compares the results with
    the truth. Takes about a minute.
    """
    if out is not None and out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Conflict(f"--out {str(out)!r} is not empty: name a new folder")
    with nullcontext(str(out)) if out is not None else tempfile.TemporaryDirectory() as folder:
        _run_exam(Path(folder))
    if out is not None:
        hints = notes()
        hints.print(f"kept in {out}; show more with:")
        hints.print(f"  export ASSAY_BANK_KEY_FILE={(out / KEY).resolve()}")
        hints.print(f"  cd {out} && assay exam results --judge simulated/judge && assay bank stats")


def _run_exam(folder: Path) -> None:
    """Run the exam in a folder, print its progress on stderr, and print the results."""
    start = time.monotonic()

    def say(text: str) -> None:
        notes().print(f"{time.monotonic() - start:5.1f} s  {text}")

    notes().print(f"Assay's exam in one command. {SIMULATED}")
    notes().print(PUBLIC)
    folder.mkdir(parents=True, exist_ok=True)
    init_workspace(folder)
    write_bank_key(folder / KEY)
    environment = {"ASSAY_BANK_KEY_FILE": str(folder / KEY)}
    work = open_work(folder, environment={**environment, "ASSAY_DATABASE": str(folder / "assay.db")})
    try:
        sealer = bank_sealer(environment)
        say("created a workspace with a new bank key")
        import_example(work.engine, sealer, folder / EXAMPLE, clock=time.time)
        screen(work.engine, sealer, disciplines=None, accept_clean=True, now=time.time())
        items = read_items(work.engine, sealer)
        say(f"imported, encrypted and screened {len(items)} questions")
        candidates = enter(work.engine, items, clock=time.time)
        say(f"created an official series with {len(candidates)} candidates, each of its own organisation")
        asyncio.run(_sit_and_mark(work, sealer, folder, items, candidates, say))
        rows = series_rows(work.engine, SERIES, DEMO_JUDGE.name)
        write_new(folder / MANIFEST, as_csv(SeriesRow, rows).encode())
        say(f"wrote the manifest with the stars of {len(rows)} answers")
        results = read_results(work.engine, DEMO_JUDGE.name, simulated_judge=True)
    finally:
        work.engine.dispose()
    _print(results, candidates)


async def _sit_and_mark(
    work: Work,
    sealer: KeySealer,
    folder: Path,
    items: Items,
    candidates: Sequence[DemoCandidate],
    say: Callable[[str], None],
) -> None:
    """Serve the exam, let the candidates take it in their own workspaces, and let the judge mark it."""
    # So small a bank sets off the drain alarm, as expected.
    logging.getLogger("assay.exam").setLevel(logging.ERROR)
    cases = demo_cases(items)
    Keyring(work.engine, sealer).reload(now=time.time())
    candidate_works = {
        candidate.organisation: _candidate_work(folder, candidate.organisation) for candidate in candidates
    }
    contexts = {
        name: AskingContext(own.engine, own.workspace.providers, {}, cases=cases, simulated_day=DAY)
        for name, own in candidate_works.items()
    }

    def print_finished(candidate: DemoCandidate, number: int) -> None:
        say(f"{candidate.model.name} of {candidate.organisation}: sitting {number} of {SITTINGS} finished")

    try:
        with serving_here(create_app(work.engine, sealer, judge=DEMO_JUDGE.name)) as port:
            address = f"http://127.0.0.1:{port}"
            say(f"the exam service listens on {address}; each sitting has {N} questions")
            sessions = await sit_series(
                work.engine, contexts, address, candidates, clock=time.time, on_finished=print_finished
            )
    finally:
        for own in candidate_works.values():
            own.engine.dispose()
    context = AskingContext(work.engine, work.workspace.providers, {}, cases=cases, simulated_day=DAY)
    await mark_series(
        context, sessions, sealer, on_marked=lambda done: say(f"{done} of {len(sessions)} sittings marked")
    )


def _candidate_work(folder: Path, organisation: str) -> Work:
    """Create a candidate's own workspace, a folder and a database without the bank and its key."""
    own = folder / CANDIDATES / organisation
    own.mkdir(parents=True)
    return open_work(own, environment={"ASSAY_DATABASE": str(own / "assay.db")})


def _print(results: ExamResults, candidates: Sequence[DemoCandidate]) -> None:
    """Print the results as `assay exam results` does, and a comparison with the truth."""
    print_results(results)
    scores = {model.identity.organisation: model.score for model in results.models}
    rows = []
    for candidate in candidates:
        score = scores[candidate.organisation]
        assert score is not None
        low, high = score.interval.low, score.interval.high
        within = "yes" if low <= candidate.share <= high else "no"
        knows = f"{candidate.share:.1f} ({candidate.known} of {candidate.questions})"
        rows.append((candidate.model.name, knows, f"{score.mean:.1f}", f"{low:.1f} to {high:.1f}", within))
    print_table(
        "Simulated knowledge compared with the exam's scores",
        ("model", "simulated to know, %", "S", "S 95 %", "inside"),
        rows,
        right=("simulated to know, %", "S"),
    )
    print_legend(f"S = {legend_of(Spread, 'mean')}")
    typer.echo(SIMULATED)
    typer.echo(PUBLIC)
