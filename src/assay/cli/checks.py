"""The checks of `assay doctor`. A failing check is reported and does not end the others."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from assay.calls.subjects import check_keys
from assay.cli.endpoints import examine_provider
from assay.core.ask import CodeAsk, CodeStatus
from assay.core.errors import AssayError, NotFound
from assay.core.model import Model
from assay.core.wording import counted
from assay.files.workspace import open_workspace
from assay.providers.network import open_session
from assay.results.workspace import CheckName, CheckState, SystemCheck
from assay.runs.judging.panels import JudgeChoice, choose_panel
from assay.runs.plan import default_panel
from assay.runs.prices import known_prices
from assay.runs.watch.daily import check_pins
from assay.runs.work import Work
from assay.sandbox.choose import open_sandbox
from assay.store.engine import connect, database_exists, head, revision, spoken_errors
from assay.store.locks import held_locks

LEAST_PYTHON = (3, 11)
BOARD = "generalist"
"""The suite of the board that `assay doctor` checks the judges of."""
NO_JUDGE = "set the key, or name other judges: `judges` and `geval` in the workspace"
PROBE = "assert sum(range(5)) == 10"


def failed(check: CheckName, error: AssayError) -> list[SystemCheck]:
    """Return one failed check for each line of an error."""
    lines = str(error).splitlines()
    return [SystemCheck(check, CheckState.FAIL, line, None, error.exit_status) for line in lines]


def examine(root_options: Mapping[str, Any], *, models: Sequence[str], seconds: float) -> list[SystemCheck]:
    """Run every check. `root_options` are --workspace and --database; `models` are checked as well."""
    checks = [_python()]
    path = root_options.get("workspace")
    environment = dict(os.environ)
    if root_options.get("database"):
        environment["ASSAY_DATABASE"] = root_options["database"]
    try:
        workspace, complete = open_workspace(Path(), environment, None if path is None else Path(path))
        work = Work(workspace, complete)
    except AssayError as error:
        return [*checks, *failed("workspace", error), *_sandbox()]
    checks.append(_workspace(work))
    subjects = _subjects(work, models, checks)
    checks += _pins(work, subjects)
    checks += asyncio.run(_endpoints(work, subjects, seconds))
    checks += [*_suite(work), *asyncio.run(_board(work, seconds))]
    checks += [*_webhooks(work), *_database(work), *_sandbox()]
    return checks


def _python() -> SystemCheck:
    text = f"{platform.python_version()} at {sys.executable}"
    if sys.version_info < LEAST_PYTHON:
        return SystemCheck("python", CheckState.FAIL, text, "install Python 3.11 or later")
    return SystemCheck("python", CheckState.OK, text)


def _workspace(work: Work) -> SystemCheck:
    if work.workspace.path is None:
        return SystemCheck(
            "workspace", CheckState.WARN, "no assay.yaml here: using the defaults", "`assay init` writes one"
        )
    listed = len(work.workspace.models)
    return SystemCheck(
        "workspace", CheckState.OK, f"{work.workspace.path}: {counted(listed, 'model')} listed"
    )


def _subjects(work: Work, names: Sequence[str], checks: list[SystemCheck]) -> list[Model]:
    """Return the models in `names` and those that the workspace watches, lists or judges with.

    Adds a check for each unknown name to `checks`.
    """
    workspace = work.workspace
    models = []
    for name in dict.fromkeys([*names, *workspace.watch.models, *workspace.models, *workspace.judges]):
        try:
            models.append(workspace.model(name))
        except NotFound as error:
            checks += failed("models", error)
    if not models:
        checks.append(
            SystemCheck(
                "models",
                CheckState.WARN,
                "the workspace lists no model",
                "add one with `assay model add PROVIDER/MODEL`, or check one with `assay doctor --model`",
            )
        )
    return models


def _pins(work: Work, subjects: Sequence[Model]) -> list[SystemCheck]:
    watched = [model for model in subjects if model.name in work.workspace.watch.models]
    try:
        check_pins(watched, work.workspace.providers, allow_unpinned=work.workspace.watch.allow_unpinned)
    except AssayError as error:
        return failed("pins", error)
    return []


async def _endpoints(work: Work, subjects: Sequence[Model], seconds: float) -> list[SystemCheck]:
    by_provider: dict[str, list[Model]] = {}
    for model in subjects:
        by_provider.setdefault(model.provider, []).append(model)
    async with open_session(len(by_provider) or 1, work.environment) as session:
        results = await asyncio.gather(
            *(
                examine_provider(
                    work.workspace.providers[name], models, work.environment, session, seconds=seconds
                )
                for name, models in by_provider.items()
            )
        )
    return [check for checks in results for check in checks]


def _suite(work: Work) -> Iterator[SystemCheck]:
    name = work.workspace.watch.suite
    try:
        suite = work.suite(name)
    except AssayError as error:
        yield from failed("suite", error)
        return
    yield SystemCheck("suite", CheckState.OK, f"{suite.name} {suite.version}, {len(suite.cases)} cases")
    for judge in default_panel(suite).judges:
        try:
            check_keys([work.workspace.model(judge)], work.workspace.providers, work.environment)
        except AssayError as error:
            text = f"{judge} cannot mark the judged cases of {suite.name}, which stay ungraded: {error}"
            yield SystemCheck("judges", CheckState.WARN, text)
        else:
            yield SystemCheck("judges", CheckState.OK, f"{judge} marks the judged cases of {suite.name}")


async def _board(work: Work, seconds: float) -> list[SystemCheck]:
    """Check the judges that a run of the board's suite would use: keys, names, endpoints, pins, prices.

    Not every user runs a board, so problems are only warnings.
    """
    try:
        suite = work.suite(BOARD)
        panel = choose_panel(suite, work.workspace, JudgeChoice(), subjects=(), simulated=work.simulated)
        judges = work.models(panel.names)
    except AssayError as error:
        return [SystemCheck("board", CheckState.WARN, f"the judges of {BOARD}: {error}")]
    usable, without_key = [], dict[str, list[str]]()
    for judge in judges:
        try:
            check_keys([judge], work.workspace.providers, work.environment)
            usable.append(judge)
        except AssayError as error:
            without_key.setdefault(str(error), []).append(judge.name)
    warnings = [
        SystemCheck("board", CheckState.WARN, f"{', '.join(names)} cannot mark {BOARD}: {why}", NO_JUDGE)
        for why, names in without_key.items()
    ]
    warnings += [
        replace(check, check="board", state=CheckState.WARN)
        for check in await _endpoints(work, usable, seconds)
        if check.state is not CheckState.OK
    ]
    warnings += _unpinned(work, usable)
    unpriced = [judge.model.name for judge in known_prices(_engine(work), usable) if judge.prices is None]
    if unpriced:
        text = f"no prices are known for {', '.join(unpriced)}: --max-cost cannot limit what they cost"
        warnings.append(SystemCheck("board", CheckState.WARN, text, "fetch prices with `assay model prices`"))
    if warnings:
        return warnings
    geval = "no G-Eval" if panel.geval is None else f"G-Eval by {panel.geval}"
    return [
        SystemCheck("board", CheckState.OK, f"{counted(len(panel.judges), 'judge')} mark {BOARD}, {geval}")
    ]


def _engine(work: Work) -> Engine | None:
    """Return the database if it exists and has this version's schema."""
    if not database_exists(work.workspace.database):
        return None
    engine = connect(work.workspace.database)
    with spoken_errors(engine):
        return engine if revision(engine) == head() else None


def _unpinned(work: Work, judges: Sequence[Model]) -> Iterator[SystemCheck]:
    """Yield a warning about judges whose marks may come from another provider at every call."""
    names = [
        judge.name
        for judge in judges
        if judge.pin is None and work.workspace.providers[judge.provider].dialect == "openrouter"
    ]
    if names:
        text = f"no pin for {', '.join(names)}: each call may be served by another provider"
        yield SystemCheck(
            "board", CheckState.WARN, text, "pin a model with `assay model add PROVIDER/MODEL --pin NAME`"
        )


def _webhooks(work: Work) -> Iterator[SystemCheck]:
    for hook in work.workspace.notify:
        missing = [
            name
            for name in (hook.url_env, hook.secret_env)
            if name is not None and not work.environment.get(name, "").strip()
        ]
        if missing:
            text = f"webhook {hook.name!r}: {' and '.join(missing)} not set"
            yield SystemCheck("notify", CheckState.FAIL, text, "set it in the environment or in .env")
        else:
            yield SystemCheck("notify", CheckState.OK, f"webhook {hook.name!r}")


def _database(work: Work) -> Iterator[SystemCheck]:
    url = work.workspace.database
    if not database_exists(url):
        folder = Path(url.removeprefix("sqlite:///")).expanduser().absolute().parent
        if os.access(folder, os.W_OK):
            yield SystemCheck(
                "database", CheckState.OK, f"{url} does not exist yet: the first run creates it"
            )
        else:
            text = f"{url}: cannot write to the folder {str(folder)!r}"
            yield SystemCheck("database", CheckState.FAIL, text, "create it, or make it writable")
        return
    try:
        engine = connect(url)
        with spoken_errors(engine):
            schema = revision(engine)
        shown = engine.url.render_as_string(hide_password=True)
        if schema not in (None, head()):
            text = f"{shown} has schema {schema}, but this version needs {head()}"
            yield SystemCheck(
                "database", CheckState.FAIL, text, "`assay db backup --out FILE`, then `assay db upgrade`"
            )
            return
        yield SystemCheck(
            "database", CheckState.OK, f"{shown}, schema {schema or 'none yet: the first run creates it'}"
        )
        for lock in held_locks(engine) if schema is not None else ():
            text = f"{lock.name!r} is locked by {lock}: other processes are refused"
            yield SystemCheck("lock", CheckState.WARN, text, "wait for it to end, or stop it")
    except AssayError as error:
        yield from failed("database", error)


def _sandbox() -> Iterator[SystemCheck]:
    sandbox = open_sandbox()
    try:
        reply = sandbox.run(CodeAsk(PROBE))
    except AssayError as error:
        yield from failed("sandbox", error)
        return
    finally:
        sandbox.close()
    if reply.status is CodeStatus.PASSED:
        yield SystemCheck(
            "sandbox", CheckState.OK, f"{reply.sandbox} runs code in {1000 * reply.seconds:.0f} ms"
        )
        return
    advice = "cases that run a model's code stay ungraded until a sandbox works"
    yield SystemCheck("sandbox", CheckState.WARN, f"no usable sandbox: {reply.error}", advice)
