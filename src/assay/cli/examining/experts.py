"""`assay exam experts`: human marking, blind, and how far judges agree with it."""

from __future__ import annotations

from typing import Any

import typer

from assay.cli.app import new_app

app = new_app(no_args_is_help=True)


@app.callback()
def experts() -> None:
    """Let experts mark answers blind; compare judges with them."""


@app.command()
def assign(
    ctx: typer.Context,
    session: list[str] = typer.Argument(None, metavar="[SESSION]...", help="Only answers of these sessions."),
    per_discipline: int = typer.Option(2, "--experts", min=1, metavar="N", help="Experts a discipline."),
    each: int = typer.Option(20, "--each", min=1, metavar="N", help="Answers an expert and discipline."),
    shared: float = typer.Option(
        0.25, "--shared", min=0.0, max=1.0, metavar="SHARE", help="Of them marked by a second expert too."
    ),
    seed: int | None = typer.Option(None, metavar="N", help="Choose the same answers again."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Give experts answers until each discipline is covered.

    Experts are the bank's reviewers, in their disciplines. What was given before counts.
    """
    import random
    import time

    from assay.cli.output import counted, notes, print_json
    from assay.cli.session import open_session
    from assay.exams.coverage import Target
    from assay.exams.human import assign as give

    engine = open_session(ctx, existing=True).engine
    rng = random.SystemRandom() if seed is None else random.Random(seed)
    target = Target(per_discipline, each, shared)
    given, short = give(engine, target, rng, sessions=session or (), now=time.time())
    if as_json:
        lacking = [
            {"discipline": one.discipline, "experts": one.experts, "answers": one.answers} for one in short
        ]
        print_json({"assigned": given, "short": lacking})
        return
    notes().print(f"{counted(given, 'answer')} given to experts")
    for one in short:
        notes().print(f"  {one.discipline}: {one.experts} experts and {one.answers} answers too few")


@app.command("next")
def next_(
    ctx: typer.Context,
    reviewer: str = typer.Option(..., "--reviewer", metavar="NAME", help="The expert."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Show an expert's next answer, without whose it is.

    It shows the key: do not run it where a candidate can read along.
    """
    import time

    from assay.cli.output import notes, print_json
    from assay.cli.session import open_session
    from assay.exams.human import next_to_mark
    from assay.files.sealing import bank_sealer

    work = open_session(ctx, existing=True)
    found = next_to_mark(work.engine, reviewer, bank_sealer(work.environment), now=time.time())
    if as_json:
        shown: dict[str, Any] | None = None
        if found is not None:
            names = ("code", "discipline", "question", "key", "answer")
            shown = {name: getattr(found, name) for name in names}
        left, today = (0, None) if found is None else (found.left, found.today)
        print_json({"next": shown, "left": left, "today": today})
    elif found is None:
        notes().print("everything is marked")
    else:
        for title, text in (("Question", found.question), ("Key", found.key), ("Answer", found.answer)):
            typer.echo(f"--- {title}\n{text}\n")
        typer.echo(f"--- {found.code}, {found.discipline}: {found.left} left, {found.today} today")


@app.command("mark")
def mark_(
    ctx: typer.Context,
    code: str = typer.Argument(metavar="CODE", help="The answer's code."),
    reviewer: str = typer.Option(..., "--reviewer", metavar="NAME", help="The expert."),
    stars: int = typer.Option(..., "--stars", metavar="N", help="0, 1, 2 or 3."),
    reason: str = typer.Option(..., "--reason", metavar="TEXT", help="Why; it is stored sealed."),
    seconds: float | None = typer.Option(None, "--seconds", metavar="S", help="How long marking took."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Store an expert's stars for one answer, once."""
    import time

    from assay.cli.output import notes, print_json
    from assay.cli.session import open_session
    from assay.exams.human import take_mark
    from assay.files.sealing import bank_sealer

    work = open_session(ctx, existing=True)
    sealer = bank_sealer(work.environment)
    take_mark(work.engine, reviewer, code, stars, reason, sealer, seconds=seconds, now=time.time())
    if as_json:
        print_json({"code": code, "reviewer": reviewer, "stars": stars})
    else:
        notes().print(f"{code}: {stars} stars")


@app.command()
def agreement(
    ctx: typer.Context,
    judge: list[str] = typer.Option(
        [], "--judge", metavar="PROVIDER/MODEL", help="Only these; else all that have marked."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Say how far judges agree with experts, by Cohen's kappa.

    Also what each discipline's coverage is, and the experts' hours and cost.
    """
    from assay.cli.examining.experts_document import agreement_document, print_agreement
    from assay.cli.output import print_json
    from assay.cli.session import open_session
    from assay.exams.agreement import agreement as agree
    from assay.exams.agreement import covered
    from assay.exams.agreement import work as work_of
    from assay.store.exam.marks import judges_of

    engine = open_session(ctx, existing=True).engine
    found = agree(engine, judge or list(judges_of(engine)))
    if as_json:
        print_json(agreement_document(found, covered(engine), work_of(engine)))
    else:
        print_agreement(found, covered(engine), work_of(engine))
