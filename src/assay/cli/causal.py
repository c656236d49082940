"""`assay causal`: make fresh forms of the causal benchmark, attack them, explain their questions."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from assay.cli.app import new_app
from assay.cli.output import notes, print_json
from assay.cli.session import open_session
from assay.core.errors import InvalidInput

if TYPE_CHECKING:
    from assay.causal.item import Item
    from assay.cli.shown_lint import Trial
    from assay.runs.work import Work

app = new_app(no_args_is_help=True)
SEED_BYTES = 24
# The attacks work on small matrices, on which threads of the linear algebra only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@app.callback()
def causal() -> None:
    """Make fresh forms of the causal benchmark, attack them, explain their questions."""


@app.command()
def generate(
    ctx: typer.Context,
    out: Path = typer.Option(
        ..., metavar="DIR", help="A new folder; with --seal the file DIR.sealed instead."
    ),
    seed: str | None = typer.Option(None, metavar="SEED", help="The same seed gives the same form."),
    seal: bool = typer.Option(
        False, "--seal", help="Encrypt the form (key in ASSAY_SUITE_KEY); pages show scores only."
    ),
    public: bool = typer.Option(
        False, "--public", help="Let prompts and answers be shown; else scores only."
    ),
    name: str = typer.Option("causal", metavar="NAME", help="The suite's name."),
    version: str | None = typer.Option(
        None, metavar="V", help="The suite's version; else made of generator and content."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Make a form of 100 questions, every key proved twice.

    It is linted, and drawn again when luck has spoiled it. Forms of different seeds are equivalent. Whoever
    has a form's seed has its keys: keep a private one's.
    """
    from assay.cli.shown_causal import progress
    from assay.studies.causal.generate import check_place, make_form, record, seal_form, write_form
    from assay.studies.causal.texts import Label

    if seal and public:
        raise InvalidInput("--seal and --public contradict each other: choose one")
    if seed is not None and not seed.strip():
        raise InvalidInput(f"the seed is {seed!r}: give some text, or leave --seed out to draw one")
    label = Label(name, version, "public" if public else "private")
    check_place(out, seed=seed, seal=seal)
    key = None
    if seal:
        from assay.files.suite_seal import environment_key

        key = environment_key(open_session(ctx).environment)
    drawn = seed or secrets.token_urlsafe(SEED_BYTES)
    with progress("questions proved") as step:
        made = make_form(drawn, step=step)
    if key is None:
        written = [str(path) for path in write_form(made, out, label)]
    else:
        written = [str(seal_form(made, out, label, key=key)[1])]
    told = record(made, seed=None if seal and seed is not None else drawn)
    if as_json:
        print_json({**told, "files": [{"file": path} for path in written]})
        return
    typer.echo(f"{told['questions']} questions in {told['bundles']} bundles, every key proved by two routes")
    typer.echo(
        f"linted: passed after {told['retries']} retries" if told["retries"] else "linted: passed at once"
    )
    for each in told["solvers"]:
        typer.echo(f"  {each['solver']:<22} {each['expected_accuracy']:6.1%}")
    for path in written:
        typer.echo(f"wrote {path}")
    if seed is None:
        notes().print(f"seed: {drawn}")
        notes().print("keep it secret and safe: it gives every key, and `assay causal explain` needs it")


@app.command()
def explain(
    ctx: typer.Context,
    question: str = typer.Argument(metavar="ID", help="A question's id, such as front-door-trap."),
    form: str = typer.Option(
        "causal", metavar="SUITE", help="The form: a built-in name, its folder, or its sealed file."
    ),
    seed: str | None = typer.Option(None, metavar="SEED", help="A sealed form's seed."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Show a question's model and why each option is right or wrong.

    The derivation of the key stands between them, and every claim with what both routes find.
    """
    from assay.cli.shown_causal import explanation_document, print_explanation
    from assay.studies.causal.explained import explain_question

    found = explain_question(question, form, seed=seed, environment=open_session(ctx).environment)
    if as_json:
        print_json(explanation_document(found))
    else:
        print_explanation(found)


@app.command()
def lint(
    ctx: typer.Context,
    form: str = typer.Argument(
        metavar="DIR", help="A form: its folder, its sealed file, or a built-in name."
    ),
    model: list[str] = typer.Option(
        [],
        "--model",
        "-m",
        metavar="PROVIDER/MODEL",
        help="Let a cheap model try it too: by the options alone, then with the questions.",
    ),
    max_cost: float | None = typer.Option(
        None, metavar="USD", help="With --model: stop each of the two runs at this many US dollars."
    ),
    tests: bool = typer.Option(False, "--tests", help="Print every attack, not only what it found."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Attack a form: pick options without reasoning.

    By position, length, words and numbers, by trained classifiers and, with --model, by a cheap model.
    All faults of a hand-written form are listed first (status 2). A finding ends with status 1.
    """
    from assay.cli.shown_lint import lint_document, print_lint
    from assay.studies.causal.generate import linted
    from assay.studies.causal.written import form_items

    work = open_session(ctx)
    items = form_items(form, work.environment)
    found = linted(items)
    baselines = [trial for name in model for trial in _tried(work, form, items, name, max_cost)]
    if as_json:
        print_json(lint_document(form, found, baselines))
    else:
        print_lint(found, baselines, everything=tests)
    if not found.passed:
        raise typer.Exit(1)


def _tried(work: Work, form: str, items: Sequence[Item], model: str, max_cost: float | None) -> list[Trial]:
    """Run a model on the options alone and on the whole form; a run that stops ends the command."""
    from assay.calls.steering import Steering
    from assay.cli.live import run_live
    from assay.cli.outcome import end
    from assay.cli.shown_lint import Trial
    from assay.runs.summary import score_run
    from assay.store.runs import read_run
    from assay.studies.causal.blind import blind_suite

    suite = work.suite(form)
    found = []
    for shown, asked in (("options only", blind_suite(items, suite.name)), ("whole questions", suite)):
        steering = Steering()
        plan = work.plan(asked, work.models([model]))
        outcome = run_live(work.run(plan, max_cost=max_cost, steering=steering), steering, label=asked.name)
        end(outcome)
        scores = score_run(work.engine, read_run(work.engine, outcome.run), asked)
        found.append(Trial.of(model, shown, outcome.run, scores))
    return found
