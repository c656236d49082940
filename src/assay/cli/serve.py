"""`assay serve`: serve the pages and the exam."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import typer

from assay.cli.app import new_app
from assay.cli.output import notes
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.core.exam import ACCESS_LOG_DAYS, EXAM_JUDGE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Engine

app = new_app()
BACKLOG = 2048
STOP_SECONDS = 10
START_SECONDS = 60
"""The time in which a worker must have started; uvicorn's own limit of 5 is too short on a busy machine."""
UVICORN = {
    "loop": "uvloop",
    "http": "assay.web.serving:Bounded",
    "log_level": "warning",
    "access_log": False,
    "server_header": False,
}
"""The server settings of every worker. The benchmark's bare route is served with the same settings."""


@app.command()
def serve(
    ctx: typer.Context,
    host: str = typer.Option("127.0.0.1", metavar="ADDRESS", help="Address to listen on."),
    port: int = typer.Option(8080, metavar="PORT", help="Port; 0 picks a free one."),
    workers: int = typer.Option(1, metavar="N", help="Number of processes; more than one needs PostgreSQL."),
    durable: bool = typer.Option(
        False, "--durable", help="With SQLite: also protect answers against a power failure."
    ),
    judge: str = typer.Option(
        EXAM_JUDGE, metavar="PROVIDER/MODEL", help="Judge whose marks published results are based on."
    ),
    access_log_days: int = typer.Option(
        ACCESS_LOG_DAYS, metavar="DAYS", help="Age in days at which access log entries are deleted."
    ),
    pages: bool = typer.Option(True, "--pages/--no-pages", help="Whether to serve the pages of results."),
) -> None:
    """Serve the pages of results, and exams if there is a bank.

    The pages show verdicts, boards, runs and every sample. They need no sign-in on this machine; on other
    addresses set ASSAY_PAGES_SECRET. Exams need the bank's key (ASSAY_BANK_KEY or ASSAY_BANK_KEY_FILE).
    It uses plain HTTP: put a proxy with TLS in front of it if other machines use it.
    """
    import os

    from assay.web.app import ACCESS_LOG_DAYS_ENV, DATABASE_ENV, DURABLE_ENV, JUDGE_ENV
    from assay.web.combined import EXAM_ENV, PAGES_ENV, WORKSPACE_ENV
    from assay.web.site.access import SiteAccess, is_loopback

    if access_log_days < 1:
        raise InvalidInput(f"invalid --access-log-days {access_log_days}: give 1 or more")
    work = open_session(ctx)
    loopback = is_loopback(host)
    exam = bool(_bank_key(work.environment)) or not pages
    _check(work.engine, work.environment, workers, exam=exam)
    port = _free(host, port)
    if pages:
        SiteAccess.from_environment(work.environment, loopback=loopback)
    os.environ.update(work.environment)
    os.environ[DATABASE_ENV] = work.workspace.database
    if work.workspace.path is not None:
        os.environ[WORKSPACE_ENV] = work.workspace.path
    os.environ[DURABLE_ENV] = "1" if durable else "0"
    os.environ[JUDGE_ENV] = judge
    os.environ[ACCESS_LOG_DAYS_ENV] = str(access_log_days)
    os.environ[EXAM_ENV] = "1" if exam else "0"
    os.environ[PAGES_ENV] = ("loopback" if loopback else "other") if pages else ""
    work.engine.dispose()
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    if not loopback:
        notes().print(
            f"{host} can be reached from other machines, and plain HTTP lets others on the network read "
            "tokens: allow connections only from a proxy with TLS"
        )
    if pages:
        notes().print(f"pages on {address}/" + ("" if exam else "; Ctrl-C stops"))
    if exam:
        notes().print(f"serving on {address}/api/v1; Ctrl-C stops")
    _run(host, port, workers)


def serve_pages(database: str, port: int) -> None:
    """Serve the pages of a database to this machine, and print their address."""
    import os

    from assay.web.app import DATABASE_ENV
    from assay.web.combined import EXAM_ENV, PAGES_ENV

    port = _free("127.0.0.1", port)
    os.environ.update({DATABASE_ENV: database, EXAM_ENV: "0", PAGES_ENV: "loopback"})
    notes().print(f"pages on http://127.0.0.1:{port}/; Ctrl-C stops")
    _run("127.0.0.1", port, 1)


def _run(host: str, port: int, workers: int) -> None:
    import uvicorn

    uvicorn.run(
        "assay.web.combined:from_environment",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        backlog=BACKLOG,
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_worker_healthcheck=START_SECONDS,
        **UVICORN,  # type: ignore[arg-type]
    )


def _check(engine: Engine, environment: Mapping[str, str], workers: int, *, exam: bool) -> None:
    """Raise errors here that would otherwise end every worker."""
    import time

    from assay.exam.keys import Keyring
    from assay.files.sealing import bank_sealer

    if workers < 1:
        raise InvalidInput(f"invalid --workers {workers}: give 1 or more")
    if workers > 1 and engine.dialect.name == "sqlite":
        raise InvalidInput(
            f"invalid --workers {workers}: SQLite allows only one; give a PostgreSQL --database for more"
        )
    if exam:
        Keyring(engine, bank_sealer(environment)).reload(now=time.time())


def _bank_key(environment: Mapping[str, str]) -> dict[str, str]:
    from assay.files.sealing import FILE_ENV, KEY_ENV

    return {name: environment[name] for name in (KEY_ENV, FILE_ENV) if name in environment}


def _free(host: str, port: int) -> int:
    """Return the port after a test that it is free; for 0 a free one."""
    if not 0 <= port <= 65535:
        raise InvalidInput(f"invalid --port {port}: give 0 to 65535")
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            raise InvalidInput(
                f"cannot listen on {host!r}, port {port}: {(error.strerror or str(error)).lower()}; give "
                "another --host or --port"
            ) from None
        return int(listener.getsockname()[1])
