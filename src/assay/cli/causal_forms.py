"""The commands of `assay causal`."""

from __future__ import annotations

import secrets
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

import typer

from assay.calls.control import RunControl
from assay.causal.item import Item
from assay.cli.live import run_live
from assay.cli.outcome import end
from assay.cli.output import OutputFormat, notes, print_listed, print_result, print_rows, prints
from assay.cli.session import open_session
from assay.core.errors import ExitStatus, InvalidInput
from assay.core.suite import Suite
from assay.core.wording import counted
from assay.files.suite_folder import find_suite
from assay.files.suite_seal import environment_key
from assay.results.causal import (
    CLAIM_SHARES,
    TESTS,
    CheckedClaim,
    CheckedConcept,
    ExplainedOption,
    Explanation,
    FormLint,
    GeneratedForm,
    LintedForm,
    Trial,
)
from assay.runs.score_run import score_run
from assay.runs.work import Work
from assay.stats.intervals import clopper_pearson
from assay.store.runs import read_run
from assay.studies.causal.blind import blind_suite
from assay.studies.causal.concept_check import check_concept
from assay.studies.causal.explained import explain_question
from assay.studies.causal.form_files import check_place, record, seal_form, write_form
from assay.studies.causal.generate import bundles_request, ladder_request, linted, make_form
from assay.studies.causal.texts import FormLabel
from assay.studies.causal.written import form_items, is_generated

SEED_BYTES = 24
WIDTH = 100
CHANCE = 0.25


def generate(
    ctx: typer.Context,
    out: Path = typer.Option(
        ..., metavar="DIR", help="New folder; with --seal, the file DIR.sealed instead."
    ),
    seed: str | None = typer.Option(
        None, metavar="SEED", help="Seed; the same seed gives the same questions."
    ),
    seal: bool = typer.Option(
        False, "--seal", help="Encrypt the questions (key in ASSAY_SUITE_KEY); pages then show only scores."
    ),
    public: bool = typer.Option(
        False, "--public", help="Allow pages to show prompts and answers (default: scores only)."
    ),
    name: str = typer.Option("causal", metavar="NAME", help="Name of the suite."),
    version: str | None = typer.Option(
        None, metavar="V", help="Suite version (default: derived from generator and content)."
    ),
    ladder: bool = typer.Option(
        False,
        "--ladder",
        help="Generate a ladder: all rungs of causation, levels 1 to 4. Implied by the options below.",
    ),
    level: list[int] = typer.Option(
        [], "--level", metavar="N", help="Level of depth, 1 to 4 (default: all)."
    ),
    concepts: str = typer.Option("", "--concepts", metavar="A,B", help="Concepts (default: all)."),
    rungs: str = typer.Option(
        "", "--rungs", metavar="A,B", help="Of association, intervention, counterfactual (default: all)."
    ),
    questions: int | None = typer.Option(
        None,
        "--questions",
        metavar="N",
        help="Number of questions of a ladder, without twins (default: 100).",
    ),
    twins: int | None = typer.Option(
        None,
        "--twins",
        metavar="N",
        help="Twins of each kind: renamed, pressured, undeterminable (default: 0).",
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Generate 100 causal questions, each key proved in two ways.

    The set is checked for shortcuts, and drawn again if it happens to contain one. Sets of different seeds
    are equivalent. The seed reveals the keys: keep the seed of a private set secret.
    """
    if seal and public:
        raise InvalidInput("--seal and --public contradict each other: choose one")
    if seed is not None and not seed.strip():
        raise InvalidInput(f"invalid --seed {seed!r}: give some text, or leave --seed out to draw one")
    label = FormLabel(name, version, "public" if public else "private")
    check_place(out, seed=seed, seal=seal)
    key = None
    if seal:
        key = environment_key(open_session(ctx).environment)
    drawn = seed or secrets.token_urlsafe(SEED_BYTES)
    chosen = [each.strip() for each in concepts.split(",") if each.strip()]
    wanted_rungs = [each.strip() for each in rungs.split(",") if each.strip()]
    told_seed = None if seal and seed is not None else drawn
    if ladder or level or chosen or wanted_rungs or questions is not None or twins is not None:
        label = replace(label, name="causal-ladder" if name == "causal" else name)
        wanted = ladder_request(
            size=100 if questions is None else questions,
            levels=level,
            chosen=chosen,
            rungs=wanted_rungs,
            twins=twins or 0,
        )
    else:
        wanted = bundles_request()
    with _progress("questions proved") as step:
        made = make_form(drawn, wanted, step=step)
    if key is None:
        written = [str(path) for path in write_form(made, out, label)]
    else:
        written = [str(seal_form(made, out, label, key=key)[1])]
    form = record(made, seed=told_seed)
    if as_json:
        print_result(GeneratedForm(form, tuple(written)))
        return
    typer.echo(f"{form.questions} questions on {form.concepts} concepts, every key proved in two ways")
    retries = f" after {counted(form.retries, 'retry', 'retries')}" if form.retries else ""
    typer.echo(f"check for shortcuts: passed{retries}")
    for solver, accuracy in form.solvers.items():
        typer.echo(f"  {solver:<22} {accuracy:6.1%}")
    for path in written:
        typer.echo(f"wrote {path}")
    if seed is None:
        notes().print(f"seed: {drawn}")
        notes().print(
            "keep the seed secret and safe: it reveals every key, and `assay causal explain` needs it"
        )


def explain(
    ctx: typer.Context,
    question: str = typer.Argument(metavar="ID", help="Question id, such as front-door-trap."),
    form: str = typer.Option(
        "causal", metavar="SUITE", help="Built-in name, folder or sealed file of the question set."
    ),
    seed: str | None = typer.Option(None, metavar="SEED", help="Seed of a sealed question set."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Show a question's causal model, and what makes options right.

    Includes the derivation of the key, and each claim with the results of both proofs.
    """
    explanation = explain_question(question, form, seed=seed, environment=open_session(ctx).environment)
    if as_json:
        print_result(explanation)
    else:
        _print_explanation(explanation)


@prints("one row per attack")
def lint(
    ctx: typer.Context,
    output: OutputFormat,
    form: str = typer.Argument(
        "", metavar="DIR", help="Folder, sealed file or built-in name of a question set."
    ),
    concept: str = typer.Option(
        "", "--concept", metavar="NAME", help="Check the data of this concept instead of a question set."
    ),
    model: list[str] = typer.Option(
        [],
        "--model",
        "-m",
        metavar="PROVIDER/MODEL",
        help="Cheap model that is asked too: first with the options only, then with the questions.",
    ),
    max_cost: float | None = typer.Option(
        None, metavar="USD", help="With --model: spending limit for each of its two runs, in US dollars."
    ),
    tests: bool = typer.Option(False, "--tests", help="Print every attack, not only the successful ones."),
) -> None:
    """Check a question set for shortcuts that need no reasoning.

    Shortcuts use position, length, words and numbers, trained classifiers and, with --model, a cheap model.
    With --concept, checks a concept's data files, and draws, proves and reads back its questions.
    Exits with 2 if the file has errors, which are all listed, and with 1 if a shortcut works.
    """
    if bool(form) == bool(concept):
        raise InvalidInput("give the folder of a question set, or --concept with the name of a concept")
    if concept:
        _lint_concept(concept, output)
        return
    work = open_session(ctx)
    items = form_items(form, work.environment)
    checked = linted(items, alike=not is_generated(find_suite(form)))
    baselines = tuple(trial for name in model for trial in _trials(work, form, items, name, max_cost))
    print_listed(
        TESTS,
        checked.tests,
        output,
        result=LintedForm(form, checked, baselines),
        text=lambda: _print_lint(checked, baselines, everything=tests),
    )
    if not checked.passed:
        raise typer.Exit(ExitStatus.BAD_NEWS)


def _lint_concept(name: str, output: OutputFormat) -> None:
    with _progress("questions proved") as step:
        found = check_concept(name, step=step)
    print_listed(CLAIM_SHARES, found.claims, output, result=found, text=lambda: _print_concept(found))
    if not found.passed:
        raise typer.Exit(ExitStatus.BAD_NEWS)


def _print_concept(found: CheckedConcept) -> None:
    typer.echo(f"{found.concept}: {counted(found.questions, 'question')} drawn, proved and read back")
    if found.claims:
        print_rows(CLAIM_SHARES, found.claims)
    for finding in found.findings:
        typer.echo(finding)
    typer.echo("passed" if found.passed else counted(len(found.findings), "finding"))


def _trials(work: Work, form: str, items: Sequence[Item], model: str, max_cost: float | None) -> list[Trial]:
    """Run a model on the options alone and on the whole form; a run that stops ends the command."""
    suite = work.suite(form)
    options_only = blind_suite(items, suite.name)
    return [
        _trial(work, model, "options only", options_only, max_cost),
        _trial(work, model, "whole questions", suite, max_cost),
    ]


def _trial(
    work: Work,
    model: str,
    shown: Literal["options only", "whole questions"],
    suite: Suite,
    max_cost: float | None,
) -> Trial:
    control = RunControl()
    plan = work.plan(suite, work.models([model]))
    outcome = run_live(work.run(plan, max_cost=max_cost, control=control), control, label=suite.name)
    end(outcome)
    scores = score_run(work.engine, read_run(work.engine, outcome.run), suite)
    right = sum(round((score.score or 0.0) / 100 * score.cases) for score in scores)
    n = sum(score.counts.n for score in scores)
    errors = sum(score.counts.error for score in scores)
    return Trial(model, shown, outcome.run, right, n, errors, clopper_pearson(right, n))


@contextmanager
def _progress(unit: str) -> Iterator[Callable[[], None]]:
    """Yield a function to call at every step; on a terminal it shows the count on stderr."""
    done = 0
    shown = sys.stderr.isatty()

    def step() -> None:
        nonlocal done
        done += 1
        if shown:
            print(f"\r{done} {unit}", end="", file=sys.stderr, flush=True)

    try:
        yield step
    finally:
        if shown and done:
            print(file=sys.stderr)


def _print_explanation(explanation: Explanation) -> None:
    """Print a question's model, the derivation of its key, and each option with its claims."""
    typer.echo(
        f"{explanation.id}   wording {explanation.template}, scene {explanation.scene}, "
        f"drawn: {explanation.state}"
    )
    _head("Question")
    typer.echo("\n".join(_wrapped(line) for line in explanation.stem.split("\n")))
    _head("Model")
    typer.echo(_wrapped(", ".join(explanation.arrows) or "no arrows"))
    for variable in explanation.variables:
        unmeasured = "  (not measured)" if variable.hidden else ""
        if variable.rows:
            typer.echo(f"  {variable.name}{unmeasured}: levels 0, 1, ... with their probabilities")
            for row in variable.rows:
                typer.echo(f"    {row}")
        elif variable.hidden:
            typer.echo(f"  {variable.name}{unmeasured}")
    if explanation.derivation:
        _head("Derivation")
        for step in explanation.derivation:
            typer.echo(_wrapped(f"{step.label}: {step.term} = {step.value}", "  "))
    _head("Options")
    for option in explanation.options:
        _print_option(option)


def _print_option(option: ExplainedOption) -> None:
    verdict = "right" if option.right else f"wrong: {option.kind}"
    typer.echo(_wrapped(f"{option.letter}) {option.text}"))
    typer.echo(_wrapped(f"[{verdict}] {option.why}", "   "))
    if option.figure is not None:
        typer.echo(_wrapped(f"the figure is {option.figure.query} = {option.figure.derived}", "   "))
    for claim in option.claims:
        typer.echo(_wrapped(_claim(claim), "   "))
    typer.echo("")


def _claim(claim: CheckedClaim) -> str:
    mark = "true " if claim.true else "FALSE"
    routes = f"derived {claim.derived}, counted {claim.counted}"
    return f"{mark} claims {claim.query}: {claim.asserted}; {routes}"


def _head(text: str) -> None:
    typer.echo(f"\n{text}\n{'-' * len(text)}")


def _wrapped(text: str, indent: str = "") -> str:
    if text.startswith("|"):
        return text
    return textwrap.fill(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent + "  " if indent else ""
    )


def _print_lint(checked: FormLint, trials: Sequence[Trial], *, everything: bool) -> None:
    """Print the findings, and with `everything` each attack."""
    typer.echo(f"{counted(checked.questions, 'question')}, {len(checked.tests)} attacks and tests")
    if everything:
        print_rows(TESTS, checked.tests)
    for finding in checked.findings:
        typer.echo(f"{finding.kind}: {finding.text}")
    for trial in trials:
        low, high = trial.interval.low, trial.interval.high
        typer.echo(
            f"{trial.model}, {trial.shown}: {trial.right} of {trial.n} right ({trial.accuracy:.0%}, "
            f"95% {low:.0%} to {high:.0%}; chance {CHANCE:.0%}), {trial.error} errors, run {trial.run}"
        )
        if trial.simulated:
            notes().print(f"{trial.model} is simulated and knows the keys: its result says nothing real")
        elif trial.shown == "options only" and low > CHANCE:
            notes().print(
                f"{trial.model} is above chance without the questions: the options give something away"
            )
    findings = counted(len(checked.findings), "finding")
    typer.echo("passed" if checked.passed else f"{findings}: do not publish this question set")
